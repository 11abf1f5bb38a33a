"""Lines of Hebrew, Arabic and their like as they were typed, from where each character stands.

A PDF holds what the eye sees from left to right, and numbers, foreign words and full stops of a line that
runs the other way end up in wrong places. It runs in the child process that touches PDFs, so it imports
nothing of ours.
"""

import re
from itertools import pairwise
from typing import NamedTuple
from unicodedata import bidirectional

RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
# An empty stretch as wide as this share of the type size divides two words.
LEAST_GAP = 0.18
# Wider ones divide columns and the cells of a table.
LEAST_APART = 0.8
_MARK = re.compile("[\u0591-\u05c7\u064b-\u065f]")
# The text is still backwards where these look for what runs forwards: Latin words with the numbers among
# them, and numbers with the separators inside. As Unicode orders it, signs of percent and money and hyphens
# belong to a number's stretch, but not in Arabic.
_LETTER, _DIGIT = r"A-Za-z\u00c0-\u024f\u0370-\u04ff", r"\d\u066b\u066c"
_AMONG = r"\d .,:;/&@+_<>=\-"
_WORDS = rf"(?:\d[\d.,:/+-]*[{_AMONG}]{{0,3}})?[{_LETTER}](?:[{_LETTER}{_AMONG}'’]*[{_LETTER}\d])?"
_ARABIC = re.compile(rf"({_WORDS}|\d(?:[.,:/]?[{_DIGIT}])*)")
_OTHER = re.compile(rf"({_WORDS}|[%°$€£₪]?\d(?:[.,:/+-]?\d)*[%°$€£₪]?)")
_OPENING, _CLOSING = "([{«", ")]}»"
_BRACKET = re.compile(r"[(){}«»\[\]]")


class Char(NamedTuple):
    """A character and the stretch of the line it fills."""

    text: str
    left: float
    right: float


class Piece(NamedTuple):
    """A line, or a part of one, as a PDF reader finds it; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float
    size: float
    text: str
    chars: list[Char]


def rows(pieces: list[Piece]) -> list[Piece]:
    """The same lines, with parts of one that only the change of direction divides put together."""
    groups: list[list[Piece]] = []
    for piece in pieces:
        if groups and _adjoin(groups[-1], piece):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [row for group in groups for row in _whole(group)]


def _adjoin(row: list[Piece], piece: Piece) -> bool:
    level = row[0].top < (piece.top + piece.bottom) / 2 < row[0].bottom
    left, right = min(part.left for part in row), max(part.right for part in row)
    return level and max(left, piece.left) - min(right, piece.right) < LEAST_APART * piece.size


def _whole(row: list[Piece]) -> list[Piece]:
    text = "".join(part.text for part in row)
    if len(row) == 1 or not runs_left(text):
        return row
    lefts, tops, rights, bottoms, *_ = zip(*row, strict=True)
    chars = [char for part in row for char in part.chars]
    return [Piece(min(lefts), min(tops), max(rights), max(bottoms), row[0].size, text, chars)]


def runs_left(text: str) -> bool:
    """Whether most letters of a line belong to scripts that run from right to left."""
    kinds = [bidirectional(letter) for letter in text]
    return kinds.count("R") + kinds.count("AL") > kinds.count("L")


def as_typed(line: Piece) -> str:
    """A line from its right edge on, but numbers and foreign words from their left."""
    if not line.chars or not runs_left(line.text):
        return line.text
    order = sorted(_clusters(line.chars), key=lambda char: -char.left)
    text = _spaced(order, LEAST_GAP * line.size)
    forwards = _ARABIC if any(bidirectional(letter) == "AL" for letter in text) else _OTHER
    # Every second part is a stretch that runs from left to right.
    parts = [part[::-1] if at % 2 else part for at, part in enumerate(forwards.split(text))]
    return _BRACKET.sub(_turned, "".join(parts)).strip()


def _clusters(chars: list[Char]) -> list[Char]:
    """Every letter with its vowel signs behind it, on whichever side of it the file draws them."""
    found: list[Char] = []
    early = ""
    for char in chars:
        if not _MARK.fullmatch(char.text):
            found.append(char._replace(text=char.text + early))
            early = ""
        elif not early and found and abs(found[-1].left - char.left) < 0.5 and _is_wide(found[-1]):
            found[-1] = found[-1]._replace(text=found[-1].text + char.text)
        else:
            early = char.text + early
    return found


def _is_wide(char: Char) -> bool:
    return char.right - char.left > 0.01


def _spaced(order: list[Char], least: float) -> str:
    """The characters from the right, with a space wherever the line shows one."""
    text = order[0].text if order else ""
    for before, after in pairwise(order):
        shown = before.left - after.right > least and _is_wide(before) and _is_wide(after)
        text += f" {after.text}" if shown and " " not in (before.text, after.text) else after.text
    return text


def _turned(found: "re.Match[str]") -> str:
    """A bracket the right way round: some files keep the sign that was typed, some the one that is seen."""
    kind = _OPENING.find(found.group()) + _CLOSING.find(found.group()) + 1
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    opens = (not before or before in " \u00a0" + _OPENING + _CLOSING) and after.strip() != ""
    return _OPENING[kind] if opens and not (after in ".,;:" and before) else _CLOSING[kind]
