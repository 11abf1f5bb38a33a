"""Serves the pages with their style and scripts: only files that were there at the start."""

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, RedirectResponse

from common.errors import NotFound

FOLDER = Path(__file__).parent / "static"
PAGES = ("review", "tutor", "vocab", "questions")
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

router = APIRouter(include_in_schema=False)


# Every file by the name it is asked for, looked up at the start: no name reaches the disk.
SERVED = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.suffix in _TYPES}


def _answer(name: str) -> FileResponse:
    path = SERVED.get(name)
    if path is None:
        raise NotFound("There is no such page.", remedy="The pages begin at /app/.")
    # Pages and scripts of different versions must never meet: ask each time, and get 304 mostly.
    return FileResponse(path, media_type=_TYPES[path.suffix], headers={"cache-control": "no-cache"})


@router.get("/app")
async def to_home() -> RedirectResponse:
    return RedirectResponse("/app/")


@router.get("/app/login")
async def logged_in() -> RedirectResponse:
    """Whoever comes here is in already, or the server is open."""
    return RedirectResponse("/app/")


@router.get("/app/static/{name:path}")
async def static(name: str) -> FileResponse:
    return _answer(name)


@router.get("/app/")
async def home() -> FileResponse:
    return _answer("home.html")


@router.get("/app/{name}")
async def page(name: str) -> FileResponse:
    return _answer(f"{name}.html" if name in PAGES else name)
