"""Measures the search on questions of our own: recall at five and mean reciprocal rank."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from graphs.tutoring.retrieval.library import Library, Method

QUESTIONS = Path(__file__).parent / "questions.jsonl"
DEPTH = 10


@dataclass(frozen=True)
class Score:
    """How well one method finds the right card."""

    method: str
    questions: int
    recall_at_5: float
    mrr: float


@lru_cache(maxsize=1)
def evaluation_questions() -> list[tuple[str, set[str]]]:
    """Our questions with the cards that answer them."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    return [(item["question"], set(item["cards"])) for item in map(json.loads, filter(None, lines))]


def evaluate(library: Library, method: Method) -> Score:
    """Run all questions with one method."""
    questions = evaluation_questions()
    if method != "bm25":
        library.prepare([question for question, _ in questions])
    found_in_5, reciprocal = 0, 0.0
    for question, right in questions:
        hits = library.search(question, DEPTH, method=method)
        rank = next((place for place, hit in enumerate(hits, 1) if hit.card.id in right), None)
        if rank:
            found_in_5 += rank <= 5
            reciprocal += 1 / rank
    return Score(method, len(questions), found_in_5 / len(questions), reciprocal / len(questions))
