"""Shortlists, corpus.yaml, statistics and coverage."""

import sqlite3
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import BadInput, NotFound
from graphs.qgen_loop import coverage
from graphs.qgen_loop.corpus import load_corpus, meta_prompt, scenario_of
from graphs.qgen_loop.dedupe import overlap, question_key, shortlist
from graphs.qgen_loop.documents import open_document
from graphs.qgen_loop.statistics import Statistics, open_statistics
from tests.fakes import qgen_documents as made

CORPUS = """
name: Lights
corpus_context: >
  Notes on lighthouses.
scenarios:
  quiz:
    name: Pub quiz
    description: Short facts.
"""


def corpus_file(folder: Path, text: str = CORPUS) -> Path:
    path = folder / "corpus.yaml"
    path.write_text(text)
    return path


def test_a_corpus_and_its_words(tmp_path: Path) -> None:
    corpus = load_corpus(corpus_file(tmp_path).parent)
    assert scenario_of(corpus, "quiz").name == "Pub quiz"
    words = meta_prompt(corpus, corpus.scenarios["quiz"])
    assert "Notes on lighthouses." in words
    assert "Short facts." in words
    with pytest.raises(NotFound, match=r"no scenario 'exam'.*quiz"):
        scenario_of(corpus, "exam")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: x\ncorpus_context: y\n", "scenarios is missing"),
        ("name: x\ncorpus_context: y\nscenarios: {}\n", "scenarios is empty"),
        (
            "name: x\nscenarios: {a: {name: b}}\n",
            r"corpus_context is missing; scenarios.a.description is missing",
        ),
        ("name: ''\ncorpus_context: y\nscenarios: {a: {name: b, description: c}}\n", "name is empty"),
        ("- a\n- b\n", "not a corpus description"),
        ("name: 5\ncorpus_context: y\nscenarios: [a]\n", "name must be text.*; scenarios must be a mapping"),
        ("a: [\n", 'not valid YAML: line 2, column 1: [^"]*$'),
        ("", "not a corpus description"),
        ("x: !!python/object/apply:os.system ['true']\n", "not valid YAML"),
    ],
)
def test_a_bad_corpus_names_the_field(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        load_corpus(corpus_file(tmp_path, text))


def test_a_missing_or_huge_corpus_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        load_corpus(tmp_path)
    with pytest.raises(BadInput, match="larger"):
        load_corpus(corpus_file(tmp_path, "#" * 1_000_001))


def test_the_same_question_in_other_clothes() -> None:
    assert question_key("What is the Height of Skarn?") == question_key("what is height of  skarn")
    assert question_key("What is the height?") != question_key("What is the width?")
    assert overlap("How tall is the tower?", "How tall was the tower") > 90
    assert overlap("", "x") == 0


def test_a_shortlist_is_short_and_may_be_empty() -> None:
    accepted = ["When was the lighthouse finished?", "Who was the first keeper?"]
    assert shortlist("How many steps lead to the lantern?", accepted) == []
    assert shortlist("When was the lighthouse finished off?", accepted) == [0]
    vectors = np.array([[1, 0], [0, 1], [0.1, 0.99]], dtype=np.float32)
    assert shortlist("something else entirely here", accepted, vectors=vectors, embedder="use") == [1]
    assert len(shortlist("q", ["q"] * 30, vectors=np.ones((31, 1), dtype=np.float32))) == 10


def test_statistics_survive_replays(tmp_path: Path) -> None:
    statistics = Statistics(tmp_path / "deep" / "qgen.sqlite3")
    attempt = {
        "run_id": "r", "attempt_number": 1, "outcome": "rejected", "rejection_reason": "trivial",
        "rejection_detail": "d", "duplicate_of": None, "question": "q",
        "answer": "a", "origin": "llm", "at": "t",
    }  # fmt: skip
    call = {"node": "generate", "role": "generator", "model": "m", "calls": 2, "input_tokens": 3,
            "output_tokens": 4, "usd": 0.5}  # fmt: skip
    for _ in range(2):
        statistics.record_attempt(attempt, [call, call])
    assert len(statistics.rows("attempts")) == 1
    assert [row["sequence"] for row in statistics.rows("calls", "r")] == [1, 2]
    assert statistics.rows("calls", "other") == []
    assert open_statistics(statistics.path).rows("runs") == []


def test_a_file_that_is_no_statistics(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        open_statistics(tmp_path / "none.sqlite3")
    path = tmp_path / "x.sqlite3"
    path.write_text("this is not a database at all" * 50)
    with pytest.raises(BadInput, match="not a statistics file"):
        open_statistics(path)
    assert issubclass(sqlite3.DatabaseError, Exception)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 10)), max_size=12))
def test_coverage_counts_each_line_once(pairs: list[tuple[int, int]]) -> None:
    spans: list[list[int]] = []
    for start, more in pairs:
        spans = coverage.merged(spans, start, start + more)
    lines = {line for start, more in pairs for line in range(start, start + more + 1)}
    assert {line for low, high in spans for line in range(low, high + 1)} == lines
    assert all(a[1] + 1 < b[0] for a, b in pairwise(spans))


def test_coverage_of_a_document(tmp_path: Path) -> None:
    document = open_document(made.text_file(tmp_path))
    assert coverage.share(document, []) == 0
    assert coverage.share(document, [[1, 99]]) == 1
    assert coverage.next_window(document, [[1, 5]], 4) == (6, 9)
    assert coverage.next_window(document, [[1, 99]], 4) == (1, 4)
    assert coverage.with_spans([[1, 2]], [[3, 4], [9, 9]]) == [[1, 4], [9, 9]]
