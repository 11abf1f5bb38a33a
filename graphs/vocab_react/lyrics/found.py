"""Lyrics as a source gives them, and the comparison of titles and artists."""

import re
import unicodedata
from dataclasses import dataclass

MAX_LYRICS = 60_000


@dataclass(frozen=True)
class Lyrics:
    """The text of a song and where it comes from."""

    text: str
    title: str
    artist: str
    source: str
    provider: str


def same_name(one: str, other: str) -> bool:
    """Whether two titles or artists are the same but for width, case, spaces and signs."""
    return plain_name(one) == plain_name(other)


def plain_name(name: str) -> str:
    """A title or artist reduced to what identifies it."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\s\W_]+", "", folded) or folded.strip()


def without_times(text: str) -> str:
    """Synchronised lyrics without their time stamps and tags."""
    bare = re.sub(r"^\s*(?:\[[\d:.]+\]\s*)+", "", text, flags=re.MULTILINE)
    return re.sub(r"^\s*\[(?:ar|ti|al|by|offset|length|re|ve):.*\]\s*$", "", bare, flags=re.MULTILINE).strip()
