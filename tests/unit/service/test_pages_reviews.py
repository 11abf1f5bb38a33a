"""The inbox and its answers: from the checkpoints, to the right thread, once."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import graphs
from common.threads import WORKED_ON
from service.app import create_app
from service.pages import platform
from service.pages.runs import work_of

NOTE = "---\nid: tides\n---\n# Question (EN)\nWhat causes the tides?\n\n## Answer (EN)\nThe Moon's gravity.\n"
HELD = {
    "tides-0-en": {
        "note_id": 1,
        "fields": {"Front": "What causes the tides?", "Back": "The Sun."},
        "deck": "Study",
        "model_name": "Basic",
        "base": {"Front": "What causes the tides?", "Back": "Nobody knows."},
    }
}
ANNA, BEN = "anna-token-0123456789abcdef", "ben-token-0123456789abcdef"


class Runs:
    """The platform, as far as the pages ask it: it remembers what was begun."""

    def __init__(self) -> None:
        self.begun: list[dict[str, Any]] = []
        self.status = ""
        self.runs = self.threads = self

    async def list(self, thread_id: str, limit: int) -> list[dict[str, Any]]:
        return [{"status": self.status}] if self.status else []

    async def get(self, thread_id: str) -> dict[str, Any]:
        return {"error": {"message": "the model caught fire"}}

    async def create(self, *place: str, **what: Any) -> dict[str, Any]:
        if place:
            self.begun.append({"place": place, **what})
        return {"run_id": "run"}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    fake = Runs()
    monkeypatch.setattr(platform, "client", lambda: fake)
    return fake


@pytest.fixture
async def app(settings: Callable[..., None]) -> AsyncIterator[FastAPI]:
    settings(api_tokens=f"anna={ANNA},ben={BEN}")
    app = create_app()
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def anna(app: FastAPI, runs: Runs) -> AsyncIterator[httpx.AsyncClient]:
    async with caller(app, ANNA) as client:
        yield client


def caller(app: FastAPI, token: str) -> httpx.AsyncClient:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://study", headers=headers)


async def waiting_card(app: FastAPI, owner: str = "anna", note: str = "tides.md") -> str:
    """A thread of card_decision that waits, as the server would have left it."""
    thread = work_of("card_decision", {"note_path": note}, owner)
    kept = {"checkpointer": app.state.checkpoints, "store": app.state.store}
    graph = graphs.part("card_decision", "graph", "graph").copy(kept)
    config = {
        "configurable": {"thread_id": thread, "graph_id": "card_decision", "review": "interrupt"},
        "metadata": {"owner": owner},
    }
    input = {"note_path": note, "note_text": NOTE, "existing": HELD}
    await graph.ainvoke(input, config, context={"review": "interrupt"})
    return thread


async def test_the_inbox_shows_ones_own(app: FastAPI, anna: httpx.AsyncClient) -> None:
    thread = await waiting_card(app)
    inbox = (await anna.get("/app/api/reviews")).json()
    assert [(each["thread_id"], each["graph"], each["title"]) for each in inbox] == [
        (thread, "card_decision", "tides.md")
    ]
    async with caller(app, BEN) as ben:
        assert (await ben.get("/app/api/reviews")).json() == []
        assert (await ben.get(f"/app/api/reviews/{thread}")).status_code == 404
        assert (await ben.get(f"/app/api/threads/card_decision/{thread}")).status_code == 404
        body = {"review_id": inbox[0]["review_id"], "type": "approve"}
        assert (await ben.post(f"/app/api/reviews/{thread}", json=body)).status_code == 404


async def test_an_answer_goes_on_with_the_threads_own_settings(
    app: FastAPI, anna: httpx.AsyncClient, runs: Runs
) -> None:
    thread = await waiting_card(app)
    review = (await anna.get(f"/app/api/reviews/{thread}")).json()
    assert review["args"]["cards"][0]["slug"] == "tides-0-en"
    args = {"cards": {"tides-0-en": {"action": "keep"}}}
    body = {"review_id": review["review_id"], "type": "edit", "args": args}
    answer = await anna.post(f"/app/api/reviews/{thread}", json=body)
    assert answer.json() == {"thread_id": thread, "run_id": "run"}
    begun = runs.begun[-1]
    assert begun["command"]["resume"]["decisions"][0]["args"] == args
    assert begun["context"] == {"review": "interrupt"}
    assert begun["multitask_strategy"] == "reject"
    assert begun["metadata"]["owner"] == "anna"


async def test_a_stale_answer_is_refused(app: FastAPI, anna: httpx.AsyncClient, runs: Runs) -> None:
    thread = await waiting_card(app)
    answer = await anna.post(f"/app/api/reviews/{thread}", json={"review_id": "old", "type": "approve"})
    assert answer.status_code == 409
    assert "draft is kept" in answer.json()["remedy"]
    assert not runs.begun


async def test_a_finished_review_is_not_there(anna: httpx.AsyncClient) -> None:
    path = "/app/api/reviews/00000000-0000-0000-0000-000000000000"
    answer = await anna.post(path, json={"review_id": "x", "type": "approve"})
    assert answer.status_code == 404
    assert "another tab" in answer.json()["error"]


async def test_a_megabyte_is_refused(app: FastAPI, anna: httpx.AsyncClient, runs: Runs) -> None:
    thread = await waiting_card(app)
    body = {"review_id": "x", "type": "edit", "args": {"cards": "x" * 1_000_000}}
    assert (await anna.post(f"/app/api/reviews/{thread}", json=body)).status_code == 413
    assert not runs.begun


async def test_new_input_never_replaces_a_review(app: FastAPI, anna: httpx.AsyncClient, runs: Runs) -> None:
    thread = await waiting_card(app)
    body = {"input": {"note_path": "tides.md", "note_text": NOTE}}
    answer = await anna.post("/app/api/start/card_decision", json=body)
    assert answer.status_code == 409
    assert thread in answer.json()["remedy"]
    assert not runs.begun


async def test_starting_checks_the_input_first(anna: httpx.AsyncClient, runs: Runs) -> None:
    good = await anna.post("/app/api/start/vocab_react", json={"input": {"song": "故郷", "artist": ""}})
    assert good.status_code == 200
    assert runs.begun[-1]["input"] == {"song": "故郷"}
    for body in ({"input": {"song": " "}}, {"input": {}}, {"input": {"song": "x", "count": 1}}):
        answer = await anna.post("/app/api/start/vocab_react", json=body)
        assert answer.status_code == 422
        assert answer.json()["remedy"]
    bad_context = {"input": {"song": "x"}, "context": {"max_iterations": 0}}
    assert (await anna.post("/app/api/start/vocab_react", json=bad_context)).status_code == 422
    assert (await anna.post("/app/api/start/nothing", json={"input": {}})).status_code == 404


async def test_a_thread_shows_where_it_stands(app: FastAPI, anna: httpx.AsyncClient, runs: Runs) -> None:
    thread = await waiting_card(app)
    path = f"/app/api/threads/card_decision/{thread}"
    seen = (await anna.get(path)).json()
    assert seen["status"] == "waiting"
    assert seen["interrupt"]["action_requests"][0]["name"] == "review_cards"
    runs.status = "running"
    assert (await anna.get(path)).json()["status"] == "running"
    assert (await anna.post(f"{path}/continue")).status_code == 409
    new = (await anna.get("/app/api/threads/card_decision/00000000-0000-0000-0000-000000000000")).json()
    assert new["status"] == "running"
    runs.status = ""
    assert (await anna.get("/app/api/threads/card_decision/none")).status_code == 404


async def test_what_ran_last_is_told_from_the_checkpoints(
    app: FastAPI, anna: httpx.AsyncClient, runs: Runs
) -> None:
    thread = await waiting_card(app)
    (row,) = (await anna.get("/app/api/recent")).json()
    assert (row["thread_id"], row["status"], row["about"]) == (thread, "waiting", "tides.md")
    runs.status = "running"
    assert (await anna.get("/app/api/recent")).json()[0]["status"] == "running"
    async with caller(app, BEN) as ben:
        assert (await ben.get("/app/api/recent")).json() == []


async def test_a_failed_run_says_why_and_can_go_on(anna: httpx.AsyncClient, runs: Runs) -> None:
    path = "/app/api/threads/card_decision/00000000-0000-0000-0000-000000000000"
    runs.status = "error"
    seen = (await anna.get(path)).json()
    assert (seen["status"], seen["error"]) == ("failed", "the model caught fire")
    assert (await anna.post(f"{path}/continue")).status_code == 200
    assert runs.begun[-1]["input"] is None


async def test_each_owner_has_a_thread_of_their_own() -> None:
    song = {"song": "故郷", "artist": "文部省唱歌"}
    assert work_of("vocab_react", song, "anna") != work_of("vocab_react", song, "ben")
    long = {"text": "word " * 1000}
    assert work_of("concept_extraction", long, "anna") == work_of("concept_extraction", long, "anna")


def test_a_graph_that_is_new_here_is_named_by_its_whole_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WORKED_ON, "sixth", ("poem", "poet"))
    first = work_of("sixth", {"poem": "a", "lines": [1]}, "anna")
    assert first == work_of("sixth", {"lines": [1], "poem": "a"}, "anna")
    assert first != work_of("sixth", {"poem": "b", "lines": [1]}, "anna")
