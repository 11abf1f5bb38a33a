"""What forbids taking two statements for one: another number, a negation, an opposite, swapped roles."""

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from graphs.concept_extraction.duplicates.lexicon import (
    AXES,
    EVEN_HANDED,
    NEGATIONS,
    NEGATIVE_PREFIXES,
    PASSIVE,
)
from graphs.concept_extraction.duplicates.words import Statement, read_statement, stem
from graphs.concept_extraction.quotes.language import languages_of
from graphs.concept_extraction.schemas import Language
from graphs.concept_extraction.titles import title_key

SWAPPED = "the same words in swapped places"

Axis = tuple[frozenset[str], frozenset[str]]


def contrast(first: str, second: str) -> str | None:
    """Why the two texts cannot be merged, or None where nothing speaks against it."""
    for language in languages_of(f"{first} {second}"):
        one, two = read_statement(first, language), read_statement(second, language)
        if one.words == two.words:
            return None
        reason = _numbers(one, two) or _letters(one, two) or _polarity(one, two) or _swapped(one, two)
        if reason:
            return reason
    return None


def _numbers(one: Statement, two: Statement) -> str | None:
    if one.numbers and two.numbers and one.numbers != two.numbers:
        return f"the numbers differ ({_listed(one.numbers)} / {_listed(two.numbers)})"
    return None


def _letters(one: Statement, two: Statement) -> str | None:
    """Año is not ano, however alike an embedder finds them."""
    left, right = (" ".join(said.words) for said in (one, two))
    if left != right and left.replace("ñ", "n") == right.replace("ñ", "n"):
        return "ñ and n are two letters"
    return None


def _polarity(one: Statement, two: Statement) -> str | None:
    """A negation or an opposite on one side; both together say the same (not remember, forget)."""
    opposites = _opposites(one, two)
    if one.negative == two.negative:
        return opposites
    return None if opposites else "one denies what the other says"


def _opposites(one: Statement, two: Statement) -> str | None:
    left, right = _marked(one) - _marked(two), _marked(two) - _marked(one)
    replaced = _replaced(one, two), _replaced(two, one)
    for positive, negative in axes(one.language):
        for here, there in ((positive, negative), (negative, positive)):
            a, b = left & here, right & there
            # A text that holds both ends of a scale compares them; it takes no side.
            if a and b and not (_marked(one) & there) and not (_marked(two) & here):
                return f"opposites ({_listed(a)} / {_listed(b)})"
            # The more … the more, the more … the less: all the same but for one end of the scale
            if (
                max(map(len, replaced)) == 1
                and replaced[0] <= here
                and replaced[1] <= there
                and all(replaced)
            ):
                return f"opposites ({_listed(replaced[0])} / {_listed(replaced[1])})"
    for a, b in ((left, right), (right, left)):
        for word in b:
            for prefix in NEGATIVE_PREFIXES[one.language]:
                if word.startswith(prefix) and len(word) - len(prefix) >= 3 and word[len(prefix) :] in a:
                    return f"opposites ({word[len(prefix) :]} / {word})"
    return None


def _replaced(one: Statement, two: Statement) -> frozenset[str]:
    """The stems of the words that one has more often than the other."""
    more = Counter(one.words) - Counter(two.words)
    return frozenset(stem(word, one.language) for word in more)


def _marked(statement: Statement) -> frozenset[str]:
    """Every word's stem but the negations': opposites hide among small words too (always, more)."""
    denials = NEGATIONS[statement.language]
    return frozenset(stem(word, statement.language) for word in statement.words if word not in denials)


def _swapped(one: Statement, two: Statement) -> str | None:
    """The same words in other places: `A precedes B`, `B precedes A`."""
    if sorted(one.stems) != sorted(two.stems) or one.stems == two.stems or len(set(one.stems)) < 2:
        return None
    words = set(one.words) | set(two.words)
    if (set(one.words) ^ set(two.words)) & PASSIVE[one.language]:
        return None
    if len(set(one.stems)) == 2 and words & EVEN_HANDED[one.language]:
        return None
    return SWAPPED


def _listed(words: frozenset[str]) -> str:
    return ", ".join(sorted(words))


@lru_cache
def axes(language: Language) -> tuple[Axis, ...]:
    """The opposites of a language as stems."""
    found: list[Axis] = []
    for line in AXES[language].strip().splitlines():
        left, right = line.split("/")
        found.append((_stems(left, language), _stems(right, language)))
    return tuple(found)


def _stems(words: str, language: Language) -> frozenset[str]:
    return frozenset(stem(title_key(word), language) for word in words.split())


@dataclass(frozen=True)
class Difference:
    """Where two texts that share some words differ; empty sides where one only says more.

    `shared` is the part of the content words that both have, `framed` the part of all words that both have
    in the same order.
    """

    shared: float
    framed: float
    longest: int
    first: str
    second: str


def difference(first: str, second: str) -> Difference:
    """The share of common content words, and the words that only one side has."""
    language = languages_of(f"{first} {second}")[0]
    one, two = read_statement(first, language), read_statement(second, language)
    common, every = one.content & two.content, one.content | two.content
    return Difference(
        len(common) / len(every) if every else 0.0,
        SequenceMatcher(None, one.words, two.words, autojunk=False).ratio(),
        max(len(one.content), len(two.content)),
        " ".join(_only(one, common)),
        " ".join(_only(two, common)),
    )


def _only(statement: Statement, common: frozenset[str]) -> list[str]:
    kept = set(statement.stems) - common
    return [word for word in statement.words if len(word) > 1 and stem(word, statement.language) in kept]
