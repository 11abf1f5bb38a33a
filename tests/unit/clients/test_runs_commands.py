"""`study runs`: threads are listed, shown, answered, continued, cancelled and forgotten."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner, Result

from clients import cli, runs_commands
from clients.runner import open_runner
from common.errors import StudyError
from tests.server import demo

Study = Callable[..., Result]
open_demo = partial(open_runner, load=lambda _name: demo.graph)


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr("common.logs.configure", lambda _level: None)
    monkeypatch.setattr(runs_commands, "open_runner", open_demo)
    monkeypatch.setenv("COLUMNS", "120")

    def call(*arguments: str, **options: Any) -> Result:
        return CliRunner().invoke(cli.app, ["runs", *arguments], **options)

    return call


@pytest.fixture
def waiting() -> str:
    thread = str(uuid4())
    with open_demo() as runner:
        runner.run("demo", {"topic": "tides"}, thread_id=thread)
    return thread


def test_nothing_yet(study: Study) -> None:
    assert "Nothing ran yet." in study("list").stdout
    assert "Nothing waits." in study("list", "--waiting").stdout


def test_list_and_show(study: Study, waiting: str) -> None:
    assert waiting in study("list", "--waiting").stdout
    (found,) = json.loads(study("list", "--graph", "demo", "--json").stdout)
    assert (found["thread_id"], found["status"]) == (waiting, "waits")
    shown = study("show", waiting).stdout
    assert "goes on with: ask" in shown
    assert "tides 1" in shown
    whole = json.loads(study("show", waiting, "--json").stdout)
    assert whole["asks"]["action_requests"][0]["args"] == {"note": "tides 1"}
    assert whole["values"]["note"] == "tides 1"


def test_long_values_are_cut(study: Study) -> None:
    thread = str(uuid4())
    with open_demo() as runner:
        runner.run("demo", {"topic": "tides", "padding": 1000}, thread_id=thread)
    assert "--json shows all" in study("show", thread).stdout


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (["--approve"], {"decisions": [{"type": "approve"}]}),
        (["--reject"], {"decisions": [{"type": "reject"}]}),
        (["--feedback", "Shorter."], {"decisions": [{"type": "reject", "message": "Shorter."}]}),
    ],
)
def test_answers(study: Study, waiting: str, options: list[str], kept: object) -> None:
    result = study("resume", waiting, *options)
    assert result.exit_code == 0, result.output
    assert "ask ✓" in result.stderr
    assert "Done." in result.stdout
    whole = json.loads(study("show", waiting, "--json").stdout)
    assert (whole["status"], whole["values"]["decision"]) == ("rests", str(kept))


def test_a_whole_answer_from_a_file_or_from_here(study: Study, waiting: str, tmp_path: Path) -> None:
    assert study("resume", waiting, "--answer", str(tmp_path / "none.json")).exit_code == 2
    assert study("resume", waiting, "--answer", "-", input="{").exit_code == 2
    (tmp_path / "answer.json").write_text('{"keep": 1}', encoding="utf-8")
    result = study("resume", waiting, "--answer", str(tmp_path / "answer.json"), "--json")
    assert json.loads(result.stdout)["values"]["decision"] == "{'keep': 1}"


def test_an_answer_is_never_guessed(study: Study, waiting: str) -> None:
    result = study("resume", waiting)
    assert result.exit_code == 2
    assert "--approve" in result.stderr
    assert study("resume", waiting, "--approve", "--reject").exit_code == 2
    assert study("resume", waiting, "--feedback", " ").exit_code == 2
    assert waiting in study("list", "--waiting").stdout
    assert study("resume", str(uuid4()), "--approve").exit_code == 3
    assert study("show", "my-thread").exit_code == 2


def test_what_was_broken_off_goes_on(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = str(uuid4())
    with open_demo() as runner, pytest.raises(StudyError):
        runner.run("demo", {"topic": "bug"}, thread_id=thread)
    assert json.loads(study("list", "--json").stdout)[0]["status"] == "failed"
    assert study("resume", thread).exit_code == 1
    with open_demo() as runner:
        graph = runner._place._graph("demo")  # type: ignore[attr-defined]
        runner._wait(
            graph.aupdate_state(
                {"configurable": {"thread_id": thread, "graph_id": "demo"}}, {"topic": "ebb"}, "begin"
            )
        )
    result = study("resume", thread)
    assert result.exit_code == 0, result.output
    assert "It asks again" in result.stdout
    assert study("resume", thread, "--approve").exit_code == 0
    ended = study("resume", thread)
    assert ended.exit_code == 4
    assert "come to its end" in ended.stderr


def test_discard_asks_first(study: Study, waiting: str) -> None:
    assert study("discard", waiting, input="n\n").exit_code == 1
    assert "unanswered review" in study("discard", waiting, input="n\n").output
    forgotten = study("discard", waiting, "--json", input="y\n")
    assert "Forget thread" in forgotten.stderr
    assert "Forget thread" not in forgotten.stdout, "only the result is printed there"
    assert json.loads(study("list", "--json").stdout) == []
    assert study("discard", waiting, "--yes").exit_code == 3


def test_a_process_cannot_cancel_another(study: Study, waiting: str) -> None:
    result = study("cancel", waiting)
    assert result.exit_code == 4
    assert "Ctrl-C" in result.stderr
