"""Cards with gaps: paragraphs with `{{c1::x}}`; `{1:x}` in a note of cards; `==x==` where it is asked for."""

import re

from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.lines import CODE, MATH, Lines, block_end, block_start
from graphs.card_decision.vault.signals import strip_tags

_CLOZE = re.compile(r"\{\{c\d[\d,]*::")
_HIGHLIGHT = re.compile(r"(?<!=)==(?!=|\s)(.+?)(?<!\s|=)==(?!=)")
_CURLY = re.compile(r"(?<![\\{$\w])\{c?([1-9]\d?)(?:::?|\|)([^{}\n]+)\}(?!\})")
_OPAQUE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|(?<![\\$\w])\$(?![\s$]).+?(?<![\\\s])\$(?![\d$])")
_HEADING = re.compile(r"^#{1,6}\s.*\n?")


def find_clozes(lines: Lines, highlights: bool, signalled: bool = False) -> Found:
    """One cloze note for each paragraph that holds a gap."""
    found = Found()
    loose = [pattern for pattern, asked in ((_HIGHLIGHT, highlights), (_CURLY, signalled)) if asked]
    at = lines.body
    while at < len(lines):
        row = lines.text[at]
        formula = lines.kind[at] == MATH and not lines.claimed[at]
        gap = holds_gap(row) if formula or lines.is_free(at) else False
        if gap or (lines.is_free(at) and any(pattern.search(_OPAQUE.sub("", row)) for pattern in loose)):
            at = max(at + 1, _read(lines, at, loose, found))
        else:
            at += 1
    return found


def holds_gap(row: str) -> bool:
    """Whether `{{c1::x}}` stands in the row, outside code."""
    return "{{c" in row and bool(_CLOZE.search(_OPAQUE.sub(_gaps_only, row)))


def _gaps_only(match: re.Match[str]) -> str:
    """Code holds no gap; a formula may."""
    return "" if match[1] else match[0]


def _read(lines: Lines, at: int, loose: list[re.Pattern[str]], found: Found) -> int:
    start, end = block_start(lines, at), block_end(lines, at)
    end = next((row for row in range(at, end) if lines.claimed[row]), end)
    text = re.sub(r"<!--.*?-->", "", lines.join(start, end)).strip()
    while _HEADING.match(text):
        text = _HEADING.sub("", text, count=1)
    if any(lines.kind[row] == CODE for row in range(start, end)) and not _CLOZE.search(text):
        return end
    if not _CLOZE.search(text):
        for pattern in loose:
            text = numbered(text, pattern)
    if _CLOZE.search(text):
        lines.claim(start, end)
        tags: list[str] = []
        if "#card" in text.casefold() or "#flash" in text.casefold():
            text, tags = strip_tags(text)
        found.drafts.append(Draft("cloze", text.strip(), "", start, end, card_type="Cloze", tags=tags))
    return end


def gapped(text: str) -> str:
    """The text with its loose gaps numbered; empty where it has none."""
    for pattern in (_CURLY, _HIGHLIGHT):
        if not _CLOZE.search(text):
            text = numbered(text, pattern)
    return text if _CLOZE.search(text) else ""


def numbered(text: str, pattern: re.Pattern[str]) -> str:
    """`==x==` → `{{c1::x}}`, numbered in order, `{2:x}` by its own number; code and formulas stay."""
    parts, last, number = [], 0, 0

    def gap(match: re.Match[str]) -> str:
        nonlocal number
        number = int(match[1]) if pattern is _CURLY else number + 1
        return f"{{{{c{number}::{match[pattern.groups]}}}}}"

    for span in _OPAQUE.finditer(text):
        parts += [pattern.sub(gap, text[last : span.start()]), span[0]]
        last = span.end()
    return "".join([*parts, pattern.sub(gap, text[last:])])
