"""What may be carried in: requests of a bounded size, naming only files that this server may read."""

import asyncio
from contextlib import suppress
from typing import Any

import orjson
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from common.errors import StudyError
from common.settings import get_settings
from service.security.door import owner_of
from service.security.folders import check_paths
from service.security.masking import masked

# Uploads are counted while they are written, by their own route.
UPLOADS = "/app/api/uploads"
# How long the rest of a refused body is read, and thrown away.
_LINGER_SECONDS = 10.0


class TooLarge(StudyError):
    """More than the server takes in one request."""

    status = 413


class Intake:
    """Reads a request's body before anybody else, and hands on only what passes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        settings = get_settings()
        uploading = scope["path"] == UPLOADS
        limit = int((settings.upload_max_mb if uploading else settings.body_max_mb) * 1_000_000)
        try:
            _check_announced(scope, limit)
            replayed = receive if uploading else await _read(scope, receive, limit)
        except StudyError as exc:
            told = {"error": exc.message, "remedy": exc.remedy}
            if exc.status == TooLarge.status:
                await _turn_away(JSONResponse(told, exc.status), scope, receive, send)
            else:
                await JSONResponse(told, exc.status)(scope, receive, send)
            return
        await self.app(scope, replayed, send)


async def _turn_away(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer at once and end the connection, but not in the middle of the sender's sentence.

    Many clients read an answer only once they have sent everything; on a line that is cut before, it is lost.
    """
    answer.headers["connection"] = "close"

    async def lingering(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
            return
        await send({**message, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                while (await receive()).get("more_body"):  # noqa: ASYNC110 - nobody could set an event
                    await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})

    await answer(scope, receive, lingering)


def _check_announced(scope: Scope, limit: int) -> None:
    announced = Headers(scope=scope).get("content-length", "0")
    if announced.isdecimal() and int(announced) > limit:
        raise too_large(limit)


def too_large(limit: int) -> TooLarge:
    return TooLarge(
        f"The request is larger than {limit / 1_000_000:g} MB.",
        remedy="Send less at once; STUDY_BODY_MAX_MB and STUDY_UPLOAD_MAX_MB hold the limits.",
    )


async def _read(scope: Scope, receive: Receive, limit: int) -> Receive:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return _again(bytes(body), message, receive)
        body += message.get("body", b"")
        if len(body) > limit:
            raise too_large(limit)
        if not message.get("more_body"):
            break
    return _again(await _checked(bytes(body), owner_of(scope)), None, receive)


def _again(body: bytes, ending: Message | None, receive: Receive) -> Receive:
    """A `receive` that tells the body once more, then goes on listening."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    if ending is not None:
        waiting = [ending]

    async def replay() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return replay


async def _checked(body: bytes, owner: str) -> bytes:
    """What a graph would read as JSON is walked for paths and secrets; the rest, routes refuse."""
    if body.lstrip()[:1] not in (b"{", b"["):
        return body
    try:
        sent: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body
    # Looking at the disk blocks; one hop to a thread, since every request pays for it.
    clean = await asyncio.to_thread(_clean, sent, owner)
    return body if clean is sent else orjson.dumps(clean)


def _clean(sent: Any, owner: str) -> Any:
    check_paths(sent, owner)
    return masked(sent)
