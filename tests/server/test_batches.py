"""Batch work on a server: a vault, a corpus and a library, side by side, and only once."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from clients import cli
from tests.server.serving import ROOT, Server


@pytest.fixture
def study(product: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setattr("common.logs.configure", lambda _level: None)

    def call(*words: str) -> Result:
        result = CliRunner().invoke(cli.app, [*words, "--url", product.url])
        assert result.exit_code == 0, result.output
        return result

    return call


def test_a_vault(study: Callable[..., Result]) -> None:
    lines = study("cards", "plan", str(ROOT / "samples" / "vault"), "--json").stdout.splitlines()
    cards = [json.loads(line) for line in lines]
    assert len(cards) == 9
    assert {card["action"] for card in cards} == {"create"}


def test_a_corpus(study: Callable[..., Result]) -> None:
    words = ["qgen", "corpus", str(ROOT / "samples" / "documents"), "--target", "2", "--json"]
    first = json.loads(study(*words, "--fresh").stdout)["questions"]
    again = json.loads(study(*words).stdout)["questions"]
    assert len(first) == 2
    assert again == first


def test_a_library_of_quote_files(study: Callable[..., Result], tmp_path: Path) -> None:
    for name in ("cartas", "garden"):
        shutil.copy(ROOT / "samples" / "quotes" / f"{name}.md", tmp_path)
    words = ["zettel", "extract", str(tmp_path), "--author", "A library", "--concurrency", "2", "--json"]
    first: list[dict[str, Any]] = json.loads(study(*words).stdout)
    assert [row["status"] for row in first] == ["review_concepts", "review_concepts"]
    assert all(row["concepts"] for row in first)
    assert json.loads(study(*words).stdout) == first
    study("zettel", "review", first[0]["thread"], "--approve")
    assert [row["status"] for row in json.loads(study(*words).stdout)] == ["committed", "review_concepts"]
