"""What the pages ask of the graphs: the state of a thread from its checkpoints, runs from the platform."""

import asyncio
import uuid
from typing import Any, Literal

import httpx
import orjson
from fastapi import FastAPI
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from pydantic import BaseModel, Field

import graphs
from common.errors import BadInput, Conflict, NotFound, Unavailable
from common.folders import LOCAL
from common.tokens import get_tokens
from service.pages.catalogue import INSTALLED
from service.security.checkpoint_owners import metadata_of_thread, owner_of_thread

Status = Literal["running", "waiting", "finished", "stopped", "failed", "new"]


class ThreadView(BaseModel):
    """Where one thread stands."""

    thread_id: str
    graph: str
    status: Status
    values: dict[str, Any] = Field(default_factory=dict, description="The graph's output so far.")
    next: list[str] = Field(default_factory=list, description="The steps that come next.")
    interrupt: Any = Field(None, description="What the thread asks, if it waits.")
    error: str = ""
    run_id: str = Field("", description="The latest run, by which it can be stopped.")


def client() -> LangGraphClient:
    """The platform in this same process; the door keeps the owner's name on every call."""
    return get_client(url=None)


def checked(graph: str, thread_id: str) -> str:
    """A thread id as the platform writes it, for a graph that is here."""
    if graph not in INSTALLED:
        raise NotFound(f"No graph is called {graph[:60]!r}.", remedy=f"There are: {', '.join(INSTALLED)}.")
    try:
        return str(uuid.UUID(thread_id))
    except ValueError:
        raise NotFound("There is no such thread.") from None


async def check_owner(thread_id: str, owner: str) -> None:
    """Another owner's thread is not there at all."""
    found = await owner_of_thread(thread_id)
    if get_tokens() is not None and found is not None and found != owner:
        raise NotFound("There is no such thread.")


async def snapshot(app: FastAPI, graph: str, thread_id: str) -> Any:
    """The thread's latest state, as the graph itself reads it from the checkpoints."""
    kept = {"checkpointer": app.state.checkpoints, "store": app.state.store, "name": graph}
    # The first time, the graph is imported, which reads files.
    compiled = (await asyncio.to_thread(graphs.part, graph, "graph", "graph")).copy(kept)
    return await compiled.aget_state({"configurable": {"thread_id": thread_id}})


async def view(app: FastAPI, graph: str, thread_id: str) -> ThreadView:
    """Everything a page needs to show a thread, also after the platform has forgotten it."""
    found = await snapshot(app, graph, thread_id)
    shown = graphs.part(graph, "state", "Output").model_fields
    latest = await latest_run(thread_id)
    interrupts = [each.value for each in found.interrupts]
    return ThreadView(
        thread_id=thread_id,
        graph=graph,
        status=status_of(found, latest),
        values={key: value for key, value in found.values.items() if key in shown},
        next=list(found.next),
        interrupt=interrupts[0] if interrupts else None,
        error=await _error(thread_id) if latest.get("status") in ("error", "timeout") else "",
        run_id=str(latest.get("run_id") or ""),
    )


def status_of(found: Any, latest: dict[str, Any]) -> Status:
    """How a thread stands, by its latest state and its latest run."""
    run = latest.get("status", "")
    if run in ("pending", "running"):
        return "running"
    if found.interrupts:
        return "waiting"
    if run in ("error", "timeout"):
        return "failed"
    if found.next:
        return "stopped"
    return "finished" if found.values else "new"


async def latest_run(thread_id: str) -> dict[str, Any]:
    try:
        runs = await client().runs.list(thread_id, limit=1)
    except httpx.HTTPStatusError as exc:
        if exc.response.status_code == 404:
            return {}
        raise Unavailable("The platform does not list runs now.") from exc
    return dict(runs[0]) if runs else {}


async def _error(thread_id: str) -> str:
    thread: dict[str, Any] = dict(await client().threads.get(thread_id))
    error = thread.get("error")
    told = error.get("message") if isinstance(error, dict) else error
    return str(told or "The run failed; the server's log says why.")[:2_000]


def size_of(sent: Any) -> int:
    """How many bytes this takes on its way to the platform; what cannot go at all is refused."""
    try:
        return len(orjson.dumps(sent))
    except TypeError as exc:
        raise BadInput(f"This cannot be sent as JSON: {exc}.", remedy="Use smaller numbers.") from exc


async def begin(
    graph: str,
    thread_id: str,
    *,
    owner: str,
    input: dict[str, Any] | None = None,
    resume: Any = None,
    context: dict[str, Any] | None = None,
) -> str:
    """Start a run: on new input, on an answer, or (with neither) where a killed one stopped."""
    runs = client()
    size_of([input, resume, context])
    if input is None and context is None:
        context = await stored_context(graph, thread_id)
    metadata = {"owner": owner or LOCAL, "graph_id": graph}
    try:
        await runs.threads.create(
            thread_id=thread_id, if_exists="do_nothing", graph_id=graph, metadata=metadata
        )
        run = await runs.runs.create(
            thread_id,
            graph,
            input=input,
            command={"resume": resume} if resume is not None else None,
            context=context or None,
            metadata={"owner": owner or LOCAL},
            multitask_strategy="reject",
            durability="sync",
            stream_resumable=True,
            stream_mode=["values", "custom"],
        )
    except httpx.HTTPStatusError as exc:
        raise _told(exc) from exc
    return str(run["run_id"])


async def stored_context(graph: str, thread_id: str) -> dict[str, Any]:
    """The settings a thread was started with: the platform keeps them beside each checkpoint."""
    metadata = await metadata_of_thread(thread_id)
    known = (await asyncio.to_thread(graphs.part, graph, "context", "Context")).model_fields
    return {name: value for name, value in metadata.items() if name in known and value is not None}


def _told(exc: httpx.HTTPStatusError) -> Exception:
    status = exc.response.status_code
    if status == 409:
        return Conflict("This thread is at work already.", remedy="Wait until it has finished.")
    if status == 404:
        return NotFound("There is no such thread.")
    if status in (400, 422):
        return BadInput(f"The platform refused the run: {exc.response.text[:500]}")
    return Unavailable("The platform does not take the run.", remedy="Try again in a moment.")
