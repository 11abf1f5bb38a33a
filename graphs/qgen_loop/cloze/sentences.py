"""Sentences of a document, each with the lines it stands on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphs.qgen_loop.documents.document import Document

_END = re.compile(r"(?<=[.!?。！？])[\"”’)\]]*\s+(?=[\"“‘(]?[A-ZÀ-ÞА-ЯЁ0-9])|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|Fig|Figs|No|Nos|Dr|Mr|Mrs|Ms|Prof|St|al|approx|ca|Vol|pp|p|Inc|Ltd|Co|Jr|Sr|Eq|Ref|"
    r"Refs|U\.S|U\.K|z\.B|d\.h|bzw|Nr|art|sec|Sec|ed|eds)\.|\b[A-Z]\.)$"
)
_SKIPPED = re.compile(
    r"^\s*(?:#{1,6}\s|\||```|~~~|>|!\[|\[[^\]]+\]:|<|\[(?:Figure|Table|Fig)\b|[-=*_]{3,}\s*$)"
)
_REFERENCES = re.compile(
    r"^\s*#*\s*(?:References|Bibliography|Works cited|Literature cited)\s*$", re.IGNORECASE
)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)])\s+")


@dataclass(frozen=True)
class Sentence:
    """A sentence as it reads, and where it stands."""

    text: str
    start_line: int
    end_line: int


def sentences(document: Document) -> Iterator[Sentence]:
    """All sentences of running text, paragraph by paragraph."""
    for first, lines in _paragraphs(document):
        yield from _split(first, lines)


def _paragraphs(document: Document) -> Iterator[tuple[int, list[str]]]:
    start, gathered, fenced = 0, list[str](), False
    for number, line in enumerate(document.lines, start=1):
        if _REFERENCES.match(line) and number > document.total_lines // 2:
            break
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced = fenced != fence
        breaks = not line.strip() or fenced or fence or bool(_SKIPPED.match(line)) or " | " in line
        if gathered and (breaks or _BULLET.match(line) or len(gathered) >= 400):
            yield start, gathered
            gathered = []
        if not breaks:
            start = start if gathered else number
            gathered.append(line)
    if gathered:
        yield start, gathered


def _split(first: int, lines: list[str]) -> Iterator[Sentence]:
    text, marks = "", list[tuple[int, int]]()
    for offset, line in enumerate(lines):
        piece = _BULLET.sub("", line).strip()
        if text.endswith("-") and piece[:1].islower():
            text = text[:-1]
        elif text:
            text += " "
        marks.append((len(text), first + offset))
        text += piece
    position = 0
    for end in _ends(text):
        sentence = text[position:end].strip()
        if sentence:
            last = max(position, end - 1)
            yield Sentence(sentence, _line_at(marks, position), _line_at(marks, last))
        position = end


def _ends(text: str) -> Iterator[int]:
    for found in _END.finditer(text):
        if not _ABBREVIATION.search(text[: found.start()].rstrip('"”’)]')):
            yield found.end()
    yield len(text)


def _line_at(marks: list[tuple[int, int]], position: int) -> int:
    return next(line for start, line in reversed(marks) if start <= position)
