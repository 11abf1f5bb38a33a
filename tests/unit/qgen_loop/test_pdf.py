"""PDF through the child process: text, order, figures, rendering, and files that want to do harm."""

import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from common.errors import BadInput
from graphs.qgen_loop.documents import (
    UnreadableDocument,
    open_document,
    pdf,
    pdf_process,
    pdf_reading,
    pdf_worker,
)
from graphs.qgen_loop.documents.opening import forget_documents
from graphs.qgen_loop.documents.pdf_process import ChildEnded, Limits
from graphs.qgen_loop.documents.pdf_reading import Reading, read_pages
from tests.fakes import qgen_documents as made


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    forget_documents()


def write(folder: Path, data: bytes, name: str = "a.pdf") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def outcome(path: Path) -> str:
    """What became of a file: how its first page looks, or the words that say why not."""
    try:
        return open_document(path).view_page(1).status
    except BadInput as exc:
        return exc.message if path.name in exc.message and exc.remedy else ""


def test_text_lines_know_their_page(tmp_path: Path) -> None:
    pages = [made.show([f"page {n} line {k}" for k in range(3)]) for n in range(1, 4)]
    document = open_document(write(tmp_path, made.pages_pdf(pages)))
    assert document.page_count == 3
    assert document.lines[3] == "page 2 line 0"
    assert document.page_of(4) == 2
    assert document.search("page 3").matches[0].page == 3


def test_two_columns_in_reading_order(tmp_path: Path) -> None:
    lines = open_document(write(tmp_path, made.two_columns_pdf())).lines
    assert [line for line in lines if line] == [f"left {n}" for n in range(1, 11)] + [
        f"right {n}" for n in range(1, 11)
    ]


def test_figures_tables_and_rendering(tmp_path: Path) -> None:
    document = open_document(write(tmp_path, made.figure_pdf()))
    listed = [(item.type, item.page, item.ref, item.caption) for item in document.list_visual_content()]
    assert ("table", 1, "Table 1", "Wages by year") in [(t, p, r, c[:13]) for t, p, r, c in listed]
    assert [item[:3] for item in listed if item[1] == 2] == [("figure", 2, "Figure 1")]
    view = document.view_page(2)
    assert (view.status, view.mime, max(view.width, view.height)) == ("image", "image/png", 1568)
    assert view.data.startswith(b"\x89PNG")
    assert view.base64
    assert document.view_page(2) is view
    assert document.view_page(3).status == "error"
    assert "pages 1 to 2" in document.view_page(0).message
    assert document.tables(1) == document.tables(1) == []


@pytest.mark.parametrize("box", [(3, 3), (28346, 28346), (14000, 3), (0.5, 0.5)])
def test_tiny_and_enormous_pages(tmp_path: Path, box: tuple[float, float]) -> None:
    view = open_document(write(tmp_path, made.pages_pdf([made.show(["x"])], box=box))).view_page(1)
    assert view.status in ("image", "error")
    assert max(view.width, view.height) <= 1568
    assert len(view.data) <= 2_000_000


def test_a_noisy_page_stays_under_two_megabytes(tmp_path: Path) -> None:
    import random

    noise = random.Random(3).randbytes(900 * 900 * 3)
    image = made.stream(noise, b"/Type /XObject /Subtype /Image /Width 900 /Height 900 /BitsPerComponent 8 "
                               b"/ColorSpace /DeviceRGB")  # fmt: skip
    data = made.pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Contents 5 0 R "
            b"/Resources << /XObject << /I 4 0 R >> >> >>",
            image,
            made.stream(b"q 600 0 0 600 0 0 cm /I Do Q"),
        ]
    )
    document = open_document(write(tmp_path, data))
    view = document.view_page(1)
    assert view.mime == "image/jpeg"
    assert len(view.data) <= 2_000_000
    assert document.list_visual_content()[0].type == "image"
    assert any("no text" in warning for warning in document.warnings)


def test_two_thousand_pages(tmp_path: Path) -> None:
    data = made.pages_pdf([made.show([f"page {n} speaks"]) for n in range(1, 2001)])
    document = open_document(write(tmp_path, data))
    assert document.page_count == 2000
    assert document.page_of(document.search("page 1999 speaks").matches[0].line) == 1999


def test_a_bomb_ends_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "TEXT_LIMITS", Limits(wall=5, stall=2, cpu_seconds=2, memory_bytes=1 << 29))
    monkeypatch.setattr(pdf, "RENDER_LIMITS", Limits(wall=3, stall=3, cpu_seconds=2, memory_bytes=1 << 29))
    assert outcome(write(tmp_path, made.bomb_pdf(120)))


def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put another child in the worker's place."""
    script = tmp_path / "child.py"
    script.write_text("import sys, json, os, time\nrequest = json.loads(sys.stdin.readline())\n" + body)
    monkeypatch.setattr(pdf_process, "WORKER", script)


def emit(record: str) -> str:
    return f"print(json.dumps({record}), flush=True)\n"


HEAD = emit('{"pages": 3, "start": max(0, request["first"]), "stop": 3, "repaired": True}')


def test_a_page_that_kills_the_reader_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = HEAD + (
        'for n in range(request["first"], 3):\n'
        "    if n == 1: os._exit(11)\n"
        '    print(json.dumps({"page": n, "text": f"page {n}"}), flush=True)\n'
    )
    worker(tmp_path, monkeypatch, body + emit('{"done": True}'))
    document = open_document(write(tmp_path, made.figure_pdf()))
    assert document.lines == ["page 0", "page 2"]
    assert any("page 2 could not be read" in warning for warning in document.warnings)
    assert any("repaired" in warning for warning in document.warnings)


