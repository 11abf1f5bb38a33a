"""`study waiting` and `study discard`: what waits for a person, in every graph, and how to drop it."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from clients.options import Json, Url, console, print_json
from clients.runner import open_runner

GraphName = Annotated[str | None, typer.Option("--graph", help="One graph's threads only.")]
ThreadId = Annotated[str, typer.Argument(help="The thread, as `study waiting` shows it.")]
Sure = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def waiting(graph: GraphName = None, url: Url = None, as_json: Json = False) -> None:
    """List the threads that wait for an answer, longest waiting first."""
    with open_runner(url) as runner:
        found = runner.waiting(graph)
    if as_json:
        print_json([asdict(each) for each in found])
        return
    table = Table("thread", "graph", "since")
    for each in found:
        table.add_row(each.thread_id, each.graph, f"{each.since:%Y-%m-%d %H:%M}")
    console.print(table if found else "Nothing waits.")


def discard(thread_id: ThreadId, url: Url = None, sure: Sure = False) -> None:
    """Forget a thread and what it asks; what it wrote elsewhere stays."""
    if not sure:
        typer.confirm(f"Forget thread {thread_id} and its unanswered review?", abort=True)
    with open_runner(url) as runner:
        runner.discard(thread_id)
    console.print(f"Thread {thread_id} is forgotten.")
