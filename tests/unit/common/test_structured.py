"""`ask` survives anything a model can return and anything a connection can do."""

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from common.budget import Budget
from common.models import Role
from common.structured import Answer, Unusable, ask, flat_schema, read_text
from tests.fakes.model_server import (
    BAD_UTF8,
    CUT,
    ENDLESS,
    HANG,
    HTML,
    NO_CHOICES,
    REFUSAL,
    Fault,
    ModelServer,
    model_server,
    status,
    tool_call,
    truncated,
)


class Word(BaseModel):
    """A word and how often it occurs."""

    word: str = Field(min_length=1)
    count: int = 1


class Words(BaseModel):
    words: list[Word]


GOOD = '{"word": "yama", "count": 3}'
MESSAGES = [SystemMessage("You count words."), HumanMessage("Count.")]
PROVIDERS = ["openai", "ollama"]

Settings = Callable[..., None]


def twin() -> Word:
    return Word(word="by rules", count=0)


async def answer(
    spec: str, budget: Budget | None = None, schema: Any = Word, make: Any = twin
) -> Answer[Any]:
    role = Role(graph="test", name="counter", spec=spec)
    return await ask(schema, list(MESSAGES), role=role, twin=make, budget=budget or Budget())


@pytest.fixture(params=PROVIDERS)
def served(request: pytest.FixtureRequest, settings: Settings) -> Callable[[ModelServer], str]:
    """The spec under which the server's real client asks it."""

    def spec(server: ModelServer) -> str:
        settings(
            base_urls__local=server.openai_url,
            ollama_base_url=server.ollama_url,
            # Short only where nothing else ends the wait: a busy machine may be slow to answer.
            model_timeout=1.0 if server.behaviours in ([HANG], [ENDLESS]) else 120.0,
            model_attempts=2,
        )
        return "local:fake" if request.param == "openai" else "ollama:fake"

    return spec


RETURNED: list[tuple[str, list[str | Fault], str]] = [
    ("good", [GOOD], "llm"),
    ("fenced", [f"Here you are:\n```json\n{GOOD}\n```\nAnything else?"], "llm"),
    ("in prose", [f"The answer is {GOOD}, as you see."], "llm"),
    ("thinking", [f"<think>hm {{ }}</think>{GOOD}"], "llm"),
    ("trailing comma", ['{"word": "yama", "count": 3,}'], "llm_repaired"),
    ("text truncated", [truncated('{"word": "yama", "count": 3')], "llm_repaired"),
    ("tool call", [tool_call("answer", {"word": "yama", "count": 3})], "llm"),
    ("other tool call, then good", [tool_call("search", {"q": 1}), GOOD], "llm_repaired"),
    ("empty, then good", ["", GOOD], "llm_repaired"),
    ("prose, then good", ["I would say yama.", GOOD], "llm_repaired"),
    ("wrong types, then good", ['{"word": [], "count": "many"}', GOOD], "llm_repaired"),
    ("refusal, then good", [REFUSAL, GOOD], "llm_repaired"),
    ("schema refused, then good", [status(400), GOOD], "llm"),
    ("500, then good", [status(500), GOOD], "llm"),
    ("429 with Retry-After, then good", [status(429, retry_after="0.1"), GOOD], "llm"),
    (
        "429 with a date that has passed",
        [status(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), GOOD],
        "llm",
    ),
    ("429 with words for a date", [status(429, retry_after="soon"), GOOD], "llm"),
    ("cut, then good", [CUT, GOOD], "llm"),
]

HOPELESS: list[tuple[str, list[str | Fault]]] = [
    ("always empty", [""]),
    ("always prose", ["I would say yama."]),
    ("always wrong types", ['{"word": {}}']),
    ("always refusing", [REFUSAL]),
    ("always another tool", [tool_call("search", {"q": 1})]),
    ("ten megabytes", ["yama " * 2_000_000]),
    ("not UTF-8", [BAD_UTF8]),
    ("an HTML page", [HTML]),
    ("no choices", [NO_CHOICES]),
    ("always 500", [status(500)]),
    ("always 429", [status(429, retry_after="0.05")]),
    ("429 for an hour", [status(429, retry_after="3600")]),
    ("429 until a date", [status(429, retry_after="Fri, 01 Jan 2100 00:00:00 GMT")]),
    ("401", [status(401)]),
    ("404", [status(404)]),
    ("always cut", [CUT]),
    ("hanging", [HANG]),
    ("endless whitespace", [ENDLESS]),
    ("deep nesting", ['{"word":' + "[" * 5_000]),
]


