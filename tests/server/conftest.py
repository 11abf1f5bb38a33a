"""One server for the tests that leave it as it was, and a factory for those that kill theirs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.serving import ROOT, Server, product_graphs


@pytest.fixture(autouse=True)
def patient_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """People want to know quickly whether anybody is there; here somebody is, and may be kept waiting."""
    monkeypatch.setattr("clients.on_server.ANSWER_SECONDS", 120.0)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the small graph of the tests."""
    running = Server(tmp_path_factory.mktemp("server")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with every graph of the product."""
    graphs = product_graphs()
    if not graphs:
        pytest.skip("langgraph.json registers no graph yet")
    samples = json.dumps([str(ROOT / "samples")])
    folder = tmp_path_factory.mktemp("product")
    running = Server(folder, graphs, STUDY_INPUT_FOLDERS=samples).start()
    yield running
    running.stop()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """`start_server(STUDY_…="…")` starts one that belongs to this test."""
    started: list[Server] = []

    def start(**environment: str) -> Server:
        server = Server(tmp_path / f"server-{len(started)}", **environment)
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.kill()
