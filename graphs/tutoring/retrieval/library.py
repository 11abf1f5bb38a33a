"""Search in the cards: vectors (FAISS), words (BM25) and their blend, filtered by kind."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Literal

import bm25s
import faiss
import numpy as np
import numpy.typing as npt

from common.embeddings import NGRAM, USE, Embedder, SentenceEncoder, get_embedder
from common.errors import StudyError
from common.files import content_hash, write_atomic
from common.logs import get_logger
from common.settings import get_settings
from graphs.tutoring.diagnosis.tree import get_tree
from graphs.tutoring.retrieval.cards import load_cards
from graphs.tutoring.retrieval.words import words
from graphs.tutoring.schemas import Card, CardKind

Method = Literal["bm25", "vectors", "blend"]
BLEND = 0.6
TITLE_BONUS = 0.6
ENOUGH_WORDS = 2.6
NEAR_ENOUGH = 0.25
MAX_QUERY = 2_000
MAX_REMEMBERED = 500
log = get_logger(__name__)
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
        scores = self._scores(query[:MAX_QUERY], allowed, method or self.method)
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

    def prepare(self, queries: Sequence[str]) -> None:
        """Embed queries in one go, which costs little more than one alone; the last few hundred stay."""
        if self.embedder is None:
            return
        if len(self._vectors) > MAX_REMEMBERED:
            self._vectors = {}
        new = [query for query in {query[:MAX_QUERY] for query in queries} if query not in self._vectors]
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


def fingerprint(cards: Sequence[Card]) -> str:
    """Changes whenever a card does: a stored index is used only for the very same cards."""
    return content_hash(json.dumps([[card.model_dump(), card.gist()] for card in cards], sort_keys=True))


def index_folder(embedder: Embedder) -> Path:
    """Where the index of an embedder is kept; two embedders never share one."""
    name = "".join(char if char.isalnum() else "-" for char in embedder.name)
    return get_settings().data_dir / "tutoring" / f"index-{name}-{embedder.dimension}"


def save_index(library: Library) -> Path:
    """Write vectors and metadata; JSON and FAISS's own format, nothing that runs code when read."""
    assert library.embedder is not None
    folder = index_folder(library.embedder)
    folder.mkdir(parents=True, exist_ok=True)
    index = faiss.IndexFlatIP(library.embedder.dimension)
    index.add(library.vectors())
    write_atomic(folder / "cards.faiss", faiss.serialize_index(index).tobytes())
    meta = {
        "embedder": library.embedder.name,
        "dimension": library.embedder.dimension,
        "cards": fingerprint(library.cards),
        "ids": [card.id for card in library.cards],
        "method": library.method,
    }
    write_atomic(folder / "cards.json", json.dumps(meta, indent=1))
    return folder


def read_index(embedder: Embedder, cards: Sequence[Card]) -> Library | None:
    """The stored library, if it is of this embedder and these cards."""
    folder = index_folder(embedder)
    try:
        meta = json.loads((folder / "cards.json").read_text(encoding="utf-8"))
        if meta["embedder"] != embedder.name or meta["cards"] != fingerprint(cards):
            return None
        raw = np.frombuffer((folder / "cards.faiss").read_bytes(), dtype=np.uint8)
        index = faiss.deserialize_index(raw)
        vectors = index.reconstruct_n(0, index.ntotal)
    except (OSError, ValueError, KeyError, RuntimeError) as exc:
        log.info("index_not_read", folder=folder.name, reason=type(exc).__name__)
        return None
    if vectors.shape != (len(cards), embedder.dimension):
        return None
    return Library(cards, embedder, vectors, method=meta["method"])


_LIBRARIES: dict[tuple[str, str], Library] = {}
_BUILDING = Lock()


def get_library(spec: str | None = None) -> Library:
    """The library of an embedder (the profile's without one): from memory, from disk, or built now.

    Blocks for a second or two the first time: call it in a thread.
    """
    cards = list(load_cards().values())
    try:
        embedder = get_embedder(spec)
        key = (str(get_settings().data_dir), embedder.name)
        with _BUILDING:  # a question that comes while it is built waits, and does not build another
            if key not in _LIBRARIES:
                _LIBRARIES[key] = read_index(embedder, cards) or build_library(embedder)
        return _LIBRARIES[key]
    except StudyError as exc:
        log.warning("search_by_words_only", reason=exc.message)
        return _LIBRARIES.setdefault(("", "words"), Library(cards, None, method="bm25"))


def make_ready() -> None:
    """Load the encoder and the library before the first question; a provider's embedder is left alone."""
    try:
        if isinstance(get_embedder(), SentenceEncoder):
            get_library().prepare(["ready"])
            get_tree()
    except (StudyError, OSError) as exc:
        log.warning("cards_not_ready", reason=str(exc))


def make_ready_soon() -> None:
    """The same in the background, unless the settings say that the first question may wait."""
    if get_settings().warm_up:
        Thread(target=make_ready, name="tutor-cards", daemon=True).start()


def build_library(embedder: Embedder) -> Library:
    """Embed all cards, and take the blend only if it beats words alone on our questions."""
    from graphs.tutoring.retrieval.evaluation import evaluate  # it needs a library itself

    library = Library(list(load_cards().values()), embedder)
    by_words, blended = evaluate(library, "bm25"), evaluate(library, "blend")
    better = (blended.mrr, blended.recall_at_5) > (by_words.mrr, by_words.recall_at_5)
    library.method = "blend" if better else "bm25"
    save_index(library)
    return library
