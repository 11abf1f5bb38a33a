"""What a word that no dictionary explains can be shown to mean, from the words and kanji it is made of."""

import re
from difflib import SequenceMatcher

from graphs.vocab_react.japanese.analysis import reading_alone, tokens
from graphs.vocab_react.japanese.dictionary import kanji_of, lookup
from graphs.vocab_react.japanese.glosses import covers, overlaps
from graphs.vocab_react.japanese.kana import hepburn, is_kana, is_kanji

_KATAKANA = re.compile(r"[ァ-ヺー]{3,}")
# Consonants as Japanese hears them, of Hepburn and of English; an r that is not spoken is not heard.
_HEARD = ((r"sh|j|z", "s"), (r"ch|ts", "t"), (r"v", "b"), (r"m", "n"), (r"[aiueoyw']", ""))
_SPOKEN = (
    (r"[ts]ion", "sn"), (r"ph", "f"), (r"rh", "r"), (r"tch|ch(?=[aiueo]|$)", "t"), (r"sh|th", "s"),
    (r"ck|q|c(?![eiy])", "k"), (r"x", "ks"), (r"gh", ""), (r"dg|[cjz]|g(?=[eiy])", "s"), (r"v", "b"),
    (r"(?<=[aeiouy])r(?![aeiouy])", ""), (r"l", "r"), (r"m", "n"), (r"[^bdfghknprst]", ""),
)  # fmt: skip
_ALIKE = 0.8
_VERB_OF = dict(zip("いきぎしちにびみり", "うくぐすつぬぶむる", strict=True))


def is_shown(word: str, reading: str, english: str) -> bool:
    """Whether the meaning follows from the word's verb, its one kanji, or each of its elements together.

    The reading must be the one Sudachi knows: the elements of a word say nothing of one read otherwise.
    A word in katakana may also sound like its meaning: シグナル, signal.
    """
    if _KATAKANA.fullmatch(word):
        return any(_sounds_like(word, piece) for piece in re.split(r"[;,/]", english))
    if reading_alone(word) != reading:
        return False
    kanji = [char for char in word if is_kanji(char) and char != "々"]
    if len(kanji) == 1 and len(word) > 1:
        return overlaps(english, (*_of_verb(word), *_meanings(kanji[0])))
    return any(
        covers(piece, elements) for piece in re.split(r"[;,/]", english) for elements in _elements(word)
    )


def _sounds_like(word: str, english: str) -> bool:
    """Whether a borrowed word has the consonants of the English one."""
    heard, spoken = hepburn(word), re.sub(r"\([^)]*\)", "", english).lower()
    for pattern, sound in _HEARD:
        heard = re.sub(pattern, sound, heard)
    for pattern, sound in _SPOKEN:
        spoken = re.sub(pattern, sound, spoken)
    heard, spoken = (re.sub(r"(.)\1+", r"\1", sounds) for sounds in (heard, spoken))
    return min(len(heard), len(spoken)) > 1 and SequenceMatcher(None, heard, spoken).ratio() >= _ALIKE


def _of_verb(word: str) -> tuple[str, ...]:
    """輝き is what 輝く says."""
    verbs = [word[:-1] + _VERB_OF[word[-1]]] if word[-1] in _VERB_OF else []
    return tuple(gloss for verb in verbs for entry in lookup(verb) for gloss in entry.glosses)


def _meanings(char: str) -> tuple[str, ...]:
    found = kanji_of(char)
    return found.meanings if found else ()


def _elements(word: str) -> list[list[tuple[str, ...]]]:
    """The glosses of what the word is made of: its short units, and its kanji one by one."""
    units = [token.lemma for token in tokens(word, "A")]
    ways = [units] if len(units) > 1 else []
    if not is_kana(word) and all(map(is_kanji, word)):
        ways.append(list(word))
    return [[_glosses(unit) for unit in way] for way in ways]


def _glosses(unit: str) -> tuple[str, ...]:
    entries = tuple(gloss for entry in lookup(unit) for gloss in entry.glosses)
    return (*entries, *(_meanings(unit) if len(unit) == 1 else ()))
