"""Documents of four formats behind one interface: `open_document(path)`."""

from graphs.qgen_loop.documents.document import Document, PageView, Passage
from graphs.qgen_loop.documents.opening import open_document
from graphs.qgen_loop.documents.pdf_reading import UnreadableDocument
from graphs.qgen_loop.documents.search import Match, SearchResult

__all__ = ["Document", "Match", "PageView", "Passage", "SearchResult", "UnreadableDocument", "open_document"]
