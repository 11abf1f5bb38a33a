"""The child process that touches PDF files: one request, limits set first, answers as JSON lines.

Run by path (`python -I pdf_worker.py`), so it imports nothing of ours but the file beside it: PyMuPDF is not
thread-safe, some files make it run for ever or die, and a parent that only reads a pipe survives all of that.
"""

import contextlib
import importlib.util
import json
import os
import re
import resource
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, BinaryIO

LONG_SIDE = 1568
MAX_ZOOM = 32.0
MAX_IMAGE_BYTES = 2_000_000
MAX_PAGE_CHARS = 400_000
MAX_PATHS = 1200
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
# Fonts of older TeX files name no letters: ligatures and dashes come as the codes of its two encodings.
TEX = dict(
    zip("\x0b\x0c\r\x0e\x0f\x1b\x1c\x1d\x1e\x1f", ("ff", "fi", "fl", "ffi", "ffl") * 2, strict=True)
) | {"\x15": "–", "\x16": "—"}
CODES = re.compile(r"[\x0b-\x1f]")
TEX_CODE = re.compile(r"(?<=[^\W\d_])[\x0b-\x0f\x1b-\x1f]|[\x0b-\x0f\x1b-\x1f](?=[^\W\d_])|[\x15\x16]")

Emit = Callable[[dict[str, Any]], None]


def set_limits(cpu_seconds: int, memory_bytes: int) -> None:
    """No core files, no forks that matter, a bound on CPU and memory, set before the file is touched."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def library() -> Any:
    """PyMuPDF, loaded only after the limits stand."""
    import pymupdf

    return pymupdf


def open_pdf(path: str) -> Any:
    """The opened file; raises `Refused` for what no later step can use."""
    pymupdf = library()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        document = pymupdf.open(path, filetype="pdf")
    except MemoryError:
        raise
    except Exception as exc:  # the library raises many types of its own for damaged files
        raise Refused("damaged", str(exc)) from exc
    if document.needs_pass:
        raise Refused("encrypted", "a password is needed")
    if not document.is_pdf:
        raise Refused("not_pdf", "not a PDF")
    if document.page_count < 1:
        raise Refused("no_pages", "no pages")
    return document


class Refused(Exception):
    """The file cannot be used at all; `code` tells the parent which message to give."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def clean(text: str) -> str:
    """Text without control characters and lone surrogates, which JSON and models choke on."""
    text = text[:MAX_PAGE_CHARS]
    if CODES.search(text):
        text = TEX_CODE.sub(lambda found: TEX[found.group()], text)
    return CONTROL.sub("", text)


def page_range(request: dict[str, Any], count: int) -> range:
    """The zero-based pages this worker shall do: its share of the file, from `first` on."""
    count = min(count, request["max_pages"])
    part, parts = request.get("part", 0), request.get("parts", 1)
    start, stop = count * part // parts, count * (part + 1) // parts
    stop = min(stop, request.get("last", stop) + 1)
    return range(max(start, request.get("first", 0)), stop)


def each_page(
    document: Any, request: dict[str, Any], emit: Emit, work: Callable[[Any], dict[str, Any]]
) -> None:
    """Run `work` on every page and report each at once: a later hang must not lose the earlier pages."""
    pages = page_range(request, document.page_count)
    emit(
        {
            "pages": document.page_count,
            "start": pages.start,
            "stop": pages.stop,
            "repaired": document.is_repaired,
        }
    )
    for number in pages:
        try:
            emit({"page": number, **work(document.load_page(number))})
        except MemoryError:
            emit({"page": number, "failed": "out of memory"})
        except Exception as exc:  # noqa: BLE001 - any one page may be damaged in any way; the others still count
            emit({"page": number, "failed": str(exc)[:200]})


@cache
def beside(name: str) -> Any:
    """A module beside this one, loaded by its path: an isolated interpreter finds no package of ours."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(page: Any) -> dict[str, Any]:
    """The page's lines as a person reads them, column after column."""
    pymupdf = library()
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    drawn = page.get_textpage(flags=flags)
    placed = placed_lines(drawn)
    if placed is None:
        return {"text": clean(drawn.extractText())}
    whole = "".join(line.text for line in placed)
    if not whole.isascii() and beside("right_to_left").RIGHT_TO_LEFT.search(whole):
        placed = typed_lines(drawn)
    lines = beside("reading_order").in_reading_order(placed)
    return {"text": clean("".join(f"{line.text}\n" for line in lines))}


