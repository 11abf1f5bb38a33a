"""Tool results that a model can act on."""

import json
from typing import Any

import pytest
from starlette.responses import JSONResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from service.tool_calls import ToolCalls, mended

CALL = {"name": "vocab_react", "arguments": {"song": 5}}


def answer(said: Any, *, status: int = 200, method: str = "tools/call", call: Any = CALL) -> Any:
    asked = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": call}).encode()
    better = mended(asked, status, json.dumps(said).encode())
    return None if better is None else json.loads(better)


def failed(text: str) -> dict[str, Any]:
    return {"result": {"isError": True, "content": [{"type": "text", "text": text}]}}


def test_a_wrong_argument_is_named() -> None:
    told = answer(failed("BadInput"))
    assert told["id"] == 7
    assert told["result"]["isError"]
    assert told["result"]["content"][0]["text"].startswith("song: Input should be a valid string")


@pytest.mark.parametrize(
    ("kind", "said"),
    [("NotFound", "not there"), ("Unavailable", "trying again"), ("KeyError", "KeyError")],
)
def test_other_errors_are_explained_as_far_as_they_are_known(kind: str, said: str) -> None:
    assert said in answer(failed(kind))["result"]["content"][0]["text"]


def test_a_refused_request_is_a_tool_result() -> None:
    told = answer({"error": "Not in a folder.", "remedy": "Upload it."}, status=422)
    assert told["result"] == {
        "isError": True,
        "content": [{"type": "text", "text": "Not in a folder. Upload it."}],
    }


def test_results_are_json() -> None:
    told = answer({"result": {"content": [{"type": "text", "text": "{'a': None, 'b': [True]}"}]}})
    assert json.loads(told["result"]["content"][0]["text"]) == {"a": None, "b": [True]}
    odd = answer({"result": {"content": [{"type": "text", "text": "<object at 0x1>"}]}})
    assert odd["result"]["content"][0]["text"] == "<object at 0x1>"


def test_everything_else_is_left_alone() -> None:
    assert answer({"result": {"tools": []}}, method="tools/list", call={}) is None
    assert answer({"error": {"code": -32602, "message": "Unknown tool: x"}}) is None
    assert mended(b"{", 200, b"{}") is None
    assert mended(b"[]", 200, b"{}") is None


def test_around_an_application() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        refused = scope["path"].startswith("/mcp")
        told = {"error": "No.", "remedy": ""} if refused else {"fine": True}
        await JSONResponse(told, status_code=422 if refused else 200)(scope, receive, send)

    http = TestClient(ToolCalls(app))
    assert http.post("/other", json={}).json() == {"fine": True}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}
    told = http.post("/mcp/", json=asked)
    assert told.status_code == 200
    assert told.json()["result"]["content"][0]["text"] == "No."
    assert http.post("/mcp/", json={"method": "ping"}).status_code == 422


@pytest.mark.parametrize(
    ("kind", "told", "said"),
    [
        ("NotFound", {"__error__": {"error": "NotFound", "message": "No song is called x."}}, "No song"),
        ("NotFound", {"values": 1}, "NotFound: What was asked for"),
        ("NotFound", {"__error__": "odd"}, "NotFound: What was asked for"),
        ("KeyError", {"__error__": {"error": "KeyError", "message": "sk-secret"}}, "KeyError"),
    ],
)
def test_the_words_of_the_run_that_failed_are_passed_on(kind: str, told: Any, said: str) -> None:
    calls: Any

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/runs/wait":
            await JSONResponse(told)(scope, receive, send)
            return

        async def nowhere(_message: Any) -> None:
            """The platform reads it, and keeps the name of the error alone."""

        await receive()
        await calls({**scope, "path": "/runs/wait"}, receive, nowhere)
        await JSONResponse(failed(kind))(scope, receive, send)

    calls = ToolCalls(app)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALL}
    answered = TestClient(calls).post("/mcp", json=asked).json()
    assert answered["result"]["content"][0]["text"].startswith(said)
