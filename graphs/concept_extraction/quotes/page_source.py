"""A web page as blocks: what reading programs export as HTML, each line with its number in the file."""

import re
from html.parser import HTMLParser

from graphs.concept_extraction.quotes.blocks import Block, Kind

_PAGE = re.compile(
    r"^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I | re.S
)
_UNSEEN = ("style", "script", "head", "title")
_BREAKS = ("br", "tr")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_KINDS: dict[str, Kind] = {"blockquote": "blockquote", "li": "item"}
_SET_OFF = (*_HEADINGS, *_KINDS, "p", "div", "hr", "ul", "ol", "table", "section", "article", "body", "td")
# A class that says what a tag does not: `sectionHeading`, `chapter`, but not `noteHeading`
_HEADS = re.compile(r"^(?:section|chapter)[-_ ]?(?:heading|title)?$", re.IGNORECASE)
_HEAD_LEVEL = 2
_PAGE_CLASS = re.compile(r"\bpage(?:[-_]?number)?$", re.IGNORECASE)


def is_page_source(text: str) -> bool:
    # Tags that nobody closes are no page, and would take the parser for ever.
    return _PAGE.match(text) is not None and text.count("<") <= 2 * text.count(">")


def page_blocks(text: str) -> list[Block]:
    """Every text of the page that can be seen, in order."""
    reader = _PageReader()
    reader.feed(text)
    reader.close()
    reader.end_block()
    return reader.blocks


class _PageReader(HTMLParser):
    """Programs close their tags in any order: a block ends wherever another begins or one ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._lines: list[tuple[int, str]] = []
        self._kind: Kind = "paragraph"
        self._level = 0
        self._is_page = False
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._hidden += 1
        elif tag in _BREAKS:
            self._lines.append((self.getpos()[0], ""))
        elif tag in _SET_OFF:
            self.end_block()
            said = next((value or "" for name, value in attrs if name == "class"), "")
            self._level = _HEADINGS.get(tag, _HEAD_LEVEL if _HEADS.match(said) else 0)
            self._kind = "heading" if self._level else _KINDS.get(tag, "paragraph")
            self._is_page = _PAGE_CLASS.search(said) is not None

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _SET_OFF:
            self.end_block()

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        # A line break in the source is a blank, and nothing else.
        line, text = self.getpos()[0], re.sub(r"\s+", " ", data)
        if not self._lines:
            text = text.lstrip()
            line += data[: len(data) - len(data.lstrip())].count("\n")
        if self._lines and self._lines[-1][1]:
            number, before = self._lines.pop()
            self._lines.append((number, before + text))
        elif text:
            self._lines.append((line, text))

    def end_block(self) -> None:
        lines = [(number, text.strip()) for number, text in self._lines if text.strip()]
        if lines and self._kind == "heading":
            lines = [(lines[0][0], " ".join(text for _, text in lines))]
        if self._is_page and len(lines) == 1 and lines[0][1].isdecimal():
            # Said as the devices say it that put the page above the text.
            lines = [(lines[0][0], f"Page {lines[0][1]} @")]
        if lines:
            self.blocks.append(Block(self._kind, lines, self._level))
        self._lines, self._kind, self._level, self._is_page = [], "paragraph", 0, False
