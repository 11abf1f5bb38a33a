"""One document behind one interface, whatever its format: lines, search, pages, visual content."""

import base64
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol

from common.errors import BadInput
from graphs.qgen_loop.documents.search import SearchResult, TextIndex, search_lines
from graphs.qgen_loop.schemas import VisualElement

Format = Literal["text", "markdown", "pdf", "jats"]


@dataclass(frozen=True)
class Passage:
    """Consecutive lines; `text` shows them with their numbers."""

    start_line: int
    end_line: int
    total_lines: int
    lines: list[str]

    @property
    def text(self) -> str:
        """The lines as an editor shows them, number first."""
        return "\n".join(f"{self.start_line + i}: {line}" for i, line in enumerate(self.lines))

    def __str__(self) -> str:
        return f"{self.text}\n[lines {self.start_line}–{self.end_line} of {self.total_lines}]"


@dataclass(frozen=True)
class PageView:
    """A rendered page, or why there is none."""

    page: int
    status: Literal["image", "not_applicable", "error"]
    message: str = ""
    mime: str = ""
    data: bytes = field(default=b"", repr=False)
    width: int = 0
    height: int = 0

    @property
    def base64(self) -> str:
        """The image as base64 text, for model messages."""
        return base64.b64encode(self.data).decode()

    def __str__(self) -> str:
        return self.message or f"page {self.page}: {self.mime}, {self.width}×{self.height} pixels"


class Pages(Protocol):
    """What a format with a visual layout can do beyond text."""

    def render(self, page: int) -> PageView:
        """One page as an image, or an error in words."""
        ...

    def visuals(self) -> list[VisualElement]:
        """Figures, tables and images, in page order."""
        ...

    def tables(self, page: int) -> list[list[list[str]]]:
        """The cells of every table on a page."""
        ...


@dataclass
class Document:
    """A parsed document. Lines and pages count from 1."""

    path: Path
    format: Format
    sha256: str
    lines: list[str]
    line_pages: list[int]
    page_count: int
    title: str = ""
    warnings: list[str] = field(default_factory=list)
    layout: Pages | None = None
    find_visuals: Callable[[], list[VisualElement]] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _visuals: list[VisualElement] | None = None
    _views: dict[int, PageView] = field(default_factory=dict, repr=False)

    @cached_property
    def index(self) -> TextIndex:
        """The text prepared for searching, built at the first search."""
        return TextIndex(self.lines)

    @property
    def total_lines(self) -> int:
        """How many lines the document has."""
        return len(self.lines)

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines)

    def read_lines(self, start_line: int = 1, end_line: int | None = None) -> Passage:
        """Lines from `start_line` to `end_line`, both included; to the end where that is left out."""
        end = self.total_lines if end_line is None else end_line
        if start_line < 1 or start_line > max(self.total_lines, 1):
            raise BadInput(
                f"Line {start_line} is outside {self.path.name}.",
                remedy=f"It has lines 1 to {self.total_lines}.",
            )
        if end < start_line and end_line is not None:
            raise BadInput(
                f"start_line {start_line} comes after end_line {end}.",
                remedy="Give the smaller number first.",
            )
        end = min(end, self.total_lines)
        return Passage(start_line, end, self.total_lines, self.lines[start_line - 1 : end])

    def page_of(self, line: int) -> int:
        """The page on which a line stands."""
        return self.line_pages[min(max(line, 1), len(self.line_pages)) - 1] if self.line_pages else 1

    def search(self, pattern: str, context_lines: int = 2, *, literal: bool = False) -> SearchResult:
        """Lines that match a phrase or regular expression, ignoring case, with lines around them."""
        return search_lines(
            self.index, self.lines, self.line_pages, pattern, context_lines=context_lines, literal=literal
        )

    def view_page(self, page: int) -> PageView:
        """A page as an image; in words where that is not applicable or not possible."""
        if self.layout is None:
            message = (
                f"view_page is not applicable: {self.path.name} is {self.format} and has no visual layout."
            )
            return PageView(page, "not_applicable", message)
        if not 1 <= page <= self.page_count:
            message = f"There is no page {page}: {self.path.name} has pages 1 to {self.page_count}."
            return PageView(page, "error", message)
        with self._lock:
            if page not in self._views:
                self._views[page] = self.layout.render(page)
                self._forget_old_views()
            return self._views[page]

    def list_visual_content(self) -> list[VisualElement]:
        """Figures, tables and images with page, label and caption; empty for plain text."""
        finder = self.layout.visuals if self.layout is not None else self.find_visuals
        with self._lock:
            if self._visuals is None:
                self._visuals = finder() if finder else []
            return list(self._visuals)

    def tables(self, page: int) -> list[list[list[str]]]:
        """The cells of the tables on a page, found when first asked for; PDF only."""
        if self.layout is None or not 1 <= page <= self.page_count:
            return []
        with self._lock:
            return self.layout.tables(page)

    def _forget_old_views(self) -> None:
        while len(self._views) > 12:
            self._views.pop(next(iter(self._views)))
