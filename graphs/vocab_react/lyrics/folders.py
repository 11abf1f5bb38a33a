"""Lyrics files on this machine: the songs that come along, and the user's own folders."""

import re
from collections.abc import Iterable
from pathlib import Path

from common.errors import BadInput
from graphs.vocab_react.lyrics.encodings import decode
from graphs.vocab_react.lyrics.found import MAX_LYRICS, Lyrics, same_name, without_times

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "songs"
_SUFFIXES = (".txt", ".md", ".lrc")
_FIELD = re.compile(r"^(title|artist|also|origin|licence|license)\s*[:：]\s*(.+)$", re.IGNORECASE)


def read_lyrics_file(path: Path) -> str:
    """The text of a lyrics file; anything that is not text is refused with what to do."""
    try:
        data = path.read_bytes()[: MAX_LYRICS * 4]
    except OSError as exc:
        raise BadInput(
            f"The lyrics file {path.name} cannot be read: {exc.strerror}.", remedy="Check the path."
        ) from exc
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if data.startswith(b"%PDF") or (b"\x00" in data[:4096] and not is_wide):
        raise BadInput(
            f"{path.name} is not a text file.", remedy="Save the lyrics as plain text (UTF-8) and try again."
        )
    text = decode(data)
    if text is not None and "\x00" not in text:
        return text
    raise BadInput(f"The text of {path.name} is in an unknown encoding.", remedy="Save the lyrics as UTF-8.")


def parse(text: str) -> tuple[dict[str, list[str]], str]:
    """A lyrics file's heading (`title: …`, `artist: …`, `also: …`) and the lyrics below it."""
    heading: dict[str, list[str]] = {}
    lines = text.splitlines()
    for index, line in enumerate(lines):
        found = _FIELD.match(line.strip())
        if not found:
            return heading, without_times("\n".join(lines[index:]).strip("\n- "))
        heading.setdefault(found[1].lower(), []).extend(part.strip() for part in found[2].split("|"))
    return heading, ""


def _matches(path: Path, heading: dict[str, list[str]], song: str, artist: str) -> bool:
    stem_title, _, stem_artist = path.stem.partition(" - ")
    titles = [*heading.get("title", [stem_title]), *heading.get("also", [])]
    artists = heading.get("artist", [stem_artist] if stem_artist else [])
    if not any(same_name(title, song) for title in titles):
        return False
    return not artist.strip() or not artists or any(same_name(name, artist) for name in artists)


def find(song: str, artist: str, folders: Iterable[Path]) -> Lyrics | None:
    """The first file whose title and artist are asked for; unreadable files are passed over."""
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.suffix.lower() not in _SUFFIXES or path.name.upper().startswith("README"):
                continue
            try:
                heading, text = parse(read_lyrics_file(path))
            except BadInput:
                continue
            if text and _matches(path, heading, song, artist):
                title = heading.get("title", [song])[0]
                name = heading.get("artist", [artist])[0]
                return Lyrics(text, title, name, f"file:{folder.name}/{path.name}", "folder")
    return None
