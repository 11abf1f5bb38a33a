"""Words and parts written by hand: right ones as a model would put them, and wrong ones of many kinds."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphs.vocab_react.japanese import parts as alignment
from graphs.vocab_react.japanese import presence, verify
from graphs.vocab_react.japanese.kana import is_kanji, morae
from graphs.vocab_react.japanese.parts import parts_of

DATA = Path(__file__).parent / "data"
Span = tuple[int, int, str]


@pytest.fixture(autouse=True)
def fresh(either_dictionary: str) -> Iterator[None]:
    """What was kept from the other dictionary is forgotten."""
    kept = [presence._forms, presence._cuts, alignment._sounds, alignment.align, alignment._with_blocks]
    for cache in kept:
        cache.cache_clear()
    yield
    for cache in kept:
        cache.cache_clear()


def words(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Lines of song, word, romaji, meaning, and parts where they matter (`学:ga k|校:ko u`)."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        lyrics, kanji, romaji, english, *more = line.split("\t")
        item: dict[str, Any] = {"kanji": kanji, "romaji": romaji, "english": english}
        for parts in more:
            cut = [part.split(":") for part in parts.split("|")]
            item["parts"] = [{"kanji": written, "romaji": sounds.split()} for written, sounds in cut]
        yield lyrics, item


def test_wrong_words_are_caught() -> None:
    found = [verify(item, lyrics) for lyrics, item in words("words_bad.tsv")]
    missed = [verdict.item.kanji for verdict in found if verdict.status == "verified"]
    assert len(missed) <= 0.05 * len(found), missed


def test_right_words_are_not_refused(either_dictionary: str) -> None:
    found = [verify(item, lyrics) for lyrics, item in words("words_good.tsv")]
    refused = [verdict.reasons for verdict in found if verdict.status == "refused"]
    assert len(refused) <= 0.01 * len(found), refused
    verified = sum(verdict.status == "verified" for verdict in found)
    assert verified >= (0.95 if presence.lookup("百合") else 0.6) * len(found)


def key_of(line: str) -> tuple[str, str, set[Span]]:
    """A word, its reading, and which stretch of the word sounds how (`花/はな 火/び`)."""
    pieces = [piece.split("/") for piece in line.split()]
    reading = "".join(kana for _, kana in pieces)
    sounds = [sound for unit, sound in morae(reading) for sound in (sound, *[""] * (len(unit) - 1))]
    spans: set[Span] = set()
    word, heard = "", 0
    for written, kana in pieces:
        spans.add((len(word), len(word) + len(written), "".join(sounds[heard : heard + len(kana)])))
        word, heard = word + written, heard + len(kana)
    return word, reading, spans


def spans_of(word: str, reading: str) -> set[Span]:
    spans: set[Span] = set()
    start = 0
    for part in parts_of(word, reading):
        spans.add((start, start + len(part.kanji), "".join(part.romaji)))
        start += len(part.kanji)
    return spans


def test_parts_sound_as_they_should() -> None:
    """Some words have two keys, where either way to cut them is right."""
    keys: dict[tuple[str, str], list[set[Span]]] = defaultdict(list)
    for line in (DATA / "parts.txt").read_text(encoding="utf-8").splitlines():
        word, reading, spans = key_of(line)
        keys[word, reading].append(spans)
    right = total = 0
    for (word, reading), wanted in keys.items():
        ours = spans_of(word, reading)
        right += max(sum(sum(map(is_kanji, word[a:b])) for a, b, _ in one & ours) for one in wanted)
        total += sum(map(is_kanji, word))
    assert right / total >= 0.95
