"""`study runs`: what ran, what waits for a person, and how to go on, whichever graph it is."""

import json
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markdown import Markdown
from rich.table import Column, Table

import graphs
from clients.options import Json, Profile, Url, console, print_json
from clients.runner import Event, Outcome, Runner, Thread, ThreadState, open_runner
from common.errors import BadInput

app = typer.Typer(no_args_is_help=True, help="What ran, what waits for you, and how to go on.")
EXAMPLES = {
    "list": "study runs list --waiting",
    "show": "study runs show 3b44f9e0-99b5-50ff-84b7-f37e2cc96263",
    "resume": "study runs resume 3b44f9e0-99b5-50ff-84b7-f37e2cc96263 --approve",
    "cancel": "study runs cancel 3b44f9e0-99b5-50ff-84b7-f37e2cc96263 --url http://127.0.0.1:2024",
    "discard": "study runs discard 3b44f9e0-99b5-50ff-84b7-f37e2cc96263 --yes",
}

ThreadId = Annotated[str, typer.Argument(help="The thread, as `study runs list` shows it.")]
GraphName = Annotated[str | None, typer.Option("--graph", help="One graph's threads only.")]
OnlyWaiting = Annotated[bool, typer.Option("--waiting", help="Only what waits for an answer, longest first.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many, at most.")]
Sure = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
_COLOURS = {"waits": "yellow", "runs": "cyan", "failed": "red", "rests": "green"}
_SHOWN = 300


