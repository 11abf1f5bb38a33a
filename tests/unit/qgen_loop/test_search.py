"""Search: phrases over line ends, plain answers to refused patterns, and no pattern that hangs."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.qgen_loop.documents.search import SearchResult, TextIndex, search_lines

LINES = ["The lamp of Skarn", "Rock burned 27 litres", "", "of oil. ÉCLAIR café", "end of the lamp"]


def find(pattern: str, **options: object) -> SearchResult:
    return search_lines(TextIndex(LINES), LINES, [1, 1, 1, 2, 2], pattern, **options)  # type: ignore[arg-type]


def test_matches_with_context() -> None:
    result = find("lamp", context_lines=1)
    assert [match.line for match in result.matches] == [1, 5]
    assert str(result.matches[0]) == ">1: The lamp of Skarn\n 2: Rock burned 27 litres"
    assert result.matches[1].before == ["of oil. ÉCLAIR café"]
    assert find("lamp", context_lines=-5).matches[0].after == []
    assert len(find("lamp", context_lines=99).matches[0].after) == 4


def test_expressions_and_phrases() -> None:
    assert [match.line for match in find(r"\d+ litres").matches] == [2]
    assert [match.line for match in find("éclair").matches] == [4]
    assert [match.line for match in find("Skarn Rock").matches] == [1]
    assert [match.line for match in find("27 litres of oil", literal=True).matches] == [2]
    assert find("^end").matches[0].page == 2
    assert find("a.c", literal=True).note == "No line matches."
    assert len(find("$").matches) == 5


@pytest.mark.parametrize(
    "pattern", ["(", "(?=x)", r"(a)\1", "[[[", "a{9999}", "x" * 500, "(.{1,500}){1,2}x", "(?P<"]
)
def test_refused_patterns_get_a_plain_answer(pattern: str) -> None:
    result = find(pattern)
    assert "cannot be used" in result.note
    assert result.matches == []


def test_empty_pattern() -> None:
    assert "empty" in str(find("  "))


HARD = ["(a+)+$", "(x+x+)+y", r"([a-q][^u-z]{13}x)9", "a.{0,50}b.{0,50}c.{0,50}d.{0,50}9", "(?s).*9",
        "(a|aa)+9",

        r"(\pL{1,50}\s){1,10}9", "[^x]{200}9", "."]  # fmt: skip


def test_no_pattern_hangs() -> None:
    dice = random.Random(5)
    words = ["".join(dice.choices("abcdefghij", k=6)) for _ in range(500)]
    lines = [" ".join(dice.choices(words, k=12)) for _ in range(60_000)]
    index = TextIndex(lines)
    for pattern in HARD:
        started = time.process_time()
        search_lines(index, lines, [1] * len(lines), pattern)
        assert time.process_time() - started < 5.0, pattern  # a shared machine; the benchmark holds 250 ms


@settings(max_examples=80)
@given(
    st.text(max_size=30),
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20), max_size=8),
)
def test_any_pattern_any_text(pattern: str, lines: list[str]) -> None:
    result = search_lines(TextIndex(lines), lines, [1] * len(lines), pattern.encode(errors="ignore").decode())
    assert all(1 <= match.line <= len(lines) for match in result.matches)
    assert str(result) or result.matches
