"""The vocabulary routes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from graphs.vocab_react.state import Input
from service import vocab_react
from service.app import create_app

PATH = "/api/v1/vocab-generator"
FURUSATO = {"song": "故郷", "artist": "文部省唱歌"}


@pytest.fixture
async def http(data_dir: Path) -> AsyncIterator[httpx.AsyncClient]:
    vocab_react._ready.clear()
    transport = httpx.ASGITransport(app=create_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://study") as client:
        yield client


async def test_a_song_by_post_and_get(http: httpx.AsyncClient) -> None:
    posted = await http.post(PATH, json=FURUSATO)
    assert posted.status_code == 200
    body = posted.json()
    assert len(body["vocabulary"]) == 5
    assert {word["status"] for word in body["vocabulary"]} == {"verified"}
    assert "EDRDG" in body["attribution"]
    assert (await http.get(PATH, params=FURUSATO)).json() == body
    assert (await http.post(PATH, json=FURUSATO)).json() == body
    assert len((await http.get(PATH, params={**FURUSATO, "count": 7})).json()["vocabulary"]) == 7


@pytest.mark.parametrize(
    ("sent", "status", "told"),
    [
        ({"song": ""}, 422, "song"),
        ({"song": "  "}, 422, "no title"),
        ({"song": "x" * 10_000}, 422, "song"),
        ({"artist": "x"}, 422, "song"),
        ({"song": "夢", "count": 0}, 422, "count"),
        ({"song": "夢", "count": 401}, 422, "count"),
        ({"song": "夢", "count": "x"}, 422, "count"),
        ({"song": "夢", "lyrics": "♪ 12"}, 422, "no word"),
        ({"song": "夢", "lyrics": "사랑해 안녕하세요"}, 422, "Korean"),
        ({"song": "夢", "lyrics": "Au clair de la lune mon ami Pierrot prête-moi ta plume"}, 422, "neither"),
        ({"song": "夢", "lyrics": "%PDF-1.4"}, 422, "not text"),
        ({"song": "zzz", "artist": "nobody"}, 404, "No lyrics were found for 'zzz'"),
    ],
)
async def test_bad_requests(http: httpx.AsyncClient, sent: dict[str, Any], status: int, told: str) -> None:
    answer = await http.post(PATH, json=sent)
    assert answer.status_code == status
    assert told in answer.json()["error"]
    assert answer.json()["remedy"]
    assert "detail" not in answer.json()


async def test_a_body_that_is_no_text(http: httpx.AsyncClient) -> None:
    answer = await http.post(PATH, content=b'{"song": "\xff"}', headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "remedy"}
    answer = await http.post(PATH, content=b"{song", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (422, "The body is not JSON, from character 1 on")
    assert (await http.get("/nowhere")).json() == {"detail": "Not Found"}


async def test_the_cache_is_listed_and_forgotten(http: httpx.AsyncClient) -> None:
    assert (await http.get("/api/v1/cache")).json()["total"] == 0
    await http.post(PATH, json=FURUSATO)
    await http.post(PATH, json={"song": "紅葉"})
    page = (await http.get("/api/v1/cache", params={"limit": 1, "offset": 1})).json()
    assert (page["total"], len(page["songs"])) == (2, 1)
    assert page["songs"][0]["versions"]["rules"]
    assert (await http.get("/api/v1/cache", params={"limit": 0})).status_code == 422
    gone = await http.delete("/api/v1/cache", params=FURUSATO)
    assert gone.json() == {"deleted": 1}
    again = await http.delete("/api/v1/cache", params=FURUSATO)
    assert again.status_code == 404
    assert "故郷" in again.json()["error"]


async def test_a_cache_that_cannot_be_read_is_503(http: httpx.AsyncClient, data_dir: Path) -> None:
    def block() -> None:
        data_dir.mkdir()
        (data_dir / "vocab_cache.sqlite").mkdir()

    await asyncio.to_thread(block)
    answer = await http.get("/api/v1/cache")
    assert answer.status_code == 503
    assert "cannot be used" in answer.json()["error"]
    assert answer.json()["remedy"]
    answered = await http.post(PATH, json=FURUSATO)
    assert answered.status_code == 200
    assert answered.json()["warnings"]


async def test_a_model_that_does_not_exist(http: httpx.AsyncClient, settings: Callable[..., None]) -> None:
    settings(models='{"vocab_react_agent": "nowhere:x", "vocab_react_extractor": "nowhere:x"}')
    answer = await http.post(PATH, json=FURUSATO)
    assert answer.status_code == 200
    assert len(answer.json()["vocabulary"]) == 5
    assert "nowhere:x" in answer.json()["warnings"][0]


async def test_the_memory_of_answers_is_bounded(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocab_react, "_MEMORY", 2)
    for count in (5, 6, 7):
        await http.post(PATH, json={**FURUSATO, "count": count})
    assert len(vocab_react._ready) == 2


def test_null_is_what_is_left_out() -> None:
    assert Input.model_validate({"song": "x", "artist": None, "count": None}) == Input(song="x")