@app.command("list")
def list_threads(
    graph: GraphName = None,
    waiting: OnlyWaiting = False,
    limit: Limit = 20,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """List threads, the latest first; `waits` means that a person is asked."""
    with open_runner(url) as runner:
        found = _waiting(runner, graph)[:limit] if waiting else runner.threads(graph, limit=limit)
    if not found and graph and graph not in graphs.installed():
        known = ", ".join(graphs.installed())
        raise BadInput(f"No graph is called {graph!r}.", remedy=f"Use one of {known}.")
    if as_json:
        print_json([asdict(each) for each in found])
        return
    # A thread's id is there to be copied: never cut, and the whole fits into 80 columns.
    table = Table(Column("thread", min_width=36, no_wrap=True), "graph", "status", "since", box=None)
    for each in found:
        status = f"[{_COLOURS[each.status]}]{each.status}[/]"
        table.add_row(each.thread_id, each.graph, status, _moment(each.since))
    console.print(table if found else ("Nothing waits." if waiting else "Nothing ran yet."))


def _waiting(runner: Runner, graph: str | None) -> list[Thread]:
    return [Thread(each.thread_id, each.graph, "waits", each.since) for each in runner.waiting(graph)]


def _moment(moment: datetime) -> str:
    """The time of today's threads, the day of older ones."""
    here = moment.astimezone()
    return f"{here:%H:%M}" if here.date() == datetime.now().astimezone().date() else f"{here:%Y-%m-%d}"


@app.command()
def show(thread_id: ThreadId, url: Url = None, as_json: Json = False) -> None:
    """Show where a thread stands, what it asks, and what it holds."""
    with open_runner(url) as runner:
        thread = runner.find(thread_id)
        state = runner.state(thread.graph, thread.thread_id)
    if as_json:
        print_json(asdict(thread) | {"next": state.next, "asks": state.interrupt, "values": state.values})
        return
    _print_thread(thread, state)


def _print_thread(thread: Thread, state: ThreadState) -> None:
    moment = f"{thread.since.astimezone():%Y-%m-%d %H:%M}"
    console.print(f"[bold]{thread.thread_id}[/] · {thread.graph} · {thread.status} · {moment}")
    if state.next:
        console.print(f"goes on with: {', '.join(state.next)}")
    for request in _requests(state.interrupt):
        console.print(Markdown(str(request.get("description") or request.get("name") or "")))
    table = Table("key", "value", box=None)
    for key, value in state.values.items():
        text = json.dumps(value, ensure_ascii=False, default=str)
        table.add_row(key, text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… (--json shows all)")
    console.print(table)


def _requests(asked: Any) -> list[dict[str, Any]]:
    return list(asked.get("action_requests") or []) if isinstance(asked, dict) else []


@app.command()
def resume(
    thread_id: ThreadId,
    approve: Annotated[bool, typer.Option("--approve", help="Take everything as proposed.")] = False,
    reject: Annotated[bool, typer.Option("--reject", help="Take nothing; nothing is written.")] = False,
    feedback: Annotated[
        str | None, typer.Option("--feedback", help="Say what should change, for another round.")
    ] = None,
    answer: Annotated[
        Path | None, typer.Option("--answer", help="A JSON file with a whole answer; - reads it here.")
    ] = None,
    url: Url = None,
    as_json: Json = False,
    profile: Profile = None,
) -> None:
    """Answer what a thread asks, or let one that was broken off go on."""
    decision = _decision(approve, reject, feedback, answer)
    with open_runner(url) as runner:
        thread = runner.find(thread_id)
        if decision is None:
            _refuse_to_guess(runner, thread)
            outcome = runner.go_on(thread.graph, thread.thread_id, on_event=_step)
        else:
            outcome = runner.resume(thread.graph, thread.thread_id, decision, on_event=_step)
    _print_outcome(thread, outcome, as_json)


def _decision(approve: bool, reject: bool, feedback: str | None, answer: Path | None) -> Any:
    """The one answer given, as every review of ours reads it; None where there is none."""
    if sum((approve, reject, feedback is not None, answer is not None)) > 1:
        raise BadInput("--approve, --reject, --feedback and --answer exclude each other.", remedy="Give one.")
    if answer is not None:
        return _read_answer(answer)
    if feedback is not None:
        if not feedback.strip():
            # A rejection without words ends the review.
            raise BadInput("--feedback says nothing.", remedy="Say what should change, or use --reject.")
        return {"decisions": [{"type": "reject", "message": feedback}]}
    if approve or reject:
        return {"decisions": [{"type": "approve" if approve else "reject"}]}
    return None


def _read_answer(path: Path) -> Any:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
        return json.loads(text)
    except (OSError, ValueError) as exc:
        raise BadInput(f"{path} holds no answer: {exc}.", remedy="Give a file with JSON.") from exc


def _refuse_to_guess(runner: Runner, thread: Thread) -> None:
    if runner.state(thread.graph, thread.thread_id).interrupts:
        raise BadInput(
            f"Thread {thread.thread_id} asks something.",
            remedy="Look with `study runs show`, then add --approve, --reject, --feedback or --answer.",
        )


def _step(event: Event) -> None:
    if event.kind == "update" and not event.namespace:
        typer.secho(f"  {event.node} ✓", err=True, dim=True)


def _print_outcome(thread: Thread, outcome: Outcome, as_json: bool) -> None:
    if as_json:
        print_json({"waits": outcome.waits, "asks": outcome.interrupt, "values": outcome.values})
        return
    if outcome.waits:
        console.print(f"[yellow]It asks again:[/] study runs show {thread.thread_id}")
        return
    console.print(f"[green]Done.[/] study runs show {thread.thread_id} tells what came of it.")


@app.command()
def cancel(thread_id: ThreadId, url: Url = None, as_json: Json = False) -> None:
    """Stop what a thread runs on a server; its finished steps stay."""
    with open_runner(url) as runner:
        thread = runner.find(thread_id)
        stopped = runner.cancel(thread.thread_id)
    if as_json:
        print_json({"thread_id": thread.thread_id, "stopped": stopped})
        return
    runs = "run" if stopped == 1 else "runs"
    console.print(f"Stopped {stopped} {runs}." if stopped else f"Thread {thread.thread_id} runs nothing.")


@app.command()
def discard(thread_id: ThreadId, sure: Sure = False, url: Url = None, as_json: Json = False) -> None:
    """Forget a thread and what it asks; what it wrote elsewhere stays."""
    with open_runner(url) as runner:
        thread = runner.find(thread_id)
        if not sure:
            asked = " and its unanswered review" if thread.status == "waits" else ""
            typer.confirm(
                f"Forget thread {thread.thread_id} of {thread.graph}{asked}?", abort=True, err=as_json
            )
        runner.discard(thread.thread_id)
    if as_json:
        print_json({"thread_id": thread.thread_id, "forgotten": True})
        return
    console.print(f"Thread {thread.thread_id} is forgotten.")
