"""The samples that schemas and the demo speak of are there."""

import json
import re
from pathlib import Path

import pytest

import graphs
from clients.demo_shows import SHOWS

ROOT = Path(__file__).resolve().parents[3]


def named(text: str) -> list[str]:
    return re.findall(r"samples/[\w./-]*\w", text)


@pytest.mark.parametrize("graph", graphs.installed())
def test_files_in_the_schemas_examples_exist(graph: str) -> None:
    schema = json.dumps(graphs.part(graph, "state", "Input").model_json_schema(), ensure_ascii=False)
    assert all((ROOT / path).exists() for path in named(schema)), named(schema)


@pytest.mark.parametrize("graph", SHOWS)
def test_the_demo_gives_what_the_graph_takes(graph: str) -> None:
    graphs.part(graph, "state", "Input").model_validate(SHOWS[graph].given())
