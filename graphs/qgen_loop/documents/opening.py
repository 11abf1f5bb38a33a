"""Opens a document by what its bytes show, and keeps it: parsed once per content."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from common.errors import BadInput, NotFound
from common.files import content_hash
from graphs.qgen_loop.documents import jats, markdown, pdf, plain
from graphs.qgen_loop.documents.document import Document, Format
from graphs.qgen_loop.documents.lines import MAX_BYTES
from graphs.qgen_loop.documents.source import Parsed, Source

MAX_PDF_BYTES = 400 * 1024 * 1024
MAX_KEPT = 8
MAX_KEPT_CHARS = 120_000_000
ADAPTERS: dict[Format, Callable[[Source], Parsed]] = {
    "text": plain.parse,
    "markdown": markdown.parse,
    "pdf": pdf.parse,
    "jats": jats.parse,
}
EXTENSIONS: dict[str, Format] = {
    ".pdf": "pdf",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".xml": "jats",
    ".nxml": "jats",
    ".jats": "jats",
    ".txt": "text",
    ".text": "text",
    ".rst": "text",
}
_XML_ARTICLE = re.compile(rb"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!DOCTYPE\s+)?article[\s>]", re.S)
_kept: "OrderedDict[tuple[str, Path], Document]" = OrderedDict()
_lock = threading.Lock()


def open_document(path: str | Path) -> Document:
    """The parsed document; raises `NotFound` or `BadInput` with what is wrong and what to do."""
    place = Path(path)
    source = _read(place)
    key = (source.sha256, place.resolve())
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    parsed = ADAPTERS[_format(source)](source)
    document = Document(
        path=place,
        format=parsed.format,
        sha256=source.sha256,
        lines=parsed.lines,
        line_pages=parsed.line_pages,
        page_count=parsed.page_count,
        title=parsed.title,
        warnings=parsed.warnings,
        layout=parsed.layout,
        find_visuals=parsed.find_visuals,
    )
    _keep(key, document)
    return document


def _keep(key: tuple[str, Path], document: Document) -> None:
    with _lock:
        _kept[key] = document
        while len(_kept) > 1 and (len(_kept) > MAX_KEPT or _kept_chars() > MAX_KEPT_CHARS):
            _kept.popitem(last=False)


def _kept_chars() -> int:
    return sum(sum(map(len, document.lines)) for document in _kept.values())


def forget_documents() -> None:
    """Empty the cache."""
    with _lock:
        _kept.clear()


def _read(path: Path) -> Source:
    name = path.name or str(path)
    if "\x00" in str(path):
        raise BadInput("The path holds a zero byte.", remedy="Give the path of a document.")
    if path.is_dir():
        raise BadInput(f"{name} is a folder, not a document.", remedy="Use `study qgen corpus` for a folder.")
    if not path.is_file():
        raise NotFound(f"There is no document at {path}.", remedy="Check the path.")
    size = path.stat().st_size
    if size == 0:
        raise BadInput(f"{name} is empty.", remedy="Give a document with content.")
    limit = MAX_PDF_BYTES if path.suffix.lower() == ".pdf" else MAX_BYTES
    if size > limit:
        raise BadInput(
            f"{name} has {size / 1e6:.0f} MB; at most {limit // 1024**2} MB are read.",
            remedy="Split it into parts, for example by chapter.",
        )
    try:
        data = path.read_bytes()
    except OSError as exc:
        raise BadInput(f"{name} cannot be read: {exc.strerror}.", remedy="Check its permissions.") from exc
    return Source(path, data, content_hash(data))


def _format(source: Source) -> Format:
    """By content where that is certain, otherwise by extension, otherwise as text."""
    if source.data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"%PDF-"):
        return "pdf"
    by_name = EXTENSIONS.get(source.path.suffix.lower())
    if by_name is None and _XML_ARTICLE.match(source.data[:4096]):
        return "jats"
    return by_name or "text"
