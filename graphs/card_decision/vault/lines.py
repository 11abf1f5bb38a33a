"""A note as lines, knowing which of them are code, comments or frontmatter."""

import re
import unicodedata
from dataclasses import dataclass, field

TEXT, CODE, META, MATH = 0, 1, 2, 3

_FENCE = re.compile(r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+]|\d+[.)])?[ \t]*(`{3,}|~{3,})(.*)$")
_CLOSING = re.compile(r"^[ \t]*(?:>[ \t]?)*[ \t]*(`{3,}|~{3,})[ \t]*$")
ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")


@dataclass(frozen=True)
class Heading:
    """A heading line: its level, its text, and where it stands (from 0)."""

    level: int
    title: str
    at: int


@dataclass
class Lines:
    """The lines of a note with a kind for each; `claimed` marks what a card has taken already."""

    text: list[str]
    kind: bytearray
    body: int = 0
    source: str = ""
    problems: list[str] = field(default_factory=list)
    claimed: bytearray = field(init=False)
    headings: list[Heading] = field(init=False)

    def __post_init__(self) -> None:
        self.claimed = bytearray(len(self.text))
        self.headings = find_headings(self)

    def __len__(self) -> int:
        return len(self.text)

    def is_free(self, at: int) -> bool:
        """Plain text that no card holds yet."""
        return 0 <= at < len(self.text) and self.kind[at] == TEXT and not self.claimed[at]

    def is_blank(self, at: int) -> bool:
        return self.kind[at] == TEXT and not self.text[at].strip()

    def claim(self, start: int, end: int) -> None:
        """Lines start..end (end excluded) belong to a card."""
        self.claimed[start:end] = b"\x01" * (end - start)

    def join(self, start: int, end: int) -> str:
        return "\n".join(self.text[start:end]).strip("\n")


