"""The door: every path asks for a token, pages by a form, and nothing is let in by a side way."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message

from service.security.door import Door, owner_of
from service.security.headers import SecurityHeaders
from service.security.intake import Intake

ANNA, BEN, ENDED = "anna-secret-0123456789", "ben-secret-0123456789", "old-secret-0123456789"
HTML = {"accept": "text/html,application/xhtml+xml"}
SAME = {"sec-fetch-site": "same-origin"}


async def echo(request: Request) -> JSONResponse:
    body = await request.body()
    root = request.scope.get("root_path", "")
    return JSONResponse({"owner": owner_of(request.scope), "body": len(body), "root": root})


async def calls_again(request: Request) -> JSONResponse:
    """As MCP and A2A do: in process, past the platform's own check."""
    transport = httpx.ASGITransport(request.app, root_path="/noauth")
    async with httpx.AsyncClient(transport=transport, base_url="http://loop") as client:
        return JSONResponse((await client.get("/threads")).json())


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> ASGIApp:
    monkeypatch.setattr("service.security.intake._LINGER_SECONDS", 0.2)
    methods = ["GET", "POST", "PUT", "DELETE", "PATCH"]
    return Starlette(
        routes=[Route("/again", calls_again), Route("/{path:path}", echo, methods=methods)],
        middleware=[Middleware(SecurityHeaders), Middleware(Door), Middleware(Intake)],
    )


@pytest.fixture
async def client(app: ASGIApp, settings: Callable[..., None]) -> AsyncIterator[httpx.AsyncClient]:
    settings(api_tokens=f"anna={ANNA},ben={BEN},old={ENDED};2020-01-01", body_max_mb=0.01)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://study") as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


PATHS = [
    *("/", "/threads", "/app/", "/app/static/study.css", "/mcp/", "/a2a/x", "/docs", "/openapi.json"),
    *("/metrics", "/info", "/internal/truncate", "/deploy", "/OK", "/ok/", "//ok", "/app/login", "/ui/x"),
    "/noauth/threads",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_every_path_refuses_without_a_token(client: httpx.AsyncClient, path: str, method: str) -> None:
    answer = await client.request(method, f"http://study{path}")
    assert answer.status_code == 401, path


async def test_ok_is_open(client: httpx.AsyncClient) -> None:
    assert (await client.get("/ok")).status_code == 200


async def test_a_token_lets_in_under_its_name(client: httpx.AsyncClient) -> None:
    assert (await client.get("/threads", headers=bearer(ANNA))).json()["owner"] == "anna"
    assert (await client.get("/threads", headers=bearer(BEN))).json()["owner"] == "ben"


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Basic {ANNA}",
        ANNA,
        f"Bearer {ANNA} x",
        f"Bearer {ANNA[1:]}",
    ],
)
async def test_a_wrong_header_is_refused(client: httpx.AsyncClient, header: str) -> None:
    answer = await client.get("/threads", headers={"authorization": header})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert ANNA not in answer.text


async def test_an_ended_token_is_told_so(client: httpx.AsyncClient) -> None:
    assert "ended" in (await client.get("/threads", headers=bearer(ENDED))).json()["error"]


async def test_studio_gets_no_bypass(client: httpx.AsyncClient) -> None:
    answer = await client.get("/threads", headers={"x-auth-scheme": "langsmith", "x-api-key": "lsv2"})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "address", ["/threads?token={}", "/threads?x=1&q=a{}b", "/t/{}/x", "/ok/../t?{}=1", "/ok?{}"]
)
async def test_a_token_in_the_address_is_refused_even_with_a_good_header(
    client: httpx.AsyncClient, address: str
) -> None:
    answer = await client.get(address.format(BEN), headers=bearer(ANNA))
    assert answer.status_code == 400
    assert "Replace that token" in answer.json()["remedy"]
    assert BEN not in answer.text


async def test_a_token_is_seen_however_it_is_encoded(client: httpx.AsyncClient) -> None:
    once = "".join(f"%{ord(letter):02x}" for letter in BEN)
    for address in (f"/threads?x={once}", f"/threads?x={once.replace('%', '%25')}", f"/t/{once}"):
        assert (await client.get(address, headers=bearer(ANNA))).status_code == 400


async def test_calls_in_process_keep_the_name(client: httpx.AsyncClient) -> None:
    told = (await client.get("/again", headers=bearer(ANNA))).json()
    assert told == {"owner": "anna", "body": 0, "root": ""}


async def test_the_servers_own_calls_pass(app: ASGIApp, settings: Callable[..., None]) -> None:
    settings(api_tokens=f"anna={ANNA}")
    transport = httpx.ASGITransport(app, root_path="/noauth")
    async with httpx.AsyncClient(transport=transport, base_url="http://loop") as inner:
        assert (await inner.get("/threads")).json()["root"] == "/noauth"


async def test_a_websocket_needs_a_token(app: ASGIApp, settings: Callable[..., None]) -> None:
    settings(api_tokens=f"anna={ANNA}")
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope: dict[str, Any] = {"type": "websocket", "path": "/ws", "headers": [], "query_string": b""}
    await app(scope, receive, send)
    assert [message["type"] for message in sent] == ["websocket.close"]


