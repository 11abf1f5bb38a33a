"""`study qgen`: validated questions from a document or a whole corpus, and a report on them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from clients.options import Json, Profile, Url, console, folding, print_json
from clients.runner import Done, Event, Job, Outcome, Runner, open_runner
from common.errors import BadInput
from common.files import content_hash, write_atomic
from common.threads import thread_id
from graphs.qgen_loop.corpus import load_corpus, scenario_of
from graphs.qgen_loop.documents.opening import EXTENSIONS
from graphs.qgen_loop.report import Report, html, make_report
from graphs.qgen_loop.results import corpus_json, generation_result, ragas_jsonl, relocated
from graphs.qgen_loop.schemas import CorpusConfig, CorpusGenerationResult, Mode, QAPair, Strategy
from graphs.qgen_loop.statistics import open_statistics, own_statistics

app = typer.Typer(no_args_is_help=True, help="Questions with evidence from documents.")
EXAMPLES = {
    "document": "study qgen document samples/documents/rock-lights.md --target 3",
    "corpus": "study qgen corpus samples/documents --target 3 --concurrency 8 --url http://127.0.0.1:2024",
    "report": "study qgen report",
}
GRAPH = "qgen_loop"
SETTLED = frozenset({"target_reached", "exhausted", "no_visual_content"})
COLOURS = {"target_reached": "green", "exhausted": "yellow", "suspended": "red", "budget": "yellow"}

CorpusFile = Annotated[
    Path | None, typer.Option("--corpus", help="A corpus.yaml, or the folder that holds one.")
]
ScenarioName = Annotated[
    str, typer.Option("--scenario", help="A scenario of the corpus; the first if empty.")
]
ModeChoice = Annotated[str, typer.Option("--mode", help="textual or visual.")]
Target = Annotated[int, typer.Option("--target", min=1, max=500, help="Accepted questions per document.")]
StrategyChoice = Annotated[str, typer.Option("--strategy", help="agent explores; batch costs less.")]
Generator = Annotated[str | None, typer.Option("--generator", help="The generator, as provider:model.")]
Validator = Annotated[str | None, typer.Option("--validator", help="The validator, as provider:model.")]
SameFamily = Annotated[bool, typer.Option("--allow-same-family", help="Let one family write and check.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Start over instead of going on.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", dir_okay=False, help="Write the result as JSON here.")
]
Ragas = Annotated[
    Path | None, typer.Option("--ragas", dir_okay=False, help="Write JSON lines with RAGAS columns here.")
]


@app.command()
def document(
    file: Annotated[Path, typer.Argument(help="A text, Markdown, PDF or JATS file.")],
    corpus: CorpusFile = None,
    scenario: ScenarioName = "",
    mode: ModeChoice = "textual",
    target: Target = 5,
    strategy: StrategyChoice = "agent",
    generator: Generator = None,
    validator: Validator = None,
    allow_same_family: SameFamily = False,
    fresh: Fresh = False,
    output: Output = None,
    ragas: Ragas = None,
    url: Url = None,
    as_json: Json = False,
    profile: Profile = None,
) -> None:
    """Ask about one document; run again, it goes on where it stood."""
    described = _described(corpus, scenario)
    job = _job(file, described, scenario, _mode(mode), target, fresh)
    context = _context(strategy, generator, validator, allow_same_family)
    with open_runner(url) as runner, _progress(file.name, target, quiet=as_json) as told:
        outcome = runner.run(GRAPH, job.input, thread_id=job.thread_id, context=context, on_event=told)
    values = outcome.values
    result = generation_result(values)
    if output:
        write_atomic(output, result.model_dump_json(indent=2) + "\n")
    if ragas:
        write_atomic(ragas, ragas_jsonl(result.accepted))
    if as_json:
        print_json(values)
    else:
        _show_questions(values)
    raise typer.Exit(0 if values["status"] != "suspended" else 5)


@app.command()
def corpus(
    folder: Annotated[Path, typer.Argument(help="A folder with documents and a corpus.yaml.")],
    corpus: CorpusFile = None,
    scenario: ScenarioName = "",
    mode: ModeChoice = "textual",
    target: Target = 5,
    strategy: StrategyChoice = "agent",
    generator: Generator = None,
    validator: Validator = None,
    allow_same_family: SameFamily = False,
    concurrency: Annotated[int, typer.Option("--concurrency", "-n", min=1, max=64, help="At a time.")] = 4,
    fresh: Fresh = False,
    output: Output = None,
    ragas: Ragas = None,
    url: Url = None,
    as_json: Json = False,
    profile: Profile = None,
) -> None:
    """Ask about every document of a folder, several at a time; run again, only what is missing is done."""
    files = _documents(folder)
    described = load_corpus(corpus or folder)
    name = scenario or next(iter(described.scenarios))
    scenario_of(described, name)
    context = _context(strategy, generator, validator, allow_same_family)
    jobs = _once([_job(file, described, name, _mode(mode), target, fresh, context) for file in files])
    finished = _run_all(jobs, concurrency, url, fresh, quiet=as_json)
    result = CorpusGenerationResult(
        corpus_name=described.name,
        corpus_path=str(folder),
        scenario=name,
        mode=_mode(mode),
        questions=_questions(finished),
        timestamp=datetime.now(UTC).isoformat(),
    )
    if output:
        write_atomic(output, corpus_json(result))
    if ragas:
        write_atomic(ragas, ragas_jsonl(result.questions))
    if as_json:
        print_json(result.model_dump(mode="json"))
    _tell_failures(finished, len(result.questions), quiet=as_json)


@app.command()
def report(
    database: Annotated[
        Path | None, typer.Argument(help="A statistics file; this installation's own if left out.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--html", dir_okay=False, help="Write a page with charts here.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what was accepted, what was rejected and why, and what it cost."""
    made = make_report(open_statistics(database or own_statistics().path))
    if page:
        write_atomic(page, html(made))
    if as_json:
        print_json(made.as_json())
    elif page:
        console.print(f"The report is in {escape(str(page))}.")
    else:
        _show_report(made)


