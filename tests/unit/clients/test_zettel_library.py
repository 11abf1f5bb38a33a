"""A folder of quote files becomes one run per work; run again, only what is missing is done."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from clients import cli, zettel_library
from clients.zettel_library import read_library, read_work
from common.errors import BadInput

QUOTES = "# Quotes\n\nA garden grows at the pace of the gardener's patience.\n7\n"


def write(folder: Path, name: str, text: str = QUOTES) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text", "title", "author"),
    [
        ("a.md", f"---\ntitle: On Gardens\nauthor: Ana\n---\n{QUOTES}", "On Gardens", "Ana"),
        ("Ana - On Gardens.md", QUOTES, "On Gardens", "Ana"),
        ("Ana - Beds - and Borders.md", QUOTES, "and Borders", "Ana - Beds"),
        ("a.md", f"# On Gardens\n\n{QUOTES}", "On Gardens", "Bo"),
        ("on gardens.md", f"# Mis citas\n{QUOTES}", "on gardens", "Bo"),
        ("on gardens.md", QUOTES, "on gardens", "Bo"),
        ("a.md", f"---\n: broken [\n---\n# On Gardens\n{QUOTES}", "On Gardens", "Bo"),
        ("a.md", f"---\n- list\n---\n{QUOTES}", "a", "Bo"),
    ],
)
def test_title_and_author(tmp_path: Path, name: str, text: str, title: str, author: str) -> None:
    work = read_work(write(tmp_path, name, text), "Bo")
    assert (work.title, work.author) == (title, author)


def test_a_file_without_an_author_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"a\.md names no author"):
        read_work(write(tmp_path, "a.md"))


def test_a_library_takes_each_work_once(tmp_path: Path) -> None:
    write(tmp_path, "Ana - Gardens.md")
    write(tmp_path, "copy/Ana - Gardens.md")
    write(tmp_path, "nobody.md")
    works, problems = read_library(tmp_path, "")
    assert [work.title for work in works] == ["Gardens"]
    assert len(problems) == 2
    with pytest.raises(BadInput, match="no Markdown files"):
        read_library(tmp_path / "copy" / "none", "")


def test_a_clippings_file_is_a_library_of_its_own(tmp_path: Path) -> None:
    entry = (
        "- Your Highlight on page 7 | Added on Monday, January 6, 2025 9:14:02 PM\n\nBe brief.\n==========\n"
    )
    text = (
        f"On Gardens (Ruiz, Ana)\n{entry}Alone (Bo)\n{entry}On Gardens (Ruiz, Ana)\n{entry}Nameless\n{entry}"
    )
    works, problems = read_library(write(tmp_path, "My Clippings.txt", text), "")
    assert [(work.title, work.author) for work in works] == [
        ("On Gardens", "Ana Ruiz"),
        ("Alone", "Bo"),
        ("Nameless", "Unknown"),
    ]
    assert problems == []


@pytest.fixture
def extract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Result]:
    monkeypatch.setattr("common.logs.configure", lambda _level: None)
    monkeypatch.setenv("COLUMNS", "120")

    def call(*options: str) -> Result:
        return CliRunner().invoke(cli.app, ["zettel", "extract", str(tmp_path / "library"), *options])

    return call


def test_extract_and_go_on(
    extract: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for title in ("Beds", "Borders"):
        write(tmp_path, f"library/Ana - {title}.md")
    first = extract("--json", "--concurrency", "2")
    assert first.exit_code == 0, first.output
    rows = json.loads(first.stdout)
    assert [(row["title"], row["status"], row["concepts"]) for row in rows] == [
        ("Beds", "review_concepts", 1),
        ("Borders", "review_concepts", 1),
    ]
    write(tmp_path, "library/Ana - Compost.md")
    started: list[Any] = []
    job = zettel_library._job
    monkeypatch.setattr(
        zettel_library, "_job", lambda work, force: started.append(work.title) or job(work, force)
    )
    again = extract()
    assert "waits for review" in again.stdout
    assert "study zettel review" in again.stdout
    assert started.count("Compost") == 1


def test_one_broken_file_fails_alone(extract: Callable[..., Result], tmp_path: Path) -> None:
    write(tmp_path, "library/Ana - Beds.md")
    write(tmp_path, "library/nobody.md")
    result = extract("--json")
    assert result.exit_code == 0
    assert [row["title"] for row in json.loads(result.stdout)] == ["Beds"]
    assert "nobody.md names no author" in result.stderr
