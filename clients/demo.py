"""`make demo`: every graph once on the samples, with no key and no model, through langgraph-sdk.

A server of its own serves it from a temporary folder; nothing outside is written, nothing stays.
"""

import asyncio
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from rich.panel import Panel

from clients.demo_shows import SHOWS
from clients.options import console
from clients.own_server import own_server, registered
from common.errors import StudyError

RUN_SECONDS = 60.0
Run = asyncio.Task[dict[str, Any]]
APPROVE = {"decisions": [{"type": "approve"}]}
INVITATION = """\
All of it by rules alone: no key, no model, nothing sent anywhere. Go on:

[bold]make dev[/]                       serves it; pages at [cyan]http://127.0.0.1:2024/app[/]
[bold].venv/bin/study --help[/]         does all this from the command line
[bold].venv/bin/study doctor[/]         says which models you could give it
[bold]STUDY_PROFILE=ollama make dev[/]  serves it with models on your own machine"""


def main() -> int:
    """Show everything; 1 where a graph failed, 130 where a person broke it off."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="study-demo-") as folder:
            failed = _serve_and_show(Path(folder))
    except KeyboardInterrupt:
        console.print("\nStopped; the server is gone and nothing was left behind.")
        return 130
    except StudyError as exc:
        console.print(f"[red]{exc}[/]")
        return 1
    if failed:
        console.print(f"[red]Failed: {', '.join(failed)}.[/] Look with: .venv/bin/study doctor")
        return 1
    console.print(Panel(INVITATION, title=f"{time.monotonic() - started:.0f} seconds", expand=False))
    return 0


def _serve_and_show(folder: Path) -> list[str]:
    with ExitStack() as stack:
        with console.status("Starting the server …"):
            url = stack.enter_context(own_server(folder))
        return asyncio.run(show_all(url))


async def show_all(url: str) -> list[str]:
    """Start every registered graph at once, tell of one after the other; the names of those that failed."""
    graphs = list(registered()["graphs"])
    console.print(f"One server, {len(graphs)} graphs: [cyan]{url}[/]\n")
    failed = []
    async with get_client(url=url, api_key=None) as client:
        begun = {graph: begin(client, graph) for graph in graphs}
        for number, graph in enumerate(graphs, 1):
            title = SHOWS[graph].title if graph in SHOWS else graph
            console.rule(f"[bold]{number}/{len(graphs)} {title}[/] [dim]{graph}[/]", align="left")
            if not await tell(client, graph, begun[graph]):
                failed.append(graph)
    return failed


def begin(client: LangGraphClient, graph: str) -> Run | str:
    """Start a graph on its sample, or say why not."""
    show = SHOWS.get(graph)
    if show is None:
        return "There is no sample for this graph yet."
    try:
        given = show.given()
    except (OSError, StudyError) as exc:
        return f"Its sample is missing ({exc}); the other graphs go on."
    return asyncio.create_task(asyncio.wait_for(_run(client, graph, given), RUN_SECONDS))


async def tell(client: LangGraphClient, graph: str, begun: Run | str) -> bool:
    """Tell how one graph's run went, and answer what it asks; False where it failed."""
    if isinstance(begun, str):
        console.print(f"{begun}\n", style="yellow")
        return True
    show = SHOWS[graph]
    console.print(show.says)
    try:
        with console.status("…"):
            result = await begun
        if asked := result.get("__interrupt__"):
            for line in show.asks(asked[0]["value"]) if show.asks else ():
                console.print(line)
            result = await asyncio.wait_for(_run(client, graph, result["thread"]), RUN_SECONDS)
    except Exception as exc:  # noqa: BLE001 - one graph's failure is told, and the others are still shown
        console.print(f"[red]It failed: {type(exc).__name__}: {exc}[/]\n")
        return False
    for line in show.tells(result):
        console.print(line)
    console.print(f"[dim]{result['seconds']:.1f} s[/]\n")
    return True


async def _run(client: LangGraphClient, graph: str, start: dict[str, Any] | str) -> dict[str, Any]:
    """A run on this input, to its end or to its question; or on this thread, with everything approved."""
    started = time.monotonic()
    if isinstance(start, str):
        thread = start
        result = await client.runs.wait(thread, graph, command={"resume": APPROVE})
    else:
        thread = (await client.threads.create(graph_id=graph))["thread_id"]
        result = await client.runs.wait(thread, graph, input=start)
    assert isinstance(result, dict)
    return {**result, "thread": thread, "seconds": time.monotonic() - started}


if __name__ == "__main__":
    sys.exit(main())
