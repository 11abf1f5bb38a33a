"""`study zettel`: quotes into the Zettelkasten, reviewed in the terminal."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from clients.on_server import ask_route
from clients.options import Json, Profile, Url, console, folding, print_json
from clients.runner import Outcome, Runner, open_runner
from clients.zettel_library import extract_library, finished, read_clippings
from clients.zettel_review import question_of, review_in_terminal, shown_problem
from common.errors import BadInput, Conflict, NotFound
from common.threads import thread_id
from graphs.concept_extraction import library
from graphs.concept_extraction.knowledge.ids import content_id
from graphs.concept_extraction.quotes import decode

GRAPH = "concept_extraction"

app = typer.Typer(no_args_is_help=True, help="Book quotes into a Zettelkasten.")
EXAMPLES = {
    "ingest": 'study zettel ingest samples/quotes/garden.md --title "A Garden" --author "A gardener"',
    "extract": "study zettel extract samples/quotes --author anonymous --url http://127.0.0.1:2024",
    "review": "study zettel review",
    "undo": "study zettel undo 17d708dd-2d82-53ad-ad6e-f902c777f04f",
    "export": "study zettel export notes",
    "search": "study zettel search patience",
}
_ROUTES = "/api/v1/zettel"

Title = Annotated[str, typer.Option("--title", help="Title of the work.")]
Author = Annotated[str, typer.Option("--author", help="Its author.")]


def read_quotes(path: Path) -> str:
    """The file's text; the file is read here, so that a server on another machine can be used too."""
    try:
        text, warnings = decode(path.read_bytes(), path.name)
    except OSError as exc:
        raise BadInput(f"{path} cannot be read: {exc.strerror}.", remedy="Check the path.") from exc
    for warning in warnings:
        typer.secho(f"study: {warning}", fg="yellow", err=True)
    return text


def work_of(path: Path, title: str, author: str) -> tuple[dict[str, Any], str]:
    """The graph's input for a file, and the thread of its content."""
    if not title.strip() or not author.strip():
        raise BadInput(
            f"{path.name}: the title or the author is missing.", remedy="Give --title and --author."
        )
    given = {"text": read_quotes(path), "title": title, "author": author}
    return given, thread_id(GRAPH, content_id(title, author))


@app.command()
def ingest(
    file: Annotated[Path, typer.Argument(help="A Markdown file with quotes.")],
    title: Title = "",
    author: Author = "",
    url: Url = None,
    profile: Profile = None,
    as_json: Json = False,
) -> None:
    """Store the quotes of a file; concepts are extracted later."""
    given, thread = work_of(file, title, author)
    with open_runner(url) as runner:
        outcome = runner.run(GRAPH, {**given, "ingest_only": True}, thread_id=thread)
        if outcome.waits:
            runner.discard(thread)
            raise BadInput(f"{file.name}: {shown_problem(outcome.interrupt)}")
    tell(outcome, as_json, url)


@app.command()
def extract(
    what: Annotated[
        str,
        typer.Argument(
            help="A content's id, a file with quotes, a folder of such files, or a Kindle clippings file.",
            metavar="CONTENT|FILE|FOLDER",
        ),
    ],
    title: Title = "",
    author: Author = "",
    force: Annotated[bool, typer.Option("--force", help="Again, although it was done.")] = False,
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, max=64, help="Files of a folder at a time.")
    ] = 4,
    url: Url = None,
    profile: Profile = None,
    as_json: Json = False,
) -> None:
    """Find the concepts of a content and stop at the review."""
    path = Path(what)
    if path.is_dir() or (not title and read_clippings(path)):
        rows = extract_library(
            path, author=author, force=force, concurrency=concurrency, url=url, quiet=as_json
        )
        tell_library(rows, as_json, url)
        return
    if path.suffix or path.exists():
        given, thread = work_of(path, title, author)
    else:
        given, thread = {"content_uuid": what}, thread_id(GRAPH, what)
    with open_runner(url) as runner:
        if not force and (ended := finished(runner, thread)):
            tell(ended, as_json, url)
            return
        outcome = runner.run(GRAPH, {**given, "force": force}, thread_id=thread)
        if outcome.waits and question_of(outcome.interrupt)["name"] in ("fix_input", "choose_content"):
            runner.discard(thread)
            raise NotFound(f"{what}: {shown_problem(outcome.interrupt)}")
    tell(outcome, as_json, url)


@app.command()
def review(
    thread: Annotated[str | None, typer.Argument(help="The thread; the longest waiting one without.")] = None,
    approve: Annotated[bool, typer.Option("--approve", help="Take everything as proposed.")] = False,
    url: Url = None,
    profile: Profile = None,
    as_json: Json = False,
) -> None:
    """Go through what waits for you, concept by concept, and commit it."""
    with open_runner(url) as runner:
        waiting = {each.thread_id: each.interrupt for each in runner.waiting(GRAPH)}
        if not waiting:
            if not _finish_commit(runner, thread, as_json, url):
                _say_nothing_waits(as_json)
            return
        if as_json and not approve:
            raise BadInput(
                "Going through a review needs the terminal, which --json leaves to the result.",
                remedy="Add --approve, or answer with study runs resume THREAD --answer FILE --json.",
            )
        chosen = thread or next(iter(waiting))
        if chosen not in waiting:
            if _finish_commit(runner, chosen, as_json, url):
                return
            raise NotFound(
                f"Thread {chosen} waits for nothing.", remedy="study runs list --waiting lists what does."
            )
        outcome = Outcome(chosen, {}, waiting[chosen])
        while outcome.waits:
            answer = _approval(outcome.interrupt) if approve else review_in_terminal(outcome.interrupt)
            before = outcome.interrupt
            outcome = runner.resume(GRAPH, chosen, answer)
            if approve and outcome.waits and _error(outcome.interrupt) and outcome.interrupt != before:
                raise Conflict(_error(outcome.interrupt), remedy="Review it without --approve.")
    tell(outcome, as_json, url)


