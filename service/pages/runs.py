"""Starting graphs from the pages, and where their threads stand."""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, ValidationError

import graphs
from common.errors import BadInput, Conflict
from common.files import content_hash
from common.folders import LOCAL
from common.threads import WORKED_ON, thread_id
from common.waiting import Thread
from service.pages import platform
from service.pages.catalogue import INSTALLED
from service.pages.platform import Status, ThreadView
from service.security.door import owner_of
from service.waiting import latest

router = APIRouter(prefix="/app/api", tags=["pages"])

_PAGES_VAULT = "pages"
_LONGEST_WORD = 200
_LONGEST_TITLE = 80
_LISTED = 8


class Start(BaseModel):
    """What to run a graph on."""

    input: dict[str, Any] = Field(description="As the graph's input schema says.")
    context: dict[str, Any] = Field(default_factory=dict, description="Settings of this run.")


class Started(BaseModel):
    thread_id: str
    run_id: str


class Recent(BaseModel):
    """One thread in the list of what ran last."""

    thread_id: str
    graph: str
    status: Status
    since: datetime
    about: str = Field(description="What it works on, in a few words.")


@router.get("/recent", summary="What ran last, wherever it was started")
async def recent(request: Request) -> list[Recent]:
    """From the checkpoints: the platform forgets threads at a kill, and calls a stopped one interrupted."""
    found = [each for each in await latest(request, _LISTED) if each.graph in INSTALLED]
    return list(await asyncio.gather(*(_recent(request, each) for each in found)))


async def _recent(request: Request, thread: Thread) -> Recent:
    found = await platform.snapshot(request.app, thread.graph, thread.thread_id)
    return Recent(
        thread_id=thread.thread_id,
        graph=thread.graph,
        status=platform.status_of(found, await platform.latest_run(thread.thread_id)),
        since=thread.since,
        about=_about(found.values),
    )


@router.post("/start/{graph}", summary="Start a graph")
async def start(request: Request, graph: str, sent: Start) -> Started:
    """Refused while the same work waits for an answer: new input would replace the review."""
    owner = owner_of(request.scope)
    input, context = _valid(graph, sent)
    thread = await asyncio.to_thread(work_of, graph, input, owner)
    await _refuse_waiting(request, graph, thread)
    run = await platform.begin(graph, thread, owner=owner, input=input, context=context)
    return Started(thread_id=thread, run_id=run)


@router.get("/threads/{graph}/{thread}", summary="Where a thread stands")
async def state(request: Request, graph: str, thread: str) -> ThreadView:
    thread = platform.checked(graph, thread)
    await platform.check_owner(thread, owner_of(request.scope))
    return await platform.view(request.app, graph, thread)


@router.post("/threads/{graph}/{thread}/continue", summary="Go on where a killed run stopped")
async def go_on(request: Request, graph: str, thread: str) -> Started:
    thread, owner = platform.checked(graph, thread), owner_of(request.scope)
    await platform.check_owner(thread, owner)
    seen = await platform.view(request.app, graph, thread)
    if seen.status not in ("stopped", "failed"):
        raise Conflict(f"This thread is {seen.status}; there is nothing to go on with.")
    return Started(thread_id=thread, run_id=await platform.begin(graph, thread, owner=owner))


def _valid(graph: str, sent: Start) -> tuple[dict[str, Any], dict[str, Any]]:
    """Input and context as the graph wants them; what is wrong is said before a run is spent on it."""
    platform.checked(graph, "00000000-0000-0000-0000-000000000000")
    given = {key: value for key, value in sent.input.items() if value not in ("", None)}
    try:
        graphs.part(graph, "state", "Input").model_validate(given)
        graphs.part(graph, "context", "Context").model_validate(sent.context)
    except ValidationError as exc:
        fault = exc.errors()[0]
        field = ".".join(str(part) for part in fault["loc"]) or "the input"
        raise BadInput(f"{field}: {fault['msg']}.", remedy="Correct it and start again.") from exc
    return given, sent.context


def work_of(graph: str, input: dict[str, Any], owner: str) -> str:
    """The thread of this work: the same input gives the same thread, each owner their own.

    Named as the command line names it, so that work begun there is found here. This blocks.
    """
    words = [_short(word) for word in _NAMED.get(graph, partial(_whole, graph))(input)]
    return thread_id(graph, *words, owner="" if owner == LOCAL else owner)


def _about(values: dict[str, Any]) -> str:
    """What this work is on, in a few words for a list; some graphs keep what was asked as one value."""
    asked = values.get("request")
    given = {**values, **(asked if isinstance(asked, dict) else {})}
    path = Path(_text(given, "note_path", "document_path", "file_path")).name
    words = _text(given, "title", "song") or path or _text(given, "current_lab", "question", "text")
    return " ".join(words.split())[:_LONGEST_TITLE]


def _short(word: str) -> str:
    return content_hash(word) if len(word) > _LONGEST_WORD else word


def _text(input: dict[str, Any], *names: str) -> str:
    """The first of these inputs that is given."""
    return next((str(input[name]) for name in names if input.get(name)), "")


def _whole(graph: str, input: dict[str, Any]) -> tuple[str, ...]:
    """The work of a graph that is not named here: all of its input, in as many words as its threads have."""
    others = WORKED_ON.get(graph, ("input",))[1:]
    return (content_hash(json.dumps(input, sort_keys=True, default=str)), *("" for _ in others))


def _content(input: dict[str, Any]) -> str:
    title, author = _text(input, "title"), _text(input, "author")
    if input.get("content_uuid") or not (title and author):
        return _text(input, "content_uuid", "file_path", "text")
    return str(graphs.part("concept_extraction", "knowledge.ids", "content_id")(title, author))


def _document(input: dict[str, Any]) -> str:
    path = Path(_text(input, "document_path"))
    return content_hash(path.read_bytes()) if path.is_file() else "missing"


def _corpus(input: dict[str, Any]) -> str:
    corpus = input.get("corpus_config")
    return str(corpus.get("name", "")) if isinstance(corpus, dict) else ""


_NAMED: dict[str, Callable[[dict[str, Any]], tuple[str, ...]]] = {
    "card_decision": lambda given: (_PAGES_VAULT, _text(given, "note_path", "note_text")),
    "vocab_react": lambda given: (_text(given, "song"), _text(given, "artist")),
    "qgen_loop": lambda given: (
        _document(given),
        _corpus(given),
        _text(given, "scenario_name"),
        _text(given, "mode") or "textual",
    ),
    "tutoring": lambda given: (_text(given, "student_id"), _text(given, "current_lab"), "main"),
    "concept_extraction": lambda given: (_content(given),),
}


async def _refuse_waiting(request: Request, graph: str, thread: str) -> None:
    waiting = await request.app.state.checkpoints.waiting(graph)
    if any(each.thread_id == thread for each in waiting):
        raise Conflict(
            "This work waits for your answer already.", remedy=f"Answer it at /app/review?thread={thread}."
        )
