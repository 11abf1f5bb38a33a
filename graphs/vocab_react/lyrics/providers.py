"""Where lyrics come from, in order: supplied text, cache, folders, LRCLIB, the web."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from common.errors import BadInput, NotFound, StudyError, Unavailable
from graphs.vocab_react.japanese.analysis import language
from graphs.vocab_react.lyrics import folders, lrclib, websearch
from graphs.vocab_react.lyrics.block import plain_text
from graphs.vocab_react.lyrics.cache import Cache
from graphs.vocab_react.lyrics.found import MAX_LYRICS, Lyrics, words_only


@dataclass(frozen=True)
class Sources:
    """Where to look: every address is a setting."""

    cache: Cache
    folders: list[Path]
    online: bool
    lrclib_url: str
    search_url: str
    timeout: float
    trusted_hosts: list[str] = field(default_factory=list)


def supplied(text: str, song: str, artist: str) -> Lyrics:
    """Lyrics the user gave; binary data and text with no word in it are refused."""
    if text.lstrip().startswith("%PDF") or "\x00" in text:
        raise BadInput(
            "The lyrics are not text (a PDF or other file).", remedy="Paste the words as plain text."
        )
    words = words_only(plain_text(text[:MAX_LYRICS]))
    check_language(words)
    return Lyrics(words, song, artist, "supplied", "supplied")


def check_language(text: str) -> None:
    """Japanese and English lyrics can be worked with; anything else is said clearly."""
    kind = language(text)
    if kind == "none":
        raise BadInput("The lyrics hold no word.", remedy="Supply lyrics in Japanese or English.")
    if kind not in ("ja", "en"):
        name = {"ko": "in Korean", "zh": "in Chinese"}.get(kind, "neither Japanese nor English")
        raise BadInput(
            f"The lyrics are {name}.", remedy="Supply lyrics in English, or in Japanese in its own script."
        )


async def find_lyrics(song: str, artist: str, sources: Sources) -> tuple[Lyrics, list[str]]:
    """The lyrics and what went wrong on the way; NotFound names every source that was asked."""
    warnings: list[str] = []
    for look in _looks(song, artist, sources):
        try:
            found = await look()
        except StudyError as exc:
            warnings.append(str(exc))
            continue
        words = words_only(found.text) if found else ""
        if found and language(words) in ("ja", "en"):
            return replace(found, text=words), warnings
    asked = "cache, folders" + (", LRCLIB, web search" if sources.online else "; the network is switched off")
    told = f" {' '.join(warnings)}" if warnings else ""
    raise NotFound(
        f"No lyrics were found for {song!r} by {artist or 'anyone'} ({asked}).{told}",
        remedy="Check the spelling, or supply the lyrics (field lyrics, or --lyrics-file).",
    )


def _looks(song: str, artist: str, sources: Sources) -> list[Callable[[], Awaitable[Lyrics | None]]]:
    async def in_cache() -> Lyrics | None:
        kept = await asyncio.to_thread(sources.cache.lyrics, song, artist)
        return Lyrics(kept.lyrics, kept.song, kept.artist, kept.source, kept.provider) if kept else None

    async def in_folders() -> Lyrics | None:
        return await asyncio.to_thread(folders.find, song, artist, sources.folders)

    async def on_lrclib() -> Lyrics | None:
        try:
            async with asyncio.timeout(sources.timeout):
                return await lrclib.find(song, artist, sources.lrclib_url, sources.timeout)
        except TimeoutError as exc:
            raise Unavailable("LRCLIB is too slow.", remedy="Try again later.") from exc

    async def on_the_web() -> Lyrics | None:
        return await websearch.find(song, artist, sources.search_url, sources.timeout, sources.trusted_hosts)

    return [in_cache, in_folders, *([on_lrclib, on_the_web] if sources.online else [])]
