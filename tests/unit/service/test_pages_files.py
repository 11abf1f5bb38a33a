"""The pages as files: complete, free of inline script, nothing from elsewhere, no HTML out of text."""

import re
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from service import errors
from service.pages import files
from service.pages.files import FOLDER, PAGES, SERVED

SCRIPTS = sorted(FOLDER.rglob("*.js"))


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    errors.install(app)
    app.include_router(files.router)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://study") as client:
        yield client


@pytest.mark.parametrize("path", ["/app/", *(f"/app/{name}" for name in PAGES)])
async def test_every_page_and_what_it_loads_is_there(client: httpx.AsyncClient, path: str) -> None:
    page = await client.get(path)
    assert page.status_code == 200
    for link in re.findall(r'(?:src|href)="(/app/static/[^"]+)"', page.text):
        assert (await client.get(link)).status_code == 200


@pytest.mark.parametrize(
    "name", ["../files.py", "js/../../files.py", "%2e%2e/files.py", "none.js", "/etc/passwd"]
)
async def test_nothing_else_is_served(client: httpx.AsyncClient, name: str) -> None:
    assert (await client.get(f"/app/static/{name}")).status_code == 404
    assert (await client.get(f"/app/{name}")).status_code == 404


async def test_a_person_who_lost_the_way_gets_a_page(client: httpx.AsyncClient) -> None:
    page = await client.get("/app/nowhere", headers={"accept": "text/html"})
    assert page.status_code == 404
    assert 'href="/app/review"' in page.text
    assert 'aria-current="page"' not in page.text


async def test_short_ways_lead_home(client: httpx.AsyncClient) -> None:
    for path in ("/app", "/app/login"):
        assert (await client.get(path)).headers["location"] == "/app/"


@pytest.mark.parametrize("text", PAGES.values(), ids=PAGES)
def test_no_script_stands_in_a_page(text: str) -> None:
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\son\w+=|javascript:|style=", text)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_one_frame_and_knows_its_place(name: str) -> None:
    text = PAGES[name]
    assert text.count("<h1>") == text.count("<main") == text.count('aria-current="page"') == 1
    assert "$" not in text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_text_becomes_html(path: object) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function", text
    )
    assert not re.search(r"https?://(?!\\)", text.replace("https?:\\/\\/", ""))


def test_every_import_exists() -> None:
    for path in SCRIPTS:
        for name in re.findall(r'from "\./([^"]+)"', path.read_text(encoding="utf-8")):
            assert f"js/{name}" in SERVED, f"{path.name} imports {name}"


@pytest.mark.parametrize("path", ["/app/nope", "/app/nope/deeper", "/app/review/x"])
async def test_an_address_without_a_page_leads_home(client: httpx.AsyncClient, path: str) -> None:
    shown = await client.get(path, headers={"accept": "text/html"})
    assert shown.status_code == 404
    assert "There is no such page" in shown.text
    assert (await client.get(path)).json()["remedy"] == "The pages begin at /app/."
