"""The tutor's, the questions' and the home page's data."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from langchain_core.messages import AIMessage, HumanMessage

from common.owned_store import StoreOf
from graphs.tutoring.progress import add_evidence
from graphs.tutoring.schemas import Evidence
from service.app import create_app
from service.pages import platform
from service.pages.catalogue import INSTALLED

ANNA, BEN = "anna-token-0123456789abcdef", "ben-token-0123456789abcdef"
THREAD = "00000000-0000-0000-0000-000000000000"
TRANSCRIPT = """R1#shw ip route
     ^
% Invalid input detected at '^' marker.

R1#show clock
10:00:00.000 UTC
"""


@pytest.fixture
async def app(settings: Callable[..., None], tmp_path: Path) -> AsyncIterator[FastAPI]:
    settings(api_tokens=f"anna={ANNA},ben={BEN}", input_folders=f'["samples", "{tmp_path}"]')
    app = create_app()
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def anna(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with caller(app, ANNA) as client:
        yield client


def caller(app: FastAPI, token: str) -> httpx.AsyncClient:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://study", headers=headers)


async def test_labs_and_devices(anna: httpx.AsyncClient) -> None:
    found = (await anna.get("/app/api/tutor")).json()
    assert len(found["labs"]) >= 6
    assert all(lab["title"] and lab["steps"] for lab in found["labs"])
    assert found["devices"] == []


async def test_a_transcript_is_marked_where_it_went_wrong(anna: httpx.AsyncClient) -> None:
    found = (await anna.post("/app/api/tutor/diagnose", json={"text": TRANSCRIPT})).json()
    marked = [line for line in found["lines"] if line["diagnosis"]]
    assert [line["text"] for line in marked] == ["% Invalid input detected at '^' marker."]
    assert found["lines"][0]["token"] == "shw"
    assert [entry["command"] for entry in found["entries"]] == ["shw ip route", "show clock"]


@pytest.mark.parametrize("text", ["", "x" * 200_001])
async def test_a_transcript_has_bounds(anna: httpx.AsyncClient, text: str) -> None:
    assert (await anna.post("/app/api/tutor/diagnose", json={"text": text})).status_code == 422


async def test_progress_is_ones_own_and_can_be_forgotten(app: FastAPI, anna: httpx.AsyncClient) -> None:
    seen = Evidence(
        id="e1", skill="vlans", kind="quiz", outcome="right", detail="trunk", at="2026-01-01T00:00:00Z"
    )
    await add_evidence(StoreOf(app.state.store, "anna"), "mira", [seen])
    found = (await anna.get("/app/api/tutor/progress?student=mira")).json()
    assert [skill["skill"] for skill in found["skills"]] == ["vlans"]
    assert found["skills"][0]["level"] in ("novice", "developing", "proficient")
    async with caller(app, BEN) as ben:
        assert (await ben.get("/app/api/tutor/progress?student=mira")).json() == {
            "skills": [],
            "evidence": [],
        }
        assert (await ben.delete("/app/api/tutor/progress/e1?student=mira")).status_code == 404
    assert (await anna.delete("/app/api/tutor/progress/e1?student=mira")).json() == {"forgotten": "e1"}
    assert (await anna.get("/app/api/tutor/progress?student=mira")).json()["evidence"] == []


async def test_a_conversation_shows_what_was_said(
    app: FastAPI, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = [HumanMessage("What is a VLAN?"), AIMessage("A switch in the switch."), AIMessage("")]

    async def snapshot(*_place: Any) -> Any:
        return SimpleNamespace(values={"messages": said})

    monkeypatch.setattr(platform, "snapshot", snapshot)
    body = {"student": "mira", "lab": "00-initial-switch"}
    found = (await anna.post("/app/api/tutor/conversation", json=body)).json()
    assert [message["role"] for message in found["messages"]] == ["human", "ai"]
    async with caller(app, BEN) as ben:
        other = (await ben.post("/app/api/tutor/conversation", json=body)).json()
        assert other["thread_id"] != found["thread_id"]


async def test_the_document_behind_questions(
    anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    held: dict[str, Any] = {}

    async def snapshot(*_place: Any) -> Any:
        return SimpleNamespace(values=held)

    monkeypatch.setattr(platform, "snapshot", snapshot)
    path = f"/app/api/documents/{THREAD}"
    assert (await anna.get(path)).status_code == 404
    (tmp_path / "skarn.md").write_text("# Skarn\n\nBuilt in 1872.\n", encoding="utf-8")
    held["document_path"] = str(tmp_path / "skarn.md")
    found = (await anna.get(path)).json()
    assert (found["name"], found["lines"][2], found["cut"]) == ("skarn.md", "Built in 1872.", False)
    held["document_path"] = "/etc/passwd"
    assert (await anna.get(path)).status_code == 422


async def test_the_home_page_knows_graphs_models_and_samples(anna: httpx.AsyncClient) -> None:
    home = (await anna.get("/app/api/home")).json()
    assert (home["owner"], home["locked"], home["waiting"]) == ("anna", True, 0)
    shown = {graph["name"]: graph for graph in home["graphs"]}
    assert set(shown) == set(INSTALLED)
    for graph in shown.values():
        assert graph["title"]
        assert graph["says"]
        assert graph["samples"], graph["name"]
        assert graph["input_schema"]["properties"]
        assert set(graph["models"].values()) == {"rules"}
    assert {"song": "故郷", "artist": "文部省唱歌"} in [
        each["input"] for each in shown["vocab_react"]["samples"]
    ]
