"""The page that asks a person for the token, and the cookie that stands for it afterwards."""

import base64
import hashlib
from datetime import UTC, datetime, timedelta
from html import escape
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope

from common.settings import get_settings
from common.tokens import Tokens
from service.security.sites import place_of

LOGIN, LOGOUT = "/app/login", "/app/logout"
PATHS = (LOGIN, LOGOUT)
COOKIE = "study_session"
_LONGEST_FORM = 4_096

# All of it is in the page, because nothing else is served to a stranger.
_STYLE = """
:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:Canvas;color:CanvasText}
main{width:min(22rem,calc(100vw - 2rem))}
h1{font-size:1.4rem}label{display:block;font-weight:600;margin-bottom:.3rem}
input,button{box-sizing:border-box;width:100%;font:inherit;padding:.6rem .7rem;border-radius:.4rem}
input{border:1px solid GrayText;background:Field;color:FieldText}
button{margin-top:.8rem;border:0;background:#1d4f91;color:#fff;font-weight:600;cursor:pointer}
input:focus-visible,button:focus-visible{outline:3px solid #d97706;outline-offset:2px}
.hint{font-size:.9rem;opacity:.8}
.fault{border-left:4px solid #b42318;padding-left:.7rem}
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Log in – Study Graphs</title><style>{style}</style></head>
<body><main><h1>Study Graphs</h1>{fault}
<form method="post" action="/app/login">
<input type="hidden" name="next" value="{next}">
<label for="token">Your token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Log in</button></form>
<p class="hint">Whoever runs this server gave you one, and can give you another.</p>
</main></body></html>
"""


def wants_page(scope: Scope, headers: Headers) -> bool:
    """Whether a person's browser asks for a page, rather than a program for data."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and "text/html" in headers.get("accept", "")
        and "authorization" not in headers
    )


def page(next_path: str = "/app/", fault: str = "", status: int = 401) -> Response:
    told = f'<p class="fault" role="alert">{escape(fault)}</p>' if fault else ""
    text = _PAGE.format(style=_STYLE, fault=told, next=escape(_inside(next_path), quote=True))
    return HTMLResponse(
        text,
        status_code=status,
        headers={"content-security-policy": _POLICY, "cache-control": "no-store"},
    )


def _inside(path: str) -> str:
    """Only to our own pages: an address elsewhere would lend our name to a stranger's page."""
    plain = path.startswith("/app") and "\\" not in path and not path.startswith("//")
    return path if plain and path not in PATHS else "/app/"


def same_origin(headers: Headers) -> bool:
    """A cookie counts only for our own pages: other sites can make a browser send requests, too."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or place_of(origin) == headers.get("host", "").lower()


async def answer(scope: Scope, receive: Receive, tokens: Tokens) -> Response:
    """What a sent form leads to: a session, or the page again."""
    request = Request(scope, receive)
    if not same_origin(request.headers):
        return page(fault="The form came from another site. Please log in here.", status=403)
    if scope["path"] == LOGOUT:
        response: Response = RedirectResponse("/app/", status_code=303)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response
    form = await _form(request)
    return _begin(form.get("token", ""), form.get("next", ""), tokens, secure=request.url.scheme == "https")


def _begin(secret: str, next_path: str, tokens: Tokens, *, secure: bool) -> Response:
    now, lasting = datetime.now(UTC), timedelta(hours=get_settings().session_hours)
    session = tokens.begin_session(secret.strip(), now, lasting)
    if session is None:
        ended = tokens.has_ended(secret.strip(), now)
        fault = "This token has ended. Ask for a new one." if ended else "This token is not known."
        return page(next_path, fault=fault)
    response = RedirectResponse(_inside(next_path), status_code=303)
    response.set_cookie(
        COOKIE,
        session,
        max_age=int(lasting.total_seconds()),
        path="/",
        httponly=True,
        secure=secure,
        samesite="strict",
    )
    return response


async def _form(request: Request) -> dict[str, str]:
    """The form's fields; what is too long for one is no form."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LONGEST_FORM:
                return {}
    except ClientDisconnect:
        return {}
    fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
    return {name: values[0] for name, values in fields.items()}