@pytest.mark.parametrize(("replies", "origin"), [case[1:] for case in RETURNED], ids=[c[0] for c in RETURNED])
async def test_reads_what_models_return(served: Any, replies: list[str | Fault], origin: str) -> None:
    with model_server(*replies) as server:
        got = await answer(served(server))
    assert (got.value, got.origin, got.degraded) == (Word(word="yama", count=3), origin, False)
    assert got.warnings == []


@pytest.mark.parametrize("replies", [case[1] for case in HOPELESS], ids=[case[0] for case in HOPELESS])
async def test_falls_to_rules_and_says_why(served: Any, replies: list[str | Fault]) -> None:
    with model_server(*replies) as server:
        got = await answer(served(server))
    assert (got.value, got.origin, got.degraded) == (twin(), "rules", True)
    assert len(got.warnings) == 1
    assert got.warnings[0].startswith("test.counter (")


async def test_refused_connection(settings: Settings) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings(ollama_base_url=f"http://127.0.0.1:{unused.getsockname()[1]}", model_attempts=1)
        got = await answer("ollama:mistral")
    assert got.degraded
    assert "ollama serve" in got.warnings[0]


async def test_missing_ollama_model_names_its_pull(settings: Settings) -> None:
    with model_server(status(404)) as server:
        settings(ollama_base_url=server.ollama_url)
        got = await answer("ollama:mistral")
    assert "ollama pull mistral" in got.warnings[0]


async def test_dead_model_is_left_alone_for_a_while(settings: Settings) -> None:
    with model_server(CUT) as server:
        settings(base_urls__local=server.openai_url, model_attempts=1, model_cooldown=60)
        await answer("local:fake")
        got = await answer("local:fake")
        assert len(server.requests) == 1
    assert "a moment ago" in got.warnings[0]


async def test_rules_role_asks_nobody_and_is_not_degraded() -> None:
    got = await answer("rules")
    assert (got.value, got.origin, got.degraded, got.warnings) == (twin(), "rules", False, [])


@pytest.mark.parametrize("spec", ["nobody:model", "openai:gpt-5.1", "google_genai:gemini-2.5-pro", "mistral"])
async def test_model_that_cannot_be_made(spec: str) -> None:
    got = await answer(spec)
    assert got.degraded
    assert got.warnings


async def test_counts_calls_and_tokens(settings: Settings) -> None:
    budget = Budget()
    with model_server("", GOOD) as server:
        settings(base_urls__local=server.openai_url)
        await answer("local:fake", budget)
    assert budget.delta == {"calls": 2, "input_tokens": 22, "output_tokens": 14, "usd": 0.0}


async def test_stops_at_the_budget(scripted: Any) -> None:
    model = scripted("m", ["no json"])
    got = await answer("scripted:m", Budget(max_calls=1))
    assert got.degraded
    assert len(model.calls) == 1
    assert "1 model calls" in got.warnings[0]


async def test_refuses_a_prompt_longer_than_the_window(settings: Settings, scripted: Any) -> None:
    settings(num_ctx=1024)
    model = scripted("m", [GOOD])
    role = Role(graph="test", name="counter", spec="scripted:m")
    got = await ask(Word, [HumanMessage("山" * 2_000)], role=role, twin=twin, budget=Budget())
    assert got.degraded
    assert model.calls == []
    assert "STUDY_NUM_CTX" in got.warnings[0]


async def test_native_format_reaches_each_server(served: Any) -> None:
    with model_server(GOOD) as server:
        spec = served(server)
        await answer(spec)
    body = server.requests[0]
    schema = body["format"] if spec.startswith("ollama") else body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["count"]["type"] == "integer"
    assert "JSON Schema" in body["messages"][-1]["content"]
    if spec.startswith("ollama"):
        assert body["options"]["num_ctx"] == 16_384
        assert body["options"]["num_predict"] == 4_096


async def test_schema_goes_to_the_end_of_a_message_with_images(scripted: Any) -> None:
    model = scripted("m", [GOOD])
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    role = Role(graph="test", name="counter", spec="scripted:m")
    await ask(Word, [HumanMessage([picture])], role=role, twin=twin, budget=Budget())
    assert model.calls[0][-1].content[-1]["type"] == "text"


