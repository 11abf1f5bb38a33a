"""What clients rely on: node names and the public schemas of every graph."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.snapshot import same_as_snapshot

ROOT = Path(__file__).resolve().parents[2]
GRAPHS: dict[str, Any] = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]


def shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


@pytest.mark.parametrize("graph", GRAPHS)
def test_node_names(graph: str) -> None:
    drawn = importlib.import_module(f"graphs.{graph}.graph").graph.get_graph(xray=True)
    same_as_snapshot(f"{graph}/nodes.json", shown(sorted(drawn.nodes)))


@pytest.mark.parametrize("part", ["input", "output", "context"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_schemas(graph: str, part: str) -> None:
    module = "context" if part == "context" else "state"
    shape = getattr(importlib.import_module(f"graphs.{graph}.{module}"), part.capitalize())
    same_as_snapshot(f"{graph}/{part}.json", shown(shape.model_json_schema()))


@pytest.mark.parametrize("graph", GRAPHS)
def test_registered_with_a_description(graph: str) -> None:
    assert len(GRAPHS[graph]["description"]) > 40
