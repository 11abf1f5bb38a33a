"""`study qgen`: validated questions from a document or a whole corpus, and a report on them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.markup import escape

from clients.options import Json, Profile, Url, console, folding, print_json
from clients.qgen_corpus import COLOURS, GRAPH, documents, job_for, once, questions, run_all, tell_failures
from clients.qgen_report import report_of, show_report
from clients.runner import Event, open_runner
from common.errors import BadInput
from common.files import write_atomic
from graphs.qgen_loop.corpus import load_corpus, scenario_of
from graphs.qgen_loop.report import html
from graphs.qgen_loop.results import corpus_json, generation_result, ragas_jsonl
from graphs.qgen_loop.schemas import CorpusConfig, CorpusGenerationResult, Mode, Strategy

app = typer.Typer(no_args_is_help=True, help="Questions with evidence from documents.")
EXAMPLES = {
    "document": "study qgen document samples/documents/rock-lights.md --target 3",
    "corpus": "study qgen corpus samples/documents --target 3 --concurrency 8 --url http://127.0.0.1:2024",
    "report": "study qgen report",
}

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
    job = job_for(file, described, scenario, _mode(mode), target, fresh)
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
    files = documents(folder)
    described = load_corpus(corpus or folder)
    name = scenario or next(iter(described.scenarios))
    scenario_of(described, name)
    context = _context(strategy, generator, validator, allow_same_family)
    jobs = once([job_for(file, described, name, _mode(mode), target, fresh, context) for file in files])
    finished = run_all(jobs, concurrency, url, fresh, quiet=as_json)
    result = CorpusGenerationResult(
        corpus_name=described.name,
        corpus_path=str(folder),
        scenario=name,
        mode=_mode(mode),
        questions=questions(finished),
        timestamp=datetime.now(UTC).isoformat(),
    )
    if output:
        write_atomic(output, corpus_json(result))
    if ragas:
        write_atomic(ragas, ragas_jsonl(result.questions))
    if as_json:
        print_json(result.model_dump(mode="json"))
    tell_failures(finished, len(result.questions), quiet=as_json)


@app.command()
def report(
    database: Annotated[
        Path | None, typer.Argument(help="A statistics file; this installation's own if left out.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--html", dir_okay=False, help="Write a page with charts here.")
    ] = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Say what was accepted, what was rejected and why, and what it cost."""
    made = report_of(database, url)
    if page:
        write_atomic(page, html(made))
    if as_json:
        print_json(made.as_json())
    elif page:
        console.print(f"The report is in {escape(str(page))}.")
    else:
        show_report(made)


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
