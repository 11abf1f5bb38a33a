"""Things that run for real: one small model for all live tests."""

from collections.abc import Iterator

import pytest

from tests.live.smollm2 import missing, smollm2


@pytest.fixture(autouse=True)
def patient_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs here for real may be kept waiting by whatever else does."""
    monkeypatch.setattr("clients.on_server.ANSWER_SECONDS", 120.0)
    monkeypatch.setattr("common.postgres.CONNECT_SECONDS", 120.0)


@pytest.fixture(scope="package")
def small_model() -> Iterator[str]:
    """The base URL of SmolLM2 behind an OpenAI-compatible server, stopped with the last live test."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    with smollm2() as url:
        yield url
