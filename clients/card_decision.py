"""`study cards`: from an Obsidian vault to Anki, and nothing of the user's ever lost."""

import datetime
import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from clients.cards.applying import media_files
from clients.cards.auditing import audit_cards
from clients.cards.deciding import NoteResult, decide_notes, fingerprint
from clients.cards.ledgers import known_vaults, open_ledger, vault_id, vault_of_run
from clients.cards.reporting import card_line, counted, print_lines, print_problems, print_table, summary
from clients.cards.reviewing import answer_threads, settle_reviews, waiting_cards
from clients.cards.syncing import CardSync, Options, Report
from clients.cards.work import SlugDesk, read_work, reading_settings
from clients.options import Json, Profile, Url, console, print_json
from clients.runner import open_runner
from common.errors import BadInput, NotFound
from common.settings import get_settings
from graphs.card_decision.agents_config import load_agents_config
from graphs.card_decision.anki.apkg import write_apkg
from graphs.card_decision.anki.collection import Snapshot, look
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.note_types import STANDARD_MODELS
from graphs.card_decision.anki.undo import undo_run
from graphs.card_decision.schemas import CardDecision
from graphs.card_decision.vault.files import open_vault

REVIEW_WAITS = 6

app = typer.Typer(no_args_is_help=True, help="Obsidian notes become Anki cards; no edit is ever lost.")
EXAMPLES = {
    "plan": "study cards plan samples/vault",
    "sync": "study cards sync samples/vault --apkg cards.apkg",
    "undo": "study cards undo 20260105-083000",
    "review": "study cards review",
    "audit": "study cards audit",
}

VaultArg = Annotated[Path, typer.Argument(metavar="VAULT", help="The folder of the Obsidian vault.")]
AnkiOption = Annotated[
    str | None, typer.Option("--anki", help="AnkiConnect's address; default STUDY_ANKI_URL.")
]
AgentsOption = Annotated[
    Path | None, typer.Option("--agents-config", help="A YAML file with the key `agents`.", dir_okay=False)
]
ConcurrencyOption = Annotated[
    int, typer.Option("--concurrency", min=1, max=64, help="Notes decided at once.")
]


@app.command()
def plan(
    vault: VaultArg,
    as_json: Json = False,
    agents_config: AgentsOption = None,
    anki: AnkiOption = None,
    concurrency: ConcurrencyOption = 4,
    url: Url = None,
    profile: Profile = None,
) -> None:
    """Decide every card of the vault and touch nothing. --json prints one line per card."""
    context = run_context(agents_config)
    if anki:
        report = _sync(vault, Options(context, url, dry_run=True, concurrency=concurrency), connection(anki))
        decisions, problems = report.decisions, report.problems
    else:
        results, problems = plan_vault(vault, context, url, concurrency)
        decisions = [decision for result in results for decision in result.decisions]
    print_problems(problems)
    if as_json:
        print_lines(decisions)
        return
    print_table(decisions)
    typer.echo(f"{counted(len(decisions), 'card')}: {summary(decisions)}.")


def plan_vault(
    vault: Path, context: dict[str, Any], url: str | None, concurrency: int
) -> tuple[list[NoteResult], dict[str, list[str]]]:
    """Decide all notes as if Anki were empty."""
    opened = open_vault(vault)
    settings = reading_settings(context)
    work = read_work(opened, fingerprint(context, url), {}, set())
    SlugDesk(work, {}, Snapshot(), settings).assign()
    problems = {note.path: [note.problem] for note in work if note.problem}
    problems |= {"vault": opened.problems} if opened.problems else {}
    rules = "mapper=rules" in fingerprint(context, None)
    asked = [note for note in work if note.changed and (not rules or note.slugs)]
    for note in work:
        if note.cards is not None and note.cards.problems:
            problems[note.path] = note.cards.problems
    with open_runner(url) as runner:
        results = decide_notes(
            runner,
            asked,
            vault_id=vault_id(vault),
            context=context,
            models=STANDARD_MODELS,
            concurrency=concurrency,
        )
    for result in results:
        if result.failed:
            problems.setdefault(result.note.path, []).append(result.failed)
    return results, problems


def run_context(agents_config: Path | None) -> dict[str, Any]:
    """The settings of the runs: the file's keys over the defaults."""
    if agents_config is None:
        return {}
    config = load_agents_config(agents_config)
    if "max_tokens" in config.model.model_fields_set:
        os.environ["STUDY_NUM_PREDICT"] = str(max(64, config.model.max_tokens))
        get_settings.cache_clear()
    return config.settings()


