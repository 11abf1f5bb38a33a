"""`/api/v1/waiting` and `/api/v1/threads`: work as the checkpoints tell of it.

The platform's own search forgets threads at a kill, and shows recovered ones as idle.
"""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from common.tokens import get_tokens
from common.waiting import Thread
from service.security.checkpoint_owners import owner_of_thread
from service.security.door import owner_of
from service.security.ownership import owned

router = APIRouter(prefix="/api/v1", tags=["review"])

# How many of all owners' latest threads are looked through for one owner's.
_MOST = 1000
GraphName = Annotated[str | None, Query(description="One graph's threads only.", max_length=100)]


@router.get("/waiting", summary="Threads that wait for an answer, longest waiting first")
async def waiting(request: Request, graph: GraphName = None) -> list[dict[str, Any]]:
    found = await request.app.state.checkpoints.waiting(graph)
    return [asdict(each) for each in owned(found, request.scope)]


@router.get("/threads", summary="Threads that were worked on, the latest first")
async def threads(
    request: Request,
    graph: GraphName = None,
    thread: Annotated[str | None, Query(description="This one only.", max_length=100)] = None,
    limit: Annotated[int, Query(description="How many, at most.", ge=1, le=_MOST)] = 50,
) -> list[dict[str, Any]]:
    return [asdict(each) for each in await latest(request, limit, graph, thread)]


async def latest(
    request: Request, limit: int, graph: str | None = None, thread: str | None = None
) -> list[Thread]:
    """The latest threads of whoever sent this request."""
    most = limit if get_tokens() is None else _MOST
    found = await request.app.state.checkpoints.threads(graph, limit=most, thread_id=thread)
    return await _own(found, limit, request)


async def _own(found: list[Thread], limit: int, request: Request) -> list[Thread]:
    """The first `limit` of whoever sent this request; an open server has a single user."""
    if get_tokens() is None:
        return found[:limit]
    own: list[Thread] = []
    for each in found:
        if len(own) == limit:
            break
        if await owner_of_thread(each.thread_id) == owner_of(request.scope):
            own.append(each)
    return own
