"""Cards on the real server: the review resumed through langgraph-sdk, and a batch sync with --url."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from typer.testing import CliRunner

from clients import cli
from tests.fakes.card_decision_ankiconnect import FakeAnki
from tests.server.serving import Server

NOTE = "# Question (EN)\nWhat is inertia?\n\n## Answer (EN)\nResistance to change.\n"
HELD = {
    "note_id": 1,
    "fields": {"Front": "What is inertia?", "Back": "Mine"},
    "base": {"Front": "What is inertia?", "Back": "Old"},
    "model_name": "Basic",
}
EDIT = {"cards": {"n-0-en": {"action": "accept", "fields": {"Back": "Ours together"}}}}


def langchain(kind: str) -> Any:
    if kind == "edit":
        return {"decisions": [{"type": "edit", "edited_action": {"name": "review_cards", "args": EDIT}}]}
    return {"decisions": [{"type": kind}]}


def inbox(kind: str) -> Any:
    words = {"approve": "accept", "reject": "ignore", "edit": "edit"}
    args = {"action": "review_cards", "args": EDIT} if kind == "edit" else None
    return [{"type": words[kind], "args": args}]


@pytest.mark.parametrize("dialect", [langchain, inbox])
@pytest.mark.parametrize(
    ("kind", "action", "back"),
    [
        ("approve", "update", "Resistance to change."),
        ("edit", "update", "Ours together"),
        ("reject", "manual_review", "Resistance to change."),
    ],
)
async def test_a_review_resumes(
    product: Server, dialect: Callable[[str], Any], kind: str, action: str, back: str
) -> None:
    async with get_client(url=product.url, api_key=None) as client:
        thread = (await client.threads.create(graph_id="card_decision"))["thread_id"]
        given = {"note_path": "n.md", "note_text": NOTE, "existing": {"n-0-en": HELD}}
        stopped = await client.runs.wait(
            thread, "card_decision", input=given, context={"review": "interrupt"}
        )
        assert isinstance(stopped, dict)
        assert stopped["__interrupt__"]
        result = await client.runs.wait(
            thread, "card_decision", command={"resume": dialect(kind)}, context={"review": "interrupt"}
        )
        assert isinstance(result, dict)
        (decision,) = result["decisions"]
        assert (decision["action"], decision["proposed_card"]["fields"]["Back"]) == (action, back)


def test_a_vault_is_synced_through_the_server(
    product: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("common.logs.configure", lambda _level: None)
    vault = tmp_path / "vault"
    vault.mkdir()
    for number in range(12):
        (vault / f"n{number}.md").write_text(NOTE.replace("inertia", f"thing {number}"))
    with FakeAnki(tmp_path / "anki") as anki:
        args = ["cards", "sync", str(vault), "--anki", anki.url, "--url", product.url, "--concurrency", "8"]
        result = CliRunner().invoke(cli.app, args)
        assert result.exit_code == 0, result.output
        assert len(anki.by_slug()) == 12
        result = CliRunner().invoke(cli.app, args)
        assert "12 notes unchanged" in result.stdout
