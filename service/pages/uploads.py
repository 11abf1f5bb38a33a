"""Uploads: a file's bytes, bounded in size and kind, into the owner's own folder."""

import asyncio
import re
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from common.errors import BadInput
from common.files import content_hash, write_atomic
from common.folders import uploads_of
from common.settings import get_settings
from service.security.door import owner_of
from service.security.intake import UPLOADS, TooLarge, too_large

# What the graphs read, and how such a file begins; None: text.
KINDS: dict[str, bytes | None] = {
    ".md": None,
    ".markdown": None,
    ".txt": None,
    ".xml": None,
    ".nxml": None,
    ".html": None,
    ".pdf": b"%PDF-",
}

router = APIRouter(tags=["pages"])


class Uploaded(BaseModel):
    """Where the file is now; this path can be sent to a graph."""

    path: str
    name: str
    size: int


@router.post(UPLOADS, summary="Upload a file; its bytes are the body")
async def upload(
    request: Request,
    name: Annotated[str, Query(min_length=1, max_length=200, description="The file's name.")],
) -> Uploaded:
    settings = get_settings()
    kind = kind_of(name)
    body = await _read(request, int(settings.upload_max_mb * 1_000_000))
    _check_kind(body, name, kind)
    folder = uploads_of(owner_of(request.scope), settings)
    path = folder / f"{content_hash(body)[:16]}-{safe_name(name)}"
    await asyncio.to_thread(_keep, path, body, int(settings.upload_quota_mb * 1_000_000))
    return Uploaded(path=str(path), name=path.name, size=len(body))


def kind_of(name: str) -> str:
    kind = Path(name.replace("\\", "/")).suffix.lower()
    if kind not in KINDS:
        raise BadInput(f"Files like {name[-40:]!r} are not taken.", remedy=f"Use one of: {', '.join(KINDS)}.")
    return kind


def safe_name(name: str) -> str:
    """Letters, digits and a few marks of the last part of the name: never a way to another folder."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    stem, _, ending = last.rpartition(".")
    return re.sub(r"[^\w-]+", "_", stem)[:60].strip("_") + "." + ending.lower()


async def _read(request: Request, limit: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise too_large(limit)
    return bytes(body)


def _check_kind(body: bytes, name: str, kind: str) -> None:
    begins = KINDS[kind]
    if not body:
        raise BadInput(f"{name!r} is empty.", remedy="Choose another file.")
    if not (begins in body[:1024] if begins is not None else _is_text(body)):
        raise BadInput(f"{name!r} is not what its name says.", remedy="Upload a real one; text as UTF-8.")


def _is_text(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in body


def _keep(path: Path, body: bytes, quota: int) -> None:
    folder = path.parent
    folder.mkdir(parents=True, exist_ok=True)
    if path.exists():
        return
    used = sum(each.stat().st_size for each in folder.iterdir() if each.is_file())
    if used + len(body) > quota:
        raise TooLarge(
            f"Your uploads would be more than {quota / 1_000_000:g} MB.",
            remedy="Have old ones removed, or STUDY_UPLOAD_QUOTA_MB raised.",
        )
    write_atomic(path, body)
