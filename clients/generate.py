"""Writes the generated parts of the documentation: `make generate`; `--check` only compares.

Generated are the graph pictures in the rooms' READMEs, the settings table in README.md, and .env.example.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from common.settings import Settings

ROOT = Path(__file__).resolve().parents[1]


def between(path: Path, name: str, content: str) -> str:
    """The file's text with what stands between two markers replaced."""
    text, start, end = path.read_text(encoding="utf-8"), f"<!-- {name} -->", f"<!-- /{name} -->"
    if start not in text or end not in text:
        raise SystemExit(f"{path.relative_to(ROOT)} lacks the markers {start} and {end}.")
    head, rest = text.split(start, 1)
    return f"{head}{start}\n{content}\n{end}{rest.split(end, 1)[1]}"


def registered() -> list[str]:
    return list(json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"])


def picture(graph: str) -> str:
    """The graph with its subgraphs, as Mermaid."""
    module = importlib.import_module(f"graphs.{graph}.graph")
    return f"```mermaid\n{module.graph.get_graph(xray=True).draw_mermaid().strip()}\n```"


def variable(name: str, field: FieldInfo) -> str:
    """The environment variable that sets this field."""
    alias = field.validation_alias
    if isinstance(alias, str):
        return alias
    return f"STUDY_{name.upper()}"


def default(field: FieldInfo) -> str:
    value = field.default if field.default is not PydanticUndefined else ""
    return "" if value is None else str(value)


def settings_table() -> str:
    lines = ["| variable | default | what it does |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        shown = f"`{default(field)}`" if default(field) else ""
        lines.append(f"| `{variable(name, field)}` | {shown} | {field.description} |")
    return "\n".join(lines)


def env_example() -> str:
    lines = ["# Copy to .env and uncomment what you need. Keys belong here, never in the repository.", ""]
    for name, field in Settings.model_fields.items():
        lines += [f"# {field.description}", f"#{variable(name, field)}={default(field)}", ""]
    return "\n".join(lines)


def generated() -> Iterator[tuple[Path, str]]:
    """Every generated file with what it should hold."""
    for graph in registered():
        path = ROOT / "graphs" / graph / "README.md"
        yield path, between(path, "graph", picture(graph))
    readme = ROOT / "README.md"
    yield readme, between(readme, "settings", settings_table())
    yield ROOT / ".env.example", env_example()


def main() -> None:
    """Write what is stale, or name it and fail with --check."""
    stale = [
        (path, text)
        for path, text in generated()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        for path, _ in stale:
            print(f"{path.relative_to(ROOT)} is stale: run make generate")
        raise SystemExit(1 if stale else 0)
    for path, text in stale:
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
