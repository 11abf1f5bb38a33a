"""`/api/v1/waiting`: the threads that wait for a person, as the checkpoints tell it.

The platform's own search forgets threads at a kill, and shows recovered ones as idle.
"""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from service.security.ownership import owned

router = APIRouter(prefix="/api/v1", tags=["review"])


@router.get("/waiting", summary="Threads that wait for an answer, longest waiting first")
async def waiting(
    request: Request,
    graph: Annotated[str | None, Query(description="One graph's threads only.", max_length=100)] = None,
) -> list[dict[str, Any]]:
    found = await request.app.state.checkpoints.waiting(graph)
    return [asdict(each) for each in owned(found, request.scope)]
