"""The names of the three tools and their arguments, and how a model's spelling of them is recognised."""

import re
from typing import Final

from rapidfuzz import fuzz

GET_LYRICS: Final = "get_lyrics"
EXTRACT_VOCABULARY: Final = "extract_vocabulary"
RETURN_VOCABULARY: Final = "return_vocabulary"
TOOL_NAMES: Final = (GET_LYRICS, EXTRACT_VOCABULARY, RETURN_VOCABULARY)

_SQUASHED = {name.replace("_", ""): name for name in TOOL_NAMES}
_CLOSE = 88.0
_KEYS: dict[str, tuple[str, ...]] = {
    "song": (
        "song", "songname", "songtitle", "title", "track", "trackname", "tracktitle", "name", "nameofsong",
        "music",
        "曲", "曲名", "歌", "タイトル", "歌曲", "歌名", "canción", "cancion", "título", "titulo", "lied",
        "chanson",
        "песня", "노래", "thesong", "songquery",
    ),
    "artist": (
        "artist", "artistname", "singer", "singername", "band", "performer", "by", "author", "musician",
        "composer",
        "nameofartist", "アーティスト", "歌手", "アーティスト名", "艺术家", "artista", "cantante",
        "künstler", "artiste",
        "исполнитель", "가수", "theartist", "artists",
    ),
    "lyrics": (
        "lyrics", "lyric", "text", "lyricstext", "songlyrics", "content", "lyricscontent", "歌詞", "歌词",
        "letra",
    ),
    "lyrics_id": ("lyricsid", "id", "lyricid", "lyricsreference", "lyricsref", "ref"),
    "vocabulary": (
        "vocabulary", "vocab", "words", "items", "vocabularylist", "vocabularyitems", "wordlist",
        "語彙", "単語",
    ),
}  # fmt: skip
_ARGUMENTS = {
    GET_LYRICS: ("song", "artist"),
    EXTRACT_VOCABULARY: ("lyrics", "lyrics_id"),
    RETURN_VOCABULARY: ("vocabulary",),
}


def _squash(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def known_tool(name: str) -> str | None:
    """The tool a single name means, through case, spaces, prefixes and small slips of spelling."""
    plain = re.sub(r"^(?:functions?|tools?|default_api|api)[.:/]+", "", name.strip().lower())
    squashed = _squash(re.sub(r"(?:\s*\(\s*\)|\.py|\.call|\s+tool|\s+function|_tool|_function)+$", "", plain))
    if squashed in _SQUASHED:
        return _SQUASHED[squashed]
    for full, tool in _SQUASHED.items():
        shortened = len(squashed) >= 8 and full.startswith(squashed)
        if shortened or (abs(len(full) - len(squashed)) <= 2 and fuzz.ratio(full, squashed) >= _CLOSE):
            return tool
    return None


_MENTION = re.compile(
    r"(?<![A-Za-z])(?:get[\s_\-]*lyrics?|extract[\s_\-]*vocab(?:ulary)?|return[\s_\-]*vocab(?:ulary)?)(?![A-Za-z_])",
    re.IGNORECASE,
)


def mentions(text: str) -> list[re.Match[str]]:
    """Every place in `text` where a tool is named, however its words are joined."""
    return list(_MENTION.finditer(text))


def tool_of(mention: str) -> str:
    """The tool that a match of `mentions` names."""
    found = known_tool(mention)
    return found or next(name for name in TOOL_NAMES if name[:3] == mention[:3].lower())


def canonical_key(tool: str, key: str) -> str:
    """An argument's own name for whatever the model called it."""
    squashed = _squash(key)
    for name in (*_ARGUMENTS.get(tool, ()), *_KEYS):
        if squashed in _KEYS[name]:
            return name
    return key


def first_argument(tool: str) -> str:
    """The argument a lone value stands for."""
    return _ARGUMENTS[tool][0]
