"""`/healthz`: what is configured and what of it answers; 503 only where nothing can work."""

import asyncio

from fastapi import APIRouter, Response

import graphs
from common.reach import Survey, roles_of, survey

router = APIRouter(tags=["health"])


def roles() -> dict[str, list[str]]:
    """Every graph's model roles."""
    return {name: roles_of(graphs.part(name, "context", "Context")) for name in graphs.installed()}


@router.get("/healthz", summary="What is configured, what is reachable")
async def healthz(response: Response) -> Survey:
    """Models that do not answer are no failure: rules stand in for them, and results say so."""
    found = await survey(await asyncio.to_thread(roles))
    response.status_code = 200 if found.ok else 503
    return found
