"""Security headers on every answer, the platform's included."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Pages load what this server serves and nothing else; no script stands in a page itself.
PAGES_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
# Reports that carry their own style, and nothing else.
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
_ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not "no-referrer": with it browsers hide a form's origin from ourselves, too.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class SecurityHeaders:
    """Adds what an answer does not say itself; a policy of its own is kept, and never frameable."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                _secure(MutableHeaders(scope=message), scope)
            await send(message)

        await self.app(scope, receive, sending)


def _secure(headers: MutableHeaders, scope: Scope) -> None:
    for name, value in _ALWAYS.items():
        headers.setdefault(name, value)
    headers.setdefault("content-security-policy", _policy(headers, scope))
    if "frame-ancestors" not in headers["content-security-policy"]:
        headers["content-security-policy"] += "; frame-ancestors 'none'"
    if scope.get("scheme") == "https":
        headers.setdefault("strict-transport-security", "max-age=31536000")
    if scope["path"].startswith("/app/api/"):
        headers.setdefault("cache-control", "no-store")


def _policy(headers: MutableHeaders, scope: Scope) -> str:
    if scope["path"].startswith("/app"):
        return PAGES_POLICY
    return REPORT_POLICY if headers.get("content-type", "").startswith("text/html") else DATA_POLICY
