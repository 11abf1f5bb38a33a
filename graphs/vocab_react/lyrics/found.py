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
    bare = re.sub(r"^[ \t]*(?:\[[\d:.]+\][ \t]*)+|<\d+:[\d:.]+>", "", text, flags=re.MULTILINE)
    return re.sub(
        r"^[ \t]*\[(?:ar|ti|al|by|offset|length|re|ve):.*\][ \t]*$", "", bare, flags=re.MULTILINE
    ).strip()


_PART = (
    r"(?:(?:pre-?|post-?|last |final )?chorus|verse|bridge|intro|outro|hook|refrain|interlude|instrumental"
    r"|ending|[A-Da-dＡ-Ｄ]メロ|(?:大|ラス)?サビ|間奏|前奏|後奏|イントロ|アウトロ|※?繰り返し|repeat)"
)
# A label stands in brackets, or alone on its line: `Bridge over troubled water` is a line of a song.
_LABEL = re.compile(
    rf"[\[(（【〈<＜]\s*{_PART}(?:\s*(?:\d{{1,2}}|x\d|[:：,\-–].{{0,60}}))?\s*[\])）】〉>＞]\W*"
    rf"|[※*#\s]*{_PART}\s*\d{{0,2}}\s*[:：]?",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"(?:作詞|作曲|編曲)[^\s:：/／]{0,12}[\s:：/／].{1,60}|(?:歌|唄|歌手|アーティスト|曲名)\s*[:：].{1,60}"
    r"|(?:lyrics?|music|words|written|composed|arranged|produced|performed)\b.{0,20}\bby\b.{0,60}"
    r"|(?:lyrics?|lyricist|music|composer|arranger|artist|singer|title)\s*[:：].{1,60}"
    r"|.{0,40}(?:©|\(c\)\s*\d{4}|JASRAC|all rights reserved).{0,80}",
    re.IGNORECASE,
)


def words_only(text: str) -> str:
    """Lyrics without what is not sung: time stamps, names of parts (`[Chorus]`), credits."""
    lines = without_times(text).splitlines()
    kept = [line for line in lines if not (_LABEL.fullmatch(line.strip()) or _CREDIT.fullmatch(line.strip()))]
    return "\n".join(kept).strip() or text.strip()
