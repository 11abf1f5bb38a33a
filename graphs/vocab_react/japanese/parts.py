"""Aligns a word's characters with its reading: on and kun readings, voicing, doubling, okurigana, 々."""

from collections.abc import Iterator
from functools import lru_cache

from graphs.vocab_react.japanese.dictionary import kanji_of, lookup
from graphs.vocab_react.japanese.kana import is_kana, is_kanji, morae, to_hiragana, units
from graphs.vocab_react.schemas import Part

_VOICED = dict(
    zip("かきくけこさしすせそたちつてとはひふへほ", "がぎぐげござじずぜぞだぢづでどばびぶべぼ", strict=True)
)
_RESPELLED = {"ち": "じ", "つ": "ず"}
_HALF = dict(zip("はひふへほ", "ぱぴぷぺぽ", strict=True))
_ENDINGS = dict(zip("うくぐすつぬぶむる", "いきぎしちにびみり", strict=True))
_AFTER_N = dict(zip("あいうえお", "なにぬねの", strict=True))
_UNKNOWN = 8
_IRREGULAR = 20
_DROPPED = 3
_DOUBLED = 6
_BLOCK = 15


def voiced(kana: str) -> str:
    """The kana as it sounds behind another element: とけい as どけい."""
    return _VOICED.get(kana[:1], kana[:1]) + kana[1:]


@lru_cache(maxsize=8192)
def _sounds(char: str) -> dict[str, int]:
    """How a kanji may sound inside a word, each with what it costs to assume."""
    entry = kanji_of(char)
    costs: dict[str, int] = {}
    for written in entry.readings if entry else ():
        for kana, cost in _bases(to_hiragana(written.strip("-"))):
            for sound, more in _changes(kana):
                costs[sound] = min(costs.get(sound, 99), cost + more)
    if char == "ヶ":
        costs.update({"が": 0, "か": 0, "け": 1})
    return costs


def _bases(reading: str) -> Iterator[tuple[str, int]]:
    """A reading without its okurigana, and as the noun made of it (`はな.す` → `はな`, `はなし`)."""
    stem, _, ending = reading.partition(".")
    yield stem, 0
    if ending:
        yield stem + ending, 2
        if ending[-1] in _ENDINGS:
            yield stem + ending[:-1] + _ENDINGS[ending[-1]], 1
        if ending[0] in "つるうくちり":
            yield stem + "っ", 2
        if ending[-1] == "る":
            yield stem + ending[:-1], 1


def _changes(kana: str) -> Iterator[tuple[str, int]]:
    """The sound as it is, voiced at its start, doubled at its end."""
    starts = [(kana, 0)]
    if kana[:1] in _VOICED:
        starts.append((_VOICED[kana[0]] + kana[1:], 1))
        if kana[0] in _RESPELLED:
            starts.append((_RESPELLED[kana[0]] + kana[1:], 2))
    if kana[:1] in _HALF:
        starts.append((_HALF[kana[0]] + kana[1:], 1))
    if kana[:1] in _AFTER_N:
        starts.append((_AFTER_N[kana[0]] + kana[1:], 3))
    for sound, cost in starts:
        yield sound, cost
        if len(sound) > 1 and sound[-1] in "くつちきふ":
            yield sound[:-1] + "っ", cost + 1
        if len(sound) == 1:
            yield sound + "っ", cost + _DOUBLED
        if len(sound) > 1 and sound[-1] in "うんつ":
            yield sound[:-1], cost + (_DROPPED if len(sound) > 2 else _DOUBLED)


def _sounds_at(word: str, index: int) -> dict[str, int]:
    char = word[index]
    if char != "々" or index == 0:
        return _sounds(char)
    return _sounds(word[index - 1] if word[index - 1] != "々" else word[index - 2])


Pieces = tuple[tuple[str, str], ...]


@lru_cache(maxsize=16384)
def align(word: str, reading: str) -> Pieces | None:
    """Each character with its stretch of the reading, at the least cost; None where no way fits."""
    return _cheapest(word, to_hiragana(reading), with_blocks=False)


@lru_cache(maxsize=16384)
def _with_blocks(word: str, reading: str) -> Pieces | None:
    """The same, with irregular words inside a longer one as one piece: 土産|話, 花|吹雪."""
    return _cheapest(word, to_hiragana(reading), with_blocks=True)


