"""The locked server: nobody comes in without a token, and nobody meets what belongs to another."""

import http.client
import json
import re
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.serving import Server, files_in

ANNA, BEN = "anna-token-0123456789abcdef", "ben-token-0123456789abcdef"
PLANTED = {
    "STUDY_API_TOKENS": f"anna={ANNA},ben={BEN}",
    "OPENAI_API_KEY": "sk-planted-openai-key",
    "GOOGLE_API_KEY": "planted-google-key",
    "STUDY_API_KEYS__NIM": "planted-nim-key",
    "STUDY_BASE_URLS__NIM": "http://127.0.0.1:9/v1",
}
SECRETS = [ANNA, BEN, "sk-planted-openai-key", "planted-google-key", "planted-nim-key"]


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("locked"), **PLANTED).start()
    yield server
    server.kill()


def caller(server: Server, token: str) -> httpx.Client:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return httpx.Client(base_url=server.url, headers=headers, timeout=120)


@pytest.fixture
def nobody(locked: Server) -> Iterator[httpx.Client]:
    with caller(locked, "") as client:
        yield client


@pytest.fixture
def anna(locked: Server) -> Iterator[httpx.Client]:
    with caller(locked, ANNA) as client:
        yield client


@pytest.fixture
def ben(locked: Server) -> Iterator[httpx.Client]:
    with caller(locked, BEN) as client:
        yield client


def begin(client: httpx.Client, topic: str = "tides") -> tuple[str, str]:
    """A thread of hers that waits for an answer, and its run."""
    thread = str(uuid.uuid4())
    client.post("/threads", json={"thread_id": thread}).raise_for_status()
    body = {"assistant_id": "demo", "input": {"topic": topic}}
    run = client.post(f"/threads/{thread}/runs", json=body).raise_for_status().json()["run_id"]
    client.get(f"/threads/{thread}/runs/{run}/join").raise_for_status()
    return thread, run


def test_every_route_refuses_without_a_token(nobody: httpx.Client, anna: httpx.Client) -> None:
    paths = anna.get("/openapi.json").json()["paths"]
    assert len(paths) > 30
    asked = [(method, path) for path, item in paths.items() for method in item if method != "parameters"]
    asked += [
        (method, path)
        for path in ("/internal/truncate", "/deploy", "/docs", "/redoc", "/metrics", "/info", "/", "/mcp",
                     "/openapi.json", "/ui/demo", "/app/", "/docs-assets/x.js", "/noauth/threads")
        for method in ("get", "post")
    ]  # fmt: skip
    # Two doors are shut for everyone, before anybody is asked for a token.
    shut = ("/internal/truncate", "/deploy")
    let_in = [
        (method, path, answer.status_code)
        for method, path in asked
        if path != "/ok"
        and (answer := nobody.request(method.upper(), re.sub("[{}]", "", path))).status_code
        != (404 if path in shut else 401)
    ]
    assert not let_in


def variants(path: str) -> set[str]:
    """Other spellings by which a careless check could be passed."""
    return {
        path, path + "/", "/" + path, path.upper(), path + ";x", path + "%2f", path + "%00", path + "?/ok",
        path + "/.", "/ok/.." + path, "/ok/%2e%2e" + path, "/ok%2f.." + path, "/." + path, "/%2e" + path,
        path.replace("/", "%2f"), f"/%{ord(path[1]):02x}{path[2:]}", "http://ok" + path, "/noauth" + path,
    }  # fmt: skip


def test_no_spelling_of_a_path_gets_in(locked: Server) -> None:
    paths = [
        "/threads",
        "/threads/search",
        "/runs/wait",
        "/assistants/search",
        "/store/items",
        "/openapi.json",
    ]
    paths += [
        "/internal/truncate",
        "/deploy",
        "/docs",
        "/metrics",
        "/info",
        "/mcp",
        "/a2a/x",
        "/ui/x",
        "/app/",
    ]
    lies = {"x-http-method-override": "GET", "x-original-url": "/ok", "x-auth-scheme": "langsmith"}
    let_in = set()
    line = http.client.HTTPConnection("127.0.0.1", locked.port, timeout=120)
    for path in paths:
        for spelling in variants(path):
            for method in ("GET", "POST", "HEAD", "OPTIONS"):
                line.request(method, spelling, headers=lies)
                answer = line.getresponse()
                answer.read()
                if answer.status not in (400, 401, 404, 405):
                    let_in.add((method, spelling, answer.status))
    line.close()
    assert not let_in


