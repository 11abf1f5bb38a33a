"""File names that every file system and Obsidian's links take."""

import re
import unicodedata

# Windows' and Obsidian's forbidden signs: a link cannot hold # ^ | [ ] either.
_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]+')
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{device}{n}" for device in ("com", "lpt") for n in range(10)]
)
# Bytes, with room for ".md", a number and a temporary file's suffix in 255.
LONGEST_NAME = 180
EMPTY = "concept"


def file_stem(title: str) -> str:
    """A title as a file name without its ending; never empty, reserved, hidden or too long."""
    name = unicodedata.normalize("NFC", title)
    name = "".join(char for char in name if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    name = " ".join(_FORBIDDEN.sub(" ", name).split())
    name = _shortened(name).strip(" .")
    if not name or not any(char.isalnum() or ord(char) > 0x2000 for char in name):
        return EMPTY
    if name.split(".")[0].casefold().strip() in _RESERVED:
        return f"{name} (concept)"
    return name


def _shortened(name: str) -> str:
    if len(name.encode()) <= LONGEST_NAME:
        return name
    cut = name.encode()[:LONGEST_NAME].decode("utf-8", errors="ignore")
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[40:] else cut}…"


def name_key(stem: str) -> str:
    """Names that differ by case or composition alone are one file on many systems."""
    return unicodedata.normalize("NFC", stem).casefold()


def free_stem(title: str, taken: set[str]) -> str:
    """The title's file name, numbered where another file has it."""
    stem = file_stem(title)
    candidate, number = stem, 2
    while name_key(candidate) in taken:
        candidate, number = f"{stem} ({number})", number + 1
    return candidate
