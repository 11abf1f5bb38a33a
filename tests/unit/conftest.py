"""Every node's result is held against the declared state: LangGraph drops undeclared keys silently."""

import functools
import importlib
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
AsyncNode = Callable[..., Awaitable[Any]]


def builders() -> Iterator[Any]:
    """The builders of the registered graphs and of their subgraphs."""
    for graph in json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]:
        names = [f"graphs.{graph}.graph"]
        names += [
            f"graphs.{graph}.subgraphs.{path.stem}"
            for path in sorted((ROOT / "graphs" / graph / "subgraphs").glob("[a-z]*.py"))
        ]
        for name in names:
            builder = getattr(importlib.import_module(name), "builder", None)
            if builder is not None:
                yield builder


def checked(node: str, declared: set[str], run: AsyncNode) -> AsyncNode:
    @functools.wraps(run)
    async def checking(*args: Any, **kwargs: Any) -> Any:
        result = await run(*args, **kwargs)
        update = getattr(result, "update", None) if not isinstance(result, dict) else result
        unknown = set(update) - declared if isinstance(update, dict) else set()
        assert not unknown, f"{node} returns keys that no state declares: {sorted(unknown)}"
        return result

    return checking


@pytest.fixture(autouse=True, scope="session")
def declared_keys() -> None:
    for builder in builders():
        declared = set(builder.channels)
        for name, spec in builder.nodes.items():
            run = getattr(spec.runnable, "afunc", None)
            if run is not None:
                spec.runnable.afunc = checked(name, declared, run)