def test_studios_bypass_is_closed(nobody: httpx.Client) -> None:
    headers = {"x-auth-scheme": "langsmith", "x-api-key": "lsv2_x", "origin": "https://smith.langchain.com"}
    assert nobody.post("/threads/search", json={}, headers=headers).status_code == 401


def test_studio_may_ask_before_it_calls(nobody: httpx.Client) -> None:
    headers = {"origin": "https://smith.langchain.com", "access-control-request-method": "POST"}
    assert nobody.options("/threads", headers=headers).status_code == 200


def test_a_token_in_the_address_is_refused(locked: Server, nobody: httpx.Client) -> None:
    assert nobody.get(f"/threads?token={ANNA}").status_code == 400
    assert ANNA not in locked.log


def test_the_internal_doors_are_closed_for_owners_too(anna: httpx.Client) -> None:
    assert anna.post("/internal/truncate").status_code == 404


@pytest.fixture(scope="module")
def hers(locked: Server) -> tuple[str, str]:
    with caller(locked, ANNA) as client:
        return begin(client)


OTHERS: list[tuple[str, str, Any]] = [
    ("GET", "/threads/{thread}", None),
    ("PATCH", "/threads/{thread}", {"metadata": {"owner": "ben"}}),
    ("GET", "/threads/{thread}/state", None),
    ("POST", "/threads/{thread}/state", {"values": {"note": "ben was here"}}),
    ("GET", "/threads/{thread}/history", None),
    ("POST", "/threads/{thread}/history", {}),
    ("POST", "/threads/{thread}/copy", {}),
    ("GET", "/threads/{thread}/runs", None),
    ("GET", "/threads/{thread}/runs/{run}", None),
    ("GET", "/threads/{thread}/runs/{run}/join", None),
    ("GET", "/threads/{thread}/runs/{run}/stream", None),
    ("GET", "/threads/{thread}/stream", None),
    ("POST", "/threads/{thread}/runs/{run}/cancel", {}),
    ("DELETE", "/threads/{thread}/runs/{run}", None),
    ("POST", "/threads/{thread}/runs", {"assistant_id": "demo", "command": {"resume": "ben"}}),
    ("POST", "/threads/{thread}/runs/wait", {"assistant_id": "demo", "command": {"resume": "ben"}}),
    ("POST", "/threads/{thread}/runs/stream", {"assistant_id": "demo", "command": {"resume": "ben"}}),
    ("POST", "/threads/{thread}/runs/crons",
     {"assistant_id": "demo", "schedule": "* * * * *", "input": {"topic": "x"}}),
    ("POST", "/threads", {"thread_id": "{thread}", "if_exists": "do_nothing"}),
    ("DELETE", "/threads/{thread}", None),
]  # fmt: skip


def told(client: httpx.Client, method: str, path: str, body: Any, ids: tuple[str, str]) -> tuple[int, str]:
    """The answer, with the ids taken out of it."""

    def fill(text: str) -> str:
        return text.replace("{thread}", ids[0]).replace("{run}", ids[1])

    content = fill(json.dumps(body)) if body is not None else None
    headers = {"content-type": "application/json"}
    answer = client.request(method, fill(path), content=content, headers=headers)
    return answer.status_code, answer.text.replace(ids[0], "T").replace(ids[1], "R")


@pytest.mark.parametrize(("method", "path", "body"), OTHERS)
def test_anothers_thread_is_not_found(
    hers: tuple[str, str], anna: httpx.Client, ben: httpx.Client, method: str, path: str, body: Any
) -> None:
    """He is told what he would be told of a thread that never was, and hers is as it was."""
    answer = told(ben, method, path, body, hers)
    if (method, path) == ("POST", "/threads"):
        assert answer[0] == 404
    else:
        assert answer == told(ben, method, path, body, (str(uuid.uuid4()), str(uuid.uuid4())))
    assert "tides" not in answer[1]
    mine = anna.get(f"/threads/{hers[0]}/state").json()
    assert mine["values"]["note"].startswith("tides")
    assert mine["next"] == ["ask"]


