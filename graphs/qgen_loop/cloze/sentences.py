"""Sentences of a document, each with the lines it stands on."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from graphs.qgen_loop.cloze.phrases import is_title
from graphs.qgen_loop.documents.document import Document

# Hebrew and Arabic know no capitals.
_END = re.compile(
    r"(?<=[.!?。！？؟۔])[\"”’)\]]*\s+(?=[\"“‘(]?[A-ZÀ-ÞА-ЯЁ0-9\u05d0-\u05ea\u0621-\u06d3])|(?<=[。！？])"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|Fig|Figs|No|Nos|Dr|Mr|Mrs|Ms|Prof|St|al|approx|ca|Vol|pp|p|Inc|Ltd|Co|Jr|Sr|Eq|Ref|"
    r"Refs|U\.S|U\.K|bzw|Nr|art|sec|Sec|ed|eds|Sra?|Dra|Mme|Mlle|Hr|Fr|Str|Corp|Gen|Col|Capt|Rev|Mt)\.|\b[^\W\d]\."
    r"|\b(?:[Aa]m|[Dd](?:er|en|em|es)|[Vv]om|[Zz]um|bis|und) \d{1,2}\.)$"
)
LONGEST_ABBREVIATION = 40
_SKIPPED = re.compile(
    r"^\s*(?:#{1,6}\s|\||```|~~~|>|!\[|\[[^\]]+\]:|<|\[(?:Figure|Table|Fig)\b|[-=*_]{3,}\s*$)"
)
_REFERENCES = re.compile(
    r"^[\s#\d.]*(?:Appendix [A-Z]\.?\s+)?"
    r"(?:References|Bibliography|Works cited|Literature cited|Referencias|Bibliograf[ií]a|"
    r"R[ée]f[ée]rences|Bibliographie|Literatur(?:verzeichnis)?|Riferimenti|Refer[êe]ncias|Литература|参考文献|참고문헌)\s*:?\s*$",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|[·ꞏ‧]{5,}")
_SPACELESS = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_NUMBERING = re.compile(r"[\W\d_]+")
_BULLET = re.compile(
    r"^\s*(?:[-*+•]|\d{1,2}[.)]|\([a-z\d]{1,2}\)|\d{1,2}(?:\.\d{1,2}){1,3}\.?(?=\s+[A-ZÀ-Þ]))\s+"
)
# What the maker of an electronic book put around it is not the book.
_BOOK = re.compile(r"^\s*\*{3} ?(START|END) OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)


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
    """Runs of lines that belong together; headings, tables, code and the furniture of pages end one."""
    start, gathered, fenced = 0, list[str](), False
    furniture, usual = _furniture(document), _usual_length(document)
    opened, closed = _book(document.lines)
    for number, line in enumerate(document.lines[:closed], start=1):
        if number <= opened:
            continue
        if _REFERENCES.match(line) and number > document.total_lines // 2:
            break
        fence = line.lstrip().startswith(("```", "~~~"))
        fenced = fenced != fence
        code = document.format == "markdown" and not gathered and line.startswith(("    ", "\t"))
        breaks = fenced or fence or code or number in furniture or _is_no_text(line)
        apart = _BULLET.match(line) or len(gathered) >= 400 or _turns(document, number)
        if gathered and (breaks or apart or _is_heading(gathered[-1], line, usual)):
            yield start, gathered
            gathered = []
        if not breaks:
            start = start if gathered else number
            gathered.append(line)
    if gathered:
        yield start, gathered


def _book(lines: list[str]) -> tuple[int, int]:
    """The last line before the text itself, and the last one of it."""
    marks = {found[1].upper(): at for at, line in enumerate(lines) if (found := _BOOK.match(line))}
    opened = marks.get("START", -1) + 1
    closed = marks.get("END", len(lines))
    return opened, closed if closed > opened else len(lines)


def _is_no_text(line: str) -> bool:
    return not line.strip() or bool(_SKIPPED.match(line) or _LEADERS.search(line)) or " | " in line


def _turns(document: Document, number: int) -> bool:
    return number > 1 and document.page_of(number) != document.page_of(number - 1)


def _usual_length(document: Document) -> float:
    lengths = [len(line.strip()) for line in document.lines if line.strip()]
    return median(lengths) if lengths else 0.0


def _is_heading(line: str, following: str, usual: float) -> bool:
    """A line shorter than the others, or a title, that ends in no mark before one that begins anew."""
    said = line.strip()
    short = len(said) < 0.7 * usual and len(said.split()) <= 10
    titled = len(said) < 0.95 * usual and is_title(said, "")
    return (short or titled) and said[-1:].isalnum() and not following.strip()[:1].islower()


def _furniture(document: Document) -> set[int]:
    """Page numbers, and lines that stand at the edge of several pages: headers and footers."""
    edges: dict[int, list[int]] = {}
    for number, line in enumerate(document.lines, start=1):
        if line.strip():
            edges.setdefault(document.page_of(number), []).append(number)
    if len(edges) < 2:
        return set()
    outer = {number for numbers in edges.values() for number in (*numbers[:2], *numbers[-2:])}
    worded = {number: _NUMBERING.sub(" ", document.lines[number - 1]).strip() for number in outer}
    counts = Counter(worded.values())
    return {number for number, words in worded.items() if not words or counts[words] > 1}


def _split(first: int, lines: list[str]) -> Iterator[Sentence]:
    text, marks = "", list[tuple[int, int]]()
    for offset, line in enumerate(lines):
        piece = _BULLET.sub("", line).strip()
        if text.endswith("-") and piece[:1].islower():
            text = text[:-1]
        elif text and not (_SPACELESS.match(text[-1]) and _SPACELESS.match(piece[:1])):
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
        # Only the last word counts: a paragraph of a megabyte must not be searched once per sentence.
        before = text[max(0, found.start() - LONGEST_ABBREVIATION) : found.start()]
        if not _ABBREVIATION.search(before.rstrip('"”’)]')):
            yield found.end()
    yield len(text)


def _line_at(marks: list[tuple[int, int]], position: int) -> int:
    return next(line for start, line in reversed(marks) if start <= position)
