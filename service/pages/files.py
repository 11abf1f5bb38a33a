"""Serves the pages with their style and scripts: only what was there at the start."""

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse

from common.errors import NotFound
from service.pages.frame import MISSING, TITLES, framed

FOLDER = Path(__file__).parent / "static"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Pages and scripts of different versions must never meet: ask each time, and get 304 mostly.
_FRESH = {"cache-control": "no-cache"}

router = APIRouter(include_in_schema=False)


# Everything by the name it is asked for, looked up at the start: no name reaches the disk.
SERVED = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.suffix in _TYPES}
PAGES = {name: framed(name) for name in TITLES}
_NO_PAGE = framed(MISSING)


@router.get("/app")
async def to_home() -> RedirectResponse:
    return RedirectResponse("/app/")


@router.get("/app/login")
async def logged_in() -> RedirectResponse:
    """Whoever comes here is in already, or the server is open."""
    return RedirectResponse("/app/")


@router.get("/app/static/{name:path}")
async def static(name: str) -> FileResponse:
    path = SERVED.get(name)
    if path is None:
        raise _no_such_page()
    return FileResponse(path, media_type=_TYPES[path.suffix], headers=_FRESH)


@router.get("/app/")
async def home() -> HTMLResponse:
    return HTMLResponse(PAGES["home"], headers=_FRESH)


@router.get("/app/{name:path}")
async def page(request: Request, name: str) -> HTMLResponse:
    if name in PAGES:
        return HTMLResponse(PAGES[name], headers=_FRESH)
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_NO_PAGE, status_code=404, headers=_FRESH)
    raise _no_such_page()


def _no_such_page() -> NotFound:
    return NotFound("There is no such page.", remedy="The pages begin at /app/.")
