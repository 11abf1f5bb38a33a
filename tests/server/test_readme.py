"""Every command of the README and of docs/ is run as it stands, and says what is written there.

The commands run in a copy of the project, in the order of the page, beside a server that serves the copy's
samples; `study` runs in this process, which has imported everything already, all else through a shell. A
few take too long or never end; the Makefile must at least know them, and they have tests of their own:
`make demo` in test_demo.py, `make dev` in every server test, `make test` is what runs this.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from clients import cli
from clients.options import console
from tests.server.serving import ROOT, Server, product_graphs

PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))]
ADDRESS = "http://127.0.0.1:2024"
TOO_LONG = {"make demo", "make dev", "make test", "make bench"}
BLOCK = re.compile(r"^```(console|bash|shell|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WIDTH = "96"


class Command(NamedTuple):
    """One command line of a page, and the lines that stand below it."""

    page: str
    text: str
    shown: tuple[str, ...]


def commands() -> list[Command]:
    found: list[Command] = []
    for page in PAGES:
        for language, block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
            assert language == "console", f"{page}: commands are written as ```console blocks with a $"
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                text, *shown = part.splitlines()
                found.append(Command(page, text, tuple(shown)))
    return found


COMMANDS = commands()
RUN = [each for each in COMMANDS if each.text not in TOO_LONG]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a fresh clone holds, and a virtual environment where make would have put it."""
    folder = tmp_path_factory.mktemp("clone")
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("the project is not a git clone")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


@pytest.fixture(scope="module")
def url(copy: Path) -> Iterator[str]:
    settings = {
        "STUDY_DATA_DIR": str(copy / ".study"),
        "STUDY_INPUT_FOLDERS": json.dumps([str(copy / "samples")]),
        "STUDY_LYRICS_ONLINE": "false",
    }
    server = Server(copy / ".server", product_graphs(), **settings).start()
    yield server.url
    server.stop()


class Said(NamedTuple):
    code: int
    output: str
    errors: str


def run_study(command: str, copy: Path) -> Said:
    """`study …` with standard input from a file, if there is a `<`."""
    words, _, file = command.partition(" < ")
    given = (copy / file).read_text(encoding="utf-8") if file else None
    result = CliRunner().invoke(cli.app, shlex.split(words)[1:], input=given)
    return Said(result.exit_code, result.stdout, result.stderr)


def run_shell(command: str, copy: Path) -> Said:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STUDY_")}
    own = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(copy),
        "COLUMNS": WIDTH,
        "STUDY_LYRICS_ONLINE": "false",
    }
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=copy,
        env=kept | own,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return Said(result.returncode, result.stdout, result.stderr)


@pytest.fixture
def in_the_copy(copy: Path, monkeypatch: pytest.MonkeyPatch, settings: Callable[..., None]) -> None:
    """This process as a shell in the copy would have it."""
    monkeypatch.chdir(copy)
    monkeypatch.setattr(console, "width", int(WIDTH))
    monkeypatch.setattr("common.logs.configure", lambda _level: None)
    monkeypatch.setenv("STUDY_PROFILE", "embedded")
    settings(data_dir=".study", lyrics_online="false")


def holds(output: str, shown: tuple[str, ...]) -> bool:
    """Whether the lines shown are in the output, one after the other; `…` stands for any lines."""
    place = [re.escape(line.rstrip()) for line in shown]
    pattern = "".join(r"(?:.*\n)*?" if line == re.escape("…") else f"{line}\n" for line in place)
    plain = "".join(f"{line.rstrip()}\n" for line in output.splitlines())
    return re.match(pattern, plain) is not None


# The one command below that reports by its exit code: a lab with something missing.
EXPECTED_CODES = {"study tutor check 01-basic-routing --config samples/labs/R1.cfg": 1}


@pytest.mark.parametrize("command", RUN, ids=[each.text[:60] for each in RUN])
@pytest.mark.usefixtures("in_the_copy")
def test_it_runs_and_says_what_is_written(command: Command, copy: Path, url: str) -> None:
    if command.text.startswith("curl ") and not shutil.which("curl"):
        pytest.skip("curl is not installed")
    # An error page is no answer, though curl is content with one.
    text = command.text.replace(ADDRESS, url).replace("curl -s ", "curl -s --fail-with-body ")
    said = run_study(text, copy) if text.startswith("study ") else run_shell(text, copy)
    assert said.code == EXPECTED_CODES.get(command.text, 0), said.output + said.errors
    assert holds(said.output, command.shown), f"it says:\n{said.output}"


@pytest.mark.parametrize("command", sorted(TOO_LONG))
def test_make_knows_what_takes_too_long(command: str) -> None:
    assert command in {each.text for each in COMMANDS}
    result = subprocess.run(
        [*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            if not target.startswith("http"):
                assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


def test_the_page_is_complete() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"`{graph}`" in text for graph in product_graphs())
    assert all(word in text for word in ("make dev", "make test", "docs/review.png", "```mermaid"))
