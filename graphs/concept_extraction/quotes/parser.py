"""Quotes from the blocks under a heading like Citas, Quotes, Highlights or Notas."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from graphs.concept_extraction.quotes.blocks import Block, blocks_of
from graphs.concept_extraction.quotes.pages import page_alone, split_page
from graphs.concept_extraction.titles import word_set

_CORE = word_set(
    "cita citas quote quotes quotations highlight highlights nota notas notes subrayado "
    "subrayados destacado destacados extracto extractos fragmentos citations annotations "
    "anotaciones"
)
_AROUND = word_set(
    "mis my las los el la the y and e de del of from libro book texto text kindle readwise all "
    "todas todos favoritas favoritos favorite favourite seleccion seleccionadas clave key new "
    "added lectura reading frases textuales importantes"
)
_COMMENT = re.compile(r"^\W{0,3}(?:notas?|mi nota|comentario|comment|notes?|my note)\W{0,3}:", re.IGNORECASE)
_CALLOUT = re.compile(r"^\[!\w+\][+-]?\s*(.*)$")
_BLOCK_ID = re.compile(r"\s+\^[A-Za-z0-9-]+$")
_ATTRIBUTION = re.compile(r"^[—–]\s*\S")
_PAIRS = (("«", "»"), ("“", "”"))
_SNIPPET = 60


@dataclass(frozen=True)
class ParsedQuote:
    """One quote as the file has it."""

    text: str
    section: str
    page_reference: str | None
    line: int


@dataclass(frozen=True)
class ParsedQuotes:
    """What a file holds: quotes, the headings they stand under, and every line left out, by number."""

    quotes: list[ParsedQuote]
    sections: list[str]
    warnings: list[str] = field(default_factory=list)


@dataclass
class _Draft:
    """A quote while its paragraphs and its page are being collected."""

    paragraphs: list[str]
    section: str
    line: int
    kind: str
    page: str | None = None
    closed_by_page: bool = False


def parse_quotes(markdown: str) -> ParsedQuotes:
    """Every quote under the quotes headings; without such a heading, the blockquotes alone."""
    blocks = blocks_of(markdown)
    reader = _Reader()
    if any(_is_quotes_heading(block) for block in blocks):
        reader.read(_inside(blocks, reader))
    else:
        reader.warnings.append(
            "line 1: no heading Citas, Quotes, Highlights or Notas; only blockquotes count"
        )
        reader.read(_blockquotes(blocks, reader))
    drafts = _joined(reader.drafts)
    quotes = [ParsedQuote("\n\n".join(d.paragraphs), d.section, d.page, d.line) for d in drafts]
    return ParsedQuotes(quotes, reader.sections, sorted(reader.warnings, key=_line_number))


def _line_number(warning: str) -> int:
    return int(warning.split(":", 1)[0].removeprefix("line "))


def _is_quotes_heading(block: Block) -> bool:
    """`# Citas`, `## Mis citas (12)`, `# 📚 Quotes & notes:`; not `# Notas sobre el autor`."""
    if block.kind != "heading":
        return False
    folded = unicodedata.normalize("NFKD", block.lines[0][1].casefold())
    words = re.findall(r"[a-z]+", "".join(c for c in folded if not unicodedata.combining(c)))
    return any(word in _CORE for word in words) and all(word in _CORE or word in _AROUND for word in words)


def _inside(blocks: list[Block], reader: "_Reader") -> Iterator[Block]:
    """The blocks between a quotes heading and the next heading as high; the rest is named."""
    level, seen = 0, False
    for block in blocks:
        if block.kind == "heading":
            deeper = level and block.level > level
            # Chapters written on the same level right below the heading belong to it.
            sibling = level > 1 and block.level == level and not seen
            if _is_quotes_heading(block) and not deeper:
                level, seen = block.level, False
                yield Block("heading", [(block.line, "")], block.level)
                continue
            if not (deeper or sibling):
                level = 0
            elif sibling:
                level = block.level - 1 or 1
        if level:
            seen = seen or block.kind != "heading"
            yield block
        else:
            reader.leave_out(block, "outside the quotes")


def _blockquotes(blocks: list[Block], reader: "_Reader") -> Iterator[Block]:
    quoted = False
    for block in blocks:
        page = len(block.lines) == 1 and page_alone(block.lines[0][1]) is not None
        if block.kind in ("blockquote", "heading") or (quoted and page):
            yield block
        else:
            reader.leave_out(block, "outside a blockquote")
        quoted = block.kind == "blockquote"


class _Reader:
    """Blocks to drafts of quotes, with everything that was left out."""

    def __init__(self) -> None:
        self.drafts: list[_Draft] = []
        self.sections: list[str] = []
        self.warnings: list[str] = []
        self._section = ""

    def read(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if block.kind == "heading":
                self._enter(block.lines[0][1])
            elif block.kind == "other":
                self.leave_out(block, block.reason)
            else:
                self._read_text(block)

    def leave_out(self, block: Block, why: str) -> None:
        if block.kind != "heading":
            for number, text in block.lines:
                if text.strip():
                    self._warn(number, text, block.reason or why)

    def _warn(self, number: int, text: str, why: str) -> None:
        shown = " ".join(text.split())
        shown = shown if len(shown) <= _SNIPPET else shown[:_SNIPPET] + "…"
        self.warnings.append(f"line {number}: left out ({why}): {shown}")

    def _enter(self, heading: str) -> None:
        self._section = re.sub(r"[*_`]+", "", heading).strip()
        if self._section and self._section not in self.sections:
            self.sections.append(self._section)

    def _read_text(self, block: Block) -> None:
        lines = self._callout_free(block)
        page = self._take_last_page(lines, block)
        if not lines:
            return
        if _COMMENT.match(lines[0][1]) and (block.kind == "item" or self.drafts):
            for number, text in lines:
                self._warn(number, text, "a note of the reader")
            return
        paragraphs = _paragraphs(lines)
        if page is None and paragraphs:
            paragraphs[-1], page = split_page(paragraphs[-1])
        draft = _Draft(paragraphs, self._section, lines[0][0], block.kind, page)
        self.drafts.append(draft)

    def _callout_free(self, block: Block) -> list[tuple[int, str]]:
        """The lines without a callout's mark; its title is a page reference or left out."""
        lines = list(block.lines)
        mark = _CALLOUT.match(lines[0][1].strip()) if block.kind == "blockquote" else None
        if mark is None:
            return lines
        number, title = lines[0][0], mark.group(1).strip()
        if title and page_alone(title):
            return [*lines[1:], (number, title)]
        if title:
            self._warn(number, title, "a callout's title")
        return lines[1:]

    def _take_last_page(self, lines: list[tuple[int, str]], block: Block) -> str | None:
        """The reference on the last line, taken off; one alone belongs to the quote before."""
        while lines and not lines[-1][1].strip():
            lines.pop()
        if not lines:
            return None
        number, last = lines[-1]
        page = page_alone(last)
        if page is None:
            return self._take_attribution(lines)
        lines.pop()
        while lines and not lines[-1][1].strip():
            lines.pop()
        if not lines:
            self._close_last(page, number, last, block)
        return page

    def _close_last(self, page: str, number: int, text: str, block: Block) -> None:
        last = self.drafts[-1] if self.drafts else None
        if last is None or last.page is not None or last.section != self._section:
            self._warn(number, text, "a page reference without a quote")
            return
        last.page = page
        last.closed_by_page = block.kind == "paragraph"

    def _take_attribution(self, lines: list[tuple[int, str]]) -> str | None:
        """`— Name, p. 45` under a quote: the page is kept, the name is the author's anyway."""
        if len(lines) < 2 or not _ATTRIBUTION.match(lines[-1][1].strip()):
            return None
        name, page = split_page(lines[-1][1].strip())
        if page is not None:
            self._warn(lines[-1][0], name, "an attribution")
            lines.pop()
        return page


