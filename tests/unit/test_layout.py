"""Every room is furnished alike; what is missing is named."""

import ast
import importlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

ROOT = Path(__file__).resolve().parents[2]
GRAPHS: list[str] = list(json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"])
FURNITURE = (
    "__init__.py",
    "graph.py",
    "state.py",
    "context.py",
    "schemas.py",
    "nodes.py",
    "routes.py",
    "rules.py",
    "README.md",
)
ORDER = ("graph", "nodes", "steps", "routes", "subgraphs", "rules")
FRAMEWORK = ("langgraph", "langchain")
SPEAKS_TO_MODELS = {"graph", "nodes", "steps", "routes", "subgraphs", "tools", "state", "context"}


def modules(graph: str) -> Iterator[tuple[str, Path]]:
    """Each module of a room with the name of its place in it: `nodes`, `rules`, a domain folder."""
    room = ROOT / "graphs" / graph
    for path in sorted(room.rglob("*.py")):
        yield path.relative_to(room).parts[0].removesuffix(".py"), path


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_every_folder_is_registered() -> None:
    rooms = {path.parent.name for path in (ROOT / "graphs").glob("*/graph.py")}
    assert rooms == set(GRAPHS)


@pytest.mark.parametrize("graph", GRAPHS)
def test_room_is_complete(graph: str) -> None:
    room = ROOT / "graphs" / graph
    missing = [name for name in FURNITURE if not (room / name).exists()]
    missing += [] if (ROOT / "prompts" / graph).is_dir() else [f"prompts/{graph}/"]
    missing += [
        f"{place}/{graph}.py"
        for place in ("clients", "clients/examples", "benchmarks")
        if not (ROOT / place / f"{graph}.py").exists()
    ]
    missing += [] if (ROOT / "tests" / "unit" / graph).is_dir() else [f"tests/unit/{graph}/"]
    assert not missing, f"graphs/{graph} lacks {', '.join(missing)}"


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_prompt_is_kept_as_rendered(graph: str) -> None:
    kept = [path.stem for path in (ROOT / "tests" / "snapshots" / graph).glob("*.*")]
    prompts = [path.stem for path in (ROOT / "prompts" / graph).glob("*.md")]
    missing = [name for name in prompts if not {name, f"prompt_{name}"} & set(kept)]
    assert not missing, f"no snapshot of the prompts {', '.join(missing)}"


@pytest.mark.parametrize("graph", GRAPHS)
def test_graph_module_holds_edges_only(graph: str) -> None:
    text = (ROOT / "graphs" / graph / "graph.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 80
    module = importlib.import_module(f"graphs.{graph}.graph")
    assert module.graph.checkpointer is None
    assert module.builder.nodes


@pytest.mark.parametrize("graph", GRAPHS)
def test_state_declares_every_key(graph: str) -> None:
    state = importlib.import_module(f"graphs.{graph}.state")
    declared = set(state.State.__annotations__)
    for part in (state.Input, state.Output):
        assert issubclass(part, BaseModel)
        assert set(part.model_fields) <= declared, f"{part.__name__} has keys that State lacks"


@pytest.mark.parametrize("graph", GRAPHS)
def test_everything_people_configure_is_described(graph: str) -> None:
    state = importlib.import_module(f"graphs.{graph}.state")
    context = importlib.import_module(f"graphs.{graph}.context").Context
    bare = [
        f"{part.__name__}.{name}"
        for part in (state.Input, state.Output, context)
        for name, field in part.model_fields.items()
        if not field.description
    ]
    assert not bare, f"no description: {', '.join(bare)}"


@pytest.mark.parametrize("graph", GRAPHS)
def test_domain_knows_no_framework(graph: str) -> None:
    faults = [
        f"{path.relative_to(ROOT)} imports {name}"
        for place, path in modules(graph)
        if place not in SPEAKS_TO_MODELS
        for name in imports(path)
        if name.startswith(FRAMEWORK)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("graph", GRAPHS)
def test_imports_run_one_way(graph: str) -> None:
    faults = []
    for place, path in modules(graph):
        rank = ORDER.index(place) if place in ORDER else len(ORDER)
        above = [f"graphs.{graph}.{name}" for name in ORDER[:rank] if name != place]
        faults += [f"{path.relative_to(ROOT)} imports {name}" for name in imports(path) if name in above]
    assert not faults, "\n".join(faults)
