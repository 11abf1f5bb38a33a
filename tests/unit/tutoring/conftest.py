"""A library built once, a compiled graph with its own memory, and devices on loopback."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from clients.demo_device import DemoDevice, DemoServer
from common.embeddings import get_embedder
from common.settings import get_settings
from graphs.tutoring.devices import session as sessions
from graphs.tutoring.graph import builder
from graphs.tutoring.retrieval import Library, load_cards
from graphs.tutoring.steps import retrieval

INVALID = "% Invalid input detected at '^' marker."
TYPO = {
    "command": "hostnane R1",
    "output": f"R1(config)#hostnane R1\n               ^\n{INVALID}\n",
    "prompt": "R1(config)#",
}


@pytest.fixture(scope="session")
def library() -> Library:
    """All cards, searched by words and letter groups: quick and the same everywhere."""
    return Library(list(load_cards().values()), get_embedder("ngram"))


@pytest.fixture(autouse=True)
def one_library(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nodes search in that library."""
    monkeypatch.setattr(retrieval, "get_library", lambda spec=None: library)


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


@pytest.fixture
def graph(store: InMemoryStore) -> Any:
    """The graph with memory of its own."""
    return builder.compile(checkpointer=InMemorySaver(), store=store)


@pytest.fixture
def ask(graph: Any) -> Callable[..., Any]:
    """`await ask("question", thread="t", context={…}, **input)`: the state after one turn."""

    async def run(
        question: str = "", *, thread: str = "t", context: dict[str, Any] | None = None, **given: Any
    ) -> Any:
        config = {"configurable": {"thread_id": thread}}
        await graph.ainvoke({"student_question": question, **given}, config, context=context)
        return (await graph.aget_state(config)).values

    return run


def be_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that answers is waited for, however busy this machine is."""
    connect, waits = sessions.ConnectHandler, ("conn", "auth", "banner", "blocking")
    patience = {f"{wait}_timeout": 120 for wait in waits} | {"read_timeout_override": 120}
    monkeypatch.setattr(sessions, "ConnectHandler", lambda **given: connect(**given | patience))
    monkeypatch.setattr(sessions, "LIMIT_SECONDS", 600.0)


@pytest.fixture
def lab_device(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[DemoDevice, DemoServer]]]:
    """`lab_device("R1", behaviour="hang")` starts a device and writes it into the inventory."""
    running: list[DemoServer] = []

    def start(name: str = "R1", **options: Any) -> tuple[DemoDevice, DemoServer]:
        if not options.get("behaviour"):
            be_patient(monkeypatch)
        device = DemoDevice(name=name, **options)
        server = DemoServer(device).__enter__()
        running.append(server)
        data_dir.mkdir(parents=True, exist_ok=True)
        (data_dir / "devices.yaml").write_text(
            f"devices:\n  {name}: {{host: 127.0.0.1, port: {server.port}, username: {device.username}}}\n"
        )
        monkeypatch.setenv(f"STUDY_DEVICE_PASSWORDS__{name}", device.password)
        get_settings.cache_clear()
        return device, server

    yield start
    for server in running:
        server.__exit__()
