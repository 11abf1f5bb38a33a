"""What the graphs answer as MCP tools, in words that a model can act on.

The platform answers a failed call with the name of an error class, a refused request with no result at all,
and a good one in Python's notation. Here the reason, a tool's result, and JSON take their places.
"""

import ast
from contextvars import ContextVar
from typing import Any

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import graphs
from common import errors
from common.errors import BadInput, StudyError
from common.inputs import checked_input

PATH = "/mcp"
# Where the platform calls itself to run a tool. What that says of an error is more than what becomes of it.
RUN_PATH = "/runs/wait"
# What is said at the door (a token wanted, shown in the address, too much sent) stays as it is said there.
THE_DOORS = (400, 401, 403, 413)


# What was said of the error that ended the run of the call at hand.
_overheard: ContextVar[list[str] | None] = ContextVar("overheard", default=None)


class ToolCalls:
    """Stands around everything that may refuse a call."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self.app(scope, receive, send)
        elif scope["path"].rstrip("/") == PATH:
            mark = _overheard.set([])
            try:
                await self._answer(scope, receive, send)
            finally:
                _overheard.reset(mark)
        elif scope["path"].endswith(RUN_PATH) and _overheard.get() is not None:
            await self.app(scope, receive, _listening(send))
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked, answer = bytearray(), bytearray()
        start: Message = {}

        async def overheard() -> Message:
            message = await receive()
            # What is still read once the answer stands is a refused body, and may be endless.
            if not start:
                asked.extend(message.get("body", b""))
            return message

        async def kept(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            answer.extend(message.get("body", b""))
            if not message.get("more_body"):
                await _send(start, mended(bytes(asked), start["status"], bytes(answer)), bytes(answer), send)

        await self.app(scope, overheard, kept)


def _listening(send: Send) -> Send:
    """Passes everything on, and remembers what is said of an error."""
    answer = bytearray()

    async def passing(message: Message) -> None:
        answer.extend(message.get("body", b""))
        if message["type"] == "http.response.body" and not message.get("more_body"):
            heard = _overheard.get()
            if heard is not None and (said := _words(bytes(answer))):
                heard.append(said)
        await send(message)

    return passing


def _words(answer: bytes) -> str:
    if b'"__error__"' not in answer:
        return ""
    try:
        return str(orjson.loads(answer)["__error__"]["message"])
    except (ValueError, TypeError, KeyError):
        return ""


async def _send(start: Message, better: bytes | None, answer: bytes, send: Send) -> None:
    if better is not None:
        headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
        headers.append((b"content-length", str(len(better)).encode()))
        start = {**start, "status": 200, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": answer if better is None else better})


def mended(asked: bytes, status: int, answer: bytes) -> bytes | None:
    """A better answer to this request; None where the platform's own is good, or it was no tool call."""
    if status in THE_DOORS:
        return None
    try:
        request, told = orjson.loads(asked), orjson.loads(answer)
        call = request["params"] if request["method"] == "tools/call" else None
        result = told.get("result") if status < 400 else refusal(told["error"], told.get("remedy", ""))
        if call is None or not result:
            return None
        (content,) = result["content"]
        content["text"] = reason(call, content["text"]) if result.get("isError") else as_json(content["text"])
        return orjson.dumps({"jsonrpc": "2.0", "id": request.get("id"), "result": result})
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def refusal(error: str, remedy: str) -> dict[str, Any]:
    """A request that was refused before any graph ran, as a tool's result."""
    return {"isError": True, "content": [{"type": "text", "text": f"{error} {remedy}".strip()}]}


def reason(call: dict[str, Any], said: str) -> str:
    """Why the call failed: in the words it ended with, its first wrong argument, or what its name means."""
    kind = getattr(errors, said, None)
    ours = isinstance(kind, type) and issubclass(kind, StudyError)
    if ours and (heard := _overheard.get()):
        return heard[-1]
    if kind is BadInput or said == "ValidationError":
        try:
            checked_input(graphs.part(call["name"], "state", "Input"), call.get("arguments") or {})
        except BadInput as exc:
            return str(exc)
    if ours:
        return f"{said}: {' '.join((kind.__doc__ or '').split())}"
    return said


def as_json(text: str) -> str:
    """A result that the platform wrote in Python's notation; as it is where that cannot be read."""
    try:
        return orjson.dumps(ast.literal_eval(text)).decode()
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text