def connection(anki: str | None) -> AnkiConnect:
    settings = get_settings()
    key = settings.anki_key.get_secret_value() if settings.anki_key else None
    return AnkiConnect(anki or settings.anki_url, key)


@app.command()
def sync(
    vault: VaultArg,
    anki: AnkiOption = None,
    apkg: Annotated[
        Path | None, typer.Option("--apkg", help="Write a package instead of asking Anki.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Decide and show, write nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before writing.")] = False,
    recreate: Annotated[
        bool, typer.Option("--recreate", help="Make cards again that were deleted in Anki.")
    ] = False,
    allow_orphans: Annotated[
        bool, typer.Option("--allow-orphans", help="Go on although many cards vanished from the vault.")
    ] = False,
    fail_on_review: Annotated[
        bool,
        typer.Option("--fail-on-review", help=f"Exit with {REVIEW_WAITS} where cards wait for a person."),
    ] = False,
    agents_config: AgentsOption = None,
    concurrency: ConcurrencyOption = 4,
    as_json: Json = False,
    url: Url = None,
    profile: Profile = None,
) -> None:
    """Bring Anki up to date with the vault. Edits made in Anki always stay."""
    context = run_context(agents_config)
    if apkg is not None:
        decisions = _package(vault, apkg, context, url, concurrency, dry_run, quiet=as_json)
        if as_json:
            print_lines(decisions)
        return
    options = Options(context, url, dry_run, recreate, allow_orphans, concurrency)
    report = _sync(vault, options, connection(anki), ask=not yes and sys.stdin.isatty() and not as_json)
    print_problems(report.problems)
    for line in report.warnings:
        typer.secho(line, fg="yellow", err=True)
    if as_json:
        print_lines(report.decisions)
    else:
        _show(report, dry_run)
    if report.failed:
        raise typer.Exit(1)
    if fail_on_review and report.waiting:
        raise typer.Exit(REVIEW_WAITS)


def _sync(vault: Path, options: Options, connect: AnkiConnect, ask: bool = False) -> Report:
    now = datetime.datetime.now(datetime.UTC)

    def confirm(decisions: list[CardDecision]) -> bool:
        print_table(decisions)
        return not decisions or typer.confirm(f"{summary(decisions)}. Go on?")

    # Standard output is for the answer alone: --json there is one line per card and nothing else.
    shown = Console(stderr=True)
    bar = Progress(SpinnerColumn(), TextColumn("{task.description}"), console=shown, transient=True)
    with open_ledger(vault) as ledger, open_runner(options.url) as runner, bar:
        task = bar.add_task("looking")
        if ask:
            bar.stop()

        def step(name: str) -> None:
            bar.update(task, description=name.replace("_", " "), advance=1)

        work = CardSync(vault, runner, connect, ledger, options, step)
        report = work.run(now, confirm if ask else None)
        report.problems |= {"vault": work.vault.problems} if work.vault.problems else {}
        return report


def _show(report: Report, dry_run: bool) -> None:
    print_table(report.decisions)
    cards = summary(report.decisions, written=not dry_run, failed=report.failed)
    done = "nothing was written" if dry_run else f"{report.writes} written"
    typer.echo(f"{cards}; {counted(report.unchanged_notes, 'note')} unchanged; {done}.")
    if report.run:
        typer.echo(f"Run {report.run}: `study cards undo {report.run}` takes it back.")
    if report.waiting:
        waits = "card waits" if report.waiting == 1 else "cards wait"
        typer.echo(f"{report.waiting} {waits} for you: `study cards review`.")


def _package(
    vault: Path,
    file: Path,
    context: dict[str, Any],
    url: str | None,
    concurrency: int,
    dry_run: bool,
    *,
    quiet: bool,
) -> list[CardDecision]:
    results, problems = plan_vault(vault, context, url, concurrency)
    print_problems(problems)
    decisions = [decision for result in results for decision in result.decisions]
    if dry_run:
        if not quiet:
            print_table(decisions)
        return decisions
    with tempfile.TemporaryDirectory() as folder:
        media = media_files(open_vault(vault), results, Path(folder))
        written = write_apkg(decisions, file, media)
    if not quiet:
        files = "file" if len(media) == 1 else "files"
        verb = "is" if written + len(media) == 1 else "are"
        typer.echo(
            f"{counted(written, 'card')} and {len(media)} {files} {verb} in {file}; {summary(decisions)}."
        )
    return decisions