def test_searches_show_ones_own(anna: httpx.Client, ben: httpx.Client) -> None:
    thread, _ = begin(anna)
    body = {"metadata": {"owner": "anna"}, "limit": 100}
    assert thread not in ben.post("/threads/search", json=body).text
    assert thread not in ben.post("/threads/search", json={"ids": [thread]}).text
    assert thread in anna.post("/threads/search", json={"limit": 100}).text
    for listing in ("/api/v1/waiting", "/api/v1/threads", f"/api/v1/threads?thread={thread}"):
        assert thread not in ben.get(listing).text
        assert thread in anna.get(listing).text
    assert ben.post("/threads/count", json={"metadata": {"owner": "anna"}}).text == "0"


def test_a_thread_cannot_be_made_for_another(anna: httpx.Client, ben: httpx.Client) -> None:
    made = ben.post("/threads", json={"metadata": {"owner": "anna"}}).json()
    assert made["metadata"]["owner"] == "ben"
    patched = ben.patch(f"/threads/{made['thread_id']}", json={"metadata": {"owner": "anna"}}).json()
    assert patched["metadata"]["owner"] == "ben"


@pytest.mark.parametrize("where", ["metadata", "config"])
def test_a_run_cannot_lie_about_its_owner(anna: httpx.Client, ben: httpx.Client, where: str) -> None:
    thread = ben.post("/threads", json={}).json()["thread_id"]
    lies = {"metadata": {"owner": "anna"}, "config": {"metadata": {"owner": "anna"}}}
    body = {"assistant_id": "demo", "input": {"topic": "lies"}, where: lies[where]}
    ben.post(f"/threads/{thread}/runs/wait", json=body).raise_for_status()
    assert thread not in anna.get("/api/v1/waiting").text
    assert thread in ben.get("/api/v1/waiting").text


def test_store_items_are_ones_own(anna: httpx.Client, ben: httpx.Client) -> None:
    put = {"namespace": ["diary"], "key": "monday", "value": {"text": "dear diary"}}
    assert anna.put("/store/items", json=put).status_code == 204
    assert anna.get("/store/items?namespace=diary&key=monday").json()["value"] == {"text": "dear diary"}
    for namespace in ("diary", "anna.diary"):
        assert ben.get(f"/store/items?namespace={namespace}&key=monday").json() is None
    for prefix in (["diary"], ["anna"], []):
        assert "dear" not in ben.post("/store/items/search", json={"namespace_prefix": prefix}).text
    assert "diary" not in ben.post("/store/namespaces", json={}).text
    ben.request("DELETE", "/store/items", json={"namespace": ["anna", "diary"], "key": "monday"})
    assert anna.get("/store/items?namespace=diary&key=monday").json() is not None


def test_assistants_are_everyones_to_use_and_nobodys_to_change(anna: httpx.Client, ben: httpx.Client) -> None:
    found = anna.post("/assistants/search", json={}).json()
    system = next(each["assistant_id"] for each in found if each["graph_id"] == "demo")
    assert anna.patch(f"/assistants/{system}", json={"name": "mine now"}).status_code == 404
    made = anna.post("/assistants", json={"graph_id": "demo", "name": "quiet"}).json()["assistant_id"]
    assert ben.get(f"/assistants/{made}").status_code == 404
    assert made not in ben.post("/assistants/search", json={}).text
    assert ben.delete(f"/assistants/{made}").status_code == 404
    assert anna.delete(f"/assistants/{made}").status_code in (200, 204)


def rpc(client: httpx.Client, path: str, method: str, params: dict[str, Any]) -> httpx.Response:
    headers = {"accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": "1", "method": method, "params": params}
    return client.post(path, json=body, headers=headers)


def test_mcp_and_a2a_go_through_the_same_door(anna: httpx.Client, ben: httpx.Client) -> None:
    tools = rpc(ben, "/mcp", "tools/list", {})
    assert "demo" in tools.text
    thread, run = begin(anna, "whispers")
    system = anna.post("/assistants/search", json={}).json()[0]["assistant_id"]
    asked = {"id": run, "contextId": thread}
    assert "whispers" not in rpc(ben, f"/a2a/{system}", "tasks/get", asked).text
    spoken = {
        "role": "user",
        "parts": [{"kind": "text", "text": "hello"}],
        "messageId": "1",
        "contextId": thread,
    }
    rpc(ben, f"/a2a/{system}", "message/send", {"message": spoken})
    rpc(ben, f"/a2a/{system}", "tasks/cancel", asked)
    listed = rpc(ben, f"/a2a/{system}", "ListTasks", {"contextId": thread})
    assert "whispers" not in listed.text
    state = anna.get(f"/threads/{thread}/state").json()
    assert state["next"] == ["ask"]


