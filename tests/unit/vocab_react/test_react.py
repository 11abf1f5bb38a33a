"""Steps as small models write them."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.vocab_react.react import Step, parse_step
from graphs.vocab_react.react_tools import TOOL_NAMES

OURS = Path(__file__).parent / "data" / "shapes.jsonl"
SHAPES = [json.loads(line) for line in OURS.read_text(encoding="utf-8").splitlines()]


def is_right(shape: dict[str, Any]) -> bool:
    step = parse_step(shape["text"])
    right_input = shape["input"] is None or step.input == shape["input"]
    return step.kind == shape["kind"] and step.tool == shape["tool"] and right_input


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["id"])
def test_a_shape_of_ours(shape: dict[str, Any]) -> None:
    assert is_right(shape), parse_step(shape["text"])


def test_every_shape_of_the_shared_collection(shared_data: Path) -> None:
    lines = (shared_data / "react-shapes" / "shapes.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = [shape["id"] for shape in map(json.loads, lines) if not is_right(shape)]
    assert not wrong


def test_an_error_says_what_is_wrong() -> None:
    assert parse_step("").repairs == ["empty answer"]
    assert parse_step("Action: search_web\nAction Input: x").repairs[0] == "unknown tool: search_web"


def test_repairs_are_told() -> None:
    step = parse_step("Action: get lyrics\nAction Input: {'song_name': 'a', 'artist': 'b',}")
    assert step.kind == "action"
    assert step.input == {"song": "a", "artist": "b"}
    assert "argument names" in step.repairs
    assert parse_step('Action: get_lyrics\nAction Input: {"song": "a"}').repairs == []


def test_an_observation_the_model_made_up_is_cut() -> None:
    text = 'Action: get_lyrics\nAction Input: {"song": "a"\nObservation: {"lyrics": "la"}\nFinal Answer: x'
    step = parse_step(text)
    assert (step.tool, step.input) == ("get_lyrics", {"song": "a"})


WORDS = st.sampled_from(
    [
        "Action: ",
        "Action Input: ",
        "Observation: ",
        "Final Answer: ",
        "get_lyrics",
        "return_vocabulary",
        "{",
        "}",
        "[",
        "]",
        '"song"',
        ": ",
        ", ",
        "\n",
        "```json",
        "<tool_call>",
        "</tool_call>",
        "夢",
        "(",
        ")",
        "'",
        "\\",
        "Thought: ",
    ]
)


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=40).map("".join)))
def test_any_text_gives_a_step(text: str) -> None:
    step = parse_step(text)
    assert isinstance(step, Step)
    if step.kind == "action":
        assert step.tool in TOOL_NAMES
        assert isinstance(step.input, dict)
    else:
        assert step.tool is None


NAMES = st.text(st.characters(whitelist_categories=("Lu", "Ll", "Lo", "Nd")), min_size=1, max_size=20)


@settings(max_examples=100)
@given(NAMES, NAMES)
def test_clean_json_is_taken_as_it_is(song: str, artist: str) -> None:
    asked = {"song": song, "artist": artist}
    step = parse_step(
        f"Thought: x\nAction: get_lyrics\nAction Input: {json.dumps(asked, ensure_ascii=False)}"
    )
    assert step.input == asked


@pytest.mark.parametrize(
    "text",
    [
        "{" * 50_000,
        "[" * 50_000,
        "Action: " * 8_000,
        "get_lyrics(" * 8_000,
        "<get_lyrics>" * 5_000,
        "- " * 40_000,
        '{"a b c ' * 8_000,
        "<think>" * 9_000,
        "Action: get_lyrics\nAction Input: " + "song is " * 8_000,
        *("Action: get_lyrics\nAction Input: " + mark * 25_000 for mark in "\"'`"),
        "*" * 90_000,
        "x" * 2_000_000,
    ],
)
def test_endless_nonsense_is_read_quickly(text: str) -> None:
    start = time.process_time()
    parse_step(text)
    assert time.process_time() - start < 60  # a second here; begun anew at each mark, it would be hours


def test_endless_blanks_are_read_at_once() -> None:
    hostile = 'Action: get_lyrics\nAction Input: {"song": "' + "\n" * 15_000
    assert parse_step(hostile).tool == "get_lyrics"
    assert parse_step(" \n" * 20_000).kind == "error"


@pytest.mark.parametrize(
    "text",
    [
        "行动：get_lyrics\n行动输入：{“song”：“Lemon”，“artist”：“Yonezu”}",
        'アクション：get_lyrics\n入力：{"song"： "Lemon"、 "artist"： "Yonezu"}',
        '[TOOL_CALLS]get_lyrics[ARGS]{"song": "Lemon", "artist": "Yonezu"}',
        'Action: get_lyrics\nAction Input: {"song": "Lemon", "artist": "Yonezu"}'.replace('"', "&quot;"),
        'Akcja: get_lyrics\nDane wejściowe: {"song": "Lemon", "artist": "Yonezu"}',
        'Hành động: get_lyrics\nĐầu vào: {"song": "Lemon", "artist": "Yonezu"}',
    ],
)
def test_marks_and_labels_of_other_languages(text: str) -> None:
    step = parse_step(text)
    assert (step.tool, step.input) == ("get_lyrics", {"song": "Lemon", "artist": "Yonezu"})


@pytest.mark.parametrize("text", ["Odpowiedź końcowa: gotowe", "Nihai cevap: tamam", "Eindantwoord: klaar"])
def test_final_answers_of_other_languages(text: str) -> None:
    assert parse_step(text).kind == "final"
