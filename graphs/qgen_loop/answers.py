"""Compares a blind answer with the proposed one: certain agreement at once, all else to a judge."""

import re
from typing import Literal

from graphs.qgen_loop.wording.words import NUMBER_WORDS, negated, numbers, plain, tokens

Verdict = Literal["same", "unsure", "no_answer"]

_UNITS = re.compile(
    r"(\d)\s*(%|°\s?[cfk]?|‰|€|\$|£|[a-zµμω]{1,12}(?:/[a-z]+)?(?:\^?-?\d)?)",
)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b")
_MONEY = re.compile(r"([$€£¥])\s*\d")
# "5 %" is neither "less than 5 %" nor "-5 %".
_LOWER, _UPPER = (
    re.compile(rf"(?:{words})\s+[$€£¥]?(?:\d|(?:{'|'.join(NUMBER_WORDS)})\b)")
    for words in (
        r"\b(?:(?:more|greater|higher|larger|longer|later) than|over|above|at least|exceeding|after|since)",
        r"\b(?:(?:less|fewer|lower|smaller|shorter|earlier) than|under|below|at most|up to|before|until)",
    )
)
_MINUS = re.compile(r"(?:^|[\s(])-\d|\bminus \d")
_ARTICLES = {"a", "an", "the"}
_JOIN_WORDS = "and or but either neither unless except versus vs oder und y o et ou"
_JOINS = frozenset(_JOIN_WORDS.split())
_SMALL_WORDS = "in by of to the from at on for with was is were are th st nd rd"
_NOT_UNITS = frozenset(_SMALL_WORDS.split())
# "York" is not "New York", "iron" no "iron oxide", "the captain" not "the captain's wife".
_CHANGED_BEFORE = re.compile(
    r"(?:\b(?:new|(?:north|south|east|west)(?:ern)?|upper|lower|inner|outer|central|vice|prime|deputy|assistant|"
    r"former|future|anti|non|semi|half|pseudo)[ -]|[^\W\d_]-)$",
    re.IGNORECASE,
)
_CHANGED_AFTER = re.compile(r"^(?:['’]s? [^\W\d_]|s['’] |-[^\W\d_]| [a-z]+(?:ide|ate|ite|acid)s?\b)")
_NAME_GOES_ON = re.compile(r"^ [A-ZÀ-Þ]")
_NO_ANSWER = re.compile(
    r"^\W*(?:unanswerable|not (?:found|answerable|stated|specified|mentioned|given|available|provided)|"
    r"no answer|none|unknown|n/?a|i (?:do not|don't|cannot|can't|could not|couldn't)|insufficient|"
    r"(?:the )?(?:answer|document|text|passage)s? (?:is|does|do|was|are) not|"
    r"cannot (?:be )?(?:determine|answer|found))\b"
)


def is_no_answer(answer: str) -> bool:
    """Whether the validator said that it found nothing."""
    text = plain(answer)
    return not any(letter.isalnum() for letter in text) or bool(_NO_ANSWER.match(text))


def compare(expected: str, given: str) -> Verdict:
    """`same` only where one stands whole in the other, with equal numbers, units and bounds, unnegated."""
    if is_no_answer(given):
        return "no_answer"
    if negated(expected) or negated(given):
        return "same" if _words(expected) == _words(given) else "unsure"
    if sorted(set(numbers(expected))) != sorted(set(numbers(given))) or _units(expected) != _units(given):
        return "unsure"
    if _bounds(expected) != _bounds(given):
        return "unsure"
    short, long = sorted((expected, given), key=lambda text: len(_words(text)))
    whole = _stands_alone(_words(short), _words(long))
    return "same" if whole and not _is_part_of_name(short, long) else "unsure"


def _is_part_of_name(short: str, long: str) -> bool:
    """Whether the shorter answer stands in the longer one only as a part of the name of something else."""
    short = re.sub(r"^(?:the|an?)\s+", "", short.strip(" .\"'“”"), flags=re.IGNORECASE)
    parts = re.findall(r"\w+|[^\w\s]+", short)
    found = re.search(r"\s*".join(map(re.escape, parts)), long, re.IGNORECASE) if parts else None
    if found is None or not short[-1:].isalpha():
        return False
    before, after = long[: found.start()], long[found.end() :]
    named = parts[-1][:1].isupper() and bool(_NAME_GOES_ON.match(after))
    return named or bool(_CHANGED_BEFORE.search(before) or _CHANGED_AFTER.match(after))


def _bounds(text: str) -> tuple[bool, ...]:
    """Whether a number is told as a lower or upper bound, or below zero."""
    return tuple(bool(kind.search(plain(text))) for kind in (_LOWER, _UPPER, _MINUS))


def _words(text: str) -> list[str]:
    found = (NUMBER_WORDS.get(token, token) for token in tokens(text))
    return [token for token in found if token not in _ARTICLES]


def _units(text: str) -> set[str]:
    """What the numbers measure: `5 mg` is not `5 g`; words that are no units count as well, to be safe."""
    text = plain(text).replace("percent", "%").replace("per cent", "%")
    text = _NUMBER_WORD.sub(lambda found: NUMBER_WORDS[found.group()], text)
    after = {match.group(2).replace(" ", "") for match in _UNITS.finditer(text)}
    return {unit for unit in after | set(_MONEY.findall(text)) if unit not in _JOINS | _NOT_UNITS}


def _stands_alone(short: list[str], long: list[str]) -> bool:
    """Whether the shorter answer stands whole in the longer, and not as one item of a list."""
    if not short:
        return False
    for at in range(len(long) - len(short) + 1):
        if long[at : at + len(short)] == short:
            rest = {*long[:at], *long[at + len(short) :]}
            return not rest & _JOINS
    return False
