"""The graphs, one room each, and how others find the rooms that are installed."""

import importlib
import importlib.util
from pathlib import Path
from typing import Any


def installed() -> list[str]:
    """The names of the rooms that are here."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/graph.py"))


def part(graph: str, module: str, name: str) -> Any:
    """A public object of a room: `part("tutoring", "context", "Context")`; LookupError where none is."""
    if importlib.util.find_spec(f"graphs.{graph}") is None:
        raise LookupError(graph)
    return getattr(importlib.import_module(f"graphs.{graph}.{module}"), name)


def model_roles() -> dict[str, list[str]]:
    """Every graph's model roles, as its Context names them."""
    from common.reach import roles_of  # brings the model clients along; most importers need none

    return {name: roles_of(part(name, "context", "Context")) for name in installed()}