@app.command()
def undo(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run's id, or `last`; without it: a list.")
    ] = "",
    vault: Annotated[Path | None, typer.Option("--vault", help="Where several vaults have that run.")] = None,
    anki: AnkiOption = None,
) -> None:
    """Take back what a sync wrote, where it still stands as written. Nothing is deleted."""
    if not run:
        _list_runs()
        return
    with open_ledger(vault or vault_of_run(run)) as ledger:
        connect = connection(anki)
        snapshot = look(connect, ledger.cards(), [])
        report = undo_run(connect, ledger, snapshot, ledger.find_run(run))
        for line in [*report.left, *report.marked]:
            typer.secho(line, fg="yellow", err=True)
        typer.echo(f"{len(report.restored)} restored, {len(report.left)} left, {len(report.marked)} marked.")


def _list_runs() -> None:
    runs = []
    for known in known_vaults():
        with open_ledger(known) as ledger:
            for id_, started, _ in ledger.runs():
                runs.append((started, id_, [entry.state for entry in ledger.entries(run=id_)], known))
    for started, id_, states, known in sorted(runs):
        stands = counted(states.count("done"), "write") if "done" in states else "taken back"
        typer.echo(f"{id_}  {started[:16].replace('T', ' ')}  {stands:>12}  {known}")
    if not runs:
        typer.echo("No sync has written anything yet.")


@app.command()
def review(
    vault: Annotated[Path | None, typer.Argument(metavar="VAULT", help="Only this vault.")] = None,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", help="Write the note's version of this slug.")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="Keep Anki's version of this slug.")
    ] = None,
    thread: Annotated[
        str | None, typer.Option("--thread", help="Answer a run that waits, by its thread.")
    ] = None,
    answer: Annotated[str, typer.Option("--answer", help="approve, reject, or JSON as the run asks.")] = "",
    anki: AnkiOption = None,
    as_json: Json = False,
    url: Url = None,
) -> None:
    """List the cards that wait for a person, and settle them."""
    if thread or answer:
        if not (thread and answer):
            raise BadInput("--thread and --answer belong together.")
        with open_runner(url) as runner:
            print_json(answer_threads(runner, thread, answer))
        return
    vaults = [vault] if vault else known_vaults()
    if not vaults and not as_json:
        typer.echo("No cards wait: no vault was synced with Anki yet.")
    unknown = {*(accept or []), *(keep or [])}
    for known in vaults:
        unknown -= _review(known, accept or [], keep or [], anki, as_json)
    if unknown:
        raise NotFound(
            f"{', '.join(sorted(unknown))}: no such card waits for a review.",
            remedy="`study cards review` alone lists those that do.",
        )


def _review(vault: Path, accept: list[str], keep: list[str], anki: str | None, as_json: bool) -> set[str]:
    """Settle and show one vault's cards that wait; returns the slugs that did."""
    with open_ledger(vault) as ledger:
        held = {decision.slug for decision in waiting_cards(ledger)}
        accept, keep = [slug for slug in accept if slug in held], [slug for slug in keep if slug in held]
        for line in settle_reviews(connection(anki), ledger, accept, keep) if accept or keep else []:
            typer.echo(line, err=as_json)
        waiting = waiting_cards(ledger)
    if as_json:
        print_lines(waiting)
        return held
    print_table(waiting)
    wait = "1 card waits" if len(waiting) == 1 else f"{len(waiting)} cards wait"
    ways = " --accept SLUG: the note's version; --keep SLUG: Anki's." if waiting else ""
    typer.echo(f"{vault}: {wait}.{ways}")
    return held


@app.command()
def audit(
    vault: Annotated[
        Path | None, typer.Argument(metavar="VAULT", help="Compare with this vault's notes.")
    ] = None,
    anki: AnkiOption = None,
    as_json: Json = False,
) -> None:
    """Check the cards that are in Anki already: stale, leaking, doubled, or with broken gaps."""
    findings = audit_cards(connection(anki), vault)
    if as_json:
        for finding in findings:
            typer.echo(finding.line())
    else:
        table = Table("finding", "card", "what", box=None, pad_edge=False)
        for finding in findings:
            row = (finding.kind, finding.slug or str(finding.note_id), finding.message)
            table.add_row(*(escape(text) for text in row))
        if findings:
            console.print(table)
        typer.echo(f"{counted(len(findings), 'finding')}.")


__all__ = ["app", "card_line"]
