"""What nobody caught, told as every other error is; the log has all of it.

Some of the platform's routes take a request apart before they have looked at it: a missing or misshapen field
ends them in a bare 500.
"""

from fastapi.routing import APIRoute
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from common.logs import get_logger

# What Python raises where a value is not there, of another type, or out of bounds.
_MISSHAPEN = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError)

log = get_logger(__name__)


class Stumbles:
    """Answers in place of a route that failed before it answered."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as exc:
            if begun or scope["type"] != "http":
                raise
            log.exception("stumbled", path=scope["path"])
            await _told(exc, scope)(scope, receive, send)


def _told(exc: Exception, scope: Scope) -> JSONResponse:
    """Our own routes check what is sent: whatever they stumble over is our fault."""
    ours = isinstance(scope.get("route"), APIRoute)
    if ours or scope["method"] in ("GET", "HEAD") or not isinstance(exc, _MISSHAPEN):
        told = {"error": "Something unforeseen happened.", "remedy": "The server's log says what."}
        return JSONResponse(told, status_code=500)
    error = f"The request cannot be used as it is ({type(exc).__name__}: {str(exc)[:200]})."
    return JSONResponse({"error": error, "remedy": "The fields are described at /docs."}, status_code=422)
