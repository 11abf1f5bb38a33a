"""Starting graphs from the pages, and where their threads stand."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, ValidationError

import graphs
from common.errors import BadInput, Conflict
from common.files import content_hash
from common.folders import LOCAL
from common.threads import WORKED_ON, thread_id
from service.pages import platform
from service.pages.platform import ThreadView
from service.security.door import owner_of

router = APIRouter(prefix="/app/api", tags=["pages"])

# Which inputs name the work in each graph, where the input names it at all.
_NAMED_BY: dict[str, tuple[tuple[str, ...], ...]] = {
    "card_decision": ((), ("note_path", "note_text")),
    "vocab_react": (("song",), ("artist",)),
    "qgen_loop": (("document_path", "document_text"), ("corpus",), ("scenario",), ("mode",)),
    "tutoring": (("student",), ("lab",), ("conversation",)),
    "concept_extraction": (("content_uuid", "file_path", "text"),),
}
_PAGES_VAULT = "pages"


class Start(BaseModel):
    """What to run a graph on."""

    input: dict[str, Any] = Field(description="As the graph's input schema says.")
    context: dict[str, Any] = Field(default_factory=dict, description="Settings of this run.")


class Started(BaseModel):
    thread_id: str
    run_id: str


@router.post("/start/{graph}", summary="Start a graph")
async def start(request: Request, graph: str, sent: Start) -> Started:
    """Refused while the same work waits for an answer: new input would replace the review."""
    owner = owner_of(request.scope)
    input, context = _valid(graph, sent)
    thread = work_of(graph, sent.input, owner)
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
    """The thread of this work: the same input gives the same thread, each owner their own."""
    words = []
    for names in _NAMED_BY.get(graph, ((),) * len(WORKED_ON[graph])):
        given = next((str(input[name]) for name in names if input.get(name)), "")
        words.append(content_hash(given) if len(given) > 200 else given)
    if graph == "card_decision":
        words[0] = _PAGES_VAULT
    return thread_id(graph, *words, owner="" if owner == LOCAL else owner)


async def _refuse_waiting(request: Request, graph: str, thread: str) -> None:
    waiting = await request.app.state.checkpoints.waiting(graph)
    if any(each.thread_id == thread for each in waiting):
        raise Conflict(
            "This work waits for your answer already.", remedy=f"Answer it at /app/review?thread={thread}."
        )