def _cheapest(word: str, kana: str, with_blocks: bool) -> Pieces | None:
    plain = to_hiragana(word)
    best: dict[tuple[int, int], tuple[int, Pieces] | None] = {}

    def walk(index: int, place: int) -> tuple[int, Pieces] | None:
        if index == len(word):
            return (0, ()) if place == len(kana) else None
        if (index, place) in best:
            return best[index, place]
        chosen: tuple[int, Pieces] | None = None
        ways = [(word[index], *way) for way in _candidates(word, plain, index, kana, place)]
        ways += _blocks(word, index, kana, place) if with_blocks else []
        for written, sound, cost in ways:
            rest = walk(index + len(written), place + len(sound))
            if rest and (chosen is None or cost + rest[0] < chosen[0]):
                chosen = (cost + rest[0], ((written, sound), *rest[1]))
        best[index, place] = chosen
        return chosen

    found = walk(0, 0) if len(word) <= 24 else None
    return found[1] if found else None


def _blocks(word: str, index: int, kana: str, place: int) -> list[tuple[str, str, int]]:
    """Words of two or three kanji that start here and that the dictionary reads as the text goes on."""
    found: list[tuple[str, str, int]] = []
    for size in (2, 3):
        block = word[index : index + size]
        if len(block) < size or block == word or not all(map(is_kanji, block)):
            continue
        sounds = {form for entry in lookup(block) for one in entry.readings for form in (one, voiced(one))}
        found.extend((block, sound, _BLOCK * size) for sound in sounds if kana.startswith(sound, place))
    return found


def _candidates(word: str, plain: str, index: int, kana: str, place: int) -> Iterator[tuple[str, int]]:
    if not is_kanji(word[index]) and word[index] != "ヶ":
        long_mark = word[index] == "ー" and kana[place : place + 1] in "あいうえおー" and place < len(kana)
        if kana.startswith(plain[index], place):
            yield plain[index], 0
        elif long_mark:
            yield kana[place], 0
        return
    sounds = _sounds_at(word, index)
    for sound, cost in sounds.items():
        if sound and kana.startswith(sound, place):
            yield sound, cost
    beside = [at for at in (index - 1, index + 1) if 0 <= at < len(word) and is_kanji(word[at])]
    unknown = not sounds and all(_sounds_at(word, at) for at in beside)
    if unknown or (len(word) > 1 and not beside):
        dear = _IRREGULAR if sounds else _UNKNOWN
        for size in range(1, min(5, len(kana) - place) + 1):
            yield kana[place : place + size], dear + size


def _coarse(word: str, reading: str) -> Pieces:
    """An irregular word: kana at its two ends stay by themselves, the rest is one piece."""
    kana, plain = to_hiragana(reading), to_hiragana(word)
    head = 0
    while head < min(len(word), len(kana)) - 1 and is_kana(word[head]) and plain[head] == kana[head]:
        head += 1
    tail = 0
    while (
        tail < min(len(word), len(kana)) - head - 1
        and is_kana(word[-1 - tail])
        and plain[-1 - tail] == kana[-1 - tail]
    ):
        tail += 1
    end, stop = len(word) - tail, len(kana) - tail
    front = [(word[i], kana[i]) for i in range(head)]
    back = [(word[end + i], kana[stop + i]) for i in range(tail)]
    return (*front, (word[head:end], kana[head:stop]), *back)


def _merged(pieces: Pieces, reading: str) -> list[tuple[str, str]]:
    """Pieces joined where a mora would otherwise be cut in two."""
    edges, place = set(), 0
    for unit in units(reading):
        place += len(unit)
        edges.add(place)
    merged: list[tuple[str, str]] = []
    place, open_piece = 0, False
    for written, kana in pieces:
        merged[-1:] = (
            [(merged[-1][0] + written, merged[-1][1] + kana)]
            if open_piece
            else [*merged[-1:], (written, kana)]
        )
        place += len(kana)
        open_piece = place not in edges
    return merged


def parts_of(word: str, reading: str) -> list[Part]:
    """The word in parts. They always join to the word, and their romaji to the word's."""
    kana = to_hiragana(reading)
    pieces = align(word, kana) or _with_blocks(word, kana) or _coarse(word, kana)
    sounds = iter(morae(kana))
    built: list[Part] = []
    for written, sound in _merged(pieces, kana):
        romaji: list[str] = []
        taken = 0
        while taken < len(sound):
            unit, spelled = next(sounds)
            taken += len(unit)
            romaji.append(spelled)
        built.append(Part(kanji=written, romaji=romaji))
    return built
