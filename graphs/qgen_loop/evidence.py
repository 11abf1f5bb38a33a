"""Evidence checked by machine: the quote must stand in the cited lines and carry the answer."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.schemas import Evidence, VisualElement, VisualEvidence
from graphs.qgen_loop.wording.words import (
    NEGATIONS,
    content,
    digits,
    names,
    numbers,
    plain,
    stem,
    tokens,
    word_count,
)

LEAST_WORDS = 5
MOST_LINES = 30
MARGIN = 3
LEAST_RATIO = 90.0
# An answer without numbers or names counts as carried when most of its words stand in the quote.
LEAST_OVERLAP = 0.6
_DIVIDED = re.compile(r"(?<=[^\W\d_])- (?=[^\W\d_])")

Code = Literal[
    "ok", "quote_too_short", "span_too_long", "lines_out_of_range", "quote_not_found", "quote_altered"
]


@dataclass(frozen=True)
class Checked:
    """The outcome: `evidence` holds the document's own words and the lines where they really stand."""

    code: Code
    message: str = ""
    evidence: Evidence | None = None
    carries_answer: bool = False

    @property
    def ok(self) -> bool:
        """Whether the quote was found."""
        return self.code == "ok"


@dataclass(frozen=True)
class Window:
    """Some lines in comparable form; `places` says for every character which line and column it was."""

    text: str
    places: list[tuple[int, int]]


def verify(document: Document, evidence: Evidence, answer: str) -> Checked:
    """Find the quote within the cited lines, three lines of slack on each side, and see what it carries."""
    if word_count(evidence.quote) < LEAST_WORDS:
        return Checked("quote_too_short", f"the quote has fewer than {LEAST_WORDS} words")
    first, last = evidence.start_line, evidence.end_line
    if last < first or first > document.total_lines:
        return Checked("lines_out_of_range", f"lines {first}–{last} are not in the document")
    if last - first + 1 > MOST_LINES:
        return Checked("span_too_long", f"{last - first + 1} lines are cited, at most {MOST_LINES}")
    window = _window(document.lines, max(1, first - MARGIN), min(document.total_lines, last + MARGIN))
    found = _locate(evidence.quote, window.text)
    if found is None:
        return Checked("quote_not_found", f"the quote does not stand in lines {first}–{last}")
    snapped = _snap(document, window, *found)
    fault = _altered(evidence.quote, snapped.quote)
    if fault:
        return Checked("quote_altered", fault)
    if word_count(snapped.quote) < LEAST_WORDS:
        return Checked("quote_too_short", f"the quote has fewer than {LEAST_WORDS} words")
    return Checked("ok", evidence=snapped, carries_answer=carries(snapped.quote, answer))


def carries(quote: str, answer: str) -> bool:
    """Whether the quote holds the answer's numbers and names, or most of its words where it has neither."""
    told = Counter(numbers(quote))
    if any(told[number] < 1 for number in numbers(answer)):
        return False
    words = {stem(token) for form in _forms(quote) for token in tokens(form)}
    if any(stem(part) not in words for name in names(answer) for part in tokens(name)):
        return False
    meant = [stem(word) for word in content(answer)]
    return bool(meant) and sum(word in words or word in told for word in meant) >= LEAST_OVERLAP * len(meant)


def _forms(quote: str) -> Iterator[str]:
    """A quote as it may stand in a window: one copied over a line break may carry the hyphen with it."""
    whole = quote.replace("-\n", "").replace("\u00ad", "")
    yield plain(whole)
    yield _DIVIDED.sub("", plain(whole))


def _window(lines: list[str], first: int, last: int) -> Window:
    """Lines `first` to `last` as one comparable text, words divided at line ends put together."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    for number in range(first, last + 1):
        line = lines[number - 1].rstrip()
        following = lines[number] if number < len(lines) else ""
        divided = line.endswith(("-", "\u00ad")) and following[:1].islower()
        for column, letter in enumerate(line[:-1] if divided else line):
            for part in plain(letter) or (" " if letter.isspace() else ""):
                if part != " " or (letters and letters[-1] != " "):
                    letters.append(part)
                    places.append((number, column))
        if not divided and letters and letters[-1] != " ":
            letters.append(" ")
            places.append((number, max(len(line) - 1, 0)))
    return Window("".join(letters), places)


def _locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands, exactly or with a few characters of difference."""
    for form in _forms(quote):
        at = text.find(form)
        if at >= 0:
            return at, at + len(form)
    form = next(_forms(quote))
    if len(form) > len(text) * 1.1 or not text:
        return None
    found = fuzz.partial_ratio_alignment(form, text, score_cutoff=LEAST_RATIO)
    if (
        found is None
        or found.dest_end <= found.dest_start
        or found.src_end - found.src_start < 0.9 * len(form)
    ):
        return None
    return _trimmed(form, text, found.dest_start, found.dest_end)


def _trimmed(quote: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without what a quote of another length left hanging over at its ends."""
    kept = [step for step in Levenshtein.opcodes(quote, text[start:end]) if step.tag != "insert"]
    return start + kept[0].dest_start, start + kept[-1].dest_end


def _snap(document: Document, window: Window, start: int, end: int) -> Evidence:
    """The document's own words for the stretch found, widened to whole words."""
    while start > 0 and window.text[start - 1].isalnum() and window.text[start].isalnum():
        start -= 1
    while end < len(window.text) and window.text[end].isalnum() and window.text[end - 1].isalnum():
        end += 1
    stretch = window.places[start:end]
    (first, left), (last, right) = stretch[0], stretch[-1]
    pieces = [document.lines[number - 1] for number in range(first, last + 1)]
    pieces[-1] = pieces[-1][: right + 1]
    pieces[0] = pieces[0][left:]
    quote = " ".join(" ".join(pieces).split())
    return Evidence(start_line=first, end_line=last, page=document.page_of(first), quote=quote)


def _altered(claimed: str, real: str) -> str:
    """What a near match must not differ in: numbers and negations."""
    if Counter(digits(claimed)) - Counter(digits(real)):
        return "the quote's numbers differ from the document's"
    if _negations(claimed) != _negations(real):
        return "the quote is negated differently from the document"
    return ""


def _negations(text: str) -> int:
    return sum(token in NEGATIONS or token.endswith("n't") for token in tokens(text))


def verify_visual(
    visuals: list[VisualElement], evidence: VisualEvidence, viewed: list[int]
) -> tuple[bool, str]:
    """A visual reference must be one that the document lists, on a page that was looked at."""
    listed = next((item for item in visuals if plain(item.ref) == plain(evidence.ref)), None)
    if listed is None:
        known = ", ".join(item.ref for item in visuals[:20])
        return False, f"{evidence.ref!r} is not listed as visual content; there is: {known}"
    if listed.page != evidence.page:
        return False, f"{evidence.ref} stands on page {listed.page}, not on page {evidence.page}"
    if evidence.page not in viewed:
        return False, f"page {evidence.page} was never viewed"
    return True, ""
