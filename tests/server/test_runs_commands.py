"""`study runs` against a real server: the same words as in a process, and cancelling besides."""

import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from typer.testing import CliRunner, Result

from clients import cli
from clients.runner import open_runner
from tests.server.serving import Server, wait_for


@pytest.fixture
def runs(server: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setattr("common.logs.configure", lambda _level: None)

    def call(word: str, *arguments: str) -> Result:
        return CliRunner().invoke(cli.app, ["runs", word, *arguments, "--url", server.url])

    return call


def test_list_show_resume_discard(runs: Callable[..., Result], server: Server) -> None:
    thread = str(uuid4())
    with open_runner(server.url) as runner:
        runner.run("demo", {"topic": "tides"}, thread_id=thread)
    listed = {each["thread_id"]: each for each in json.loads(runs("list", "--json").stdout)}
    assert (listed[thread]["graph"], listed[thread]["status"]) == ("demo", "waits")
    assert json.loads(runs("show", thread, "--json").stdout)["next"] == ["ask"]
    assert runs("resume", thread).exit_code == 2
    result = runs("resume", thread, "--approve", "--json")
    assert "approve" in json.loads(result.stdout)["values"]["decision"]
    assert json.loads(runs("show", thread, "--json").stdout)["status"] == "rests"
    assert runs("cancel", thread).stdout.strip().endswith("runs nothing.")
    assert runs("discard", thread, "--yes").exit_code == 0
    assert runs("show", thread).exit_code == 3


def test_a_cancelled_run_goes_on_where_it_stopped(
    runs: Callable[..., Result], server: Server, tmp_path: Path
) -> None:
    thread, gate = str(uuid4()), tmp_path / "gate"
    gate.touch()
    slow = {"assistant_id": "demo", "input": {"topic": "long", "rounds": 9, "gate": str(gate)}}
    with httpx.Client(base_url=server.url, timeout=120) as http:
        http.post(f"/threads/{thread}/runs", json=slow | {"if_not_exists": "create"}).raise_for_status()
        wait_for(lambda: http.get(f"/threads/{thread}/state").json()["values"].get("note"))
    assert runs("cancel", thread).stdout.strip() == "Stopped 1 run."
    shown = json.loads(runs("show", thread, "--json").stdout)
    assert (shown["next"], shown["asks"], shown["status"]) == (["think"], None, "rests")
    gate.unlink()
    result = runs("resume", thread, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["waits"]