def _paragraphs(lines: list[tuple[int, str]]) -> list[str]:
    """Lines to paragraphs: a blank line between them, line breaks kept, block ids dropped."""
    text = "\n".join(line.rstrip().removesuffix("\\").strip() for _, line in lines)
    text = _BLOCK_ID.sub("", text)
    return [part.strip() for part in re.split(r"\n{2,}", text) if part.strip()]


def _joined(drafts: list[_Draft]) -> list[_Draft]:
    """Paragraphs that make one quote: inside one pair of quotation marks, or closed by one page line."""
    joined: list[_Draft] = []
    by_page = _pages_close_quotes(drafts)
    for draft in drafts:
        last = joined[-1] if joined else None
        if last is not None and _belongs(last, draft, by_page):
            last.paragraphs += draft.paragraphs
            last.page, last.closed_by_page = draft.page, draft.closed_by_page
        else:
            joined.append(draft)
    return joined


def _pages_close_quotes(drafts: list[_Draft]) -> bool:
    """Whether the reader ends every quote by a line with its page: then a paragraph without goes on."""
    if any(draft.kind != "paragraph" or (draft.page and not draft.closed_by_page) for draft in drafts):
        return False
    lasts = [one for one, following in pairwise(drafts) if following.section != one.section]
    return all(draft.closed_by_page for draft in [*lasts, *drafts[-1:]])


def _belongs(last: _Draft, draft: _Draft, by_page: bool) -> bool:
    if last.page is not None or last.section != draft.section or last.kind != draft.kind:
        return False
    return by_page or (_is_open("\n".join(last.paragraphs)) and _closes("\n".join(draft.paragraphs)))


def _is_open(text: str) -> bool:
    return any(
        text.lstrip().startswith(left) and text.count(left) > text.count(right) for left, right in _PAIRS
    )


def _closes(text: str) -> bool:
    return any(text.count(right) > text.count(left) for left, right in _PAIRS)
