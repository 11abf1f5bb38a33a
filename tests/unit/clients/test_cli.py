"""The command line: one clear line per error, right exit codes, JSON for programs."""

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from clients import cli
from clients.options import use_profile
from common.errors import BadInput, Conflict, ModelUnavailable, NotFound, StudyError, Unavailable
from common.reach import Survey
from tests.fakes.http_answers import answering


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("STUDY_PROFILE", "embedded")
    monkeypatch.setattr("common.logs.configure", lambda _level: None)

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

    monkeypatch.setattr("clients.runs_commands.open_runner", broken)
    result = study("runs", "list")
    assert result.exit_code == code
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("study: ")
    assert "Traceback" not in result.output


def test_debugging_shows_where(
    study: Callable[..., Result], settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("unforeseen")

    monkeypatch.setattr("clients.runs_commands.open_runner", broken)
    settings(log_level="debug")
    assert isinstance(study("runs", "list").exception, KeyError)


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


def test_doctor_says_that_a_server_asks_for_a_token_or_lacks_something(study: Callable[..., Result]) -> None:
    body = json.loads(study("doctor", "--json").stdout)
    told = {"error": "This server asks for a token.", "remedy": "Send it in the header."}
    with answering({"GET /healthz": (401, told)}) as (url, _):
        locked = study("doctor", "--url", url)
    assert locked.exit_code == 1
    assert "asks for a token. Set STUDY_API_TOKEN" in locked.stderr
    with answering({"GET /healthz": (503, body | {"ok": False})}) as (url, _):
        lacking = study("doctor", "--url", url)
    assert lacking.exit_code == 1
    assert "Something needed is missing." in lacking.stdout


@pytest.mark.parametrize(
    ("tokens", "code", "said"),
    [
        ("anna=too-short", 1, "The token of 'anna' in STUDY_API_TOKENS"),
        ("anna=0123456789abcdef,ben=abcdef0123456789;2020-01-01", 0, "a server lets in anna"),
        ("ben=abcdef0123456789;2020-01-01", 0, "all of them have ended"),
    ],
)
def test_doctor_reads_the_tokens_of_a_server(
    study: Callable[..., Result], settings: Callable[..., None], tokens: str, code: int, said: str
) -> None:
    settings(api_tokens=tokens)
    result = study("doctor")
    assert result.exit_code == code
    assert said in " ".join(result.stdout.split())
    assert not any(secret in result.output for secret in ("too-short", "0123456789"))


def test_an_address_is_told_without_its_password(study: Callable[..., Result]) -> None:
    for words in (("doctor",), ("runs", "list"), ("zettel", "search", "x")):
        told = study(*words, "--url", "http://anna:hidden@127.0.0.1:9")
        assert told.exit_code == 5
        assert "No server answers at http://127.0.0.1:9" in told.stderr
        assert "hidden" not in told.output


def test_the_help_tells_the_exit_codes(study: Callable[..., Result]) -> None:
    told = " ".join(study("--help").stdout.split())
    assert "2 wrong input · 3 not found" in told


def test_a_profile_holds_for_the_call(study: Callable[..., Result]) -> None:
    result = study("doctor", "--profile", "ollama")
    assert "profile ollama" in result.stdout
    assert use_profile(None) is None


def test_an_unknown_profile_is_refused_with_the_known_ones(study: Callable[..., Result]) -> None:
    result = study("doctor", "--profile", "nonsense")
    assert result.exit_code == 2
    assert "'embedded'" in result.stderr


@pytest.mark.parametrize("url", ["localhost", "localhost:2024", "http://", "http://x:99999", "ftp://x"])
def test_an_address_that_is_none_is_refused_at_once(study: Callable[..., Result], url: str) -> None:
    result = study("runs", "list", "--url", url)
    assert result.exit_code == 2
    assert "http://HOST:PORT" in result.stderr


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_a_terminal_without_unicode_ends_nothing(data_dir: Path, as_json: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "clients.cli", "vocab", "generate", "故郷", "文部省唱歌", *as_json],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "STUDY_LYRICS_ONLINE": "false"},
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert rb"\u6545\u90f7" in result.stdout


