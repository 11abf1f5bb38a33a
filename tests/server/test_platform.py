"""What the running server offers beside the graphs: documentation, schemas, tools, health, closed doors."""

import re

import httpx
import pytest

from tests.server.mcp import call_mcp
from tests.server.serving import Server

STUDIO = "https://smith.langchain.com"


@pytest.fixture
def http(server: Server) -> httpx.Client:
    return httpx.Client(base_url=server.url, timeout=120)


@pytest.mark.parametrize(("path", "mark"), [("/docs", "SwaggerUIBundle"), ("/redoc", "<redoc")])
def test_documentation_needs_no_internet(http: httpx.Client, path: str, mark: str) -> None:
    page = http.get(path)
    assert page.status_code == 200
    assert mark in page.text
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert links
    assert all(link.startswith("/docs-assets/") for link in links)
    for link in links:
        asset = http.get(link)
        assert asset.status_code == 200
        assert len(asset.content) > 100
    assert "default-src 'self'" in page.headers["content-security-policy"]


def test_the_specification_holds_both_halves(http: httpx.Client) -> None:
    paths = http.get("/openapi.json").json()["paths"]
    assert {"/healthz", "/api/v1/waiting", "/threads", "/runs/stream"} <= set(paths)


def test_health_says_what_is_configured(http: httpx.Client, server: Server) -> None:
    answer = http.get("/healthz")
    found = answer.json()
    assert answer.status_code == 200
    assert found["ok"]
    assert found["profile"] == "embedded"
    assert found["data_dir"] == str(server.data_dir)
    assert {"data folder", "embedder", "Anki"} <= {check["name"] for check in found["checks"]}
    assert "langgraph" in found["versions"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/internal/truncate"),
        ("GET", "/internal/truncate"),
        ("GET", "/internal"),
        ("POST", "/deploy"),
        ("GET", "/deploy/anything"),
    ],
)
def test_closed_doors(http: httpx.Client, method: str, path: str) -> None:
    answer = http.request(method, path, headers={"x-auth-scheme": "langsmith"})
    assert answer.status_code == 404
    assert answer.json() == {"error": "Not found."}


def test_studio_may_call_a_server_on_this_machine(http: httpx.Client) -> None:
    asked = {
        "Origin": STUDIO,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-api-key",
        "Access-Control-Request-Private-Network": "true",
    }
    answer = http.options("/threads", headers=asked)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == STUDIO
    assert answer.headers["access-control-allow-private-network"] == "true"
    real = http.get("/ok", headers={"Origin": STUDIO})
    assert real.headers.get_list("access-control-allow-origin") == [STUDIO]


def test_other_pages_may_not(http: httpx.Client) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    assert http.options("/threads", headers=asked).status_code == 400
    real = http.get("/ok", headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in real.headers


def test_schemas_keep_descriptions_defaults_and_bounds(http: httpx.Client) -> None:
    assistant = http.post("/assistants/search", json={"graph_id": "demo"}).json()[0]
    schemas = http.get(f"/assistants/{assistant['assistant_id']}/schemas").json()
    topic = schemas["input_schema"]["properties"]["topic"]
    assert (topic["description"], topic["minLength"], topic["examples"]) == (
        "What to think about.",
        1,
        ["tides"],
    )
    limit = schemas["context_schema"]["properties"]["limit"]
    assert (limit["default"], limit["minimum"], limit["maximum"]) == (3, 1, 9)
    assert schemas["output_schema"]["properties"]["decision"]["description"] == "What the person said."


def test_the_graph_is_a_tool(http: httpx.Client) -> None:
    listed = call_mcp(http, "tools/list", {})["result"]["tools"]
    tool = next(tool for tool in listed if tool["name"] == "demo")
    assert tool["description"].startswith("Thinks about a topic")
    assert tool["inputSchema"]["properties"]["topic"]["maxLength"] == 100


@pytest.mark.parametrize("path", ["/store/items/search", "/runs/crons"])
def test_what_the_platform_trips_over_is_told(http: httpx.Client, path: str) -> None:
    answer = http.post(path, json={})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("The request cannot be used as it is")
    assert "content-security-policy" in answer.headers
