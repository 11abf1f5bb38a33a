"""Quotes from the blocks under a heading like Citas, Quotes, Highlights or Notas."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from graphs.concept_extraction.quotes.blocks import Block, blocks_of, lines_of
from graphs.concept_extraction.quotes.clippings import clippings_of, quotes_of
from graphs.concept_extraction.quotes.headings import opens_quotes, with_headings
from graphs.concept_extraction.quotes.page_source import is_page_source, page_blocks
from graphs.concept_extraction.quotes.pages import page_alone, split_page
from graphs.concept_extraction.quotes.parsed import ParsedQuote, ParsedQuotes, left_out
from graphs.concept_extraction.quotes.records import records_of
from graphs.concept_extraction.quotes.traces import (
    COMMENT,
    as_line,
    labelled_page,
    looks_labelled,
    without_label,
    without_traces,
)
from graphs.concept_extraction.titles import word_set

_CALLOUT = re.compile(r"^\[!(?P<type>[\w-]+)(?:\|[^\]]*)?\][+-]?\s*(?P<title>.*)$")
_OWN_CALLOUTS = word_set("note info tip todo warning question abstract summary comment idea nota")
_NUMBERED = re.compile(r"[(\[—–]\s*\d+\W*$")
_CLOSED_BY_PAGE = re.compile(r"[\s(\[](?:p{1,2}\.|p[aá]gs?\.|pos\.|loc\.)\s?\d[\d\s–-]*[)\]]?\.?$|[)\]]\.?$")
_BLOCK_ID = re.compile(r"\s+\^[A-Za-z0-9-]+$")
_EMPHASIS = re.compile(
    r"^(?P<mark>\*{1,3}|_{1,3}|==)(?=\S)(?P<text>(?:(?!(?P=mark)).)+)(?P=mark)$", re.DOTALL
)
# Tags that colour a text, as programs write them into Markdown
_INLINE = re.compile(r"</?(?:mark|span|font|u)(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_MOST_PARAGRAPHS = 12
# Blanks and marks without end say nothing, and every pattern would begin anew at each of them.
_ENDLESS = re.compile(r"[^\S\n]{80,}|[*_]{80,}")
_LONGEST_RUN = 40
_PAIRS = (("«", "»"), ("“", "”"))
_MARKED = re.compile(r"^[«“\"][^\n]*[»”\"][.,]?$")


@dataclass
class _Draft:
    """A quote while its paragraphs and its page are being collected."""

    paragraphs: list[str]
    section: str
    line: int
    kind: str
    page: str | None = None
    closed_by_page: bool = False


def parse_quotes(markdown: str, title: str = "") -> ParsedQuotes:
    """Every quote under the quotes headings; without such a heading, what is marked as a quote.

    Of a Kindle clippings file, the highlights of the book with this title.
    """
    markdown = _ENDLESS.sub(lambda run: run[0][:_LONGEST_RUN], markdown)
    if clippings := clippings_of(markdown):
        return quotes_of(clippings, title)
    cut = page_blocks(markdown) if is_page_source(markdown) else None
    lines = (
        list(enumerate(lines_of(markdown), 1)) if cut is None else [at for block in cut for at in block.lines]
    )
    if (recorded := records_of(lines)) is not None:
        return recorded
    blocks = without_traces(with_headings(blocks_of(markdown) if cut is None else cut))
    reader = _Reader(any(_callout(block) in ("quote", "cite") for block in blocks))
    if any(opens_quotes(block) for block in blocks):
        reader.read(_inside(blocks, reader))
    else:
        reader.warnings.append(
            "line 1: no heading Citas, Quotes, Highlights or Notas; only blockquotes, texts in quotation "
            "marks and texts with a page count"
        )
        reader.read(_marked(blocks, reader))
    drafts = _joined(reader.drafts)
    quotes = [ParsedQuote("\n\n".join(d.paragraphs), d.section, d.page, d.line) for d in drafts]
    return ParsedQuotes(quotes, reader.sections, sorted(reader.warnings, key=_line_number))


def _callout(block: Block) -> str:
    mark = _CALLOUT.match(block.lines[0][1].strip()) if block.kind == "blockquote" else None
    return mark["type"].lower() if mark else ""


def _line_number(warning: str) -> int:
    return int(warning.split(":", 1)[0].removeprefix("line "))


def _inside(blocks: list[Block], reader: "_Reader") -> Iterator[Block]:
    """The blocks between a quotes heading and the next heading as high; the rest is named."""
    level, seen = 0, False
    for block in blocks:
        if block.kind == "heading":
            deeper = level and block.level > level
            # Chapters written on the same level right below the heading belong to it.
            sibling = level > 1 and block.level == level and not seen
            if opens_quotes(block) and not deeper:
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


def _marked(blocks: list[Block], reader: "_Reader") -> Iterator[Block]:
    """Blocks that are quotes by their looks: set off, in quotation marks, or with a page."""
    quoted = led = False
    leads: bool | None = None
    for block, following in zip_longest(blocks, blocks[1:]):
        page = _is_page(block)
        if page and leads is None:
            leads = not quoted and labelled_page(block.lines[0][1])
        if block.kind == "heading" or (page and (quoted or leads)):
            yield block
        elif block.kind == "blockquote" or led or (not page and _looks_quoted(block, following, leads)):
            quoted, led = True, False
            yield block
            continue
        else:
            reader.leave_out(block, "not marked as a quote")
        quoted, led = False, bool(page and leads)


def _is_page(block: Block | None) -> bool:
    if block is None or block.kind == "heading" or len(block.lines) != 1:
        return False
    return page_alone(block.lines[0][1]) is not None


def _looks_quoted(block: Block, following: Block | None, leads: bool | None) -> bool:
    if block.kind not in ("paragraph", "item"):
        return False
    text, page = split_page("\n".join(line for _, line in block.lines).strip())
    paged = page is not None or page_alone(block.lines[-1][1]) is not None
    paged = paged or labelled_page(block.lines[0][1]) or (not leads and _is_page(following))
    return paged or _MARKED.match(text) is not None or looks_labelled(text)


class _Reader:
    """Blocks to drafts of quotes, with everything that was left out."""

    def __init__(self, cites: bool) -> None:
        """`cites`: quotes stand in callouts that say so, and others are the reader's."""
        self._cites = cites
        self.drafts: list[_Draft] = []
        self.sections: list[str] = []
        self.warnings: list[str] = []
        self._section = ""
        # Whether pages stand above their quotes, and the one that waits for its quote
        self._leads = False
        self._ahead: tuple[int, str] | None = None

    def read(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if block.kind == "heading":
                self._enter(block.lines[0][1])
            elif block.kind == "other":
                self.leave_out(block, block.reason)
            elif self._cites and _callout(block) in _OWN_CALLOUTS:
                self.leave_out(block, "a note of the reader")
            else:
                for part in _cut_at_pages(block):
                    self._read_text(part)
        if self._ahead:
            self._warn(*self._ahead, "a page reference without a quote")

    def leave_out(self, block: Block, why: str) -> None:
        if block.kind != "heading":
            for number, text in block.lines:
                if text.strip():
                    self._warn(number, text, block.reason or why)

    def _warn(self, number: int, text: str, why: str) -> None:
        self.warnings.append(left_out(number, text, why))

    def _enter(self, heading: str) -> None:
        self._section = re.sub(r"[*_`]+", "", heading).strip()
        if self._section and self._section not in self.sections:
            self.sections.append(self._section)

    def _read_text(self, block: Block) -> None:
        lines = self._callout_free(block)
        page = self._take_last_page(lines, block)
        if not lines:
            return
        if page is None and len(lines) > 1 and labelled_page(lines[0][1]):
            page = page_alone(lines.pop(0)[1])
        if COMMENT.match(lines[0][1]) and (block.kind == "item" or self.drafts):
            for number, text in lines:
                self._warn(number, text, "a note of the reader")
            return
        paragraphs = _paragraphs(lines)
        if page is None and paragraphs:
            paragraphs[-1], page = split_page(paragraphs[-1])
        if page is None and self._ahead:
            page, self._ahead = page_alone(self._ahead[1]), None
        paragraphs = [_EMPHASIS.sub(r"\g<text>", part) for part in paragraphs]
        draft = _Draft(paragraphs, self._section, lines[0][0], block.kind, page)
        self.drafts.append(draft)

    def _callout_free(self, block: Block) -> list[tuple[int, str]]:
        """The lines without a callout's mark; its title is a page reference or left out."""
        lines = list(block.lines)
        mark = _CALLOUT.match(lines[0][1].strip()) if block.kind == "blockquote" else None
        if mark is None:
            return lines
        number, title = lines[0][0], mark["title"].strip()
        # A bare number at the end of a title is a year as well as a page.
        page = page_alone(title) or (None if _NUMBERED.search(title) else split_page(title)[1])
        if page:
            lines.append((number, as_line(page)))
        if title and not page_alone(title):
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
            return None
        lines.pop()
        while lines and not lines[-1][1].strip():
            lines.pop()
        if not lines:
            self._close_last(page, number, last, block)
        return page

    def _close_last(self, page: str, number: int, text: str, block: Block) -> None:
        last = self.drafts[-1] if self.drafts else None
        self._leads = self._leads or (last is None and labelled_page(text))
        if self._leads and self._ahead is None:
            self._ahead = number, text
            return
        if last is None or last.page is not None or last.section != self._section:
            self._warn(number, text, "a page reference without a quote")
            return
        last.page = page
        last.closed_by_page = block.kind == "paragraph"


def _cut_at_pages(block: Block) -> list[Block]:
    """Quotes line by line, where each ends with its page and none stands on a line of its own."""
    lines = block.lines
    ends = [
        at for at, (_, line) in enumerate(lines, 1) if _CLOSED_BY_PAGE.search(line) and split_page(line)[1]
    ]
    if block.kind != "paragraph" or len(ends) < 2 or ends[-1] != len(lines):
        return [block]
    return [replace(block, lines=lines[start:stop]) for start, stop in pairwise([0, *ends])]


def _paragraphs(lines: list[tuple[int, str]]) -> list[str]:
    """Lines to paragraphs: a blank line between them, line breaks kept, block ids dropped."""
    text = "\n".join(_INLINE.sub("", line).rstrip().removesuffix("\\").strip() for _, line in lines)
    text = without_label(_BLOCK_ID.sub("", text))
    return [part.strip() for part in re.split(r"\n{2,}", text) if part.strip()]


def _joined(drafts: list[_Draft]) -> list[_Draft]:
    """Paragraphs that make one quote: inside one pair of quotation marks, or closed by one page line."""
    joined: list[_Draft] = []
    by_page = _pages_close_quotes(drafts)
    for at, draft in enumerate(drafts):
        last = joined[-1] if joined else None
        if last is not None and _belongs(last, drafts[at : at + _MOST_PARAGRAPHS], by_page):
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


def _belongs(last: _Draft, following: list[_Draft], by_page: bool) -> bool:
    """Whether the next draft goes on with the last one."""
    for draft in following:
        if last.page is not None or last.section != draft.section or last.kind != draft.kind:
            return False
        if by_page:
            return True
        if not _is_open("\n".join(last.paragraphs)):
            return False
        if _closes("\n".join(draft.paragraphs)):
            return True
        if draft.page is not None:
            return False
    return False


def _is_open(text: str) -> bool:
    return any(
        text.lstrip().startswith(left) and text.count(left) > text.count(right) for left, right in _PAIRS
    )


def _closes(text: str) -> bool:
    return any(text.count(right) > text.count(left) for left, right in _PAIRS)