def test_words_that_are_no_text_are_refused(study: Callable[..., Result], data_dir: Path) -> None:
    result = study("vocab", "generate", "caf\udce9")
    assert result.exit_code == 2
    assert "no text" in result.stderr


def commands() -> list[tuple[str, Any]]:
    """Every command there is, by the words that call it."""
    found: list[tuple[str, Any]] = []

    def walk(words: str, command: Any) -> None:
        inner = getattr(command, "commands", None)
        found.extend([(words, command)] if inner is None else [])
        for word, each in (inner or {}).items():
            walk(f"{words} {word}", each)

    for name in cli.present():
        walk(name, cli.load(name))
    return found


COMMANDS = commands()


@pytest.mark.parametrize(("words", "command"), COMMANDS, ids=[words for words, _ in COMMANDS])
def test_every_command_shows_an_example_that_it_would_take(
    words: str, command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    example = (command.epilog or "").removeprefix("Example: ")
    assert example.startswith(f"study {words}")
    missing = [path for path in re.findall(r"samples/[\w./-]*\w", example) if not Path(path).exists()]
    assert not missing
    taken = shlex.split(example.split(" < ")[0])[1 + len(words.split()) :]
    command.make_context(words, taken)


@pytest.mark.parametrize("name", cli.PARTS)
def test_examples_are_of_commands_that_exist(name: str) -> None:
    examples = importlib.import_module(f"clients.{cli.PARTS[name].module}").EXAMPLES
    assert {f"{name} {words}".strip() for words in examples} <= {words for words, _ in COMMANDS}


# Conversations, and commands whose whole result is that they were done.
SAY_NO_JSON = {"tutor chat", "tutor device", "tutor patterns add", "cards undo", "vocab forget"}


def test_results_can_be_had_as_json() -> None:
    without = {
        words for words, command in COMMANDS if not any("--json" in each.opts for each in command.params)
    }
    assert without <= SAY_NO_JSON


@pytest.mark.parametrize(("words", "command"), COMMANDS, ids=[words for words, _ in COMMANDS])
def test_options_are_spelled_alike(words: str, command: Any) -> None:
    """What `--json`, `--url`, `--profile`, `--yes` mean is said once, in clients/options.py."""
    flags = {option: param for param in command.params for option in param.opts}
    assert all(param.help for param in command.params if param.name != "help"), f"{words}: no help"
    if "--url" in flags:
        assert "Run on the server" in flags["--url"].help
    if "--json" in flags:
        assert flags["--json"].is_flag


def test_help_imports_no_graph_and_no_framework() -> None:
    script = (
        "import sys; from clients import cli\n"
        "try: cli.app(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = [n for n in ('langgraph', 'langchain_core', 'pydantic', 'httpx') if n in sys.modules]\n"
        "assert not heavy and not [n for n in sys.modules if n.startswith('graphs.')], heavy"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert all(name in result.stdout for name in cli.present())


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("", "runs"),
        ("ru", "runs"),
        ("runs ", "resume"),
        ("runs re", "resume"),
        ("runs list --w", "--waiting"),
    ],
)
def test_completion(words: str, offered: str) -> None:
    asked = {"_STUDY_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": f"study {words}"}
    script = "from clients.cli import app; app(prog_name='study')"
    result = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | asked,
    )
    assert offered in result.stdout, result.stderr


def test_a_slip_of_the_pen_is_understood(study: Callable[..., Result]) -> None:
    result = study("vocap")
    assert result.exit_code == 2
    assert "vocab" in result.stderr


def test_the_version_is_told(study: Callable[..., Result]) -> None:
    told = study("--version")
    assert told.exit_code == 0
    assert re.fullmatch(r"study \d+\.\d+\.\d+\S*\n", told.output)
