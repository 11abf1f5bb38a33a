"""The words of an English song that items translate: whether they are there, and where."""

import re

from graphs.vocab_react.japanese.glosses import base_forms, overlaps

_SUFFIXES = frozenset(["s", "es", "d", "ed", "ing", "ling", "er", "est", "y", "ly", "'s", "n", "en", "in'"])


def in_lyrics(text: str, source: str) -> bool:
    """Whether the song has the word, as it is or in a form of it; a phrase must be there as it is."""
    if not re.fullmatch(r"[a-z'-]+", source):
        return _has_itself(text, source)
    forms = set(base_forms(source))
    return any(
        (word.startswith(source) and word[len(source) :] in _SUFFIXES)
        or not forms.isdisjoint(base_forms(word))
        for word in set(re.findall(r"[a-z'-]+", text))
    )


def is_translated(source: str, english: str, glosses: tuple[str, ...]) -> bool:
    """Whether the meaning given, or one the dictionary has, is that of the song's word."""
    return any(overlaps(form, (english, *glosses)) for form in base_forms(source))


def line_with(text: str, source: str) -> str | None:
    """The first line that has the word; else one that has a form of it."""
    lines = [line.strip() for line in text.splitlines()]
    for has in (_has_itself, in_lyrics):
        found = next((line for line in lines if has(line.lower(), source)), None)
        if found:
            return found
    return None


def _has_itself(text: str, source: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(source)}(?!\w)", text))