def _mode(mode: str) -> Mode:
    if mode in ("textual", "visual"):
        return cast(Mode, mode)
    raise BadInput(f"--mode is {mode!r}.", remedy="Use textual or visual.")


def _context(
    strategy: str, generator: str | None, validator: str | None, allow_same_family: bool
) -> dict[str, Any]:
    if strategy not in Strategy.__args__:  # type: ignore[attr-defined]
        raise BadInput(f"--strategy is {strategy!r}.", remedy="Use agent or batch.")
    chosen = {"strategy": strategy, "generator_model": generator, "validator_model": validator}
    return {key: value for key, value in chosen.items() if value} | {"allow_same_family": allow_same_family}


def _described(corpus: Path | None, scenario: str) -> CorpusConfig | None:
    if corpus is None:
        if scenario:
            raise BadInput("--scenario needs --corpus.", remedy="Name the corpus.yaml it stands in.")
        return None
    described = load_corpus(corpus)
    if scenario:
        scenario_of(described, scenario)
    return described


def _job(
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


def _once(jobs: list[Job]) -> list[Job]:
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


def _documents(folder: Path) -> list[Path]:
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


@contextmanager
def _progress(name: str, target: int, *, quiet: bool) -> Iterator[Callable[[Event], None]]:
    """A line that grows while a document is asked about."""
    counts = {"accepted": 0, "rejected": 0}

    def ignore(_event: Event) -> None:
        return None

    if quiet or not console.is_terminal:
        yield ignore
        return
    name = escape(name)
    with console.status(f"{name}: reading") as status:

        def told(event: Event) -> None:
            if event.kind == "custom" and isinstance(event.data, dict) and "outcome" in event.data:
                counts[event.data["outcome"]] += 1
            where = event.node.removesuffix("_node") if event.node else ""
            status.update(
                f"{name}: {counts['accepted']}/{target} accepted, {counts['rejected']} rejected {where}"
            )

        yield told


def _run_all(jobs: list[Job], concurrency: int, url: str | None, fresh: bool, *, quiet: bool) -> list[Done]:
    """Run what is not settled yet, and show a table while it goes."""
    board = Board(jobs)
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


class Board:
    """The live table of a corpus run; numbers of runs under way come from the statistics file."""

    def __init__(self, jobs: list[Job]) -> None:
        self.jobs = jobs
        self.ended: dict[str, tuple[str, int]] = {}

    def note(self, done: Done) -> None:
        """A document is done."""
        values = done.outcome.values if done.outcome else {}
        status = "error" if done.error else str(values.get("status", ""))
        self.ended[done.job.thread_id] = (status, len(values.get("accepted", [])))

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
            status, accepted = self.ended.get(job.thread_id, ("running" if attempts else "waiting", accepted))
            colour = COLOURS.get(status, "default")
            name = Path(job.input["document_path"]).name
            table.add_row(
                escape(name),
                f"[{colour}]{status}[/]",
                f"{accepted}/{job.input['target_count']}",
                str(attempts),
            )
        return table

    def _running(self) -> dict[str, tuple[int, int]]:
        counts: dict[str, tuple[int, int]] = {}
        for row in own_statistics().rows("attempts"):
            accepted, attempts = counts.get(row["run_id"], (0, 0))
            counts[row["run_id"]] = (accepted + (row["outcome"] == "accepted"), attempts + 1)
        return counts


def _questions(finished: list[Done]) -> list[QAPair]:
    order = sorted(finished, key=lambda done: str(done.job.input["document_path"]))
    return [
        QAPair.model_validate(relocated(pair, done.job.input["document_path"]))
        for done in order
        if done.outcome
        for pair in done.outcome.values.get("accepted", [])
    ]


def _tell_failures(finished: list[Done], questions: int, *, quiet: bool) -> None:
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


def _show_questions(values: dict[str, Any]) -> None:
    table = folding("question", "answer", "evidence", "by")
    for pair in values["accepted"]:
        seen = pair["evidence"] or {}
        where = f"lines {seen['start_line']}–{seen['end_line']}, page {seen['page']}" if seen else ""
        if pair["visual_evidence"]:
            where = f"{pair['visual_evidence']['ref']}, page {pair['visual_evidence']['page']}"
        by = pair["origin"] + ("" if pair["validated"] else ", not validated")
        table.add_row(*map(escape, (pair["question"], pair["answer"], where, by)))
    console.print(table)
    stats, spent = values["stats"], values["spent"]
    console.print(
        f"[{COLOURS.get(values['status'], 'default')}]{values['status']}[/]: {escape(values['reason'])} "
        f"{stats['accepted_count']} accepted, {stats['rejected_count']} rejected, "
        f"{spent['calls']} model calls, {spent['usd']:.4f} US$."
    )
    if values["rejected"]:
        reasons = ", ".join(f"{name} {count}" for name, count in stats["rejection_reasons"].items())
        last = escape(values["rejected"][-1]["rejection_detail"])
        console.print(f"Rejected: {reasons}; the last one: {last}")
    for warning in values.get("warnings", []):
        console.print(f"[yellow]{escape(warning)}[/]")


def _show_report(made: Report) -> None:
    highest = max(made.outcomes.values(), default=1)
    chart = Table(
        "outcome", "attempts", "", box=None, title="What became of the attempts", title_justify="left"
    )
    for name, count in made.outcomes.most_common():
        colour = "green" if name == "accepted" else "red"
        chart.add_row(name, str(count), f"[{colour}]{'█' * max(1, round(40 * count / highest))}[/]")
    console.print(chart)
    roles = Table(
        "role", "calls", "input tokens", "output tokens", "US$", title="Models", title_justify="left"
    )
    for role, counts in made.roles.items():
        numbers = (counts["calls"], counts["input_tokens"], counts["output_tokens"])
        roles.add_row(role, *(f"{number:,}" for number in numbers), f"{made.usd_by_role[role]:.4f}")
    console.print(roles)
    runs = Table(
        "document", "ended", "accepted", "attempts", "calls", "US$", title="Documents", title_justify="left"
    )
    for run in made.runs:
        wanted = f"{run.accepted}/{run.target}"
        runs.add_row(
            escape(run.document), run.status, wanted, str(run.attempts), str(run.calls), f"{run.usd:.4f}"
        )
    console.print(runs)
    console.print(
        f"{made.accepted} accepted, {made.calls_per_question:.1f} model calls each, {made.usd:.4f} US$."
    )
