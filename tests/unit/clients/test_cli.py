"""The command line: one clear line per error, right exit codes, JSON for programs."""

import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from typer.testing import CliRunner, Result

from clients import cli
from clients.options import use_profile
from clients.runner import open_runner
from common.errors import BadInput, Conflict, ModelUnavailable, NotFound, StudyError, Unavailable
from common.reach import Survey
from tests.fakes.http_answers import answering
from tests.server.demo import graph


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("STUDY_PROFILE", "embedded")
    monkeypatch.setattr(cli.logs, "configure", lambda _level: None)

    def call(*arguments: str, **options: str) -> Result:
        return CliRunner().invoke(cli.app, list(arguments), **options)  # type: ignore[arg-type]

    return call


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInput("Count is 0.", remedy="Use 1 to 400."), 2),
        (NotFound("No song.\nReally."), 3),
        (Conflict("It waits."), 4),
        (Unavailable("Away."), 5),
        (ModelUnavailable("No model."), 5),
        (StudyError("Broken."), 1),
        (KeyError("unforeseen\nfault"), 1),
    ],
)
def test_errors_are_one_line_and_an_exit_code(
    study: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("clients.waiting.open_runner", broken)
    result = study("waiting")
    assert result.exit_code == code
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("study: ")
    assert "Traceback" not in result.output


def test_debugging_shows_where(
    study: Callable[..., Result], settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("unforeseen")

    monkeypatch.setattr("clients.waiting.open_runner", broken)
    settings(log_level="debug")
    assert isinstance(study("waiting").exception, KeyError)


def test_doctor_says_what_to_do(study: Callable[..., Result], data_dir: Path) -> None:
    result = study("doctor")
    assert result.exit_code == 0
    assert "profile embedded" in result.stdout
    assert "Everything needed is there." in result.stdout
    parsed = Survey.model_validate(json.loads(study("doctor", "--json").stdout))
    assert parsed.data_dir == str(data_dir)


def test_doctor_fails_where_nothing_can_work(
    study: Callable[..., Result], settings: Callable[..., None], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    settings(data_dir=tmp_path / "file")
    result = study("doctor")
    assert result.exit_code == 1
    assert "Something needed is missing." in result.stdout
    assert "STUDY_DATA_DIR" in result.stdout.replace("\n", " ")


def test_doctor_asks_a_server(study: Callable[..., Result]) -> None:
    body = json.loads(study("doctor", "--json").stdout) | {
        "profile": "gemini",
        "models": {"g": {"agent": "rules"}},
    }
    with answering({"GET /healthz": (200, body)}) as (url, asked):
        result = study("doctor", "--url", url)
        assert "profile gemini" in result.stdout
        assert "agent rules" in result.stdout
        assert asked == ["GET /healthz"]
        assert study("doctor", "--url", f"{url}/elsewhere").exit_code == 5
    assert study("doctor", "--url", "http://127.0.0.1:9").exit_code == 5


def test_a_profile_holds_for_the_call(study: Callable[..., Result]) -> None:
    result = study("doctor", "--profile", "ollama")
    assert "profile ollama" in result.stdout
    assert use_profile(None) is None


def test_an_unknown_profile_is_refused_with_the_known_ones(study: Callable[..., Result]) -> None:
    result = study("doctor", "--profile", "nonsense")
    assert result.exit_code == 2
    assert "'embedded', 'ollama', 'gemini' or 'openai'" in result.stderr


def test_waiting_and_discard(study: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Nothing waits." in study("waiting").stdout
    thread = str(uuid4())
    with open_runner(load=lambda _name: graph) as runner:
        runner.run("demo", {"topic": "tides"}, thread_id=thread)
    assert thread in study("waiting").stdout
    (found,) = json.loads(study("waiting", "--json", "--graph", "demo").stdout)
    assert found["thread_id"] == thread
    assert study("discard", thread, input="n\n").exit_code == 1
    assert study("discard", thread, input="y\n").exit_code == 0
    assert json.loads(study("waiting", "--json").stdout) == []
    assert study("discard", "my-thread", "--yes").exit_code == 2


def test_groups_are_mounted_where_they_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {info.name for info in cli.app.registered_groups}
    here = {
        name for name, module in cli.GROUPS.items() if (Path(cli.__file__).parent / f"{module}.py").exists()
    }
    assert shown == here
