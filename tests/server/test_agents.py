"""Other agents use the graphs: as MCP tools through a real MCP client, and the tutor through A2A."""

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest
from mcp import Client

from tests.server.serving import Server, product_graphs

GRAPHS = product_graphs()


def schema_of(tool: Any) -> dict[str, Any]:
    schema: dict[str, Any] = tool.input_schema
    return schema


async def test_one_tool_per_graph_that_a_model_would_know_how_to_use(product: Server) -> None:
    async with Client(f"{product.url}/mcp/") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == set(GRAPHS)
    for name, tool in tools.items():
        assert tool.description == GRAPHS[name]["description"]
        assert 60 < len(tool.description) < 300
        schema = schema_of(tool)
        assert 1 <= len(schema["properties"]) <= 8, f"{name} takes too much for a tool"
        undescribed = [key for key, each in schema["properties"].items() if not each.get("description")]
        assert not undescribed, f"{name}: {undescribed}"
        assert len(json.dumps(schema)) < 4000, f"{name}: a tool's schema costs tokens in every call"


async def test_a_tool_is_called(product: Server) -> None:
    async with Client(f"{product.url}/mcp/") as client:
        result = await client.call_tool("vocab_react", {"song": "故郷", "artist": "文部省唱歌"})
        assert not result.is_error
        (content,) = result.content
        words = json.loads(content.text)["vocabulary"]  # type: ignore[union-attr]
        assert [word["status"] for word in words] == ["verified"] * 5
        refused = await client.call_tool("vocab_react", {"song": "故郷", "count": 1})
        assert refused.is_error
        assert "count" in refused.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("graph", "arguments", "said"),
    [
        ("qgen_loop", {}, "document_path: Field required"),
        ("qgen_loop", {"document_path": "/etc/passwd"}, "not in a folder"),
        ("card_decision", {"note_path": 3}, "note_path: Input should be a valid string"),
        ("card_decision", {}, "Neither note_text nor note_path is given"),
        ("tutoring", {"student_question": ["x"]}, "student_question"),
    ],
)
async def test_a_model_is_told_what_was_wrong(
    product: Server, graph: str, arguments: dict[str, Any], said: str
) -> None:
    async with Client(f"{product.url}/mcp/") as client:
        result = await client.call_tool(graph, arguments)
    assert result.is_error
    assert said in result.content[0].text  # type: ignore[union-attr]


async def test_the_tutor_as_a_tool_with_nothing_asked(product: Server) -> None:
    async with Client(f"{product.url}/mcp/") as client:
        assert not (await client.call_tool("tutoring", {})).is_error


@pytest.fixture
def tutor(product: Server) -> Any:
    if "tutoring" not in GRAPHS:
        pytest.skip("the tutor is not registered")
    with httpx.Client(base_url=product.url, timeout=120) as http:
        yield http, http.post("/assistants/search", json={"graph_id": "tutoring"}).json()[0]["assistant_id"]


def said(text: str, context: str = "") -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "user",
        "messageId": str(uuid4()),
        "parts": [{"kind": "text", "text": text}],
    }
    if context:
        message["contextId"] = context
    return {"jsonrpc": "2.0", "id": "1", "method": "message/send", "params": {"message": message}}


def test_the_tutor_has_a_card(tutor: Any) -> None:
    http, assistant = tutor
    card = http.get("/.well-known/agent-card.json", params={"assistant_id": assistant}).json()
    assert card["name"] == "tutoring"
    assert card["description"] == GRAPHS["tutoring"]["description"]
    assert card["capabilities"]["streaming"]
    assert card["url"].endswith(f"/a2a/{assistant}")


def test_a_conversation_with_the_tutor(tutor: Any) -> None:
    http, assistant = tutor
    first = http.post(f"/a2a/{assistant}", json=said("What is a VLAN?")).json()["result"]
    assert first["status"]["state"] == "completed"
    assert "broadcast domain" in first["artifacts"][0]["parts"][0]["text"]
    second = http.post(f"/a2a/{assistant}", json=said("And a trunk?", first["contextId"])).json()["result"]
    assert second["contextId"] == first["contextId"]
    assert second["status"]["state"] == "completed"
    assert "trunk" in second["artifacts"][0]["parts"][0]["text"].lower()


def test_nonsense_is_refused(tutor: Any) -> None:
    http, assistant = tutor
    answer = http.post(f"/a2a/{assistant}", json={"jsonrpc": "2.0", "id": "1", "method": "message/juggle"})
    assert "error" in answer.json()
