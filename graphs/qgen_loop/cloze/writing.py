"""Turns a sentence with one checkable fact into a question that leaves the fact out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from graphs.qgen_loop.checks import check
from graphs.qgen_loop.cloze.sentences import Sentence, sentences
from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.evidence import verify
from graphs.qgen_loop.schemas import Evidence
from graphs.qgen_loop.wording.language import language
from graphs.qgen_loop.wording.words import any_of, plain, tokens, word_count

GAP = "____"
Kind = Literal["year", "number", "name"]

_WORDING: dict[str, dict[Kind, str]] = {
    "en": {"year": "Which year", "number": "Which number", "name": "Which name", },
    "es": {"year": "¿Qué año", "number": "¿Qué número", "name": "¿Qué nombre"},
    "fr": {"year": "Quelle année", "number": "Quel nombre", "name": "Quel nom"},
    "de": {"year": "Welches Jahr", "number": "Welche Zahl", "name": "Welcher Name"},
    "it": {"year": "Quale anno", "number": "Quale numero", "name": "Quale nome"},
    "pt": {"year": "Que ano", "number": "Que número", "name": "Que nome"},
    "ru": {"year": "Какой год", "number": "Какое число", "name": "Какое имя"},
}  # fmt: skip
_VERB = {
    "en": "completes this statement", "es": "completa esta frase", "fr": "complète cette phrase",
    "de": "ergänzt diesen Satz", "it": "completa questa frase", "pt": "completa esta frase",
    "ru": "дополняет это предложение",
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.,/–-])[$€£]?\d+(?:[.,]\d+)*(?:\s?(?:%|°[CF]?))?(?![\w/–]|[.,]\d|-\w)")
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_WORD = r"[A-ZÀ-Þ][a-zà-ÿ'’]+(?:-[A-ZÀ-Þ][a-zà-ÿ]+)?"
_NAME = re.compile(rf"(?<![\w.-])(?<!^){_WORD}(?:\s+(?:(?:of|de|van|von|du|la)\s+)?{_WORD})+(?![\w-]|\s+\d)")
_LEANING = re.compile(
    any_of(
        "it this that these those he she they his her their its however therefore thus moreover furthermore "
        "also but and or so then here there such both another other in_addition for_example instead we our "
        "i you as_a_result ella él este esta esto elle il ils cette ce dies diese er sie es это он она они"
    )
    + r"\b",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\b(?:table|figure|fig|section|chapter|page|equation|appendix|ibid|isbn|doi|http|www|copyright|file|©)\b|[\[{}|\\_<>=]|@",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Cloze:
    """A question made by rules, with the exact lines it comes from."""

    question: str
    answer: str
    evidence: Evidence


def clozes(document: Document) -> Iterator[Cloze]:
    """Every honest gap question the document yields, in the document's order, at most one per sentence."""
    tongue = language(document.text[:4000])
    for sentence in sentences(document):
        cloze = _from(sentence, document, tongue if tongue in _WORDING else "en")
        if cloze:
            yield cloze


def spread(items: list[Cloze]) -> list[Cloze]:
    """The same questions, ordered so that the first few come from all over the document."""
    order: list[int] = []
    step = len(items)
    while step >= 1 and len(order) < len(items):
        order.extend(at for at in range(0, len(items), step) if at not in set(order))
        step //= 2
    return [items[at] for at in order]


def _from(sentence: Sentence, document: Document, tongue: str) -> Cloze | None:
    if not 8 <= word_count(sentence.text) <= 40 or not _stands_alone(sentence.text):
        return None
    for kind, start, end in _facts(sentence.text):
        answer = sentence.text[start:end].strip()
        gapped = f"{sentence.text[:start]}{GAP}{sentence.text[end:]}".rstrip(" .")
        question = _worded(kind, gapped, tongue)
        if any(issue.hard for issue in check(question, answer)):
            continue
        where = Evidence(start_line=sentence.start_line, end_line=sentence.end_line, quote=sentence.text)
        checked = verify(document, where, answer)
        if checked.evidence and checked.carries_answer:
            return Cloze(question, answer, checked.evidence)
    return None


def _worded(kind: Kind, gapped: str, tongue: str) -> str:
    return f"{_WORDING[tongue][kind]} {_VERB[tongue]}: “{gapped}”?"


def _stands_alone(text: str) -> bool:
    """Whether a reader who sees only this sentence knows what it is about."""
    opened = text[:1].isupper() or text[:1] in '"“«'
    closed = text.rstrip('"”’)')[-1:] in ".!。"
    return opened and closed and not _LEANING.match(text) and not _NOISE.search(text)


def _facts(text: str) -> Iterator[tuple[Kind, int, int]]:
    """Facts that occur once and alone of their kind, so that the gap has one filling."""
    found = [match for match in _NUMBER.finditer(text) if match.end() > match.start()]
    if len(found) == 1 and tokens(text).count(tokens(found[0].group())[0]) == 1:
        kind: Kind = "year" if _YEAR.fullmatch(found[0].group()) else "number"
        yield kind, found[0].start(), found[0].end()
    named = list(_NAME.finditer(text))
    if len(named) == 1 and plain(text).count(plain(named[0].group())) == 1:
        yield "name", named[0].start(), named[0].end()
