"""A file as read once from disk, and what an adapter makes of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from graphs.qgen_loop.documents.document import Format, Pages
from graphs.qgen_loop.schemas import VisualElement


@dataclass(frozen=True)
class Source:
    """A file's bytes, its place and its hash."""

    path: Path
    data: bytes = field(repr=False)
    sha256: str


@dataclass
class Parsed:
    """What every adapter returns: lines, the page of each, and where visual content comes from."""

    format: Format
    lines: list[str]
    line_pages: list[int]
    page_count: int
    title: str = ""
    warnings: list[str] = field(default_factory=list)
    layout: Pages | None = None
    find_visuals: Callable[[], list[VisualElement]] | None = None
