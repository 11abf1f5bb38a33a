"""Turns a sentence with one checkable fact into a question that leaves the fact out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphs.qgen_loop.checks import check
from graphs.qgen_loop.cloze.facts import facts
from graphs.qgen_loop.cloze.phrases import points_elsewhere, stands_alone, tongue_of, worded
from graphs.qgen_loop.cloze.sentences import Sentence, sentences
from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.evidence import LEAST_WORDS, verify
from graphs.qgen_loop.schemas import Evidence
from graphs.qgen_loop.wording.words import word_count

GAP = "____"
MOST_WORDS = 40
CLEAR_WORDS = 8
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_EMPHASIS = re.compile(r"\*{1,3}|`|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)")


@dataclass(frozen=True)
class Cloze:
    """A question made by rules, with the exact lines it comes from; a `clear` one needs no neighbour."""

    question: str
    answer: str
    evidence: Evidence
    clear: bool = True


def clozes(document: Document) -> Iterator[Cloze]:
    """Every honest gap question the document yields, in the document's order, at most one per sentence."""
    tongue = tongue_of(document.text[:4000])
    for sentence in sentences(document):
        cloze = _from(sentence, document, tongue)
        if cloze:
            yield cloze


def spread(items: list[Cloze]) -> list[Cloze]:
    """The clearest questions first, ordered so that the first few come from all over the document."""
    return [item for clear in (True, False) for item in _spread([one for one in items if one.clear is clear])]


def _spread(items: list[Cloze]) -> list[Cloze]:
    order: dict[int, None] = {}
    step = len(items)
    while step >= 1:
        order.update(dict.fromkeys(range(0, len(items), step)))
        step //= 2
    return [items[at] for at in order]


def _from(sentence: Sentence, document: Document, tongue: str) -> Cloze | None:
    text = _unmarked(sentence.text) if document.format == "markdown" else sentence.text
    if not LEAST_WORDS <= word_count(text) <= MOST_WORDS or not stands_alone(text):
        return None
    clear = word_count(text) >= CLEAR_WORDS and not points_elsewhere(text)
    for kind, start, end in facts(text, tongue):
        answer = text[start:end].strip()
        question = worded(kind, f"{text[:start]}{GAP}{text[end:]}".rstrip(" .。"), tongue)
        if any(issue.hard for issue in check(question, answer)):
            continue
        where = Evidence(start_line=sentence.start_line, end_line=sentence.end_line, quote=sentence.text)
        checked = verify(document, where, answer)
        if checked.evidence and checked.carries_answer:
            return Cloze(question, answer, checked.evidence, clear)
    return None


def _unmarked(text: str) -> str:
    """A Markdown sentence as it is shown: link texts without their targets, no marks of emphasis."""
    return _EMPHASIS.sub("", _LINK.sub(r"\1", text))
