"""Vaults written on the spot, an Anki that lies as the real one does, and the command line."""

import datetime
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from clients.card_decision import app
from clients.cards.ledgers import open_ledger
from clients.cards.syncing import CardSync, Options, Report
from clients.runner import open_runner
from graphs.card_decision.anki.connect import AnkiConnect
from tests.fakes.card_decision_ankiconnect import FakeAnki

NOW = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[FakeAnki]:
    with FakeAnki(tmp_path / "anki") as fake:
        yield fake


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def write(vault: Path) -> Callable[..., Path]:
    """`write("a.md", "text")` puts a note into the vault."""

    def put(name: str, text: str | bytes) -> Path:
        path = vault / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return put


Sync = Callable[..., Report]


@pytest.fixture
def sync(vault: Path, anki: FakeAnki) -> Sync:
    """Sync the vault with the fake Anki, in process."""

    def run(step: Callable[[str], None] | None = None, **options: Any) -> Report:
        with open_ledger(vault) as ledger, open_runner(None) as runner:
            work = CardSync(
                vault,
                runner,
                AnkiConnect(anki.url),
                ledger,
                Options(**options),
                step or (lambda _: None),
            )
            return work.run(NOW)

    return run


@pytest.fixture
def cards() -> Callable[..., Any]:
    """`cards("plan", folder, "--json")` runs the command; the result has exit_code, stdout, stderr."""

    def run(*args: object) -> Any:
        return CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=True)

    return run


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def pair(question: str, answer: str, language: str = "EN") -> str:
    return f"# Question ({language})\n{question}\n\n## Answer ({language})\n{answer}\n"
