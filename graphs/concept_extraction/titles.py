"""One spelling for titles that are the same name: the key under which concepts meet."""

import re
import unicodedata

_NOT_WORD = re.compile(r"[\W_]+")
_KEPT = frozenset("ñ")


def title_key(title: str) -> str:
    """NFKC, case-folded, accents folded but ñ kept, punctuation and spacing evened out."""
    composed = unicodedata.normalize("NFKC", title).casefold()
    composed = unicodedata.normalize("NFKC", composed)
    folded = "".join(map(fold_accent, composed))
    key = _NOT_WORD.sub(" ", folded).strip()
    # A title of signs alone ("???", an emoji) is still a name of its own.
    return key or " ".join(composed.split())


def fold_accent(char: str) -> str:
    """The letter without its accent, for Latin and Greek; ñ, й and kana are letters of their own."""
    if char in _KEPT or char.isascii():
        return char
    base = unicodedata.normalize("NFD", char)
    if len(base) == 1 or not _folds(base[0]):
        return "е" if char == "ё" else char
    return base[0]


def _folds(letter: str) -> bool:
    name = unicodedata.name(letter, "")
    return name.startswith(("LATIN", "GREEK"))


def word_set(words: str) -> frozenset[str]:
    """Words written in one line, as a set."""
    return frozenset(words.split())
