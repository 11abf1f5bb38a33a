"""Which web pages may use a server that asks for no token.

A browser sends requests for whatever page is open in it. Where no token keeps other sites out, these do: a
request must come from a page of ours, of Studio, of this machine or of STUDY_CORS_ORIGINS; and it must be
sent to a name that only this network gives out, since a stranger can point a name of theirs at this machine.
"""

import re
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from common.settings import get_settings

# LangGraph Studio in any region, and pages on this machine.
TRUSTED_ORIGINS = (
    r"https://([a-z0-9-]+\.)*smith\.langchain\.com|https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"
)
# Nobody can register a name that ends so.
_PRIVATE_NAMES = (".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test")
_REMEDY = "If you trust it, add it to STUDY_CORS_ORIGINS; or set STUDY_API_TOKENS."


def stranger(scope: Scope) -> Response | None:
    """The refusal of a request that another site's page sent, or may have sent; None for all others."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    if not _is_ours(host):
        return _refusal(f"This server does not go by the name {_name(host)[:100]!r}.")
    origin = headers.get("origin")
    if origin is not None and not _may_call(origin, host):
        return _refusal(f"A page of {origin[:100]!r} may not call this server.")
    if origin is None and headers.get("sec-fetch-site") == "cross-site" and not _is_visit(scope, headers):
        return _refusal("A page of another site may not call this server.")
    return None


def _refusal(error: str) -> Response:
    return JSONResponse({"error": error, "remedy": _REMEDY}, status_code=403)


def _is_ours(host: str) -> bool:
    """Addresses, names without a period and private ones; whoever gives these out is on this network."""
    name = _name(host)
    if "." not in name or name.endswith(_PRIVATE_NAMES) or name == socket.gethostname().lower():
        return True
    try:
        return bool(ip_address(name))
    except ValueError:
        return any(origin == "*" or _name(place_of(origin)) == name for origin in _configured())


def _name(host: str) -> str:
    """`Study.example.:2024` → `study.example`; `[::1]:2024` → `::1`."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0].removesuffix(".")


def _may_call(origin: str, host: str) -> bool:
    if place_of(origin) == host.lower() or re.fullmatch(TRUSTED_ORIGINS, origin):
        return True
    return bool({"*", origin}.intersection(_configured()))


def place_of(origin: str) -> str:
    """`http://Study:2024` → `study:2024`; nothing for what is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Somebody followed a link to us from another site."""
    return scope.get("method") == "GET" and headers.get("sec-fetch-mode") == "navigate"


def _configured() -> list[str]:
    return get_settings().cors_origins
