"""One sentence encoder for all tests of this room: loading it takes longer than a test."""

from functools import lru_cache

import pytest

from common import embeddings


@lru_cache(maxsize=1)
def encoder() -> embeddings.Embedder:
    return embeddings.get_embedder.__wrapped__("use")


@pytest.fixture(autouse=True)
def shared_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = encoder()
    monkeypatch.setattr(embeddings, "_sentence_encoder", lambda: kept)
