"""Who an author is, by a web search; never required, and off unless it is switched on."""

from ddgs import DDGS
from ddgs.exceptions import DDGSException

RESULTS = 5


def look_up(name: str, title: str) -> tuple[list[str], list[str]]:
    """A few lines about the author, and a warning where the search failed. This blocks."""
    try:
        found = DDGS(timeout=10).text(f"{name} author of {title}", max_results=RESULTS)
    except (DDGSException, OSError, ValueError) as exc:
        return [], [f"The web search for {name} failed ({type(exc).__name__}); the author stays as given."]
    return [f"{hit.get('title', '')}: {hit.get('body', '')}"[:600] for hit in found], []
