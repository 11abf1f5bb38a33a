"""Spanish or English: the language of the prompts and of what is written about a content."""

import re
from typing import Literal

from graphs.concept_extraction.titles import word_set

Language = Literal["es", "en"]

_WORDS: dict[Language, frozenset[str]] = {
    "es": word_set(
        "el la los las un una unos unas de del al que y o en con por para se su sus lo le les es son "
        "está están fue no si sí como más pero cuando porque este esta esto ese eso todo nada ser hay "
        "sin sobre entre también nos ya muy donde quien cual cada hasta desde tiene puede hace mi tu"
    ),
    "en": word_set(
        "the a an of to and or in on at with by for from is are was were be been not it its this that "
        "these those he she they we you i as but when because if there which who what all no so than "
        "then have has had can will would do does one into about their his her our your my"
    ),
}
_MARKS = re.compile(r"[ñ¿¡áéíóúü]")
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str, default: Language = "es") -> Language:
    """A vote of small words; a text without any speaks the default."""
    spoken = languages_of(text)
    return spoken[0] if len(spoken) == 1 else default


def languages_of(text: str) -> tuple[Language, ...]:
    """The language that the small words vote for; both where the vote is even, as in many titles."""
    sample = text[:20_000].casefold()
    votes = dict.fromkeys(_WORDS, 0)
    for word in _WORD.findall(sample):
        for language, words in _WORDS.items():
            votes[language] += word in words
    votes["es"] += len(_MARKS.findall(sample))
    if votes["es"] == votes["en"]:
        return "es", "en"
    return ("es",) if votes["es"] > votes["en"] else ("en",)
