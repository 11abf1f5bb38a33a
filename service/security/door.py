"""The middleware that asks everyone for a token: API, pages, MCP, A2A and docs alike, all but `/ok`."""

from datetime import UTC, datetime
from http.cookies import CookieError, SimpleCookie
from urllib.parse import unquote_plus

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from common.folders import LOCAL, asking
from common.logs import get_logger
from common.tokens import Tokens, get_tokens
from service.security import login, sites

OPEN_PATH = "/ok"
OWNER = "study.owner"
# The platform's in-process client marks its own requests so; no request from outside can.
_LOOPBACK = "/noauth"
# How often an address is decoded in search of a token.
_DECODED = 4
_CHALLENGE = {"www-authenticate": 'Bearer realm="study-graphs"'}

log = get_logger(__name__)


def owner_of(scope: Scope) -> str:
    """Who sent this request; `local` where the server is open."""
    return str(scope.get(OWNER) or LOCAL)


class Door:
    """Lets a request in under its owner's name, or answers it at once."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        tokens = get_tokens()
        if tokens is None:
            await self._open(scope, receive, send)
        elif _is_loopback(scope):
            await self.app(_for_whoever_asked(scope), receive, send)
        elif _token_in_address(scope, tokens):
            await _refuse(scope, receive, send, _leaked())
        elif scope["path"] == OPEN_PATH:
            await self.app({**scope, OWNER: LOCAL}, receive, send)
        elif scope["path"] in login.PATHS and scope["type"] == "http" and scope["method"] == "POST":
            await (await login.answer(scope, receive, tokens))(scope, receive, send)
        else:
            await self._check(scope, receive, send, tokens)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """No token is asked for, and so other sites' pages must be kept out."""
        refusal = None if scope["path"] == OPEN_PATH or _is_loopback(scope) else sites.stranger(scope)
        if refusal is None:
            await self.app({**scope, OWNER: LOCAL}, receive, send)
        else:
            log.info("refused", path=scope["path"])
            await _refuse(scope, receive, send, refusal)

    async def _check(self, scope: Scope, receive: Receive, send: Send, tokens: Tokens) -> None:
        owner = _owner(scope, tokens)
        if owner is None:
            log.info("refused", path=scope["path"])
            await _refuse(scope, receive, send, _unknown(scope, tokens))
            return
        # MCP and A2A call the platform again, in process, for whoever asked: the name must go along.
        mark = asking.set(owner)
        try:
            await self.app({**scope, OWNER: owner}, receive, send)
        finally:
            asking.reset(mark)


def _is_loopback(scope: Scope) -> bool:
    root = str(scope.get("root_path") or "")
    return root == _LOOPBACK or root.startswith(f"{_LOOPBACK}/")


def _for_whoever_asked(scope: Scope) -> Scope:
    """The same request under the name of the one outside, so that ownership is checked again.

    A call that no request stands behind (a node, a schedule) is the server's own.
    """
    owner = asking.get()
    return scope if owner is None else {**scope, "root_path": "", OWNER: owner}


def _owner(scope: Scope, tokens: Tokens) -> str | None:
    headers, now = Headers(scope=scope), datetime.now(UTC)
    authorizations = headers.getlist("authorization")
    if authorizations:
        # A proxy in front may have looked at another one than we would.
        return tokens.owner(_bearer(authorizations[0]), now) if len(authorizations) == 1 else None
    session = _cookie(headers)
    return tokens.session_owner(session, now) if session and login.same_origin(headers) else None


def _bearer(authorization: str) -> str:
    scheme, _, secret = authorization.partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(login.COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _token_in_address(scope: Scope, tokens: Tokens) -> bool:
    """Addresses end up in histories and logs: a token there is given away already, however it is encoded."""
    address = f"{scope['path']}?{scope.get('query_string', b'').decode('latin-1')}"
    for _ in range(_DECODED):
        if tokens.shown_in(address):
            return True
        address = unquote_plus(address)
    return False


def _leaked() -> Response:
    told = {
        "error": "A token was sent in the address, where histories and logs keep it.",
        "remedy": "Replace that token, and send the new one in the header Authorization: Bearer.",
    }
    return JSONResponse(told, status_code=400)


def _unknown(scope: Scope, tokens: Tokens) -> Response:
    headers = Headers(scope=scope)
    if login.wants_page(scope, headers):
        query = scope.get("query_string", b"").decode("latin-1")
        return login.page(next_path=f"{scope['path']}?{query}" if query else scope["path"])
    secret = _bearer(headers.get("authorization", ""))
    ended = bool(secret) and tokens.has_ended(secret, datetime.now(UTC))
    told = {
        "error": "The token has ended." if ended else "This server asks for a token.",
        "remedy": "Send a valid one in the header Authorization: Bearer.",
    }
    return JSONResponse(told, status_code=401, headers=_CHALLENGE)


async def _refuse(scope: Scope, receive: Receive, send: Send, response: Response) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await response(scope, receive, send)