def _finish_commit(runner: Runner, chosen: str | None, as_json: bool, url: str | None) -> bool:
    """Whether a commit that was broken off, the chosen one or any, has now come to its end."""
    for each in runner.threads(GRAPH, limit=1_000):
        if chosen in (None, each.thread_id) and (outcome := finished(runner, each.thread_id)):
            tell(outcome, as_json, url)
            return True
    return False


def _say_nothing_waits(as_json: bool) -> None:
    if as_json:
        print_json({"waits": False})
        return
    console.print("Nothing waits for review.")


def _approval(interrupt: Any) -> dict[str, Any]:
    asked = question_of(interrupt)
    return {"decisions": [{"type": "approve"}], "review_id": asked["args"].get("review_id")}


def _error(interrupt: Any) -> str:
    return str(question_of(interrupt)["args"].get("error", ""))


@app.command()
def undo(
    run: Annotated[str | None, typer.Argument(help="The run; without, the runs are listed.")] = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Remove what a run made and nobody touched since."""
    if run is None:
        _list_runs(ask_route(url, f"{_ROUTES}/runs") if url else asyncio.run(library.runs()), as_json)
        return
    report = (
        ask_route(url, f"{_ROUTES}/runs/{run}/undo", method="POST", timeout=120)
        if url
        else asyncio.run(library.undo(run))
    )
    if as_json:
        print_json(report)
        return
    console.print(f"Removed {len(report['removed'])}, set back {len(report['restored'])}.", markup=False)
    for line in [*report["kept"], *report["notes"]["beside"], *report["notes"]["failed"]]:
        console.print(f"  stays: {line}", markup=False)


def _list_runs(found: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for run in found:
        told = (
            f"{run['run_id']}  {run['when']}  {run['status']:8} {run['created']:4} concepts  {run['title']}"
        )
        console.print(told, markup=False, soft_wrap=True)
    if not found:
        console.print("There are no runs yet.")


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="Where the notes are to go, e.g. a folder of your vault.")],
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Write every concept as an Obsidian note; what you changed there is never overwritten.

    With --url the concepts are the server's; the notes are written on this machine.
    """
    if url:
        graph = ask_route(url, f"{_ROUTES}/graph", timeout=120)
        report = asyncio.run(library.export_snapshot(graph, folder, url.rstrip("/")))
    else:
        report = asyncio.run(library.export_notes(folder))
    if as_json:
        print_json(report)
        return
    console.print(
        f"{len(report['written'])} written, {len(report['unchanged'])} unchanged in {folder}.", markup=False
    )
    for line in [*report["beside"], *report["failed"]]:
        console.print(f"  {line}", markup=False)
    if report["failed"]:
        raise typer.Exit(1)


@app.command()
def search(
    text: Annotated[str, typer.Argument(help="What to look for.")],
    limit: Annotated[int, typer.Option("--limit", min=1, max=100, help="How many concepts.")] = 10,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Find concepts near a text."""
    query = {"text": text, "limit": limit}
    found = ask_route(url, f"{_ROUTES}/search", query) if url else asyncio.run(library.search(text, limit))
    if as_json:
        print_json(found)
        return
    for hit in found:
        console.print(f"{hit['score']:.3f}  {hit['title']}", markup=False, soft_wrap=True)
    if not found:
        console.print("There are no concepts yet.")


def tell_library(rows: list[dict[str, Any]], as_json: bool, url: str | None) -> None:
    """How every file of a library stands; fails where a file failed."""
    if as_json:
        print_json(rows)
    else:
        table = folding("file", "title", "concepts", "status")
        for row in rows:
            status = row["error"] or ("waits for review" if row["concepts"] else row["status"])
            table.add_row(Path(row["file"]).name, row["title"], str(row["concepts"] or ""), escape(status))
        console.print(table)
        if any(row["concepts"] for row in rows):
            console.print(f"Go through them: study zettel review{_there(url)}", markup=False, soft_wrap=True)
    if any(row["error"] for row in rows):
        raise typer.Exit(1)


def _there(url: str | None) -> str:
    """What a command that is proposed must add to reach the same place."""
    return f" --url {url}" if url else ""


def tell(outcome: Outcome, as_json: bool, url: str | None) -> None:
    """How it ended, or what is waiting now."""
    if as_json:
        print_json({"thread_id": outcome.thread_id, "waits": outcome.waits, **outcome.values})
        return
    values = outcome.values
    if outcome.waits:
        asked = question_of(outcome.interrupt)
        console.print(
            f"{len(asked['args'].get('concepts', []))} concepts wait for review: "
            f"study zettel review{_there(url)}",
            markup=False,
            soft_wrap=True,
        )
        return
    console.print(f"{values.get('outcome')}: content {values.get('content_uuid')}", markup=False)
    if values.get("outcome") == "committed":
        receipt = values["receipt"]
        console.print(
            f"{len(receipt['created'])} concepts, {receipt['relations']} relations, "
            f"{receipt['supports']} supports; "
            f"take it back with: study zettel undo {values['run_id']}{_there(url)}",
            markup=False,
            soft_wrap=True,
        )
    for line in [*values.get("errors", []), *values.get("warnings", [])[:20]]:
        console.print(f"  {line}", markup=False, soft_wrap=True)
    if values.get("outcome") == "failed":
        raise typer.Exit(1)
