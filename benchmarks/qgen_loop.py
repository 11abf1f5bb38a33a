"""Measures of qgen_loop: PDF reading, search, model calls per question, hostile files.

The peers live in an environment of their own, so that their dependencies stay out of ours:
`python3.11 -m venv .bench` and
`.bench/bin/pip install pypdf pdfplumber deepeval ragas rapidfuzz "langchain-community<0.4"`.
QGEN_BENCH_PYTHON names another interpreter. Where there is none, the peers' column is empty.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PEERS = Path(os.environ.get("QGEN_BENCH_PYTHON", ROOT / ".bench" / "bin" / "python"))
PAGES = 390
MEGABYTES = 12
HOSTILE = 30
PATTERNS = ["lantern", "nowhere", "(a+)+$", r"([a-q][^u-z]{13}x)9", "a.{0,50}b.{0,50}c.{0,50}d.{0,50}9",
            "(?s).*9", r"\bkeeper\w*\s+of\b", "[^x]{200}9"]  # fmt: skip
_WORDS = "the keeper lit lamp oil tower rock storm granite sea boat night winter lens light reef bell"
WORDS = _WORDS.split()

PEER_SCRIPTS = {
    "pypdf": "import pypdf; [page.extract_text() for page in pypdf.PdfReader(path).pages]",
    "pdfplumber": "import pdfplumber; [page.extract_text() for page in pdfplumber.open(path).pages[:40]]",
}


def measures() -> list[Any]:
    """Everything of this room, in under ninety seconds."""
    os.environ.setdefault("STUDY_EMBEDDINGS", "ngram")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STUDY_DATA_DIR"] = f"{folder}/data"
        place = Path(folder)
        return [*pdf_measures(place), *text_measures(place), *loop_measures(place), *hostile_measures(place)]


def book(place: Path) -> Path:
    """A PDF of 390 pages with 48 lines each."""
    from tests.fakes.qgen_documents import pages_pdf, show

    dice = random.Random(1)
    pages = [show([" ".join(dice.choices(WORDS, k=12)) for _ in range(48)], size=10) for _ in range(PAGES)]
    path = place / "book.pdf"
    path.write_bytes(pages_pdf(pages))
    return path


def timed(work: Any, repeats: int = 3) -> float:
    """Median seconds of a few runs."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return median(times)


