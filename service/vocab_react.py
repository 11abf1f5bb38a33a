"""Vocabulary over HTTP: a song's words, and the list of songs that were answered before."""

import asyncio
import json
from collections import OrderedDict
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from common.errors import NotFound
from common.settings import get_settings
from graphs.vocab_react.graph import graph
from graphs.vocab_react.lyrics.cache import Cached
from graphs.vocab_react.state import Input, Output
from graphs.vocab_react.tools import cache_file

router = APIRouter(prefix="/api/v1", tags=["vocabulary"])
_MEMORY = 512
_ready: OrderedDict[tuple[Path, str, str, int, str | None], tuple[Any, bytes]] = OrderedDict()


class Fault(BaseModel):
    """What went wrong."""

    error: str = Field(description="What happened, to which song.")
    remedy: str = Field("", description="What to do about it.")


class CachedSong(BaseModel):
    """A song that was answered before."""

    song: str = Field(description="Title.")
    artist: str = Field(description="Artist.")
    source: str = Field(description="Where its lyrics came from.")
    words: int = Field(description="How many verified words are kept.")
    model: str = Field(description="Who proposed them.")
    created: str = Field(description="When, in UTC.")
    versions: dict[str, str] = Field(description="Of the rules and dictionaries that checked them.")


class CachePage(BaseModel):
    """One page of the cache."""

    total: int = Field(description="How many entries there are.")
    limit: int = Field(description="Entries on a page.")
    offset: int = Field(description="Entries before this page.")
    songs: list[CachedSong] = Field(description="The entries, newest first.")


class Deleted(BaseModel):
    """How many entries are gone."""

    deleted: int = Field(description="Entries removed.")


_FAULTS: dict[int | str, dict[str, Any]] = {
    404: {"model": Fault, "description": "No lyrics were found."},
    422: {"model": Fault, "description": "The request cannot be used as it is."},
    503: {"model": Fault, "description": "Something needed is out of reach; the remedy says what."},
}


@router.post("/vocab-generator", response_model=Output, responses=_FAULTS)
async def generate(song: Input) -> Response:
    """The words of a song, each checked against song and dictionary."""
    return await _answer(song)


@router.get("/vocab-generator", response_model=Output, responses=_FAULTS)
async def generate_by_name(song: Annotated[Input, Query()]) -> Response:
    """The same by query parameters, for a browser."""
    return await _answer(song)


async def _answer(song: Input) -> Response:
    """From memory while the cache file is as it was; else by the graph, directly."""
    key = (cache_file().path, song.song, song.artist, song.count, song.lyrics)
    kept = _ready.get(key) if song.lyrics is None else None
    if kept and kept[0] == _stamp():
        return Response(kept[1], media_type="application/json")
    result = await graph.ainvoke(song)
    body = json.dumps(result, ensure_ascii=False).encode()
    if song.lyrics is None and not result.get("warnings"):
        _ready[key] = (_stamp(), body)
        while len(_ready) > _MEMORY:
            _ready.popitem(last=False)
    return Response(body, media_type="application/json")


def _stamp() -> tuple[tuple[int, int], ...] | None:
    """What the answer depends on besides the request: the cache file and the list of known words."""
    path = cache_file().path
    files = [path, path.with_name(path.name + "-wal"), get_settings().known_words]
    stats = [file.stat() for file in files if file is not None and file.exists()]
    return tuple((stat.st_mtime_ns, stat.st_size) for stat in stats) or None


@router.get("/cache", response_model=CachePage, responses={503: _FAULTS[503]})
async def list_cache(
    limit: Annotated[int, Query(ge=1, le=500, description="Entries on a page.")] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000_000, description="Entries to pass over.")] = 0,
) -> CachePage:
    """Songs and artists in the cache."""
    total, entries = await asyncio.to_thread(cache_file().page, limit, offset)
    return CachePage(total=total, limit=limit, offset=offset, songs=[_shown(entry) for entry in entries])


def _shown(entry: Cached) -> CachedSong:
    return CachedSong(
        song=entry.song,
        artist=entry.artist,
        source=entry.source,
        words=len(entry.vocabulary),
        model=entry.variant.split("|")[0],
        created=entry.created,
        versions=entry.versions,
    )


@router.delete("/cache", response_model=Deleted, responses={404: _FAULTS[404], 503: _FAULTS[503]})
async def forget(
    song: Annotated[str, Query(min_length=1, max_length=200, description="Title.")],
    artist: Annotated[str, Query(max_length=200, description="Artist.")] = "",
) -> Deleted:
    """Forget one song."""
    gone = await asyncio.to_thread(cache_file().delete, song, artist)
    if not gone:
        raise NotFound(
            f"The cache has no {song!r} by {artist or 'anyone'}.", remedy="List it: GET /api/v1/cache."
        )
    return Deleted(deleted=gone)
