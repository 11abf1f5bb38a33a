"""Cards with gaps: paragraphs with `{{c1::x}}`, and `==x==` where the note or the settings ask for it."""

import re

from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.lines import CODE, Lines, block_end, block_start
from graphs.card_decision.vault.signals import strip_tags

_CLOZE = re.compile(r"\{\{c\d[\d,]*::")
_HIGHLIGHT = re.compile(r"(?<!=)==(?!=|\s)(.+?)(?<!\s|=)==(?!=)")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_HEADING = re.compile(r"^#{1,6}\s.*\n?")


def find_clozes(lines: Lines, highlights: bool) -> Found:
    """One cloze note for each paragraph that holds a gap."""
    found = Found()
    at = lines.body
    while at < len(lines):
        row = lines.text[at]
        if lines.is_free(at) and (_holds(row, _CLOZE) or (highlights and _holds(row, _HIGHLIGHT))):
            at = max(at + 1, _read(lines, at, highlights, found))
        else:
            at += 1
    return found


def _holds(row: str, pattern: re.Pattern[str]) -> bool:
    return bool(pattern.search(_CODE_SPAN.sub("", row)))


def _read(lines: Lines, at: int, highlights: bool, found: Found) -> int:
    start, end = block_start(lines, at), block_end(lines, at)
    while end > at and lines.claimed[end - 1]:
        end -= 1
    text = re.sub(r"<!--.*?-->", "", lines.join(start, end)).strip()
    while _HEADING.match(text):
        text = _HEADING.sub("", text, count=1)
    if any(lines.kind[row] == CODE for row in range(start, end)) and not _CLOZE.search(text):
        return end
    if highlights and not _CLOZE.search(text):
        text = from_highlights(text)
    if _CLOZE.search(text):
        lines.claim(start, end)
        tags: list[str] = []
        if "#card" in text.casefold() or "#flash" in text.casefold():
            text, tags = strip_tags(text)
        found.drafts.append(Draft("cloze", text.strip(), "", start, end, card_type="Cloze", tags=tags))
    return end


def from_highlights(text: str) -> str:
    """`==x==` → `{{c1::x}}`, numbered in order; code spans are left alone."""
    parts, last, number = [], 0, 0

    def number_it(match: re.Match[str]) -> str:
        nonlocal number
        number += 1
        return f"{{{{c{number}::{match[1]}}}}}"

    for span in _CODE_SPAN.finditer(text):
        parts += [_HIGHLIGHT.sub(number_it, text[last : span.start()]), span[0]]
        last = span.end()
    return "".join([*parts, _HIGHLIGHT.sub(number_it, text[last:])])