def placed_lines(drawn: Any) -> list[Any] | None:
    """Every line with its box, in the file's order; None where lines run from top to bottom.

    MuPDF writes them as JSON itself, which costs a fifth of walking through its objects from here.
    """
    mupdf = library().mupdf
    buffer = mupdf.FzBuffer(4096)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(output, drawn.this, 1.0)
    output.fz_close_output()
    line, placed = beside("reading_order").Line, []
    for block in json.loads(buffer.fz_buffer_extract().decode("utf-8", "replace"), strict=False)["blocks"]:
        for said in block.get("lines", ()):
            if said["wmode"]:
                return None
            box = said["bbox"]
            x, y = box["x"], box["y"]
            placed.append(line(x, y, x + box["w"], y + box["h"], said["text"]))
    return placed


def typed_lines(drawn: Any) -> list[Any]:
    """Every line with its box; those that run from right to left put together from their characters."""
    found, line = beside("right_to_left"), beside("reading_order").Line
    pieces = []
    for said in (said for block in drawn.extractRAWDICT()["blocks"] for said in block.get("lines", ())):
        chars = [char for span in said["spans"] for char in span["chars"]]
        level = abs(said["dir"][1]) < 0.1
        # A space that is not in the file was guessed from the order of drawing, which misleads here.
        real = [char for char in chars if level and not char["synthetic"]]
        placed = [found.Char(char["c"], char["bbox"][0], char["bbox"][2]) for char in real]
        size = said["spans"][0]["size"] if chars else 0.0
        pieces.append(found.Piece(*said["bbox"], size, "".join(char["c"] for char in chars), placed))
    return [line(*piece[:4], found.as_typed(piece)) for piece in found.rows(pieces)]


def visuals_of(page: Any) -> dict[str, Any]:
    """Captions, images and vector figures of one page, as plain boxes for the parent to pair."""
    area = max(abs(page.rect.width * page.rect.height), 1.0)
    paths = page.get_cdrawings() if page_is_light(page) else []
    return {
        "area": area,
        "captions": list(beside("pdf_captions").captions(text_blocks(page))),
        "images": list(images(page, area)),
        "figures": list(figures(page, paths, area)),
        "ruled": sum(1 for path in paths if is_rule(path)) >= 3,
    }


def text_blocks(page: Any) -> list[dict[str, Any]]:
    """The page's text with the place and size of every line."""
    blocks: list[dict[str, Any]] = page.get_text("dict", flags=0)["blocks"]
    for span in (span for block in blocks for line in block.get("lines", ()) for span in line["spans"]):
        span["text"] = clean(span["text"])
    return blocks


def page_is_light(page: Any) -> bool:
    """Whether the page's drawing code is short enough to look into: a map can hold millions of paths."""
    return sum(len(page.parent.xref_stream_raw(xref) or b"") for xref in page.get_contents()) < 1_500_000


def images(page: Any, area: float) -> Iterator[dict[str, Any]]:
    """Raster images that a reader would notice."""
    for info in page.get_image_info()[:200]:
        x0, y0, x1, y1 = info["bbox"]
        share = (x1 - x0) * (y1 - y0) / area
        if share >= 0.005 and min(x1 - x0, y1 - y0) >= 18:
            size = f"{info['width']}×{info['height']} pixels"
            yield {"box": [x0, y0, x1, y1], "share": round(min(share, 1.0), 3), "size": size}


def is_rule(path: dict[str, Any]) -> bool:
    """Whether a path is a long thin horizontal line, as tables have."""
    x0, y0, x1, y1 = path["rect"]
    return bool(x1 - x0 > 72 and y1 - y0 < 2)


