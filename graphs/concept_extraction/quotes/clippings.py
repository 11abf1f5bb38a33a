"""Kindle's `My Clippings.txt`: entries between lines of equals signs, often of many books."""

import re
from dataclasses import dataclass

from graphs.concept_extraction.quotes.parsed import ParsedQuote, ParsedQuotes, left_out
from graphs.concept_extraction.titles import title_key

_SEPARATOR = re.compile(r"^={8,}\s*$")
_META = re.compile(r"^\s*[-–]\s*\S.*\|.*\S")
_BARE_META = re.compile(r"^\s*[-–]\s*\S")
# What a device calls a note, a bookmark, a page and a place, in the languages it speaks
_NOTE = re.compile(
    r"\b(?:nota|note|notiz|anotaci[oó]n|notitie|notatka|заметка)\b|メモ|笔记|筆記", re.IGNORECASE
)
_BOOKMARK = re.compile(
    r"\b(?:marcador|bookmark|lesezeichen|signet|segnalibro|bladwijzer|zakładka|закладка)\b"
    r"|ブックマーク|书签|書籤",
    re.IGNORECASE,
)
_SPAN = r"\d+(?:[-–]\d+)?"
_PAGE = re.compile(
    rf"\b(?:page|p[aá]gina|p[aá]g\.|seite|stron\w+|страниц\w+)\s+({_SPAN}|[ivxlc]+\b)"
    rf"|第\s*({_SPAN})\s*[页頁]|({_SPAN})\s*ページ",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:\b(?:location|loc\.|posici[oó]n|pos\.|position|emplacement|posizione|posi[cç][aã]o|locatie|"
    rf"lokalizacj\w+|pozycj\w+|место)|位置)\s*(?:no\.\s*|#)?({_SPAN})",
    re.IGNORECASE,
)
_LOOK_BACK = 20
# In place of a text of which too much was copied already
_LIMIT = re.compile(r"^\s*<[^<>\n]{10,120}>\s*$")
_BOOK = re.compile(r"^\s*(?P<title>.+?)\s*(?:\((?P<author>[^()]*(?:\([^()]*\))?[^()]*)\))?\s*$")


@dataclass(frozen=True)
class Clipping:
    """One entry: the book it is of, what kind of mark it is, and its text."""

    title: str
    author: str
    kind: str
    page: str | None
    text: str
    line: int
    span: tuple[int, int] | None = None


def clippings_of(text: str) -> list[Clipping]:
    """The entries of a clippings file; none where the text is no such file."""
    if "=" * 8 not in text:
        return []
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    entries: list[tuple[int, list[str]]] = []
    start = 0
    for at, line in enumerate([*lines, "=" * 10]):
        if _SEPARATOR.match(line):
            entries.append(_trimmed(start + 1, lines[start:at]))
            start = at + 1
    if not any(len(entry) > 1 and _META.match(entry[1]) for _, entry in entries):
        return []
    return [_entry(number, entry) for number, entry in entries if entry]


def _trimmed(number: int, lines: list[str]) -> tuple[int, list[str]]:
    while lines and not lines[0].strip(" \ufeff"):
        lines, number = lines[1:], number + 1
    return number, lines


def _entry(number: int, lines: list[str]) -> Clipping:
    book = _BOOK.match(lines[0].replace("\ufeff", ""))
    if len(lines) < 2 or book is None or not _BARE_META.match(lines[1]):
        return Clipping("", "", "unread", None, "\n".join(lines).strip(), number)
    text = "\n".join(line.strip() for line in lines[2:]).strip()
    at = next((at for at, line in enumerate(lines[2:], 2) if line.strip()), 0)
    author = (book["author"] or "").strip()
    kind, page = _kind(lines[1], text), _place(lines[1])
    return Clipping(book["title"], author, kind, page, text, number + at, _span(lines[1]))


def _kind(meta: str, text: str) -> str:
    """The last part of the line is the date; what the mark is may stand in any part before it."""
    about = meta.rpartition("|")[0] or meta
    if _BOOKMARK.search(about):
        return "bookmark"
    if _NOTE.search(about):
        return "note"
    return "limit" if _LIMIT.match(text) else "highlight"


def _place(meta: str) -> str | None:
    if page := _PAGE.search(meta):
        return next(group for group in page.groups() if group).replace("–", "-")
    place = _PLACE.search(meta)
    return f"pos. {place.group(1).replace('–', '-')}" if place else None


def _span(meta: str) -> tuple[int, int] | None:
    """Where it is in the book, as numbers; `1204-06` ends at 1206."""
    if (place := _PLACE.search(meta)) is None:
        return None
    first, _, last = place.group(1).replace("–", "-").partition("-")
    return int(first), int(first[: -len(last)] + last if last else first)


_WHY = {
    "note": "a note of the reader",
    "limit": "the device's limit for copies",
    "unread": "an entry that cannot be read",
}


def quotes_of(clippings: list[Clipping], title: str) -> ParsedQuotes:
    """The highlights of one book; everything else is named."""
    wanted = _wanted({clip.title for clip in clippings if clip.title}, title)
    kept: list[Clipping] = []
    warnings: list[str] = []
    for clip in clippings:
        if clip.title and clip.title not in wanted:
            warnings.append(left_out(clip.line, clip.text or clip.title, f"of another book, {clip.title}"))
        elif clip.kind != "highlight" or not clip.text:
            why = _WHY.get(clip.kind, "a bookmark")
            warnings.append(left_out(clip.line, clip.text or clip.title, why))
        else:
            _add(kept, clip, warnings)
    quotes = [ParsedQuote(clip.text, "", clip.page, clip.line) for clip in kept]
    return ParsedQuotes(quotes, [], sorted(warnings, key=lambda said: int(said[5:].split(":")[0])))


def _wanted(books: set[str], title: str) -> set[str]:
    """The books meant by a title, with or without a subtitle; the only one, whatever it is called."""
    if len(books) == 1 or not title:
        return books
    key = f"{title_key(title)} "
    keys = {book: f"{title_key(book)} " for book in books}
    return {book for book, other in keys.items() if other.startswith(key) or key.startswith(other)}


def _add(kept: list[Clipping], new: Clipping, warnings: list[str]) -> None:
    """A highlight that was widened is in the file twice: the longer one counts."""
    last = next((clip for clip in kept[: -_LOOK_BACK - 1 : -1] if _is_widened(clip, new)), None)
    if last is None:
        kept.append(new)
        return
    longer, shorter = (new, last) if len(new.text) > len(last.text) else (last, new)
    warnings.append(left_out(shorter.line, shorter.text, f"part of the quote in line {longer.line}"))
    kept[kept.index(last)] = longer


def _is_widened(one: Clipping, other: Clipping) -> bool:
    """Whether one holds the other in the same place; the same words elsewhere are another quote."""
    if not (one.text in other.text or other.text in one.text):
        return False
    if one.span and other.span:
        return one.span[0] <= other.span[1] and other.span[0] <= one.span[1]
    return one.page == other.page
