"""Teaching or troubleshooting: our questions, real ones, and what the CLI adds."""

import json
import time
from pathlib import Path

import pytest

from graphs.tutoring.intent import classify

QUESTIONS = Path(__file__).parent / "data" / "questions.txt"
ERROR = {
    "command": "hostnane R1",
    "output": "R1(config)#hostnane R1\n% Invalid input detected at '^' marker.",
}
FINE = {"command": "show clock", "output": "12:00:00"}


def ours() -> list[tuple[str, str]]:
    label, found = "", []
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            label = line[2:]
        elif line.strip():
            found.append((line, label))
    return found


def shares(pairs: list[tuple[str, str]]) -> tuple[float, float]:
    right = [classify(text) == label for text, label in pairs]
    trouble = [ok for ok, (_, label) in zip(right, pairs, strict=True) if label == "troubleshooting"]
    return sum(right) / len(right), sum(trouble) / len(trouble)


def test_our_questions() -> None:
    pairs = ours()
    assert len(pairs) >= 300
    right, recall = shares(pairs)
    assert right >= 0.97
    assert recall >= 0.97


def test_real_questions(shared_data: Path) -> None:
    lines = (shared_data / "cli" / "intents.jsonl").read_text(encoding="utf-8").splitlines()
    right, recall = shares([(item["text"], item["label"]) for item in map(json.loads, lines)])
    assert right >= 0.9
    assert recall >= 0.9


def test_fast() -> None:
    classify("warm up", [ERROR])
    start = time.process_time()
    for text, _ in ours():
        classify(text, [FINE, ERROR])
    assert (time.process_time() - start) / len(ours()) < 0.05


@pytest.mark.parametrize("question", ["", "   ", "ok", "??", "こんにちは", "\x00\x1b[31m"])
def test_nothing_to_go_by_is_ambiguous(question: str) -> None:
    assert classify(question) == "ambiguous"


def test_cli_error_is_a_strong_signal() -> None:
    assert classify("how do I set the name?", [ERROR]) == "troubleshooting"
    assert classify("and now?", [FINE, ERROR, FINE]) == "troubleshooting"
    assert classify("and now?", [ERROR, *[FINE] * 5]) != "troubleshooting"
    assert classify("What is a VLAN?", [ERROR]) == "teaching"


def test_long_question() -> None:
    start = time.process_time()
    classify("why does my ping fail " * 5_000)
    assert time.process_time() - start < 5
