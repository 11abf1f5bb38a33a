"""Swagger at /docs and ReDoc at /redoc that need no internet.

The platform serves a /docs of its own that loads from a CDN and cannot be replaced by a route; a
middleware comes first. Both pages show the platform's /openapi.json, which holds our routes, too.
"""

from pathlib import Path

import fastapi_offline
from fastapi.openapi.docs import get_redoc_html, get_swagger_ui_html
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

ASSETS = "/docs-assets"
ASSETS_FOLDER = Path(fastapi_offline.__file__).parent / "static"
TITLE = "Study Graphs"

# The pages may load from this server only: ReDoc would fetch a logo from its maker.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; worker-src 'self' blob:; font-src 'self' data:"
)


class OfflineDocs:
    """Answers GET /docs and /redoc; everything else goes on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = None
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            page = _page(scope["path"].rstrip("/"), scope.get("root_path", ""))
        await (page or self.app)(scope, receive, send)


def _page(path: str, root: str) -> HTMLResponse | None:
    path = path.removeprefix(root)
    assets, openapi = f"{root}{ASSETS}", f"{root}/openapi.json"
    if path == "/docs":
        page = get_swagger_ui_html(
            openapi_url=openapi,
            title=f"{TITLE} – Swagger UI",
            swagger_js_url=f"{assets}/swagger-ui-bundle.js",
            swagger_css_url=f"{assets}/swagger-ui.css",
            swagger_favicon_url=f"{assets}/favicon.png",
        )
    elif path == "/redoc":
        page = get_redoc_html(
            openapi_url=openapi,
            title=f"{TITLE} – ReDoc",
            redoc_js_url=f"{assets}/redoc.standalone.js",
            redoc_favicon_url=f"{assets}/favicon.png",
            with_google_fonts=False,
        )
    else:
        return None
    page.headers["content-security-policy"] = _POLICY
    return page