PATH = "../../etc/passwd"
CONFINED: list[tuple[str, Any]] = [
    ("/runs/wait", {"assistant_id": "demo", "input": {"topic": "x", "note_path": PATH}}),
    ("/runs/batch", [{"assistant_id": "demo", "input": {"file_path": PATH}}]),
    ("/runs/crons", {"assistant_id": "demo", "schedule": "* * * * *", "input": {"document_path": PATH}}),
    ("/assistants", {"graph_id": "demo", "context": {"inventory_file": PATH}}),
    ("/mcp/", {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "demo", "arguments": {"topic": "x", "note_path": PATH}}}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body"), CONFINED)
def test_files_elsewhere_are_refused_on_every_way_in(anna: httpx.Client, path: str, body: Any) -> None:
    answer = anna.post(path, json=body, headers={"accept": "application/json, text/event-stream"})
    # A tool's refusal is a result that the model can read.
    assert answer.status_code == (200 if path == "/mcp/" else 422)
    assert "not in a folder" in answer.text
    assert '"isError":true' in answer.text.replace(" ", "") or answer.json()["error"]


def test_a_tool_call_without_a_token_is_refused_as_everything_is(nobody: httpx.Client) -> None:
    assert (
        rpc(nobody, "/mcp/", "tools/call", {"name": "demo", "arguments": {"topic": "x"}}).status_code == 401
    )


@pytest.mark.parametrize("path", ["/threads", "/app/api/uploads"])
def test_a_gigabyte_is_refused_at_once(locked: Server, path: str) -> None:
    lines = [
        f"POST {path} HTTP/1.1",
        "host: study",
        f"authorization: Bearer {ANNA}",
        f"content-length: {10**9}",
    ]
    head = "\r\n".join([*lines, "", ""])
    with socket.create_connection(("127.0.0.1", locked.port), timeout=120) as line:
        line.sendall(head.encode() + b"x" * 1000)
        assert line.recv(4096).startswith(b"HTTP/1.1 413")


def test_after_a_kill_threads_keep_their_owners(tmp_path: Path) -> None:
    server = Server(tmp_path / "killed", **PLANTED).start()
    try:
        with caller(server, ANNA) as anna:
            thread, _ = begin(anna)
        server.kill()
        server.start()
        resume = {"assistant_id": "demo", "command": {"resume": "yes"}, "if_not_exists": "create"}
        with caller(server, BEN) as ben:
            assert thread not in ben.get("/api/v1/waiting").text
            made = ben.post("/threads", json={"thread_id": thread, "if_exists": "do_nothing"})
            assert made.status_code == 404
            assert ben.post(f"/threads/{thread}/runs/wait", json=resume).status_code == 404
            assert ben.get(f"/threads/{thread}/state").status_code == 404
        with caller(server, ANNA) as anna:
            assert thread in anna.get("/api/v1/waiting").text
            done = anna.post(f"/threads/{thread}/runs/wait", json=resume)
            assert done.json()["decision"] == "yes"
    finally:
        server.kill()


def test_no_secret_is_anywhere(locked: Server, anna: httpx.Client) -> None:
    thread, run = begin(anna, "secrets")
    context = {"assistant_id": "demo", "input": {"topic": "broken"}, "context": {"limit": 99}}
    shown = [
        anna.get(f"/threads/{thread}/state").text,
        anna.get(f"/threads/{thread}/history").text,
        anna.get(f"/threads/{thread}/runs/{run}").text,
        anna.post("/runs/wait", json=context).text,
        anna.post("/runs/wait", json={"assistant_id": "demo", "input": {"topic": "broken"}}).text,
        anna.post("/threads", content=b"{").text,
        anna.get("/threads/none").text,
        *(
            anna.get(path).text
            for path in ("/healthz", "/openapi.json", "/info", "/metrics", "/docs", "/app/")
        ),
        locked.log,
    ]
    stored = list(files_in(locked.folder).values())
    for secret in SECRETS:
        assert not any(secret in text for text in shown), secret
        assert not any(secret.encode() in data for data in stored), secret
