"""A Markdown text cut into the blocks that matter for quotes, each line with its number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["heading", "paragraph", "blockquote", "item", "other"]


@dataclass
class Block:
    """Neighbouring lines of one kind. `level` is a heading's, or an item's indentation."""

    kind: Kind
    lines: list[tuple[int, str]] = field(default_factory=list)
    level: int = 0
    reason: str = ""

    @property
    def line(self) -> int:
        return self.lines[0][0]


_ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{3,})\s*$")
_RULE = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:[-=~—–_*][ \t]*){5,})$")
_QUOTE = re.compile(r"^ {0,3}>[ \t]?(.*)$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•▪●◆◦‣]|\*\*\d{1,5}[.)]\*\*|\d{1,5}(?:[.)]|\.-))[ \t]+(\S.*)$")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_IMAGE = re.compile(r"^\s*!\[.*\]\(.*\)\s*$|^\s*!\[\[.*\]\]\s*$")
_TAGS = re.compile(r"^\s*(?:#[^\s#]+\s*)+$")
_COMMENT = re.compile(r"^\s*(?:<!--.*-->|%%.*%%)\s*$")
_MONTH = (
    "enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre "
    "january february march april may june july august september october november december"
).replace(" ", "|")
_DAY = (
    rf"\d{{1,2}} (?:de )?(?:{_MONTH})(?: de)?,? \d{{4}}|(?:{_MONTH}) \d{{1,2}},? \d{{4}}|"
    r"\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{4}"
)
_TIME = r"(?:,? (?:at |a las |à )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?)?"
_DATE = re.compile(rf"^\s*[*_(]*(?:\w+,? )?(?:{_DAY}){_TIME}[*_)]*\s*$", re.IGNORECASE)
_PROGRAM_LINK = re.compile(r"^\s*\(?\[[^\[\]]{1,80}\]\((?!https?:)[a-z][\w+.-]*:[^()\s]*\)\)?\s*$")
_SENTENCE_END = re.compile(r"[.!?…»”\"’)\d]\s*$")

LONGEST_HEADING = 80

_SET_ASIDE = (
    (_RULE, "a separator"),
    (_IMAGE, "an image"),
    (_COMMENT, "a comment"),
    (_DATE, "a date"),
    (_PROGRAM_LINK, "a link"),
    (_TAGS, "tags"),
)


def blocks_of(markdown: str) -> list[Block]:
    """Every line that is not blank, in order, in exactly one block."""
    return list(_Scanner(lines_of(markdown)).blocks())


def lines_of(markdown: str) -> list[str]:
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


class _Scanner:
    """One pass over the lines; a block is open while its lines follow each other."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._open: Block | None = None

    def blocks(self) -> Iterator[Block]:
        at = self._front_matter_end()
        if at:
            yield Block("other", self._numbered(0, at), reason="the front matter")
        while at < len(self._lines):
            closing = self._fence_end(at)
            if closing is not None:
                yield from self._close()
                yield Block("other", self._numbered(at, closing), reason="a code block")
                at = closing
                continue
            yield from self._take(at)
            at += 1
        yield from self._close()

    def _numbered(self, start: int, stop: int) -> list[tuple[int, str]]:
        return [(at + 1, self._lines[at]) for at in range(start, stop) if self._lines[at].strip()]

    def _front_matter_end(self) -> int:
        if self._lines[0].strip() != "---":
            return 0
        for at in range(1, len(self._lines)):
            if self._lines[at].strip() in ("---", "..."):
                return at + 1
        return 0

    def _fence_end(self, at: int) -> int | None:
        """Where a closed code block ends; a fence that nobody closes is text like any other."""
        opening = _FENCE.match(self._lines[at])
        if not opening:
            return None
        for end in range(at + 1, len(self._lines)):
            if self._lines[end].strip().startswith(opening.group(1)):
                return end + 1
        return None

    def _close(self) -> Iterator[Block]:
        if self._open is not None:
            yield self._open
        self._open = None

    def _take(self, at: int) -> Iterator[Block]:
        line, number = self._lines[at], at + 1
        if not line.strip():
            yield from self._blank(at)
        elif (heading := _ATX.match(line)) is not None:
            yield from self._close()
            yield Block("heading", [(number, (heading.group(2) or "").strip())], len(heading.group(1)))
        elif self._is_underline(line):
            assert self._open is not None
            level = 1 if "=" in line else 2
            yield Block("heading", [(self._open.line, self._open.lines[0][1].strip())], level)
            self._open = None
        elif (reason := _set_aside(line)) is not None:
            yield from self._close()
            yield Block("other", [(number, line)], reason=reason)
        else:
            yield from self._text(line, number)

    def _blank(self, at: int) -> Iterator[Block]:
        """A blank line ends a block; an item goes on where the next line is indented under it."""
        following = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        held = self._open
        if held is not None and held.kind == "item" and _is_continuation(following, held.level):
            held.lines.append((at + 1, ""))
            return
        yield from self._close()

    def _is_underline(self, line: str) -> bool:
        mark = _UNDERLINE.match(line)
        held = self._open
        if mark is None or held is None or held.kind != "paragraph" or len(held.lines) != 1:
            return False
        text = held.lines[0][1]
        return "=" in line or (len(text) <= LONGEST_HEADING and not _SENTENCE_END.search(text))

    def _text(self, line: str, number: int) -> Iterator[Block]:
        quoted, item = _QUOTE.match(line), _ITEM.match(line)
        if quoted is not None:
            if self._open is None or self._open.kind != "blockquote":
                yield from self._close()
                self._open = Block("blockquote")
            self._open.lines.append((number, re.sub(r"^(?:\s*>)+ ?", "", quoted.group(1))))
        elif item is not None and (heading := _ATX.match(item.group(2))) is not None:
            yield from self._close()
            yield Block("heading", [(number, (heading.group(2) or "").strip())], len(heading.group(1)))
        elif item is not None:
            yield from self._close()
            self._open = Block("item", [(number, item.group(2))], len(item.group(1).expandtabs(4)))
        else:
            if self._open is None:
                self._open = Block("paragraph")
            self._open.lines.append((number, line.strip() if self._open.kind != "paragraph" else line))


def is_date(line: str) -> bool:
    """Whether the line is nothing but a day, with or without its time."""
    return len(line) <= LONGEST_HEADING and _DATE.match(line) is not None


def _set_aside(line: str) -> str | None:
    # What is long and begins with a letter is text, whatever else it holds.
    if len(line) > LONGEST_HEADING and line[0].isalpha():
        return None
    return next((reason for pattern, reason in _SET_ASIDE if pattern.match(line)), None)


def _is_continuation(line: str, level: int) -> bool:
    indented = len(line) - len(line.lstrip(" \t"))
    return bool(line.strip()) and indented > level and _ITEM.match(line) is None and _ATX.match(line) is None
