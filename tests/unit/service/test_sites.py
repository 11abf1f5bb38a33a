"""An open server: our own pages, Studio and programs are let in, other sites' pages are not."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from service.security.door import Door
from service.security.sites import place_of


async def answer(request: Request) -> JSONResponse:
    return JSONResponse({})


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = Starlette(
        routes=[Route("/{path:path}", answer, methods=["GET", "POST"])], middleware=[Middleware(Door)]
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://study") as client:
        yield client


OURS = [
    "127.0.0.1:2024",
    "localhost:2024",
    "[::1]:2024",
    "192.168.1.7",
    "laptop:2024",
    "api",
    "NAS.local.",
    "",
]


@pytest.mark.parametrize("host", OURS)
async def test_private_names_and_addresses_are_ours(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get("/threads", headers={"host": host})).status_code == 200


@pytest.mark.parametrize("host", ["evil.example:2024", "127.0.0.1.evil.example", "local.evil.com", "1.2.3"])
async def test_a_name_that_a_stranger_may_own_is_refused(client: httpx.AsyncClient, host: str) -> None:
    """Their page would be of the same origin as ours once its name points at this machine."""
    headers = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
    refused = await client.post("/threads/search", headers=headers)
    assert refused.status_code == 403
    assert "STUDY_CORS_ORIGINS" in refused.json()["remedy"]
    assert (await client.get("/ok", headers={"host": host})).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://[", "https://smith.langchain.com.evil.example", "file://"],
)
async def test_another_sites_page_is_refused(client: httpx.AsyncClient, origin: str) -> None:
    headers = {"origin": origin, "content-type": "text/plain"}
    assert (await client.post("/runs", headers=headers, content="{}")).status_code == 403


@pytest.mark.parametrize(
    "origin",
    ["http://study", "http://localhost:3000", "http://127.0.0.1:5173", "https://smith.langchain.com"],
)
async def test_our_pages_studio_and_this_machine_are_let_in(client: httpx.AsyncClient, origin: str) -> None:
    assert (await client.post("/runs", headers={"origin": origin})).status_code == 200


async def test_a_link_may_lead_here_and_a_picture_may_not(client: httpx.AsyncClient) -> None:
    there = {"sec-fetch-site": "cross-site"}
    visit = await client.get("/app/", headers=there | {"sec-fetch-mode": "navigate"})
    picture = await client.get("/api/v1/x", headers=there | {"sec-fetch-mode": "no-cors"})
    assert (visit.status_code, picture.status_code) == (200, 403)


async def test_what_is_configured_is_let_in(client: httpx.AsyncClient, settings: Callable[..., None]) -> None:
    own = {"host": "study.example:8080", "origin": "https://study.example"}
    settings(cors_origins='["https://study.example"]')
    assert (await client.post("/runs", headers=own)).status_code == 200
    assert (await client.post("/runs", headers={"origin": "https://other.example"})).status_code == 403
    settings(cors_origins='["*"]')
    assert (await client.post("/runs", headers={"origin": "https://other.example"})).status_code == 200


async def test_tokens_take_the_place_of_names(
    client: httpx.AsyncClient, settings: Callable[..., None]
) -> None:
    settings(api_tokens="anna=anna-secret-0123456789")
    headers = {"host": "study.example", "authorization": "Bearer anna-secret-0123456789"}
    assert (await client.get("/threads", headers=headers)).status_code == 200


def test_what_is_no_address_has_no_place() -> None:
    assert place_of("http://[") == ""
    assert place_of("http://Study:2024/x") == "study:2024"
