"""`/healthz`: what is configured and what of it answers; 503 only where nothing can work."""

import asyncio

from fastapi import APIRouter, Response

import graphs
from common.reach import Survey, survey

router = APIRouter(tags=["health"])


@router.get("/healthz", summary="What is configured, what is reachable")
async def healthz(response: Response) -> Survey:
    """Models that do not answer are no failure: rules stand in for them, and results say so."""
    found = await survey(await asyncio.to_thread(graphs.model_roles))
    response.status_code = 200 if found.ok else 503
    return found