def bare(path: Path) -> float:
    """Seconds that PyMuPDF alone takes, in a process of its own as ours does."""
    script = (
        "import sys, time, pymupdf; t = time.perf_counter(); d = pymupdf.open(sys.argv[1]); "
        "[page.get_text() for page in d]; print(time.perf_counter() - t)"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    return float(told.stdout.split()[-1])


def peer(name: str, path: Path) -> float | None:
    """Pages per second of another library, in its own environment; None where that is missing."""
    if not PEERS.exists():
        return None
    script = f"import sys, time; path = sys.argv[1]; t = time.perf_counter(); {PEER_SCRIPTS[name]}; "
    script += "print(time.perf_counter() - t)"
    told = subprocess.run([PEERS, "-c", script, str(path)], capture_output=True, text=True, check=False)
    pages = 40 if name == "pdfplumber" else PAGES
    return pages / float(told.stdout.split()[-1]) if told.returncode == 0 else None


def _absent() -> str:
    return "did not run" if PEERS.exists() else "not installed"


def pdf_measures(place: Path) -> Iterator[Any]:
    from benchmarks.measure import Measure
    from graphs.qgen_loop.documents import open_document
    from graphs.qgen_loop.documents.opening import forget_documents

    path = book(place)

    def ready() -> None:
        forget_documents()
        open_document(path)

    ours, alone = timed(ready), median(bare(path) for _ in range(3))
    text = "child process and line map included"
    yield Measure("390-page PDF ready", ours, "s", 1.0, "< 1 s", "PyMuPDF bare, in process", alone, note=text)
    for name in PEER_SCRIPTS:
        theirs = peer(name, path)
        label = name if theirs else f"{name} ({_absent()})"
        yield Measure(
            "PDF pages per second", PAGES / ours, "pages/s", 390, "", label, theirs, better="higher"
        )
    document = open_document(path)
    read = timed(lambda: [str(document.read_lines(9000, 9099)) for _ in range(50)]) / 50
    yield Measure("cached read of 100 lines", read * 1000, "ms", 1.0, "< 1 ms")


def text_measures(place: Path) -> Iterator[Any]:
    from benchmarks.measure import Measure
    from graphs.qgen_loop.documents import open_document

    dice = random.Random(2)
    lines = [" ".join(dice.choices(WORDS, k=14)) for _ in range(MEGABYTES * 1024 * 1024 // 75)]
    path = place / "long.txt"
    path.write_text("\n".join(lines))
    document = open_document(path)
    document.search("warm")
    slowest = max((timed(lambda p=pattern: document.search(p)), pattern) for pattern in PATTERNS)  # type: ignore[misc]
    yield Measure(
        f"search in {path.stat().st_size / 1e6:.0f} MB, slowest of {len(PATTERNS)} patterns",
        slowest[0] * 1000, "ms", 250, "< 250 ms, any pattern", note=slowest[1],
    )  # fmt: skip


def loop_measures(place: Path) -> Iterator[Any]:
    from benchmarks.measure import Measure
    from tests.fakes.qgen_documents import text_file
    from tests.fakes.qgen_questions import COMPOUND

    path = text_file(place)
    agent, batch = asyncio.run(run_script(path, "agent")), asyncio.run(run_script(path, "batch"))
    others = {name: peer_calls(name, path) for name in ("ragas", "deepeval")}
    for name, goal, result in (("agent", 9.0, agent), ("batch", 1.5, batch)):
        calls = result["spent"]["calls"] / len(result["accepted"])
        for other, theirs in others.items():
            label = f"{other}, unverified" if theirs else f"{other} ({_absent()})"
            title = f"model calls per accepted question, {name}"
            yield Measure(title, calls, "calls", goal, f"≤ {goal:g}, verified", label, theirs)
    pairs = [*agent["accepted"], *batch["accepted"]]
    proven = sum(stands(pair) for pair in pairs) / len(pairs)
    yield Measure(
        "accepted questions with evidence in the file", proven * 100, "%", 100, "100 %", better="higher"
    )
    from graphs.qgen_loop.checks import check

    taken = sum(not any(issue.hard for issue in check(question, "x")) for question in COMPOUND) / len(
        COMPOUND
    )
    yield Measure("compound questions accepted", taken * 100, "%", 5, "< 5 %", "its predecessor", 57.0)


def peer_calls(name: str, document: Path) -> float | None:
    """Model calls per question of another generator on the same document; None where it is missing."""
    if not PEERS.exists():
        return None
    command = [PEERS, "-W", "ignore", str(ROOT / "benchmarks" / "qgen_peers.py"), name, str(document)]
    told = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, cwd=document.parent
    )
    if told.returncode != 0:
        return None
    counted = json.loads(told.stdout.strip().splitlines()[-1])
    return counted["calls"] / counted["questions"] if counted["questions"] else None


def stands(pair: dict[str, Any]) -> bool:
    """Whether the quote stands in the cited lines, by plain comparison."""
    lines = Path(pair["source_document"]).read_text().split("\n")
    cited = " ".join(lines[pair["evidence"]["start_line"] - 1 : pair["evidence"]["end_line"]])
    return " ".join(pair["evidence"]["quote"].split()) in " ".join(cited.split())


async def run_script(path: Path, strategy: str) -> dict[str, Any]:
    """Ten questions by the fixed script; one candidate of five is bad."""
    from common import models
    from graphs.qgen_loop.graph import graph
    from tests.fakes import qgen_models as says
    from tests.fakes.scripted import ScriptedModel

    bad = {"quote": "words that stand nowhere in the document"}
    turns = [
        turn for n in range(10) for turn in says.attempt(n) + (says.attempt(n, **bad) if n % 4 == 3 else [])
    ]
    batches = [json.loads(says.proposals(list(part)))["questions"] for part in (range(5), range(5, 10))]
    for batch in batches:
        batch.insert(4, {**batch[0], **bad, "question": "Which sea bird nests on the Skarn reef in spring?"})
    written = [json.dumps({"questions": batch}) for batch in batches]
    answers: Any = says.knows_all if strategy == "agent" else says.batch_answers
    script = {"bench-maker": turns if strategy == "agent" else written, "reader-bench": [answers]}
    script |= {"twin-bench": [lambda _: json.dumps({"duplicate": False})]}
    for name, replies in script.items():
        models.register(f"scripted:{name}", ScriptedModel(replies=replies))
    context: Any = {"generator_model": "scripted:bench-maker", "validator_model": "scripted:reader-bench"}
    context |= {"deduplicator_model": "scripted:twin-bench", "strategy": strategy}
    given: Any = {"document_path": str(path), "target_count": 10, "fresh": True}
    return await graph.ainvoke(given, context=context)


def hostile_measures(place: Path) -> Iterator[Any]:
    from benchmarks.measure import Measure
    from common.errors import StudyError
    from graphs.qgen_loop.documents import open_document
    from tests.fakes.qgen_documents import bomb_pdf, cyclic_pdf, figure_pdf, pages_pdf

    dice, whole = random.Random(3), figure_pdf()
    files = [cyclic_pdf(), pages_pdf([]), bomb_pdf(60), b"%PDF-1.4\n", pages_pdf([b"q"], box=(3, 3))]
    while len(files) < HOSTILE:
        data = bytearray(whole)
        for _ in range(dice.choice([3, 30, 200])):
            data[dice.randrange(len(data))] = dice.randrange(256)
        files.append(bytes(data[: dice.randrange(100, len(data))]))
    unclear = 0
    for number, data in enumerate(files):
        path = place / f"{number}.pdf"
        path.write_bytes(data)
        try:
            open_document(path)
        except StudyError as exc:
            unclear += not exc.remedy
    yield Measure(
        f"hostile PDFs of {len(files)} without an answer or a clear error", unclear, "files", 0, "0"
    )
