"""Turns a sentence with one checkable fact into a question that leaves the fact out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphs.qgen_loop.checks import check
from graphs.qgen_loop.cloze.facts import facts
from graphs.qgen_loop.cloze.phrases import (
    is_title,
    points_elsewhere,
    stands_alone,
    tongue_of,
    without_speaker,
    worded,
)
from graphs.qgen_loop.cloze.sentences import Sentence, sentences
from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.evidence import LEAST_WORDS, verify
from graphs.qgen_loop.schemas import Evidence
from graphs.qgen_loop.wording.words import word_count

GAP = "____"
MOST_WORDS = 40
CLEAR_WORDS = 8
MOST_KEPT = 2
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
# "Date of next meeting: ____" is a form to fill in, not a sentence.
_LABELLED = re.compile(rf"^[^,;]{{0,60}}:\s*{GAP}$")
_ALONE = re.compile(r"\s*[\d.]+\s*$")
_FUSED = re.compile(r"[^\W\d_]{4,}\d{1,2}(?!\w)")
_NOTED = re.compile(r"[^\W\d_]{2,}[.,;]\d{1,2}\s+[A-Z]")
_EMPHASIS = re.compile(r"\*{1,3}|`|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)")

_found: "dict[tuple[str, str], list[Candidate]]" = {}


@dataclass(frozen=True)
class Cloze:
    """A question made by rules, with the exact lines it comes from."""

    question: str
    answer: str
    evidence: Evidence


@dataclass(frozen=True)
class Candidate:
    """A sentence worth a question, as it is shown; checking it against the document comes last: it costs."""

    sentence: Sentence
    text: str
    tongue: str
    clear: bool


def clozes(document: Document) -> Iterator[Cloze]:
    """Every honest gap question the document yields, at most one per sentence: the clearest first, and those
    in such an order that the first few come from all over the document."""
    for candidate in spread(_candidates(document)):
        cloze = _from(candidate, document)
        if cloze:
            yield cloze


def spread(items: list[Candidate]) -> list[Candidate]:
    """Clear ones first; of each kind the first, then the middle, then the quarters."""
    kinds = ([item for item in items if item.clear is clear] for clear in (True, False))
    return [item for kind in kinds for item in _spread(kind)]


def _spread(items: list[Candidate]) -> list[Candidate]:
    order: dict[int, None] = {}
    step = len(items)
    while step >= 1:
        order.update(dict.fromkeys(range(0, len(items), step)))
        step //= 2
    return [items[at] for at in order]


def _candidates(document: Document) -> list[Candidate]:
    """The sentences with a fact, found once per document: a book has tens of thousands."""
    key = (document.sha256, str(document.path))
    known = _found.get(key)
    if known is None:
        tongue = tongue_of("\n".join(document.lines[:200])[:4000])
        made = (_candidate(sentence, document, tongue) for sentence in sentences(document))
        known = [candidate for candidate in made if candidate]
        for old in list(_found)[: len(_found) + 1 - MOST_KEPT]:
            _found.pop(old, None)
        _found[key] = known
    return known


def _candidate(sentence: Sentence, document: Document, tongue: str) -> Candidate | None:
    text = without_speaker(_unmarked(sentence.text) if document.format == "markdown" else sentence.text)
    if not LEAST_WORDS <= word_count(text) <= MOST_WORDS or not stands_alone(text):
        return None
    if is_title(text, tongue) or _holds_a_mark(sentence, document) or next(facts(text, tongue), None) is None:
        return None
    fused = document.format == "pdf" and _FUSED.search(text)
    clear = word_count(text) >= CLEAR_WORDS and not points_elsewhere(text) and not fused
    return Candidate(sentence, text, tongue, clear)


def _holds_a_mark(sentence: Sentence, document: Document) -> bool:
    """Whether the mark of a note, or a heading's number, got into a sentence of a PDF."""
    lines = document.lines[sentence.start_line - 1 : sentence.end_line]
    alone = any(_ALONE.match(line) for line in lines)
    return document.format == "pdf" and (alone or bool(_NOTED.search(sentence.text)))


def _from(candidate: Candidate, document: Document) -> Cloze | None:
    text, sentence = candidate.text, candidate.sentence
    for kind, start, end in facts(text, candidate.tongue):
        answer = text[start:end].strip()
        gapped = f"{text[:start]}{GAP}{text[end:]}".rstrip(" .。")
        question = worded(kind, gapped, candidate.tongue)
        if _LABELLED.search(gapped) or any(issue.hard for issue in check(question, answer)):
            continue
        where = Evidence(start_line=sentence.start_line, end_line=sentence.end_line, quote=sentence.text)
        checked = verify(document, where, answer)
        if checked.evidence and checked.carries_answer:
            return Cloze(question, answer, checked.evidence)
    return None


def _unmarked(text: str) -> str:
    """A Markdown sentence as it is shown: link texts without their targets, no marks of emphasis."""
    return _EMPHASIS.sub("", _LINK.sub(r"\1", text))
