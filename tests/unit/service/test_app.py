"""The application by itself, as langgraph.json mounts it: routes, errors, pages, closed doors."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI
from pydantic import BaseModel, Field
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from common.errors import BadInput, Conflict, NotFound, StudyError, Unavailable
from service.app import create_app
from tests.server.demo import builder

RAISED: dict[str, StudyError] = {
    "bad": BadInput("Count is 0.", remedy="Use 1 to 400."),
    "missing": NotFound("No song is called x."),
    "conflict": Conflict("It waits."),
    "away": Unavailable("Ollama does not answer.", remedy="Start it."),
    "other": StudyError("It broke."),
}


class Body(BaseModel):
    count: int = Field(ge=1, le=400)
    song: str = Field(min_length=1)


def add_test_routes(app: FastAPI) -> None:
    @app.get("/raise/{name}")
    async def raising(name: str) -> None:
        raise RAISED[name]

    @app.post("/body")
    async def body(body: Body) -> Body:
        return body


@pytest.fixture
async def http(data_dir: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app()
    add_test_routes(app)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://study") as client:
            client.app = app  # type: ignore[attr-defined]
            yield client


@pytest.mark.parametrize(
    ("name", "status"), [("bad", 422), ("missing", 404), ("conflict", 409), ("away", 503)]
)
async def test_errors_say_what_happened_and_what_to_do(
    http: httpx.AsyncClient, name: str, status: int
) -> None:
    answer = await http.get(f"/raise/{name}")
    assert answer.status_code == status
    assert answer.json() == {"error": RAISED[name].message, "remedy": RAISED[name].remedy}


async def test_an_error_without_a_kind_is_500(http: httpx.AsyncClient) -> None:
    assert (await http.get("/raise/other")).json() == {"error": "It broke.", "remedy": ""}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"count": 0, "song": "x"}, "count: Input should be greater than or equal to 1"),
        ({"count": "x", "song": ""}, "count: "),
        ({"count": 1}, "song: Field required"),
        (None, "body: Field required"),
    ],
)
async def test_invalid_requests_are_explained(http: httpx.AsyncClient, body: Any, said: str) -> None:
    answer = await http.post("/body", json=body) if body is not None else await http.post("/body")
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(said)
    assert "detail" not in answer.json()


async def test_broken_json_is_explained(http: httpx.AsyncClient) -> None:
    answer = await http.post("/body", content=b"{", headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert "JSON" in answer.json()["error"]


async def test_health_is_503_only_where_nothing_can_work(
    http: httpx.AsyncClient, settings: Callable[..., None], tmp_path: Path
) -> None:
    assert (await http.get("/healthz")).status_code == 200
    settings(profile="ollama", ollama_base_url="http://127.0.0.1:9")
    answer = await http.get("/healthz")
    assert answer.status_code == 200
    assert "Ollama" in [check["name"] for check in answer.json()["checks"] if not check["ok"]]
    (tmp_path / "file").write_text("")
    settings(data_dir=tmp_path / "file")
    assert (await http.get("/healthz")).status_code == 503


async def test_waiting_threads_are_listed(http: httpx.AsyncClient) -> None:
    state = http.app.state  # type: ignore[attr-defined]
    graph, thread = builder.compile(checkpointer=state.checkpoints, store=state.store), str(uuid4())
    config: Any = {"configurable": {"thread_id": thread, "graph_id": "demo"}}
    await graph.ainvoke({"topic": "tides"}, config)
    (found,) = (await http.get("/api/v1/waiting", params={"graph": "demo"})).json()
    assert found["thread_id"] == thread
    assert found["interrupt"]["action_requests"][0]["name"] == "decide"
    assert (await http.get("/api/v1/waiting", params={"graph": "other"})).json() == []
    (listed,) = (await http.get("/api/v1/threads", params={"thread": thread})).json()
    assert (listed["graph"], listed["status"]) == ("demo", "waits")
    assert (await http.get("/api/v1/threads", params={"graph": "other"})).json() == []


@pytest.mark.parametrize("path", ["/docs", "/docs/", "/redoc"])
async def test_pages_load_from_here_only(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert answer.status_code == 200
    assert "https://" not in answer.text
    assert (await http.post(path)).status_code in (404, 405)


async def test_pages_know_where_they_are_mounted() -> None:
    transport = httpx.ASGITransport(app=create_app(), root_path="/study")
    async with httpx.AsyncClient(transport=transport, base_url="http://study") as client:
        assert '"/study/docs-assets/swagger-ui.css"' in (await client.get("/docs")).text


@pytest.mark.parametrize("path", ["/internal/truncate", "/INTERNAL/x", "//internal/truncate", "/deploy"])
async def test_closed_doors(http: httpx.AsyncClient, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = await http.request(method, f"http://study{path}")
        assert answer.status_code == 404


async def test_similar_names_stay_open(http: httpx.AsyncClient) -> None:
    app = http.app  # type: ignore[attr-defined]

    @app.get("/deployments")
    async def deployments() -> str:
        return "here"

    assert (await http.get("/deployments")).json() == "here"


def test_closed_doors_close_sockets_too() -> None:
    client = TestClient(create_app())
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/internal/socket"):
        pass


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://smith.langchain.com", True),
        ("https://eu.smith.langchain.com", True),
        ("http://localhost:3000", True),
        ("http://127.0.0.1:5173", True),
        ("https://pages.example", True),
        ("https://smith.langchain.com.evil.example", False),
        ("https://evilsmith.langchain.com", False),
        ("http://localhost.evil.example", False),
    ],
)
async def test_origins(settings: Callable[..., None], origin: str, allowed: bool) -> None:
    settings(cors_origins='["https://pages.example"]')
    transport = httpx.ASGITransport(app=create_app())
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Private-Network": "true",
    }
    async with httpx.AsyncClient(transport=transport, base_url="http://study") as client:
        answer = await client.options("/threads", headers=asked)
    assert (answer.status_code == 200) is allowed
    assert answer.headers.get("access-control-allow-origin") == (origin if allowed else None)


def test_tokens_that_cannot_be_read_stop_the_start(settings: Callable[..., None]) -> None:
    settings(api_tokens="anna=short")
    with pytest.raises(BadInput, match="STUDY_API_TOKENS"):
        create_app()
