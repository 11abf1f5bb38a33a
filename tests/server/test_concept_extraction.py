"""The review through langgraph-sdk on a real server: every decision, a stale answer, a kill in between."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from clients.runner import open_runner
from common.threads import thread_id
from graphs.concept_extraction.knowledge.ids import content_id
from tests.server.serving import ROOT, Server

GRAPH = "concept_extraction"
ENTRY = {
    GRAPH: {"path": f"{ROOT}/graphs/concept_extraction/graph.py:graph", "description": "Quotes to concepts."}
}
QUOTES = (
    "# Citas\n\nSólo el tiempo es nuestro.\n12\n\nNadie es libre si teme.\n13\n\n"
    "La razón mide lo que el miedo agranda.\n14\n"
)


@pytest.fixture(scope="module")
def zettel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("zettel"), ENTRY).start()
    yield running
    running.kill()


class Review:
    """One content on the server, driven by langgraph-sdk."""

    def __init__(self, server: Server, title: str) -> None:
        self.client = get_client(url=server.url)
        self.title = title
        self.thread = thread_id(GRAPH, content_id(title, "Anónimo"))
        self.out: dict[str, Any] = {}

    async def start(self, **more: Any) -> dict[str, Any]:
        await self.client.threads.create(thread_id=self.thread, if_exists="do_nothing", graph_id=GRAPH)
        given = {"text": QUOTES, "title": self.title, "author": "Anónimo", **more}
        self.out = await self.client.runs.wait(self.thread, GRAPH, input=given)  # type: ignore[assignment]
        return self.asked

    async def answer(self, decision: dict[str, Any], review_id: str | None = None) -> dict[str, Any]:
        sent = {"decisions": [decision], **({"review_id": review_id} if review_id else {})}
        self.out = await self.client.runs.wait(  # type: ignore[assignment]
            self.thread, GRAPH, command={"resume": sent}, if_not_exists="create"
        )
        return self.out

    @property
    def asked(self) -> dict[str, Any]:
        return dict(self.out["__interrupt__"][0]["value"]["action_requests"][0]["args"])


async def found(server: Server, text: str) -> list[str]:
    async with httpx.AsyncClient() as http:
        answer = await http.get(
            f"{server.url}/api/v1/zettel/search", params={"text": text, "limit": 50}, timeout=120
        )
    return [hit["title"] for hit in answer.json()]


async def test_edit_reject_merge_feedback_stale_and_approve(zettel: Server) -> None:
    review = Review(zettel, "Cartas")
    asked = await review.start()
    first = asked["review_id"]
    time, free, reason = (item["id"] for item in asked["concepts"])
    await review.answer({"type": "reject", "message": "más concreto"}, first)
    assert review.asked["round"] == 2
    await review.answer({"type": "approve"}, first)
    assert "earlier state" in review.asked["error"]
    decisions = [
        {"id": time, "decision": "edit", "title": "El tiempo propio"},
        {"id": free, "decision": "reject"},
        {"id": reason, "decision": "merge", "merge_into": time},
    ]
    args = {"concepts": decisions, "review_id": review.asked["review_id"]}
    out = await review.answer({"type": "edit", "edited_action": {"name": "review_concepts", "args": args}})
    assert out["outcome"] == "committed"
    assert out["receipt"]["supports"] == 2
    assert await found(zettel, "tiempo") == ["El tiempo propio"]
    async with httpx.AsyncClient() as http:
        undone = await http.post(f"{zettel.url}/api/v1/zettel/runs/{out['run_id']}/undo", timeout=120)
    assert undone.json()["kept"] == []
    assert await found(zettel, "tiempo") == []


async def test_aborting_writes_nothing(zettel: Server) -> None:
    review = Review(zettel, "Otra")
    await review.start()
    out = await review.answer({"type": "reject"})
    assert out["outcome"] == "aborted"


async def test_a_review_survives_kill_9_of_the_server(zettel: Server) -> None:
    review = Review(zettel, "Tercera")
    asked = await review.start()
    await asyncio.to_thread(zettel.kill)
    await asyncio.to_thread(zettel.start)
    review = Review(zettel, "Tercera")
    out = await review.answer({"type": "approve"}, asked["review_id"])
    assert out["outcome"] == "committed"
    assert len(await found(zettel, "tiempo")) == 3


def test_a_review_begun_on_the_server_ends_in_this_process(zettel: Server, settings: Any) -> None:
    thread = thread_id(GRAPH, content_id("Cuarta", "Anónimo"))
    with open_runner(zettel.url) as runner:
        given = {"text": QUOTES.replace("tiempo", "silencio"), "title": "Cuarta", "author": "Anónimo"}
        assert runner.run(GRAPH, given, thread_id=thread).waits
    settings(data_dir=zettel.data_dir)
    with open_runner() as runner:
        assert thread in {each.thread_id for each in runner.waiting(GRAPH)}
        outcome = runner.resume(GRAPH, thread, {"decisions": [{"type": "approve"}]})
    assert outcome.values["outcome"] == "committed"
    assert (Path(zettel.data_dir) / "zettel").is_dir()


def test_killed_after_the_approval_the_thread_goes_on_to_the_same_end(tmp_path: Path) -> None:
    """The graph in processes of its own, killed at steps of its commit and then run on."""
    command = [sys.executable, "-m", "tests.unit.concept_extraction.killing_graph", str(tmp_path), "12"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == 12
    for item in found:
        assert item["after"] in (
            {"concepts": 0, "supports": 0, "runs": 0},
            {"concepts": 2, "supports": 2, "runs": 1},
        )
        assert item["final"] == {"concepts": 2, "supports": 2, "runs": 1}
        assert item["notes"] == ["Nadie es libre si teme.md", "Sólo el tiempo es nuestro.md"]
    assert sum(not item["ended"] for item in found) >= 6