def figures(page: Any, paths: list[dict[str, Any]], area: float) -> Iterator[dict[str, Any]]:
    """Regions dense with vector drawing: diagrams and charts, but no rules, frames or backgrounds."""
    shapes = [path for path in paths if not is_rule(path) and not is_frame(path, area)]
    if len(shapes) < 4:
        return
    if len(shapes) > MAX_PATHS:
        boxes = [union([path["rect"] for path in shapes])]
    else:
        as_drawings = page.get_drawings()
        kept = [path for path in as_drawings if not is_rule(path) and not is_frame(path, area)]
        boxes = [list(rect) for rect in page.cluster_drawings(drawings=kept, x_tolerance=24, y_tolerance=24)]
    for x0, y0, x1, y1 in boxes:
        inside = sum(1 for path in shapes if overlaps(path["rect"], (x0, y0, x1, y1)))
        if (x1 - x0) * (y1 - y0) >= 0.01 * area and min(x1 - x0, y1 - y0) >= 30 and inside >= 4:
            yield {"box": [x0, y0, x1, y1], "paths": inside}


def is_frame(path: dict[str, Any], area: float) -> bool:
    """Whether one path covers nearly the whole page."""
    x0, y0, x1, y1 = path["rect"]
    return bool((x1 - x0) * (y1 - y0) > 0.85 * area)


def union(boxes: list[Any]) -> list[float]:
    """The smallest box around all boxes."""
    lows = [min(box[i] for box in boxes) for i in (0, 1)]
    return [*lows, *(max(box[i] for box in boxes) for i in (2, 3))]


def overlaps(one: Any, other: Any) -> bool:
    """Whether two boxes touch."""
    return bool(one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3])


def tables_of(page: Any) -> dict[str, Any]:
    """The tables PyMuPDF finds on a page (slow: up to a second a page)."""
    found = page.find_tables()
    rows = [[[clean(cell or "") for cell in row] for row in table.extract()] for table in found.tables]
    return {"tables": rows[:20]}


def render(document: Any, number: int) -> tuple[dict[str, Any], bytes]:
    """One page as an image of at most 1568 pixels a side and two megabytes."""
    pymupdf = library()
    page = document.load_page(number)
    width, height = page.rect.width, page.rect.height
    longest = max(width, height)
    if not 0 < longest < 1e7:
        raise ValueError(f"the page measures {width} by {height} points")
    zoom = min(LONG_SIDE / longest, MAX_ZOOM)
    pixmap = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
    mime, data = encoded(pixmap)
    return {"mime": mime, "width": pixmap.width, "height": pixmap.height}, data


def encoded(pixmap: Any) -> tuple[str, bytes]:
    """PNG where it is small; otherwise JPEG, then grey JPEG of falling quality."""
    pymupdf = library()
    data: bytes = pixmap.tobytes("png")
    if len(data) <= MAX_IMAGE_BYTES:
        return "image/png", data
    grey = pymupdf.Pixmap(pymupdf.csGRAY, pixmap)
    for source, quality in ((pixmap, 85), (grey, 75), (grey, 45), (grey, 20)):
        data = source.tobytes("jpeg", jpg_quality=quality)
        if len(data) <= MAX_IMAGE_BYTES:
            break
    return "image/jpeg", data


def answer(request: dict[str, Any], out: BinaryIO) -> None:
    """Do what the request says; the last line is always `done` or `error`."""

    def emit(record: dict[str, Any]) -> None:
        out.write(json.dumps(record).encode() + b"\n")
        out.flush()

    per_page = {"text": text_of, "visuals": visuals_of, "tables": tables_of}
    try:
        document = open_pdf(request["path"])
        if request["do"] == "render":
            head, data = render(document, request["page"])
            emit({**head, "bytes": len(data)})
            out.write(data)
            out.flush()
            return
        each_page(document, request, emit, per_page[request["do"]])
        emit({"done": True})
    except Refused as exc:
        emit({"error": exc.code, "detail": str(exc)[:200]})
    except MemoryError:
        emit({"error": "memory", "detail": "out of memory"})
    except Exception as exc:  # noqa: BLE001 - whatever the library throws, the parent gets one readable line
        emit({"error": "damaged", "detail": str(exc)[:200]})


def main() -> None:
    """Take one request from standard input; keep the pipe clean of the library's own chatter."""
    request = json.loads(sys.stdin.buffer.readline())
    set_limits(request["cpu_seconds"], request["memory_bytes"])
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):
        answer(request, out)
    os._exit(0)  # the library's clean-up has been seen to crash after the answer was complete


if __name__ == "__main__":
    main()
