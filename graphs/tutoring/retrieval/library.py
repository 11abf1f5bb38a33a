"""Search in the cards: vectors (FAISS), words (BM25) and their blend, filtered by kind."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import bm25s
import faiss
import numpy as np
import numpy.typing as npt

from common.embeddings import NGRAM, USE, Embedder
from graphs.tutoring.retrieval.words import in_english, words
from graphs.tutoring.schemas import Card, CardKind

Method = Literal["bm25", "vectors", "blend"]
BLEND = 0.6
TITLE_BONUS = 0.6
ENOUGH_WORDS = 2.6
NEAR_ENOUGH = 0.25
MAX_QUERY = 2_000
MAX_REMEMBERED = 500
logging.getLogger("bm25s").setLevel(logging.WARNING)  # it reports each index it builds


@dataclass(frozen=True)
class Hit:
    """A card and how well it fits."""

    card: Card
    score: float


class Library:
    """All cards, searchable. Without vectors (no embedder at hand) it searches by words alone."""

    def __init__(
        self, cards: Sequence[Card], embedder: Embedder | None, vectors: Any = None, method: Method = "blend"
    ) -> None:
        self.cards = list(cards)
        self.embedder = embedder
        self.method: Method = method
        self._bm25 = bm25s.BM25()
        self._bm25.index([words(card.searchable()) or ["-"] for card in self.cards], show_progress=False)
        self._vectors: dict[str, npt.NDArray[np.float32]] = {}
        self._titles = [titles_of(card) for card in self.cards]
        self._index = None
        if embedder is not None:
            matrix = embedder.embed_sync([card.gist() for card in self.cards]) if vectors is None else vectors
            self._index = faiss.IndexFlatIP(embedder.dimension)
            self._index.add(np.ascontiguousarray(matrix, dtype=np.float32))

    def search(
        self, query: str, k: int, kinds: Sequence[CardKind] | None = None, method: Method | None = None
    ) -> list[Hit]:
        """The `k` best cards of the kinds wanted, best first."""
        allowed = [i for i, card in enumerate(self.cards) if kinds is None or card.kind in kinds]
        if not allowed or k <= 0:
            return []
        scores = self._scores(in_english(query[:MAX_QUERY]), allowed, method or self.method)
        order = sorted(allowed, key=lambda i: (-scores[i], self.cards[i].id))[:k]
        return [Hit(self.cards[i], float(scores[i])) for i in order]

    def knows(self, query: str) -> bool:
        """Whether any card is about what is asked; other models' vectors have no floor that we know."""
        shared = float(self._word_scores(query[:MAX_QUERY]).max(initial=0.0))
        if self.embedder is None or self.embedder.name == NGRAM:
            return shared > 0
        if self.embedder.name != USE or shared >= ENOUGH_WORDS:
            return True
        return self.search(query, 1, method="vectors")[0].score >= NEAR_ENOUGH

    def mentions(self, asked: set[str]) -> bool:
        """Whether the cards use all the words of a thing asked about."""
        return bool(asked) and asked <= self._bm25.vocab_dict.keys()

    def prepare(self, queries: Sequence[str]) -> None:
        """Embed queries in one go, which costs little more than one alone; the last few hundred stay."""
        if self.embedder is None:
            return
        if len(self._vectors) > MAX_REMEMBERED:
            self._vectors = {}
        new = [
            query
            for query in {in_english(query[:MAX_QUERY]) for query in queries}
            if query not in self._vectors
        ]
        for query, vector in zip(new, self.embedder.embed_sync(new), strict=True):
            self._vectors[query] = vector.reshape(1, -1)

    def _scores(self, query: str, allowed: list[int], method: Method) -> npt.NDArray[np.float32]:
        if self._index is None or method == "bm25":
            return self._word_scores(query)
        near = self._vector_scores(query, allowed)
        if method == "vectors":
            return near
        return unit(self._word_scores(query)) * (1 - BLEND) + near * BLEND

    def _word_scores(self, query: str) -> npt.NDArray[np.float32]:
        tokens = [word for word in dict.fromkeys(words(query)) if word in self._bm25.vocab_dict]
        if not tokens:
            return np.zeros(len(self.cards), dtype=np.float32)
        scores = np.asarray(self._bm25.get_scores(tokens), dtype=np.float32)
        asked = set(tokens)
        named = [max(len(asked & title) / len(title) for title in titles) for titles in self._titles]
        return scores * (1 + TITLE_BONUS * np.asarray(named, dtype=np.float32))

    def _vector_scores(self, query: str, allowed: list[int]) -> npt.NDArray[np.float32]:
        assert self.embedder is not None
        assert self._index is not None
        self.prepare([query])
        vector = self._vectors[query]
        only = faiss.IDSelectorBatch(np.asarray(allowed, dtype=np.int64))
        chosen = faiss.SearchParameters(sel=only)  # type: ignore[call-arg]
        near, ids = self._index.search(vector, len(allowed), params=chosen)
        scores = np.full(len(self.cards), -1.0, dtype=np.float32)
        found = ids[0] >= 0
        scores[ids[0][found]] = near[0][found]
        return scores

    def vectors(self) -> npt.NDArray[np.float32]:
        """The cards' vectors, for storing."""
        assert self._index is not None
        return np.asarray(self._index.reconstruct_n(0, len(self.cards)), dtype=np.float32)


def titles_of(card: Card) -> list[set[str]]:
    """The words of a card's titles: a question that names the card wants it most."""
    found = [set(words(title)) for title in (card.title, card.title_es)]
    return [title for title in found if title] or [{card.id}]


def unit(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Scores between 0 and 1."""
    top = float(scores.max(initial=0.0))
    return scores / top if top > 0 else scores
