"""Cards on one line (`Q::A`, `A:::B`) and around a line that is only `?` or `??`."""

import re

from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.lines import CODE, TEXT, Lines, block_end, block_start, masked
from graphs.card_decision.vault.signals import strip_tags

_SEPARATOR = re.compile(r"(?<!:):{2,3}(?!:)")
_MARKER = re.compile(r"^\s*(?:>\s*)*(?:[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+)?")
_TRAILER = re.compile(r"\s*(?:<!--.*?-->|(?<=\s)\^[\w-]+\s*$)\s*")
_FIELD = re.compile(r"[\[(][\w\s-]+::\s.*[\])]")
_METADATA = frozenset({
    "source", "author", "authors", "date", "due", "created", "updated", "modified", "tags", "tag",
    "status", "rating", "url", "link", "links", "parent", "up", "down", "next", "prev", "previous",
    "related", "alias", "aliases", "type", "topic", "area", "project", "priority", "completed", "start",
    "end", "publish", "published", "isbn", "cover", "summary",
})  # fmt: skip
_SCOPED = re.compile(r"(?:^|\s)[A-Za-z_]\w*$")
_NAMESPACES = frozenset({
    "std", "boost", "self", "super", "crate", "ns", "Foo", "Bar", "Self", "static", "parent",
    "Class", "System",
})  # fmt: skip


def find_inline(lines: Lines, signalled: bool) -> Found:
    """`::` makes a card, `:::` one in both directions; code, links and metadata make none."""
    found = Found()
    for at in range(lines.body, len(lines)):
        row = lines.text[at]
        if "::" in row and lines.is_free(at):
            _read_row(lines, at, row, signalled, found)
    return found


def _read_row(lines: Lines, at: int, row: str, signalled: bool, found: Found) -> None:
    if row.lstrip().startswith(("|", "#")) and not (signalled and row.lstrip().startswith("#flashcard")):
        return
    bare = masked(row)
    match = _SEPARATOR.search(bare)
    if not match or _FIELD.search(bare):
        return
    start = _MARKER.match(row)
    left = row[start.end() if start else 0 : match.start()]
    right = row[match.end() :]
    if not _is_card(left, right, signalled):
        return
    front, front_tags = strip_tags(left)
    back, back_tags = strip_tags(_TRAILER.sub(" ", right))
    if not front or not back:
        if signalled and (front or back) and _is_side(front or back):
            found.problems.append(f"line {at + 1}: one side of “{match[0]}” is empty")
        return
    scheduled = at + 1 < len(lines) and lines.text[at + 1].lstrip().startswith("<!--SR:")
    end = at + 2 if scheduled else at + 1
    lines.claim(at, end)
    draft = Draft("inline", front, back, at, at + 1, tags=front_tags + back_tags)
    draft.reverse = len(match[0]) == 3
    if draft.reverse:
        draft.syntax = "inline_reversed"
    found.drafts.append(draft)


def _is_side(text: str) -> bool:
    return bool(re.search(r"\w", text))


def _is_card(left: str, right: str, signalled: bool) -> bool:
    """Whether `left::right` is a card rather than metadata, a type or a scoped name."""
    words = left.split()
    tight = not left[-1:].isspace()
    if len(words) == 1 and tight and right[:1].isspace() and words[0].casefold() in _METADATA:
        return False
    if signalled:
        return True
    if left.rstrip().endswith(("?", "？")):
        return True
    if not tight and right[:1].isspace():
        signature = "->" in right or "→" in right or "=>" in right
        return bool(words) and bool(right.strip()) and not signature
    if tight and right[:1].isspace():
        return len(words) >= 5
    return len(words) >= 3 and not _is_scoped(left, right)


def _is_scoped(left: str, right: str) -> bool:
    """`Use std::vector here`: a name in a sentence, not a question and its answer."""
    match = _SCOPED.search(left)
    name = match[0].strip() if match else ""
    return (
        name in _NAMESPACES
        or name[:1].isupper()
        or bool(re.match(r"[A-Za-z_]\w*\s*[(<:]", right))
        or (bool(name) and not re.match(r"[A-Z]", right) and len(right.split()) > 1)
    )


def find_multiline(lines: Lines) -> Found:
    """Text, a line `?` (or `??` for both directions), text."""
    found = Found()
    for at in range(lines.body + 1, len(lines)):
        mark = lines.text[at].strip()
        if mark in ("?", "??") and lines.is_free(at):
            _read_multiline(lines, at, mark, found)
    return found


def _read_multiline(lines: Lines, at: int, mark: str, found: Found) -> None:
    start, end = block_start(lines, at), block_end(lines, at + 1)
    end = _stop_before_next(lines, at + 1, end)
    front = _without_schedule(lines, start, at)
    back = _without_schedule(lines, at + 1, end)
    if not front or not back:
        side = "above" if not front else "below"
        if front or back:
            found.problems.append(f"line {at + 1}: nothing stands {side} the “{mark}”")
        return
    front, tags = _untagged_first(front)
    if not front:
        return
    lines.claim(start, end)
    draft = Draft("multiline", front, back, start, end, (start, at), (at + 1, end), tags=tags)
    draft.reverse = mark == "??"
    if draft.reverse:
        draft.syntax = "multiline_reversed"
    found.drafts.append(draft)


def _stop_before_next(lines: Lines, start: int, end: int) -> int:
    """Two cards without a blank line between them: the second `?` must keep its question line."""
    for at in range(start, end):
        if lines.kind[at] == TEXT and lines.text[at].strip() in ("?", "??"):
            return max(start, at - 1)
    return end


def _without_schedule(lines: Lines, start: int, end: int) -> str:
    rows = [
        lines.text[at] if lines.kind[at] == CODE else re.sub(r"<!--SR:.*?-->", "", lines.text[at])
        for at in range(start, end)
    ]
    return "\n".join(rows).strip()


def _untagged_first(front: str) -> tuple[str, list[str]]:
    """`#flashcards` on the first line only marks the card."""
    first, newline, rest = front.partition("\n")
    if "#flash" not in first.casefold():
        return front, []
    first, tags = strip_tags(first)
    return (f"{first}{newline}{rest}").strip(), tags
