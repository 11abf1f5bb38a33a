"""`make bench`: every graph's measures in one table, also written to benchmarks/RESULTS.md."""

import importlib
import json
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.measure import Measure

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("langgraph", "langgraph-api", "langchain-core", "pydantic", "numpy")
HEADINGS = ("measure", "ours", "goal", "reached", "beside", "theirs", "ratio")


def graphs() -> list[str]:
    """The registered graphs, or those named on the command line."""
    registered = list(json.loads((ROOT / "langgraph.json").read_text())["graphs"])
    return [name for name in sys.argv[1:] if name in registered] or registered


def measures_of(graph: str) -> list[Measure]:
    found: list[Measure] = importlib.import_module(f"benchmarks.{graph}").measures()
    return found


def row(measure: Measure) -> tuple[str, ...]:
    return (
        measure.name,
        f"{measure.ours:.4g} {measure.unit}",
        measure.goal_text or f"{measure.goal:.4g} {measure.unit}",
        "yes" if measure.reached else f"no: {measure.note or 'see the note'}",
        measure.peer or "-",
        "-" if measure.theirs is None else f"{measure.theirs:.4g} {measure.unit}",
        "-" if measure.ratio is None else f"{measure.ratio:.2f} ×",
    )


def show(console: Console, graph: str, found: list[Measure]) -> None:
    table = Table(*HEADINGS, title=graph, title_justify="left")
    for measure in found:
        table.add_row(*row(measure), style="" if measure.reached else "yellow")
    console.print(table)


def markdown(results: dict[str, list[Measure]]) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    lines = [
        "# Benchmark results",
        "",
        f"Written by `make bench` at commit {commit()}. Python {platform.python_version()}, {versions}.",
        "Times depend on the machine; the ratios come from one run.",
    ]
    for graph, found in results.items():
        lines += ["", f"## {graph}", "", f"| {' | '.join(HEADINGS)} |", "|" + "---|" * len(HEADINGS)]
        lines += [f"| {' | '.join(row(measure))} |" for measure in found]
    return "\n".join(lines) + "\n"


def commit() -> str:
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or "unknown"


def main() -> None:
    console = Console(width=160)
    results: dict[str, list[Measure]] = {}
    for graph in graphs():
        console.print(f"measuring {graph} …", style="dim")
        results[graph] = measures_of(graph)
        show(console, graph, results[graph])
    if not sys.argv[1:]:
        (ROOT / "benchmarks" / "RESULTS.md").write_text(markdown(results), encoding="utf-8")


if __name__ == "__main__":
    main()
