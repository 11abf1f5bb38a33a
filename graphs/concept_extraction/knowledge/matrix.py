"""Exact nearest neighbours by one matrix product; scores are (1 + cosine) / 2 as in Neo4j."""

from dataclasses import dataclass

import numpy as np

from graphs.concept_extraction.knowledge.backend import Hits
from graphs.concept_extraction.knowledge.records import Vectors


@dataclass(frozen=True)
class Matrix:
    """Unit rows and whose they are, in order of id."""

    uuids: list[str]
    rows: Vectors


def matrix_of(rows: list[tuple[str, bytes]]) -> Matrix:
    if not rows:
        return Matrix([], np.zeros((0, 0), dtype=np.float32))
    joined = np.frombuffer(b"".join(data for _, data in rows), dtype=np.float32)
    return Matrix([uuid for uuid, _ in rows], joined.reshape(len(rows), -1))


def nearest(matrix: Matrix, queries: Vectors, limit: int, threshold: float) -> list[Hits]:
    """For each query the best rows, best first, equal scores by id."""
    if not matrix.uuids or not len(queries):
        return [[] for _ in queries]
    scores = (1.0 + queries @ matrix.rows.T) / 2.0
    return [_best(matrix.uuids, row, limit, threshold) for row in scores]


def _best(uuids: list[str], scores: Vectors, limit: int, threshold: float) -> Hits:
    limit = min(limit, len(uuids))
    top = np.argpartition(-scores, limit - 1)[:limit]
    ranked = sorted((float(-scores[at]), uuids[at]) for at in top if scores[at] >= threshold)
    return [(uuid, -negative) for negative, uuid in ranked]
