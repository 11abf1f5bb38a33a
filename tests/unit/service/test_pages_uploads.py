"""Uploads: a few kinds of file, of a bounded size, under a name of ours, in the owner's own folder."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from service import errors
from service.pages import uploads
from service.security.door import Door
from service.security.intake import Intake

PATH = "/app/api/uploads"


@pytest.fixture
async def client(settings: Callable[..., None]) -> AsyncIterator[httpx.AsyncClient]:
    settings(upload_max_mb=0.01, upload_quota_mb=0.02)
    app = FastAPI()
    errors.install(app)
    app.include_router(uploads.router)
    app.add_middleware(Intake)
    app.add_middleware(Door)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://study") as client:
        yield client


async def test_a_file_is_kept_under_a_name_of_ours(client: httpx.AsyncClient, data_dir: Path) -> None:
    answer = await client.post(PATH, params={"name": "../../My notes (1).MD"}, content="# Tides")
    told = answer.json()
    kept = Path(told["path"])
    assert kept.parent == data_dir / "uploads" / "local"
    assert kept.name.endswith("-My_notes_1.md")
    assert kept.read_text(encoding="utf-8") == "# Tides"
    again = await client.post(PATH, params={"name": "../../My notes (1).MD"}, content="# Tides")
    assert again.json() == told


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.exe", b"MZ"),
        ("a", b"text"),
        ("a.md", b"\xff\xfe\x00binary"),
        ("a.md", b"nul\0"),
        ("a.md", b""),
        ("a.pdf", b"<html>"),
        ("", b"x"),
        ("x" * 300 + ".md", b"x"),
    ],
)
async def test_anything_else_is_refused(client: httpx.AsyncClient, name: str, body: bytes) -> None:
    answer = await client.post(PATH, params={"name": name}, content=body)
    assert answer.status_code == 422
    assert answer.json()["error"]


async def test_a_file_too_large_is_refused_while_it_arrives(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 4096

    for content in (b"x" * 20_000, endless()):
        answer = await client.post(PATH, params={"name": "a.md"}, content=content)
        assert answer.status_code == 413


async def test_all_uploads_together_are_bounded(client: httpx.AsyncClient) -> None:
    for letter in "ab":
        answer = await client.post(PATH, params={"name": "a.md"}, content=letter * 9_000)
        assert answer.status_code == 200
    full = await client.post(PATH, params={"name": "a.md"}, content="c" * 9_000)
    assert full.status_code == 413
    assert "uploads" in full.json()["error"]


async def test_a_pdf_begins_like_one(client: httpx.AsyncClient) -> None:
    answer = await client.post(PATH, params={"name": "a.pdf"}, content=b"%PDF-1.7\n...")
    assert answer.status_code == 200
