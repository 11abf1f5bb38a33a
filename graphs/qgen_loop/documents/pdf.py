"""PDF by PyMuPDF, always in a child process: text page by page, visual content, rendering."""

from dataclasses import dataclass, field
from pathlib import Path

from graphs.qgen_loop.documents import pdf_process
from graphs.qgen_loop.documents.document import PageView
from graphs.qgen_loop.documents.lines import split_lines
from graphs.qgen_loop.documents.pdf_process import ChildEnded, Limits
from graphs.qgen_loop.documents.pdf_reading import Reading, UnreadableDocument, read_in_parts, read_pages
from graphs.qgen_loop.documents.pdf_visuals import elements
from graphs.qgen_loop.documents.source import Parsed, Source
from graphs.qgen_loop.schemas import VisualElement

TEXT_LIMITS = Limits()
RENDER_LIMITS = Limits(wall=25.0, stall=25.0, cpu_seconds=25)
VISUAL_LIMITS = Limits(wall=45.0, stall=10.0, cpu_seconds=45)
TABLE_LIMITS = Limits(wall=12.0, stall=12.0, cpu_seconds=12)
# Finding tables costs up to a second a page, so only pages with ruled lines are looked at, and not many.
MAX_TABLE_PAGES = 6


def parse(source: Source) -> Parsed:
    """Text and line map of a PDF; figures, tables and images wait until somebody asks for them."""
    reading = read_in_parts(source.path, TEXT_LIMITS)
    lines, pages = _lines(reading)
    layout = PdfLayout(source.path)
    return Parsed(
        "pdf", lines, pages, reading.total, warnings=_warnings(source.path, reading, lines), layout=layout
    )


def _lines(reading: Reading) -> tuple[list[str], list[int]]:
    lines: list[str] = []
    pages: list[int] = []
    for number in sorted(reading.pages):
        text = [
            line.rstrip() for line in split_lines(reading.pages[number].get("text", "").replace("\f", "\n"))
        ]
        lines.extend(text)
        pages.extend([number + 1] * len(text))
    return lines, pages


def _warnings(path: Path, reading: Reading, lines: list[str]) -> list[str]:
    failed = [
        (number + 1, page["failed"]) for number, page in sorted(reading.pages.items()) if "failed" in page
    ]
    warnings = [f"{path.name}, page {number} could not be read: {why}" for number, why in failed[:5]]
    if len(failed) > 5:
        warnings.append(f"{path.name}: {len(failed) - 5} more pages could not be read")
    if reading.total > TEXT_LIMITS.max_pages:
        warnings.append(f"{path.name} has {reading.total} pages; only {TEXT_LIMITS.max_pages} are read")
    if reading.repaired:
        warnings.append(f"{path.name} was damaged and has been repaired in memory")
    if not any(line.strip() for line in lines):
        warnings.append(f"{path.name} holds no text: it may be a scan, for which visual mode is meant")
    return warnings + reading.trouble


@dataclass
class PdfLayout:
    """What needs the PDF file again: rendering, figures, tables."""

    path: Path
    _tables: dict[int, list[list[list[str]]]] = field(default_factory=dict)

    def render(self, page: int) -> PageView:
        """A page as an image, or a sentence that sends the reader to another page."""
        request = {"do": "render", "path": str(self.path), "page": page - 1}
        try:
            head, data = pdf_process.image(request, RENDER_LIMITS)
        except ChildEnded as exc:
            return _unseen(page, str(exc))
        if "error" in head:
            return _unseen(page, head.get("detail", "it is damaged"))
        return PageView(page, "image", "", head["mime"], data, head["width"], head["height"])

    def visuals(self) -> list[VisualElement]:
        """Captions paired with images, vector figures and tables."""
        try:
            reading = read_pages(self.path, "visuals", VISUAL_LIMITS)
        except UnreadableDocument:
            return []
        ruled = [number + 1 for number, page in sorted(reading.pages.items()) if page.get("ruled")]
        tables = {number: self.tables(number) for number in ruled[:MAX_TABLE_PAGES]}
        return elements(reading.pages, tables)

    def tables(self, page: int) -> list[list[list[str]]]:
        """The cells of the page's tables, kept once found."""
        if page not in self._tables:
            self._tables[page] = self._find_tables(page)
        return self._tables[page]

    def _find_tables(self, page: int) -> list[list[list[str]]]:
        request = {"do": "tables", "path": str(self.path), "first": page - 1, "last": page - 1}
        try:
            for record in pdf_process.records(request, TABLE_LIMITS):
                if "tables" in record:
                    found: list[list[list[str]]] = record["tables"]
                    return found
        except ChildEnded:
            return []
        return []


def _unseen(page: int, reason: str) -> PageView:
    message = f"Page {page} cannot be shown ({reason}). Try a different page."
    return PageView(page, "error", message)
