"""The Zettelkasten over HTTP: search it, list its commits, take one back, export all."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from graphs.concept_extraction import library

router = APIRouter(prefix="/api/v1/zettel", tags=["zettelkasten"])


@router.get("/search")
async def search(
    text: Annotated[str, Query(min_length=1, max_length=2_000, description="What to look for.")],
    limit: Annotated[int, Query(ge=1, le=100, description="How many concepts.")] = 10,
) -> list[dict[str, Any]]:
    """Concepts near a text, best first; scores are (1 + cosine) / 2."""
    return await library.search(text, limit)


@router.get("/contents")
async def contents() -> list[dict[str, Any]]:
    """Every work whose quotes are stored."""
    return await library.contents()


@router.get("/runs")
async def runs() -> list[dict[str, Any]]:
    """Every commit, newest first."""
    return await library.runs()


@router.post("/runs/{run_id}/undo")
async def undo(run_id: str) -> dict[str, Any]:
    """Remove what that run made and nobody touched since."""
    return await library.undo(run_id)


@router.get("/graph")
async def graph() -> dict[str, Any]:
    """All nodes and edges, in a fixed order."""
    return await library.snapshot()