def test_an_endless_page_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker(tmp_path, monkeypatch, HEAD + "time.sleep(600)\n")
    take, passed = Reading.take, 0.0

    def taken(reading: Reading, record: dict[str, Any]) -> None:
        """Once the child has begun to speak, all of its time is over."""
        nonlocal passed
        take(reading, record)
        passed = 3600.0

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed)
    monkeypatch.setattr(Reading, "take", taken)
    monkeypatch.setattr(pdf_process, "time", clock)
    monkeypatch.setattr(pdf_reading, "time", clock)
    reading = read_pages(write(tmp_path, made.figure_pdf()), "text", Limits(wall=600, stall=0.4))
    assert ["too long" in page["failed"] for page in reading.pages.values()] == [True]
    assert reading.trouble


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells what a child computes")
def test_a_reader_that_is_not_let_run_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = "time.sleep(2.5)\n" + HEAD + emit('{"page": 0, "text": "late"}') + emit('{"done": True}')
    worker(tmp_path, monkeypatch, late)
    reading = read_pages(write(tmp_path, made.figure_pdf()), "text", Limits(wall=600, stall=2))
    assert [page["text"] for page in reading.pages.values()] == ["late"]


def test_a_reader_that_computes_for_ever_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker(tmp_path, monkeypatch, HEAD + "while True: pass\n")
    children = pdf_process.records({"do": "text", "first": 0}, Limits(wall=600, stall=2))
    assert next(children)["pages"] == 3
    with pytest.raises(ChildEnded, match="too long"):
        next(children)


def test_a_reader_that_dies_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker(tmp_path, monkeypatch, "os._exit(1)\n")
    path = write(tmp_path, made.figure_pdf())
    with pytest.raises(UnreadableDocument, match="cannot be opened"):
        open_document(path)
    layout = pdf.PdfLayout(path)
    assert layout.visuals() == []
    assert layout.tables(1) == []
    assert "Try a different page" in layout.render(1).message


def test_a_flood_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker(tmp_path, monkeypatch, "while True: print('x' * 65536)\n")
    monkeypatch.setattr(pdf_process, "MAX_ANSWER_BYTES", 1 << 20)
    with pytest.raises(ChildEnded, match="too large"):
        pdf_process.image({"do": "render", "path": "x", "page": 0}, Limits())


def test_half_an_image_is_no_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker(tmp_path, monkeypatch, emit('{"bytes": 100, "mime": "image/png", "width": 1, "height": 1}'))
    view = pdf.PdfLayout(write(tmp_path, made.figure_pdf())).render(1)
    assert "incomplete" in view.message


def test_mutated_files_open_or_say_why(tmp_path: Path) -> None:
    import random

    dice = random.Random(7)
    whole = made.figure_pdf()
    for number in range(12):
        data = bytearray(whole)
        for _ in range(dice.choice([3, 30, 120])):
            data[dice.randrange(len(data))] = dice.randrange(256)
        data = data[: dice.randrange(200, len(data))]
        assert outcome(write(tmp_path, bytes(data), f"{number}.pdf"))


def test_shared_files(shared_data: Path) -> None:
    opened = {}
    for path in sorted((shared_data / "pdf").iterdir()):
        if "password" in path.name:
            assert "encrypted" in outcome(path)
        else:
            opened[path.name] = open_document(path)
    lines = opened["multicolumn.pdf"].lines
    joined = " ".join(lines)
    assert "vestibulum ut, placerat ac, adipiscing vitae" in joined
    assert opened["grayscale-image.pdf"].list_visual_content()[0].type == "image"


class Capture:
    """A stand-in for the pipe: what the worker writes, kept."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def flush(self) -> None: ...


def answer(request: dict[str, Any]) -> bytes:
    out = Capture()
    pdf_worker.answer({"max_pages": 100, **request}, out)  # type: ignore[arg-type]
    return out.data


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are those of Linux")
def test_the_worker_itself(tmp_path: Path) -> None:
    path = str(write(tmp_path, made.figure_pdf()))
    assert b"Wages by year" in answer({"do": "text", "path": path})
    visuals = answer({"do": "visuals", "path": path})
    assert b'"paths": 1' in visuals
    assert b'"done": true' in answer({"do": "tables", "path": path, "first": 0, "last": 0})
    assert b"\x89PNG" in answer({"do": "render", "path": path, "page": 0})
    assert b'"error": "damaged"' in answer({"do": "render", "path": path, "page": 77})
    assert b'"error": "no_pages"' in answer(
        {"do": "text", "path": str(write(tmp_path, made.pages_pdf([]), "z.pdf"))}
    )
    assert pdf_worker.clean("a\x00b\ud800c") == "abc"
    assert pdf_worker.union([[1, 2, 3, 4], [0, 5, 2, 9]]) == [0, 2, 3, 9]


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ("o\x0ecial sta\x0b, \x0cve \rat \x0cles, a\x0fuence", "official staff, five flat files, affluence"),
        ("o\x1ecial sta\x1b, \x1cve \x1dat, a\x1fuence", "official staff, five flat, affluence"),
        ("in 1920\x151935 \x16 or so", "in 1920–1935 — or so"),
        ("a bell\x07 and 12\x0e3", "a bell and 123"),
    ],
)  # fmt: skip
def test_letters_that_a_font_does_not_name(drawn: str, read: str) -> None:
    assert pdf_worker.clean(drawn) == read
