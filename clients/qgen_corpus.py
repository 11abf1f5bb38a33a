"""A corpus of documents: found in a folder, asked about side by side, watched in a table."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import typer
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from clients.options import console
from clients.qgen_report import fetched_report
from clients.runner import Done, Job, Outcome, Runner, open_runner
from common.errors import BadInput, StudyError
from common.files import content_hash
from common.threads import thread_id
from graphs.qgen_loop.documents.opening import EXTENSIONS
from graphs.qgen_loop.results import relocated
from graphs.qgen_loop.schemas import CorpusConfig, Mode, QAPair
from graphs.qgen_loop.statistics import own_statistics

GRAPH = "qgen_loop"
SETTLED = frozenset({"target_reached", "exhausted", "no_visual_content"})
COLOURS = {"target_reached": "green", "exhausted": "yellow", "suspended": "red", "budget": "yellow"}
# How long a server's numbers are shown before it is asked again.
STALE_SECONDS = 2.0
# Accepted questions and attempts of a document, by its thread.
Counts = dict[str, tuple[int, int]]


def job_for(
    file: Path,
    corpus: CorpusConfig | None,
    scenario: str,
    mode: Mode,
    target: int,
    fresh: bool,
    context: dict[str, Any] | None = None,
) -> Job:
    """The run of one document; its thread follows from content, corpus, scenario and mode."""
    given = {"document_path": str(file.absolute()), "mode": mode, "target_count": target, "fresh": fresh}
    given |= {"corpus_config": corpus.model_dump() if corpus else {}, "scenario_name": scenario}
    sha = content_hash(file.read_bytes()) if file.is_file() else "missing"
    thread = thread_id(GRAPH, sha, corpus.name if corpus else "", scenario, mode)
    return Job(thread, given, context)


def documents(folder: Path) -> list[Path]:
    """The documents of a folder and those below it; hidden ones are nobody's corpus."""
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.", remedy="Use `study qgen document` for one file.")
    found = [
        path for path in sorted(folder.rglob("*")) if path.suffix.lower() in EXTENSIONS and path.is_file()
    ]
    shown = [
        path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    if not shown:
        raise BadInput(f"{folder} holds no documents.", remedy=f"Known are {', '.join(sorted(EXTENSIONS))}.")
    return shown


def once(jobs: list[Job]) -> list[Job]:
    """Each content once: copies of a document share one thread and would only get in each other's way."""
    first: dict[str, Job] = {}
    for job in jobs:
        kept = first.setdefault(job.thread_id, job)
        if kept is not job:
            names = (Path(each.input["document_path"]).name for each in (job, kept))
            typer.secho(
                "study: {} has the same content as {}; it is asked about once.".format(*names), err=True
            )
    return list(first.values())


def run_all(jobs: list[Job], concurrency: int, url: str | None, fresh: bool, *, quiet: bool) -> list[Done]:
    """Run what is not settled yet, and show a table while it goes."""
    board = Board(jobs, counting(url))
    with open_runner(url) as runner:
        settled = [] if fresh else _settled(runner, jobs)
        for done in settled:
            board.note(done)
        waiting = [job for job in jobs if job.thread_id not in {done.job.thread_id for done in settled}]
        if quiet or not console.is_terminal:
            return settled + runner.run_many(GRAPH, waiting, concurrency=concurrency, on_done=board.note)
        with Live(get_renderable=board.table, console=console, refresh_per_second=2):
            return settled + runner.run_many(GRAPH, waiting, concurrency=concurrency, on_done=board.note)


def _settled(runner: Runner, jobs: list[Job]) -> list[Done]:
    """Documents that earlier runs brought to an end: enough questions, or no more to give."""
    found = []
    for job in jobs:
        values = runner.state(GRAPH, job.thread_id).values
        enough = len(values.get("accepted", [])) >= job.input["target_count"]
        if values.get("status") in SETTLED and (enough or values["status"] != "target_reached"):
            found.append(Done(job, outcome=Outcome(job.thread_id, values)))
    return found


def counting(url: str | None) -> Callable[[], Counts]:
    """How far runs under way are: by the statistics here, or by the server's."""
    return partial(_counted_there, url) if url else _counted_here


def _counted_here() -> Counts:
    rows = own_statistics().rows("runs")
    stats = {row["run_id"]: json.loads(row["stats"]) for row in rows}
    return {run: (each["accepted_count"], each["total_attempts"]) for run, each in stats.items()}


def _counted_there(url: str) -> Counts:
    report = fetched_report(url, timeout=5)
    return {run.run_id: (run.accepted, run.attempts) for run in report.runs}


class Board:
    """The live table of a corpus run; numbers of runs under way come from the statistics."""

    def __init__(self, jobs: list[Job], count: Callable[[], Counts]) -> None:
        self.jobs = jobs
        self.ended: dict[str, tuple[str, int, int]] = {}
        self._count = count
        self._counts: Counts = {}
        self._asked = float("-inf")

    def note(self, done: Done) -> None:
        """A document is done."""
        values = done.outcome.values if done.outcome else {}
        status = "error" if done.error else str(values.get("status", ""))
        attempts = values.get("stats", {}).get("total_attempts", 0)
        self.ended[done.job.thread_id] = (status, len(values.get("accepted", [])), attempts)

    def table(self) -> Table:
        """How far each document is; with many, those under way and the last ones."""
        table = Table(
            "document", "state", "accepted", "attempts", title=f"{len(self.ended)}/{len(self.jobs)} done"
        )
        running = self._running()
        shown = [job for job in self.jobs if job.thread_id not in self.ended][:20]
        shown = [job for job in self.jobs if job.thread_id in self.ended][-10:] + shown
        for job in shown:
            accepted, attempts = running.get(job.thread_id, (0, 0))
            under_way = ("running" if attempts else "waiting", accepted, attempts)
            status, accepted, attempts = self.ended.get(job.thread_id, under_way)
            colour = COLOURS.get(status, "default")
            name = Path(job.input["document_path"]).name
            wanted = f"{accepted}/{job.input['target_count']}"
            table.add_row(escape(name), f"[{colour}]{status}[/]", wanted, str(attempts))
        return table

    def _running(self) -> Counts:
        """The newest numbers; those known last where a busy server does not answer in time."""
        if time.monotonic() - self._asked > STALE_SECONDS:
            with suppress(StudyError):  # the run itself tells of a server that is gone
                self._counts = self._count()
            self._asked = time.monotonic()
        return self._counts


def questions(finished: list[Done]) -> list[QAPair]:
    """The accepted questions of all documents, in the order of their names."""
    order = sorted(finished, key=lambda done: str(done.job.input["document_path"]))
    return [
        QAPair.model_validate(relocated(pair, done.job.input["document_path"]))
        for done in order
        if done.outcome
        for pair in done.outcome.values.get("accepted", [])
    ]


def tell_failures(finished: list[Done], questions: int, *, quiet: bool) -> None:
    """What went wrong, document by document, and the exit code for it."""
    failed = [done for done in finished if done.error]
    paused = [done for done in finished if done.outcome and done.outcome.values.get("status") == "suspended"]
    for done in failed:
        typer.secho(f"study: {Path(done.job.input['document_path']).name}: {done.error}", fg="red", err=True)
    for done in paused:
        reason = done.outcome.values["reason"] if done.outcome else ""
        typer.secho(f"study: {Path(done.job.input['document_path']).name}: {reason}", fg="yellow", err=True)
    if not quiet:
        console.print(
            f"{questions} questions from {len(finished) - len(failed)} of {len(finished)} documents."
        )
    if failed or paused:
        raise typer.Exit(5 if paused else 1)
