"""A library of quote files: found in a folder, named from what they say, extracted side by side."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import typer
import yaml
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from clients.options import console
from clients.runner import Done, Job, Outcome, Runner, open_runner
from common.errors import BadInput, StudyError
from common.threads import thread_id
from graphs.concept_extraction.knowledge.ids import content_id
from graphs.concept_extraction.quotes import clippings_of, decode, says_quotes

GRAPH = "concept_extraction"
ENDED = ("committed", "already_processed")
_FRONTMATTER = re.compile(r"\A﻿?---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_HEADING = re.compile(r"^# +(.+?)\s*$", re.MULTILINE)


class Work(NamedTuple):
    """One file with the title and the author it is filed under."""

    path: Path
    title: str
    author: str
    text: str

    @property
    def thread(self) -> str:
        return thread_id(GRAPH, content_id(self.title, self.author))


def read_work(path: Path, author: str = "") -> Work:
    """Title and author from the frontmatter; else the first heading, `Author - Title.md`, or --author."""
    text, _ = decode(path.read_bytes(), path.name)
    said = _frontmatter(text)
    name_author, _, name_title = path.stem.rpartition(" - ")
    # A heading that opens the quotes themselves is nobody's title.
    heading = next((found for found in _HEADING.findall(text) if not says_quotes(found)), "")
    title = str(said.get("title") or heading or name_title).strip()
    who = str(said.get("author") or name_author or author).strip()
    if not title or not who:
        missing = "author" if title else "title"
        raise BadInput(
            f"{path.name} names no {missing}.",
            remedy="Write `title:` and `author:` at its top, call it `Author - Title.md`, or give --author.",
        )
    return Work(path, title, who, text)


def _frontmatter(text: str) -> dict[str, Any]:
    found = _FRONTMATTER.match(text)
    try:
        said = yaml.safe_load(found[1]) if found else None
    except yaml.YAMLError:
        return {}
    return said if isinstance(said, dict) else {}


def read_clippings(path: Path) -> list[Work]:
    """Every book in a Kindle clippings file; none where the file is none."""
    if not path.is_file():
        return []
    text, _ = decode(path.read_bytes(), path.name)
    works: dict[str, Work] = {}
    for clip in clippings_of(text):
        if clip.kind == "highlight" and clip.text:
            last, _, first = clip.author.partition(", ")
            work = Work(path, clip.title, f"{first} {last}".strip() or "Unknown", text)
            works.setdefault(work.thread, work)
    return list(works.values())


def read_library(folder: Path, author: str) -> tuple[list[Work], list[str]]:
    """The works of a folder, or of a clippings file, each content once, and what could not be read."""
    if clipped := read_clippings(folder):
        return clipped, []
    works: dict[str, Work] = {}
    problems: list[str] = []
    for path in sorted(folder.rglob("*.md")):
        try:
            work = read_work(path, author)
        except (StudyError, OSError) as exc:
            problems.append(str(exc))
            continue
        if work.thread in works:
            problems.append(f"{path.name} is the same work as {works[work.thread].path.name}.")
        works.setdefault(work.thread, work)
    if not works and not problems:
        raise BadInput(f"{folder} holds no Markdown files.", remedy="Give a folder with quote files.")
    return list(works.values()), problems


def extract_library(
    folder: Path, *, author: str, force: bool, concurrency: int, url: str | None, quiet: bool
) -> list[dict[str, Any]]:
    """Extract all works; run again, only what neither waits nor was committed is done."""
    works, problems = read_library(folder, author)
    by_thread = {work.thread: work for work in works}
    with open_runner(url) as runner:
        rows = [row for work in works if not force and (row := _settled(runner, work))]
        settled = {row["thread"] for row in rows}
        jobs = [_job(work, force) for work in works if work.thread not in settled]
        with _progress(len(works), len(settled), quiet) as step:
            finished = runner.run_many(GRAPH, jobs, concurrency=concurrency, on_done=lambda _: step())
    rows += [_row(by_thread[done.job.thread_id], done) for done in finished]
    for problem in problems:
        typer.secho(f"study: {problem}", fg="yellow", err=True)
    return sorted(rows, key=lambda row: str(row["file"]))


def finished(runner: Runner, thread: str) -> Outcome | None:
    """The end of a thread whose review was taken and whose commit was broken off: no answer is lost."""
    state = runner.state(GRAPH, thread)
    if state.interrupts or not state.next or state.values.get("phase") != "commit":
        return None
    return runner.go_on(GRAPH, thread)


def _job(work: Work, force: bool) -> Job:
    given = {"text": work.text, "title": work.title, "author": work.author, "force": force}
    return Job(work.thread, given)


def _settled(runner: Runner, work: Work) -> dict[str, Any] | None:
    """A work that waits for its review already, that was committed, or whose commit was broken off."""
    try:
        if ended := finished(runner, work.thread):
            return _row(work, Done(_job(work, False), ended))
    except StudyError as exc:
        return _row(work, Done(_job(work, False), None, exc))
    state = runner.state(GRAPH, work.thread)
    if not state.interrupts and state.values.get("outcome") not in ENDED:
        return None
    return _row(work, Done(_job(work, False), Outcome(work.thread, state.values, state.interrupt)))


def _row(work: Work, done: Done) -> dict[str, Any]:
    row: dict[str, Any] = {"file": str(work.path), "title": work.title, "thread": work.thread}
    if done.outcome is None:
        return row | {"status": "failed", "concepts": 0, "error": str(done.error)}
    if not done.outcome.waits:
        return row | {"status": done.outcome.values.get("outcome") or "ended", "concepts": 0, "error": ""}
    asked = done.outcome.interrupt["action_requests"][0]
    return row | {"status": asked["name"], "concepts": len(asked["args"].get("concepts", [])), "error": ""}


@contextmanager
def _progress(total: int, done: int, quiet: bool) -> Iterator[Callable[[], None]]:
    columns = (TextColumn("quote files"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(task)
