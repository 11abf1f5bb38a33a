"""Cards marked by a tag: a heading or a line with `#card` or `#flashcard`, the answer below it."""

import re
from textwrap import dedent

from graphs.card_decision.vault.clozes import gapped
from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.inline import split_card
from graphs.card_decision.vault.lines import (
    ITEM,
    Heading,
    Lines,
    block_end,
    block_start,
    indent,
    item_end,
    masked,
)

_TAG = re.compile(r"(?:^|(?<=\s))#(?:flash)?card(?P<kind>[-/]\w+)?(?=\s|$)", re.I)
_OTHER_TAG = re.compile(r"(?:^|(?<=\s))#([^\s#]+)")
_ID = re.compile(r"^\s*(?:<!--\s*ID:\s*(\d+)\s*-->|\^(\d{13}))\s*$")
# In the middle of a sentence the tag is only a word.
_ENDS_LINE = re.compile(r"^(?:\s+#[^\s#]+)*\s*(?:<!--\s*ID:\s*\d+\s*-->|\^\d{13})?\s*$")
_INLINE_ID = re.compile(r"\s*(?:<!--\s*ID:\s*(\d+)\s*-->|(?<=\s)\^(\d{13})\s*$)")


def find_tagged(lines: Lines) -> Found:
    """Every free line with the tag and text, whose answer follows."""
    found = Found()
    headings = {heading.at: heading for heading in lines.headings}
    for at in range(lines.body, len(lines)):
        row = lines.text[at]
        if "card" not in row.casefold() or "#" not in row or not lines.is_free(at):
            continue
        match = _TAG.search(masked(row))
        if match and "::" not in masked(row) and _ENDS_LINE.match(row[match.end() :]):
            _read(lines, at, row, match, headings.get(at), found)
    return found


def _read(
    lines: Lines, at: int, row: str, match: re.Match[str], heading: Heading | None, found: Found
) -> None:
    kind = (match["kind"] or "").strip("-/").casefold()
    text = (row[: match.start()] + row[match.end() :]).strip()
    text = re.sub(r"^\s*#{1,6}\s+", "", text) if heading else re.sub(r"^\s*[-*+]\s+", "", text)
    tags = _OTHER_TAG.findall(text)
    text = _OTHER_TAG.sub("", text).strip() if not heading or tags else text
    text, front_id = _without_id(text)
    start, back_start = at, at + 1
    if not re.search(r"\w", text):
        start = block_start(lines, at)
        text = lines.join(start, at).strip()
        if not text or back_start >= len(lines) or not lines.text[back_start].strip():
            return
    while back_start < len(lines) and lines.is_blank(back_start):
        back_start += 1
    end = _answer_end(lines, at, back_start, heading)
    back, foreign = answer_text(lines, back_start, end)
    if not back and (gaps := gapped(text)):
        lines.claim(start, at + 1)
        found.drafts.append(Draft("cloze", gaps, "", start, at + 1, card_type="Cloze", tags=tags))
        return
    if not back:
        reason = "asks for no answer (spaced)" if kind == "spaced" else "has no answer below it"
        found.problems.append(f"line {at + 1}: “{text[:60]}” {reason}")
        return
    lines.claim(start, end)
    found.drafts.append(
        Draft(
            "tagged_reversed" if kind == "reverse" else "tagged",
            re.sub(r"^#{1,6}\s+", "", text),
            back,
            start,
            end,
            (start, at + 1),
            (back_start, end),
            tags=tags,
            reverse=kind == "reverse",
            foreign_id=foreign or front_id,
        )
    )


def _without_id(text: str) -> tuple[str, int | None]:
    match = _INLINE_ID.search(text)
    if not match:
        return text, None
    return _INLINE_ID.sub("", text).strip(), int(match[1] or match[2])


def _answer_end(lines: Lines, at: int, start: int, heading: Heading | None) -> int:
    """Under a heading the whole section, below a line the next block of text."""
    if heading is None:
        end = block_end(lines, start)
        if ITEM.match(lines.text[at]):
            end = min(end, item_end(lines, start, indent(lines.text[at]) + 1))
        if end < len(lines) - 1 and lines.is_blank(end) and _ID.match(lines.text[end + 1]):
            end += 2
    else:
        end = next(
            (other.at for other in lines.headings if other.at > at and other.level <= heading.level),
            len(lines),
        )
        end = _before_cards(lines, start, end)
    for row in range(start, end):
        if _ID.match(lines.text[row]):
            return row + 1
        if lines.claimed[row] or (lines.is_free(row) and _TAG.search(masked(lines.text[row]))):
            return row
    return end


def _before_cards(lines: Lines, start: int, end: int) -> int:
    """A later paragraph that holds one-line cards is no part of a section's answer."""
    for row in range(block_end(lines, start), end):
        if "::" in lines.text[row] and lines.is_free(row) and split_card(lines.text[row], signalled=True):
            return max(start, block_start(lines, row))
    return end


def answer_text(lines: Lines, start: int, end: int) -> tuple[str, int | None]:
    """The lines of an answer, and Anki's id where a line holds it."""
    foreign: int | None = None
    rows = []
    for row in lines.text[start:end]:
        if match := _ID.match(row):
            foreign = int(match[1] or match[2])
        else:
            rows.append(row)
    return dedent("\n".join(rows)).strip(), foreign
