"""Web search for lyrics pages through ddgs; the pages are read, never the snippets."""

import asyncio
import re
import time

from ddgs.engines.duckduckgo import Duckduckgo
from ddgs.exceptions import DDGSException

from common.errors import StudyError, Unavailable
from graphs.vocab_react.japanese.analysis import language
from graphs.vocab_react.lyrics.block import lyrics_block
from graphs.vocab_react.lyrics.found import MAX_LYRICS, Lyrics
from graphs.vocab_react.lyrics.pages import fetch

_PAGES = 3
_ATTEMPTS = 3
_REMEDY = "Try again later, or supply the lyrics yourself."


class _Search(Duckduckgo):
    """DuckDuckGo's HTML page, its address a setting, its refusals told apart from an empty result."""

    status = 200

    def request(self, *args: object, **kwargs: object) -> str | None:
        """The page's text; any other status is kept for the caller."""
        answer = self.http_client.request(*args, **kwargs)
        self.status = answer.status_code
        return str(answer.text) if answer.status_code == 200 else None


def _links(query: str, region: str, url: str, timeout: float) -> list[str]:
    """The addresses found, with back-off where the engine answers 202 (too many requests)."""
    engine = _Search(timeout=max(1, int(timeout)))
    engine.search_url = url
    for attempt in range(_ATTEMPTS):
        results = engine.search(query, region=region)
        if engine.status not in (202, 429) or attempt == _ATTEMPTS - 1:
            break
        time.sleep(0.5 * 2**attempt)
    if engine.status != 200:
        raise DDGSException(f"the search answered {engine.status}")
    links = [result.href for result in results or [] if re.match(r"https?://", result.href)]
    if not links:
        raise DDGSException("no result")
    return links[:_PAGES]


async def find(song: str, artist: str, search_url: str, timeout: float, trusted: list[str]) -> Lyrics | None:
    """Lyrics from the first page found that holds a block of them."""
    japanese = language(song + artist) == "ja"
    query = f"{song} {artist} {'歌詞' if japanese else 'lyrics'}"
    try:
        async with asyncio.timeout(timeout):
            links = await asyncio.to_thread(
                _links, query, "jp-jp" if japanese else "us-en", search_url, timeout
            )
    except (DDGSException, TimeoutError) as exc:
        told = str(exc).split(":")[0][:60] or "too slow"
        raise Unavailable(f"The web search brought nothing ({told}).", remedy=_REMEDY) from exc
    faults: list[StudyError] = []
    for link in links:
        try:
            text = await asyncio.to_thread(lyrics_block, await fetch(link, timeout, trusted))
        except StudyError as exc:
            faults.append(exc)
            continue
        if text:
            return Lyrics(text[:MAX_LYRICS], song, artist, link, "web")
    if faults:
        raise faults[0]
    return None
