"""The document behind a thread of questions, line by line, as the evidence counts them."""

import asyncio
from pathlib import Path

from fastapi import APIRouter, Request
from pydantic import BaseModel

import graphs
from common.errors import NotFound
from common.folders import confined
from service.pages import platform
from service.security.door import owner_of

GRAPH = "qgen_loop"
MOST_LINES = 5_000
LONGEST_LINE = 2_000

router = APIRouter(prefix="/app/api/documents", tags=["pages"])


class DocumentText(BaseModel):
    """What the questions are about."""

    name: str
    lines: list[str]
    cut: bool


@router.get("/{thread}", summary="The text of a thread's document")
async def document(request: Request, thread: str) -> DocumentText:
    owner = owner_of(request.scope)
    thread = platform.checked(GRAPH, thread)
    await platform.check_owner(thread, owner)
    found = await platform.snapshot(request.app, GRAPH, thread)
    path = found.values.get("document_path")
    if not path:
        raise NotFound("This thread has no document.")
    return await asyncio.to_thread(_read, str(path), owner)


def _read(path: str, owner: str) -> DocumentText:
    place = confined(path, owner)
    opened = graphs.part(GRAPH, "documents.opening", "open_document")(place)
    lines = [line[:LONGEST_LINE] for line in opened.lines[:MOST_LINES]]
    return DocumentText(name=Path(path).name, lines=lines, cut=len(opened.lines) > MOST_LINES)
