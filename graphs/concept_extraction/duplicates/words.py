"""Words of a statement in a form that can be compared: light stems, numbers, polarity."""

import re
from dataclasses import dataclass
from functools import lru_cache

from graphs.concept_extraction.duplicates.lexicon import NEGATIONS, NUMBERS, PRIVATIONS, ROMAN, STOPWORDS
from graphs.concept_extraction.schemas import Language
from graphs.concept_extraction.titles import title_key

_CONTRACTED = re.compile(r"\b(can|won|shan|[a-z]+)n['’]t\b", re.IGNORECASE)
# "Nothing is worth as much as …" praises; it denies nothing.
_SUPERLATIVE: dict[Language, re.Pattern[str]] = {
    "es": re.compile(r"\b(?:nada|nadie|ningun[oa]?)\b.*\b(?:tan|tanto|mas|mejor|mayor)\b.*\b(?:como|que)\b"),
    "en": re.compile(r"\b(?:nothing|nobody|none|no \w+)\b.*\b(?:as \w+ as|(?:more|better|\w+er)\b.* than)\b"),
}
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")

_ENDINGS: dict[Language, str] = {
    "es": (
        "aciones iciones uciones siones imientos amientos imiento amiento acion icion ucion sion "
        "andose iendose ando iendo yendo adores adoras ador adora adas ados idas idos ada ado ida ido "
        "aban aba amos emos imos arse erse irse ar er ir an en as es os a e o s"
    ),
    "en": "izations ization ations ation ements ement ings ing edly ed ies ily ly ers er est es s e y",
}
_LONGEST_FIRST = {
    language: sorted(endings.split(), key=len, reverse=True) for language, endings in _ENDINGS.items()
}
_SHORTEST: dict[Language, int] = {"es": 3, "en": 3}


@dataclass(frozen=True)
class Statement:
    """One text, read for comparison."""

    language: Language
    words: tuple[str, ...]
    stems: tuple[str, ...]
    numbers: frozenset[str]
    negative: bool

    @property
    def content(self) -> frozenset[str]:
        return frozenset(self.stems)


@lru_cache(maxsize=20_000)
def stem(word: str, language: Language) -> str:
    """The word without its most common ending; both spellings of a text lose the same."""
    for ending in _LONGEST_FIRST[language]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST[language]:
            word = word[: -len(ending)]
            break
    # destruye/destruir, study/studies, occurred/occur
    word = word.rstrip("yi") if len(word) > _SHORTEST[language] else word
    if language == "en" and len(word) > 4 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word


@lru_cache(maxsize=20_000)
def read_statement(text: str, language: Language) -> Statement:
    """The text's words, content stems in order, numbers, and whether it denies."""
    if language == "en":
        text = _CONTRACTED.sub(lambda match: f"{match.group(1)} not", text)
    words = tuple(title_key(text).split())
    dull = STOPWORDS[language] | NEGATIONS[language] | PRIVATIONS[language]
    numerals = NUMBERS[language]
    stems = tuple(
        stem(word, language) for word in words if word not in dull and word not in numerals and len(word) > 1
    )
    return Statement(language, words, stems, _numbers(words, language), _negative(words, language))


def _numbers(words: tuple[str, ...], language: Language) -> frozenset[str]:
    found = {match for word in words for match in _DIGITS.findall(word)}
    found |= {NUMBERS[language][word] for word in words if word in NUMBERS[language]}
    return frozenset(found | {ROMAN[word] for word in words if word in ROMAN})


def _negative(words: tuple[str, ...], language: Language) -> bool:
    """Negations of one clause count once (no … nada); "without" turns it round again."""
    denied = any(word in NEGATIONS[language] for word in words)
    if denied and _SUPERLATIVE[language].search(" ".join(words)):
        denied = False
    deprived = sum(word in PRIVATIONS[language] for word in words) % 2 == 1
    return denied != deprived
