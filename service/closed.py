"""Closes the platform's doors that no user of ours needs: they answer 404 to everyone."""

import re

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

# Among them is one that empties the server's memory with no token asked.
CLOSED = re.compile(r"^/+(internal|deploy)(/|$)", re.IGNORECASE)


class ClosedDoors:
    """Outermost of our middleware, so that it stands before the platform's own routes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and CLOSED.match(scope["path"]):
            await JSONResponse({"error": "Not found."}, status_code=404)(scope, receive, send)
        elif scope["type"] == "websocket" and CLOSED.match(scope["path"]):
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self.app(scope, receive, send)
