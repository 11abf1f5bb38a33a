"""LRCLIB, an open lyrics database: the exact song first, then a search."""

from typing import Any

import httpx

from common.errors import Unavailable
from graphs.vocab_react.lyrics.found import MAX_LYRICS, Lyrics, same_name, without_times

USER_AGENT = "study-graphs/0.1 (Japanese vocabulary from songs)"
_LARGEST = 2_000_000


async def find(song: str, artist: str, base_url: str, timeout: float) -> Lyrics | None:
    """The song's lyrics on LRCLIB, or None; a broken answer is Unavailable."""
    async with httpx.AsyncClient(
        base_url=base_url, timeout=timeout, headers={"User-Agent": USER_AGENT}, follow_redirects=False
    ) as client:
        names = {"track_name": song, "artist_name": artist}
        exact = await _get(client, "/api/get", names) if artist.strip() else None
        if isinstance(exact, dict):
            found = _lyrics(exact, base_url)
            if found:
                return found
        rows = await _get(
            client, "/api/search", {key: value for key, value in names.items() if value.strip()}
        )
        candidates = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        fitting = (row for row in candidates if _fits(row, song, artist))
        return next((lyrics for row in fitting if (lyrics := _lyrics(row, base_url))), None)


async def _get(client: httpx.AsyncClient, path: str, params: dict[str, str]) -> Any:
    try:
        answer = await client.get(path, params=params)
    except httpx.HTTPError as exc:
        raise Unavailable(f"LRCLIB cannot be reached ({type(exc).__name__}).", remedy=_REMEDY) from exc
    if answer.status_code == 404:
        return None
    if answer.status_code != 200 or len(answer.content) > _LARGEST:
        raise Unavailable(f"LRCLIB answered {answer.status_code}.", remedy=_REMEDY)
    try:
        return answer.json()
    except ValueError as exc:
        kind = answer.headers.get("content-type", "something unknown").split(";")[0]
        raise Unavailable(f"LRCLIB answered {kind} instead of JSON.", remedy=_REMEDY) from exc


_REMEDY = "Supply the lyrics yourself, or check STUDY_LRCLIB_URL."


def _fits(row: dict[str, Any], song: str, artist: str) -> bool:
    """A search result counts only for the very song: its neighbours are other songs."""
    titles = str(row.get("trackName") or row.get("name") or "")
    return same_name(titles, song) and (
        not artist.strip() or same_name(str(row.get("artistName", "")), artist)
    )


def _lyrics(row: dict[str, Any], base_url: str) -> Lyrics | None:
    text = row.get("plainLyrics") or without_times(str(row.get("syncedLyrics") or ""))
    if row.get("instrumental") or not isinstance(text, str) or not text.strip():
        return None
    source = f"{base_url.rstrip('/')}/api/get/{row.get('id', '')}"
    title, artist = str(row.get("trackName", "")), str(row.get("artistName", ""))
    return Lyrics(text.strip()[:MAX_LYRICS], title, artist, source, "lrclib")