async def test_schema_follows_a_tool_or_system_message(scripted: Any) -> None:
    model = scripted("m", [GOOD])
    role = Role(graph="test", name="counter", spec="scripted:m")
    await ask(Word, [SystemMessage("only this")], role=role, twin=twin, budget=Budget())
    assert isinstance(model.calls[0][-1], HumanMessage)


@pytest.mark.parametrize("text", [f"[{GOOD}]", f'{{"words": [{GOOD}]}}'])
async def test_bare_list_where_one_list_is_asked(scripted: Any, text: str) -> None:
    scripted("m", [text])
    got = await answer("scripted:m", schema=Words, make=lambda: Words(words=[]))
    assert got.value.words == [Word(word="yama", count=3)]


def test_list_around_one_object() -> None:
    assert read_text(Word, f"[{GOOD}]")[0].count == 3


def test_several_objects_are_not_one_answer() -> None:
    with pytest.raises(Unusable):
        read_text(Word, f"[{GOOD}, {GOOD}]")


def test_schema_is_flat() -> None:
    shape = json.dumps(flat_schema(Words))
    assert "$ref" not in shape
    assert "$defs" not in shape
    assert '"title"' not in shape


@given(st.text())
def test_no_text_raises_anything_else(text: str) -> None:
    try:
        value, origin = read_text(Word, text)
    except Unusable:
        return
    assert isinstance(value, Word)
    assert origin in ("llm", "llm_repaired")


@given(st.builds(Word, word=st.text(min_size=1), count=st.integers(0, 99)), st.text(alphabet="abc .,\n"))
def test_json_is_found_inside_prose(word: Word, prose: str) -> None:
    assert read_text(Word, f"{prose}{word.model_dump_json()}{prose}") == (word, "llm")


def test_reply_without_text() -> None:
    with pytest.raises(Unusable):
        read_text(Word, str(AIMessage("").text))


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        '{"' * 100_000,
        '{"a": [' * 5_000,
        "[{" * 9_000 + "}]" * 9_000,
        '{"noise": "' + "]" * 9_000 + '", "word": ' + "[" * 9_000,
    ],
)
def test_brackets_nested_without_end_are_not_mended(text: str) -> None:
    with pytest.raises(Unusable):
        read_text(Word, text)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        (f"I should fill in {{word}}.</think>\n{GOOD}", "llm"),
        (f'<reasoning>maybe {{"word": "kawa"}}</reasoning>{GOOD}', "llm"),
        (f'For example {{"word": "kawa"}}. My answer: {GOOD}', "llm"),
        (f'{{"type": "object", "properties": {{"word": {{}}}}}}\n\n{GOOD}', "llm"),
        (f"As {{told}} in [1]: {GOOD} where {{word}} is the word.", "llm"),
        (f"[1, 2] [x] {GOOD}", "llm"),
        (f'{{"answer": {GOOD}}}', "llm_repaired"),
        (f'{{"result": [{GOOD}]}}', "llm_repaired"),
        ('{"Word": "yama", "Count ": 3}', "llm_repaired"),
        ('{"word": "yama", "count": 3, "note": {"unfinished', "llm_repaired"),
    ],
)
def test_the_answer_is_told_from_what_stands_around_it(text: str, origin: str) -> None:
    assert read_text(Word, text) == (Word(word="yama", count=3), origin)


def test_null_is_a_field_left_out() -> None:
    assert read_text(Word, '{"word": "yama", "count": null}') == (Word(word="yama"), "llm_repaired")


def test_a_fence_inside_a_string_does_not_end_the_answer() -> None:
    fenced = '```json\n{"word": "a ``` b", "count": 3}\n```'
    assert read_text(Word, fenced)[0] == Word(word="a ``` b", count=3)


def test_an_object_inside_one_that_is_cut_off_is_not_the_answer() -> None:
    with pytest.raises(Unusable):
        read_text(Word, '{"list": {"a": 1, "b": ' + '{"word": "kawa"}, "c" ' * 30_000)


def test_many_objects_are_not_looked_through_for_ever() -> None:
    with pytest.raises(Unusable):
        read_text(Word, '{"a": 1} ' * 60)
