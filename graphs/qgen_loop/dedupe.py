"""Finds which accepted questions a new one could repeat, so that a model compares ten at most."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from common.embeddings import Vectors
from common.files import content_hash
from graphs.qgen_loop.answers import compare
from graphs.qgen_loop.wording.words import content, stem, tokens

SHORTLIST = 10
# Below these two nothing was a paraphrase in our samples; cosine proposes, it never decides.
LEAST_COSINE = {"use": 0.62, "ngram": 0.72}
DEFAULT_COSINE = 0.80
LEAST_OVERLAP = 78.0
SURE_OVERLAP = 92.0


def question_key(question: str) -> str:
    """The same for questions that differ in case, punctuation, articles and spacing only."""
    words = [token for token in tokens(question) if token not in {"a", "an", "the"}]
    return content_hash(" ".join(words))


def overlap(one: str, other: str) -> float:
    """How many meaningful words two questions share, 0 to 100."""
    left, right = " ".join(map(stem, content(one))), " ".join(map(stem, content(other)))
    return float(fuzz.token_sort_ratio(left, right)) if left and right else 0.0


def same_fact(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two questions have one answer from the same lines: however worded, a model must look."""
    left, right = one.get("evidence"), other.get("evidence")
    if not left or not right:
        return False
    meet = left["start_line"] <= right["end_line"] and right["start_line"] <= left["end_line"]
    return meet and compare(one["answer"], other["answer"]) == "same"


def shortlist(
    question: str, accepted: list[str], *, vectors: Vectors | None = None, embedder: str = ""
) -> list[int]:
    """Positions of at most ten accepted questions close enough to be asked about, nearest first.

    `vectors` holds one row per accepted question and, last, the new one.
    """
    scores = [overlap(question, other) / 100 for other in accepted]
    near = [score >= LEAST_OVERLAP / 100 for score in scores]
    if vectors is not None and len(vectors) == len(accepted) + 1:
        cosines = np.asarray(vectors[:-1] @ vectors[-1])
        least = LEAST_COSINE.get(embedder, DEFAULT_COSINE)
        near = [close or float(cosine) >= least for close, cosine in zip(near, cosines, strict=True)]
        scores = [max(score, float(cosine)) for score, cosine in zip(scores, cosines, strict=True)]
    ranked = sorted((position for position, close in enumerate(near) if close), key=lambda at: -scores[at])
    return ranked[:SHORTLIST]