async def log_in(
    client: httpx.AsyncClient, token: str = ANNA, next_path: str = "/app/review"
) -> httpx.Response:
    return await client.post("/app/login", data={"token": token, "next": next_path}, headers=SAME)


async def test_a_person_logs_in_with_a_form(client: httpx.AsyncClient) -> None:
    asked = await client.get("/app/review", headers=HTML)
    assert asked.status_code == 401
    assert 'name="next" value="/app/review"' in asked.text
    asked = await client.get("/app/review?thread=1&x=<b>", headers={"accept": "text/html"})
    assert 'name="next" value="/app/review?thread=1&amp;x=%3Cb%3E"' in asked.text
    answer = await log_in(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/app/review")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert ANNA not in cookie
    assert (await client.get("/threads", headers=SAME)).json()["owner"] == "anna"


async def test_logging_out_ends_the_session(client: httpx.AsyncClient) -> None:
    await log_in(client)
    await client.post("/app/logout", headers=SAME)
    assert (await client.get("/threads", headers=SAME)).status_code == 401


@pytest.mark.parametrize(("token", "said"), [("wrong", "not known"), (ENDED, "has ended"), ("", "not known")])
async def test_a_wrong_form_says_why(client: httpx.AsyncClient, token: str, said: str) -> None:
    answer = await log_in(client, token)
    assert answer.status_code == 401
    assert said in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example", "https://evil.example", "/app\\..\\\\evil", "", "/threads"]
)
async def test_the_form_leads_nowhere_else(client: httpx.AsyncClient, elsewhere: str) -> None:
    assert (await log_in(client, next_path=elsewhere)).headers["location"] == "/app/"


async def test_the_form_shows_an_address_as_text(client: httpx.AsyncClient) -> None:
    answer = await log_in(client, "wrong", '/app/"><script>alert(1)</script>')
    assert "<script>" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://study:3000"},
     {"origin": "https://evil.example"}, {"origin": "null"}],
)  # fmt: skip
async def test_a_cookie_counts_for_our_own_pages_only(
    client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    await log_in(client)
    for method in ("GET", "POST"):
        assert (await client.request(method, "/threads", headers=headers)).status_code == 401
    assert (await client.post("/app/login", data={"token": ANNA}, headers=headers)).status_code == 403


async def test_an_open_server_asks_nobody(app: ASGIApp) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://study") as client:
        assert (await client.get("/threads")).json()["owner"] == "local"


@pytest.mark.parametrize("path", ["/threads", "/app/", "/ok"])
async def test_security_headers_are_everywhere(client: httpx.AsyncClient, path: str) -> None:
    for headers in ({}, bearer(ANNA), HTML):
        answer = await client.get(path, headers=headers)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy


async def test_a_body_too_large_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/threads", content=b"x" * 20_000, headers=bearer(ANNA))
    assert answer.status_code == 413
    assert "0.01 MB" in answer.json()["error"]


async def test_a_body_that_hides_its_length_is_refused(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 4096

    answer = await client.post("/threads", content=endless(), headers=bearer(ANNA))
    assert answer.status_code == 413


async def test_a_refused_sender_is_heard_out(
    app: ASGIApp, settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a line that is cut while they still send, most clients would never read why."""
    monkeypatch.setattr("service.security.intake._LINGER_SECONDS", 600.0)
    settings(body_max_mb=0.01)
    chunks = [{"type": "http.request", "body": b"x" * 8000, "more_body": left > 0} for left in range(10)]
    order: list[str] = []

    async def receive() -> Message:
        order.append("read")
        return chunks.pop()

    async def send(message: Message) -> None:
        order.append(f"{message.get('status', 'more' if message.get('more_body') else 'end')}")

    scope = {"type": "http", "method": "POST", "path": "/threads", "headers": [], "query_string": b""}
    await app(scope, receive, send)
    assert order == ["read", "read", "413", "more", *["read"] * 8, "end"]


async def test_a_sender_without_end_is_cut_off(app: ASGIApp, settings: Callable[..., None]) -> None:
    settings(body_max_mb=0.01)
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0)
        return {"type": "http.request", "body": b"x" * 8000, "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/threads", "headers": [], "query_string": b""}
    await app(scope, receive, send)
    assert sent[0]["status"] == 413
    assert (b"connection", b"close") in sent[0]["headers"]
    assert not sent[-1].get("more_body")


@pytest.mark.parametrize("tokens", [(ANNA, BEN), (ANNA, ANNA), ("x", ANNA)])
async def test_two_tokens_at_once_are_refused(client: httpx.AsyncClient, tokens: tuple[str, str]) -> None:
    headers = [("authorization", f"Bearer {token}") for token in tokens]
    assert (await client.get("/threads", headers=headers)).status_code == 401


async def test_an_origin_that_is_no_address_opens_nothing(client: httpx.AsyncClient) -> None:
    headers = {"cookie": "study_session=a.b", "origin": "http://["}
    assert (await client.get("/threads", headers=headers)).status_code == 401


async def test_a_body_is_handed_on_whole(client: httpx.AsyncClient) -> None:
    answer = await client.post("/threads", json={"input": {"song": "x" * 5000}}, headers=bearer(ANNA))
    assert answer.json()["body"] > 5000
