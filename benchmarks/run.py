"""`make bench`: every graph's measures in one table, also written to benchmarks/RESULTS.md.

Each graph is measured in a process of its own: one that fails or never ends takes no other down with it.
"""

import contextlib
import importlib
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.measure import Measure, Room

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("study-graphs", "langgraph", "langgraph-api", "langchain-core", "pydantic", "numpy")
HEADINGS = ("measure", "ours", "goal", "reached", "beside", "theirs", "ratio")
# Five graphs end within a quarter of an hour even where each of them hangs.
ROOM_SECONDS = 180.0


def registered() -> list[str]:
    return list(json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"])


def chosen(words: list[str]) -> list[str]:
    """The graphs named on the command line, or all of them."""
    unknown = [word for word in words if word not in registered()]
    if unknown:
        raise SystemExit(f"No graph is called {unknown[0]!r}. There are: {', '.join(registered())}.")
    return words or registered()


def measure(graph: str) -> Room:
    """What a process of its own finds out about one graph."""
    started = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.run", "--room", graph],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            timeout=ROOM_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Room(graph, [], ROOM_SECONDS, f"it did not end within {ROOM_SECONDS:.0f} seconds")
    took = time.monotonic() - started
    if done.returncode:
        return Room(graph, [], took, _last_line(done.stdout) or f"it ended with {done.returncode}")
    return Room(graph, [Measure(**each) for each in json.loads(_last_line(done.stdout))], took)


def _last_line(text: str) -> str:
    return next(iter(text.strip().splitlines()[-1:]), "")


def measure_here(graph: str) -> None:
    """The measures of one graph as the last line of standard output; what else is said goes to the errors."""
    answer = sys.stdout
    try:
        with contextlib.redirect_stdout(sys.stderr):
            found = importlib.import_module(f"benchmarks.{graph}").measures()
    except Exception as exc:
        print(f"{type(exc).__name__}: {' '.join(str(exc).split())[:200]}", file=answer)
        raise
    print(json.dumps([asdict(each) for each in found]), file=answer)


def row(found: Measure) -> tuple[str, ...]:
    return (
        found.name,
        f"{found.ours:.4g} {found.unit}",
        found.goal_text or f"{'≤' if found.better == 'lower' else '≥'} {found.goal:.4g} {found.unit}",
        found.verdict,
        found.peer or "-",
        "-" if found.theirs is None else f"{found.theirs:.4g} {found.unit}",
        "-" if found.ratio is None else f"{found.ratio:.2f} ×",
    )


def table(rooms: list[Room]) -> Table:
    """All graphs under each other."""
    drawn = Table(*HEADINGS)
    for room in rooms:
        drawn.add_section()
        drawn.add_row(f"[bold]{room.graph}[/]", f"[dim]{room.seconds:.0f} s[/]")
        if room.failure:
            drawn.add_row("could not be measured", "", "", escape(room.failure), style="red")
        for each in room.measures:
            drawn.add_row(*map(escape, row(each)), style="" if each.reached else "yellow")
    return drawn


def markdown(rooms: list[Room]) -> str:
    took = sum(room.seconds for room in rooms)
    versions = ", ".join(map(_versioned, PACKAGES))
    lines = [
        "# Benchmark results",
        "",
        f"Written by `make bench` at commit {commit()}, in {took:.0f} seconds on {os.cpu_count()} cores.",
        f"Python {platform.python_version()}, {versions}.",
        "Times depend on the machine; ours and theirs come from the same run.",
        "",
        f"{summary(rooms)}",
    ]
    for room in rooms:
        lines += ["", f"## {room.graph}", ""]
        if room.failure:
            lines.append(f"Could not be measured: {_cell(room.failure)}")
            continue
        lines += [f"| {' | '.join(HEADINGS)} |", "|" + "---|" * len(HEADINGS)]
        lines += [f"| {' | '.join(map(_cell, row(each)))} |" for each in room.measures]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Text that breaks no table and names no folder of this machine."""
    plain = text.replace(str(ROOT), ".").replace(str(Path.home()), "~")
    return " ".join(plain.split()).replace("|", "\\|")


def _versioned(package: str) -> str:
    with contextlib.suppress(PackageNotFoundError):
        return f"{package} {version(package)}"
    return f"{package} (not installed)"


def summary(rooms: list[Room]) -> str:
    found = [each for room in rooms for each in room.measures]
    failed = [room.graph for room in rooms if room.failure]
    said = f"{sum(each.reached for each in found)} of {len(found)} goals reached."
    return f"{said} Not measured: {', '.join(failed)}." if failed else said


def commit() -> str:
    """The commit measured; a `+` says that files differed from it."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip() or "unknown"


def main(words: list[str]) -> int:
    """Measure, show, and write where all were measured; 1 where a graph could not be."""
    if words[:1] == ["--room"]:
        measure_here(words[1])
        return 0
    console = Console(width=None if sys.stdout.isatty() else 160)
    rooms = []
    for graph in chosen(words):
        with console.status(f"measuring {graph} …"):
            rooms.append(measure(graph))
        console.print(f"{graph}: {rooms[-1].seconds:.0f} s", style="dim")
    console.print(table(rooms))
    console.print(summary(rooms))
    if not words:
        (ROOT / "benchmarks" / "RESULTS.md").write_text(markdown(rooms), encoding="utf-8")
    return 1 if any(room.failure for room in rooms) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
