"""The library kept on disk and in memory: built once for each embedder, then only read."""

import json
from collections.abc import Sequence
from pathlib import Path
from threading import Lock, Thread

import faiss
import numpy as np

from common.embeddings import Embedder, SentenceEncoder, get_embedder
from common.errors import StudyError
from common.files import content_hash, write_atomic
from common.logs import get_logger
from common.settings import get_settings
from graphs.tutoring.diagnosis.tree import get_tree
from graphs.tutoring.retrieval.cards import load_cards
from graphs.tutoring.retrieval.evaluation import evaluate
from graphs.tutoring.retrieval.library import Library
from graphs.tutoring.schemas import Card

log = get_logger(__name__)


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
    library = Library(list(load_cards().values()), embedder)
    by_words, blended = evaluate(library, "bm25"), evaluate(library, "blend")
    better = (blended.mrr, blended.recall_at_5) > (by_words.mrr, by_words.recall_at_5)
    library.method = "blend" if better else "bm25"
    save_index(library)
    return library