def normalised(text: str) -> str:
    """LF line ends, composed characters, no byte-order mark."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def scan(text: str) -> Lines:
    """Split a normalised note and mark frontmatter, fences, multi-line comments, scripts and formulas."""
    rows = text.split("\n")
    kind = bytearray(len(rows))
    body = frontmatter_end(rows)
    kind[:body] = bytes([META]) * body
    problems = _mark_fences(rows, kind, body) if "```" in text or "~~~" in text else []
    if "%%" in text:
        _mark_comments(rows, kind, body, "%%", "%%")
    if "<!--" in text:
        _mark_comments(rows, kind, body, "<!--", "-->")
    if "<%" in text:
        _mark_comments(rows, kind, body, "<%", "%>")
    if "$$" in text:
        _mark_formulas(rows, kind, body)
    return Lines(rows, kind, body, text, problems)


def frontmatter_end(rows: list[str]) -> int:
    """The index after the closing `---`, or 0 where there is no frontmatter."""
    if not rows or rows[0].rstrip() != "---":
        return 0
    for at, row in enumerate(rows[1:], 1):
        if row.rstrip() in ("---", "..."):
            return at + 1
    return 0


def _mark_fences(rows: list[str], kind: bytearray, start: int) -> list[str]:
    opened, opened_at = "", 0
    for at, row in enumerate(rows):
        if at < start:
            continue
        if opened:
            kind[at] = CODE
            closing = _CLOSING.match(row) if opened[0] in row else None
            if closing and closing[1][0] == opened[0] and len(closing[1]) >= len(opened):
                opened = ""
        elif ("```" in row or "~~~" in row) and (match := _FENCE.match(row)):
            if match[1][0] == "`" and "`" in match[2]:
                continue
            opened, opened_at = match[1], at
            kind[at] = CODE
    return [f"line {opened_at + 1}: a code fence is opened and never closed"] if opened else []


def _mark_comments(rows: list[str], kind: bytearray, start: int, opening: str, closing: str) -> None:
    """Mark lines that lie wholly inside a comment spanning several lines."""
    inside = False
    for at in range(start, len(rows)):
        if kind[at] == CODE:
            continue
        row = rows[at]
        if not inside:
            plain = _plain(row) if opening in row else ""
            last = plain.rfind(opening)
            if last < 0:
                continue
            even = opening == closing and plain.count(opening) % 2 == 0
            inside = not even and plain.find(closing, last + len(opening)) < 0
            if inside and row.lstrip().startswith(opening):
                kind[at] = META
        else:
            kind[at] = META
            inside = closing not in row
    if inside:
        _unmark_last(rows, kind, start, opening)


def _unmark_last(rows: list[str], kind: bytearray, start: int, opening: str) -> None:
    """A comment that never closes is text: nothing of the note may vanish behind it."""
    at = len(rows) - 1
    while at >= start and kind[at] != CODE:
        if kind[at] == META:
            kind[at] = TEXT
            if rows[at].lstrip().startswith(opening):
                return
        elif opening in rows[at]:
            return
        at -= 1


def _mark_formulas(rows: list[str], kind: bytearray, start: int) -> None:
    """A block between `$$` lines is one formula, blank lines and all; one that never closes is text."""
    opened = -1
    for at in range(start, len(rows)):
        if kind[at] != TEXT or (opened >= 0 and _HEADING.match(rows[at])):
            opened = -1
        elif opened >= 0 and "$$" in rows[at]:
            kind[opened : at + 1] = bytes([MATH]) * (at + 1 - opened)
            opened = -1
        elif opened < 0 and rows[at].lstrip("> \t").startswith("$$") and rows[at].count("$$") == 1:
            opened = at


def _plain(row: str) -> str:
    return re.sub(r"`[^`]*`", "", row) if "`" in row else row


def find_headings(lines: Lines) -> list[Heading]:
    """All headings outside code and frontmatter."""
    found = []
    for at, row in enumerate(lines.text):
        if "#" in row and lines.kind[at] == TEXT and (match := _HEADING.match(row)):
            found.append(Heading(len(match[1]), match[2].strip(), at))
    return found


def block_end(lines: Lines, start: int) -> int:
    """The end of the block of text that starts here: the next blank line outside code."""
    at = start
    while at < len(lines) and not (lines.kind[at] == TEXT and not lines.text[at].strip()):
        at += 1
    return at


def block_start(lines: Lines, end: int) -> int:
    """The start of the block of text that ends before `end`."""
    at = end
    while at > lines.body and not (lines.kind[at - 1] == TEXT and not lines.text[at - 1].strip()):
        if lines.kind[at - 1] == META or lines.claimed[at - 1]:
            break
        at -= 1
    return at


def indent(row: str) -> int:
    """How deep a row stands, a tab being four spaces."""
    return len(row[: len(row) - len(row.lstrip(" \t"))].expandtabs(4))


def item_end(lines: Lines, start: int, depth: int) -> int:
    """Where the next item of a list no deeper than `depth` begins, in text that starts deeper or as deep."""
    if start >= len(lines) or indent(lines.text[start]) < depth or not depth:
        return len(lines)
    for at in range(start + 1, len(lines)):
        if lines.kind[at] == TEXT and ITEM.match(lines.text[at]) and indent(lines.text[at]) < depth:
            return at
    return len(lines)


def masked(row: str) -> str:
    """The row with code, math, links' targets, comments and emoji names blanked, so that positions stay."""
    for pattern in _OPAQUE:
        if pattern[0] in row:
            row = pattern[1].sub(lambda match: "\x00" * len(match[0]), row)
    return row


_OPAQUE = (
    ("`", re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")),
    ("<!--", re.compile(r"<!--.*?-->")),
    ("%%", re.compile(r"%%.*?%%")),
    ("<%", re.compile(r"<%.*?%>")),
    ("::", re.compile(r"(?<![\w:])(?::[a-z][\w+-]*:){2,}(?!:)")),
    ("$$", re.compile(r"\$\$.+?\$\$")),
    ("$", re.compile(r"(?<![\\$\w])\$(?![\s$]).+?(?<![\\\s])\$(?![\d$])")),
    ("{{c", re.compile(r"\{\{c\d[\d,]*::.*?\}\}")),
    ("{", re.compile(r"\{c?\d{1,2}(?:::?|\|)[^{}]*\}")),
    ("[[", re.compile(r"\[\[.*?\]\]")),
    ("](", re.compile(r"\]\([^)]*\)")),
    ("://", re.compile(r"\w+://\S+")),
)
