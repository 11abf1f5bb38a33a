"""One sentence encoder for all tests of this room: loading it takes longer than a test."""

import pytest

from common import embeddings

ENCODER = embeddings.SentenceEncoder()


@pytest.fixture(autouse=True)
def shared_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "SentenceEncoder", lambda: ENCODER)
