"""Kindle's `My Clippings.txt`: entries between lines of equals signs, often of many books."""

import re
from dataclasses import dataclass

from graphs.concept_extraction.quotes.parsed import ParsedQuote, ParsedQuotes, left_out
from graphs.concept_extraction.titles import title_key

_SEPARATOR = re.compile(r"^={8,}\s*$")
_META = re.compile(r"^\s*[-–]\s*\S.*\|.*\S")
_NOTE = re.compile(r"\b(?:nota|note|notiz|anotaci[oó]n)\b", re.IGNORECASE)
_BOOKMARK = re.compile(r"\b(?:marcador|bookmark|lesezeichen|signet)\b", re.IGNORECASE)
_PAGE = re.compile(r"\b(?:page|p[aá]gina|p[aá]g\.|seite)\s+(\d+(?:-\d+)?)", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:location|loc\.|posici[oó]n|pos\.|position)\s+(\d+(?:-\d+)?)", re.IGNORECASE)
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


def clippings_of(text: str) -> list[Clipping]:
    """The entries of a clippings file; none where the text is no such file."""
    if "=" * 8 not in text:
        return []
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[Clipping] = []
    start = 0
    for at, line in enumerate(lines):
        if _SEPARATOR.match(line):
            found += _entry(lines[start:at], start + 1)
            start = at + 1
    return found


def _entry(lines: list[str], number: int) -> list[Clipping]:
    while lines and not lines[0].strip(" \ufeff"):
        lines, number = lines[1:], number + 1
    book = _BOOK.match(lines[0].replace("\ufeff", "")) if lines else None
    if len(lines) < 2 or book is None or not _META.match(lines[1]):
        return []
    about = lines[1].split("|")[0]
    kind = "bookmark" if _BOOKMARK.search(about) else "note" if _NOTE.search(about) else "highlight"
    text = "\n".join(line.strip() for line in lines[2:]).strip()
    at = next((at for at, line in enumerate(lines[2:], 2) if line.strip()), 0)
    return [
        Clipping(book["title"], (book["author"] or "").strip(), kind, _place(lines[1]), text, number + at)
    ]


def _place(meta: str) -> str | None:
    if page := _PAGE.search(meta):
        return page.group(1)
    place = _PLACE.search(meta)
    return f"pos. {place.group(1)}" if place else None


def quotes_of(clippings: list[Clipping], title: str) -> ParsedQuotes:
    """The highlights of one book; everything else is named."""
    wanted = _wanted({clip.title for clip in clippings}, title)
    quotes: list[ParsedQuote] = []
    warnings: list[str] = []
    for clip in clippings:
        if clip.title not in wanted:
            warnings.append(left_out(clip.line, clip.text or clip.title, f"of another book, {clip.title}"))
        elif clip.kind != "highlight" or not clip.text:
            why = "a note of the reader" if clip.kind == "note" else "a bookmark"
            warnings.append(left_out(clip.line, clip.text or clip.title, why))
        else:
            _add(quotes, ParsedQuote(clip.text, "", clip.page, clip.line), warnings)
    return ParsedQuotes(quotes, [], sorted(warnings, key=lambda said: int(said[5:].split(":")[0])))


def _wanted(books: set[str], title: str) -> set[str]:
    """The books meant by a title, with or without a subtitle; the only one, whatever it is called."""
    if len(books) == 1 or not title:
        return books
    key = f"{title_key(title)} "
    keys = {book: f"{title_key(book)} " for book in books}
    return {book for book, other in keys.items() if other.startswith(key) or key.startswith(other)}


def _add(quotes: list[ParsedQuote], new: ParsedQuote, warnings: list[str]) -> None:
    """A highlight that was widened is in the file twice: the longer one counts."""
    last = quotes[-1] if quotes else None
    if last is not None and (new.text in last.text or last.text in new.text):
        quotes.pop()
        longer, shorter = (new, last) if len(new.text) > len(last.text) else (last, new)
        warnings.append(left_out(shorter.line, shorter.text, f"part of the quote in line {longer.line}"))
        quotes.append(longer)
    else:
        quotes.append(new)
