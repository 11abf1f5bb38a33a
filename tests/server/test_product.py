"""The product as langgraph.json serves it: every graph can be configured, called as a tool, and is listed."""

import httpx
import pytest

from tests.server.mcp import call_mcp
from tests.server.serving import Server, product_graphs

GRAPHS = list(product_graphs())


@pytest.fixture
def http(product: Server) -> httpx.Client:
    return httpx.Client(base_url=product.url, timeout=120)


@pytest.mark.parametrize("graph", GRAPHS)
def test_schemas_are_described(http: httpx.Client, graph: str) -> None:
    (assistant, *_) = http.post("/assistants/search", json={"graph_id": graph}).json()
    schemas = http.get(f"/assistants/{assistant['assistant_id']}/schemas").json()
    for part in ("input_schema", "output_schema", "context_schema"):
        properties = schemas[part]["properties"]
        bare = [name for name, field in properties.items() if not field.get("description")]
        assert properties
        assert not bare, f"{graph} {part}: {bare}"


def test_every_graph_is_a_tool_with_a_description(http: httpx.Client) -> None:
    tools = {tool["name"]: tool for tool in call_mcp(http, "tools/list", {})["result"]["tools"]}
    assert set(GRAPHS) <= set(tools)
    bare = [name for name in GRAPHS if len(tools[name].get("description") or "") < 40]
    assert not bare, f"no description to choose a tool by: {bare}"


def test_health_names_every_graphs_models(http: httpx.Client) -> None:
    found = http.get("/healthz").json()
    assert found["ok"]
    assert set(GRAPHS) <= set(found["models"])
    assert {spec for models in found["models"].values() for spec in models.values()} <= {"rules"}
