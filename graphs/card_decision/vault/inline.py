"""Cards on one line (`Q::A`, `A:::B`) and around a line that is only `?` or `??`."""

import re
from textwrap import dedent

from graphs.card_decision.vault.clozes import holds_gap
from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.lines import (
    CODE,
    ITEM,
    TEXT,
    Lines,
    block_end,
    block_start,
    indent,
    item_end,
    masked,
)
from graphs.card_decision.vault.signals import strip_tags

_SEPARATOR = re.compile(r"(?<!:):{2,3}(?!:)")
_MARKER = re.compile(r"^\s*(?:>\s*)*(?:[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+)?")
_TASK = re.compile(r"\s*[-*+]\s+\[.\]\s")
_TRAILER = re.compile(r"\s*(?:<!--.*?-->|(?<=\s)\^[\w-]+\s*$)\s*")
_FIELD = re.compile(r"[\[(][\w\s-]+::\s.*[\])]")
_METADATA = frozenset({
    "source", "author", "authors", "date", "due", "created", "updated", "modified", "tags", "tag",
    "status", "rating", "url", "link", "links", "parent", "up", "down", "next", "prev", "previous",
    "related", "alias", "aliases", "type", "topic", "area", "project", "priority", "completed", "start",
    "end", "publish", "published", "isbn", "cover", "summary",
})  # fmt: skip
# `Status:: active`: a field of Dataview, and the company in which `Is it blocked?:: no` is one too.
_KEY = re.compile(r"\s*(?:[-*+]\s+)?[*_]{0,2}[^\W\d_][\w-]*(?:[ \t][\w-]+){0,2}[*_]{0,2}::(?:[ \t]|$)")
_VERDICTS = frozenset({
    "yes", "no", "true", "false", "y", "n", "maybe", "pending", "done", "todo", "ja", "nein", "oui", "non",
    "sí", "si", "sim", "não", "да", "нет", "так", "ні", "tak", "nie", "はい", "いいえ", "是", "否",
})  # fmt: skip
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]")
# `the operator (::)`, `"::"`: the sign itself.
_ENCLOSED = frozenset({"()", "[]", "{}", '""', "''", "“”", "«»", "„“"})
# `10:30 call with Ann :: she will write` is a line of a diary.
_CLOCK = re.compile(r"\d{1,2}[:.h]\d{2}\b")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
# `Related: [[Recall]] :: a link`, `[[Recall]] :: a link`: an index of notes.
_LABEL = re.compile(r"\s*(?:[^\W\d_]+:\s|(?:!?\[\[[^\]]*\]\][\s,]*)+$)")
_SCOPED = re.compile(r"(?:^|(?<=[\s'\"({\[&*]))[A-Za-z_]\w*$")
_NAMESPACES = frozenset({
    "std", "boost", "self", "super", "crate", "ns", "Foo", "Bar", "Self", "static", "parent",
    "Class", "System",
})  # fmt: skip
# `std::mem::swap`, `arn:aws:s3:::logs`, `fe80::1`: colons inside one word that names something.
_PATH_HEAD = re.compile(r"(?:::|[A-Za-z_]\w*:).*\w$")
_ADDRESS = re.compile(r"(?=\S*\d)(?=::|\S*[a-f]|\S*/)[\da-f:]+(?:/\d+)?[,.;)]*", re.I)
_CODE_WORD = re.compile(r"(?<!\S)[(\"'&*\[]{0,8}[\w()'-]+(?P<mark>::)[A-Za-z_~]", re.ASCII)
# No name is longer; a row of thousands of colons would be read to its end for each of them.
_LONGEST_WORD = 200
# `The operator :: is used for scopes`: the sign itself is talked about.
_TALK = re.compile(r"\s+(?:see|is|are|was|were|has|have|does|means|can|may|will|separates|denotes)\s")


def find_inline(lines: Lines, signalled: bool, alone: bool = True) -> Found:
    """`::` makes a card, `:::` one in both directions; code, links and metadata make none. In a note that
    neither is marked nor holds another card (it is `alone`), a statement such as `oven door :: left` is
    none either: so logs and lists are written."""
    found = Found()
    rows = [at for at in range(lines.body, len(lines)) if "::" in lines.text[at] and lines.is_free(at)]
    fields = not signalled and any(_KEY.match(lines.text[at]) for at in rows)
    for at in rows:
        row = lines.text[at]
        if not holds_gap(row) and not (fields and _is_field(row)):
            _read_row(lines, at, row, signalled, found)
    if alone and not signalled and not any(_is_plain(draft, lines.text[draft.at]) for draft in found.drafts):
        found.drafts = [draft for draft in found.drafts if not _is_statement(lines.text[draft.at])]
    return found


def _is_plain(draft: Draft, row: str) -> bool:
    """A card beyond doubt: in both directions, or a question that is not written as a field's name."""
    return draft.reverse or (_asks(draft.front) and not _is_field(row))


def _is_field(row: str) -> bool:
    """`How did I sleep?:: badly`: written as a field is, name and value kept apart on the right alone."""
    return bool(re.search(r"\S::\s", masked(row)))


def _is_statement(row: str) -> bool:
    return " :: " in masked(row)


def _read_row(lines: Lines, at: int, row: str, signalled: bool, found: Found) -> None:
    if row.lstrip().startswith(("|", "#")) and not (signalled and row.lstrip().startswith("#flashcard")):
        return
    split = split_card(row, signalled)
    if split is None:
        return
    left, mark, right = split
    front, front_tags = strip_tags(left)
    back, back_tags = strip_tags(_TRAILER.sub(" ", right))
    if not front or not back:
        if signalled and (front or back) and _is_side(front or back):
            found.problems.append(f"line {at + 1}: one side of “{mark}” is empty")
        return
    scheduled = at + 1 < len(lines) and lines.text[at + 1].lstrip().startswith("<!--SR:")
    end = at + 2 if scheduled else at + 1
    lines.claim(at, end)
    draft = Draft("inline", front, back, at, at + 1, tags=front_tags + back_tags)
    draft.reverse = len(mark) == 3
    if draft.reverse:
        draft.syntax = "inline_reversed"
    found.drafts.append(draft)


def split_card(row: str, signalled: bool) -> tuple[str, str, str] | None:
    """Left, separator and right of a row that is a card, or was meant as one."""
    bare = masked(row)
    if _FIELD.search(bare):
        return None
    start = _MARKER.match(row)
    coded = {match.start("mark") for match in _CODE_WORD.finditer(bare)}
    coded |= {match.start() for match in _SEPARATOR.finditer(bare) if _in_path(bare, match)}
    for number, match in enumerate(_SEPARATOR.finditer(bare)):
        left, right = row[start.end() if start else 0 : match.start()], row[match.end() :]
        if bare[match.start() - 1 : match.start()] + bare[match.end() : match.end() + 1] in _ENCLOSED:
            continue
        if _in_path(bare, match) or (len(coded) > 1 and match.start() in coded):
            continue
        if not signalled and _TASK.match(row) and right[:1].isspace():
            continue
        # One name after another: `AWS::S3::Bucket`.
        if not signalled and not _asks(left) and (number or _is_aside(row)):
            continue
        if _is_card(left, right, signalled):
            return left, match[0], right
    return None


def _is_aside(row: str) -> bool:
    """A quotation or a task: what stands there was noted, not written as a card."""
    return bool(re.match(r"\s*>", row) or _TASK.match(row))


def _in_path(bare: str, mark: re.Match[str]) -> bool:
    """Whether these colons stand inside one word that is a path, a resource or an address."""
    before = re.split(r"\s", bare[max(0, mark.start() - _LONGEST_WORD) : mark.start()])[-1]
    after = re.split(r"\s", bare[mark.end() : mark.end() + _LONGEST_WORD], maxsplit=1)[0]
    if _ADDRESS.fullmatch(f"{before}::{after}"):
        return True
    if not re.search(r"[A-Za-z0-9_]$", before) or not re.match(r"[A-Za-z0-9_<]", after):
        return False
    return bool(("::" in after and not _ADDRESS.fullmatch(after)) or _PATH_HEAD.search(before))


def _is_side(text: str) -> bool:
    return bool(re.search(r"\w", text))


def _asks(left: str) -> bool:
    return left.rstrip().endswith(("?", "？"))


def _is_card(left: str, right: str, signalled: bool) -> bool:
    """Whether `left::right` is a card rather than metadata, a type or a scoped name."""
    words = left.split()
    tight, joined = not left[-1:].isspace(), not right[:1].isspace()
    if len(words) == 1 and tight and not joined and words[0].casefold() in _METADATA:
        return False
    if signalled:
        return not (tight and joined and words and words[-1] in _NAMESPACES)
    if _CLOCK.match(left) or (left[-1:].isdigit() and right[:1].isdigit()):
        return False
    if _asks(left):
        return joined or not _is_note_to_self(words, right)
    # In prose only the last sentence could be a field's name or a question.
    words = _SENTENCE.split(left)[-1].split()
    if not tight and not joined:
        signature = "->" in right or "→" in right or "=>" in right
        talk = signature or ": " in left or _LABEL.match(left) or _TALK.match(right)
        return len(words) > 2 and bool(right.strip()) and not talk
    if tight and not joined:
        return len(words) >= 5
    return tight and len(words) >= 3 and not _is_scoped(left, right)


def _is_note_to_self(words: list[str], right: str) -> bool:
    """`Read?:: yes`, `Risk? :: low`, `Is it blocked?:: no`: too short to ask anybody else, or a verdict."""
    short = len(words) < 3 and not _UNSPACED.search(words[-1])
    return short or not re.search(r"\w", right) or right.strip(" .!").casefold() in _VERDICTS


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


def find_multiline(lines: Lines, signalled: bool) -> Found:
    """Text, a line `?` (or `??` for both directions), text."""
    found = Found()
    for at in range(lines.body + 1, len(lines)):
        mark = lines.text[at].strip()
        if mark in ("?", "??") and lines.is_free(at):
            _read_multiline(lines, at, mark, signalled, found)
    return found


def _read_multiline(lines: Lines, at: int, mark: str, signalled: bool, found: Found) -> None:
    start, end = _question_start(lines, at, signalled), block_end(lines, at + 1)
    end = _stop_before_next(lines, at + 1, min(end, item_end(lines, at + 1, indent(lines.text[at]))))
    front = _without_schedule(lines, start, at)
    back = _without_schedule(lines, at + 1, end)
    if not front or not back:
        side = "above" if not front else "below"
        if front or back:
            found.problems.append(f"line {at + 1}: nothing stands {side} the “{mark}”")
        return
    if indent(lines.text[at]) and ITEM.match(lines.text[start]):
        front = _MARKER.sub("", front, count=1)
    front, tags = _untagged_first(front)
    if not front:
        return
    lines.claim(start, end)
    draft = Draft("multiline", front, back, start, end, (start, at), (at + 1, end), tags=tags)
    draft.reverse = mark == "??"
    if draft.reverse:
        draft.syntax = "multiline_reversed"
    found.drafts.append(draft)


def _question_start(lines: Lines, at: int, signalled: bool) -> int:
    """The paragraph above the mark, without the one-line cards and headings that stand over its last line."""
    start = block_start(lines, at)
    headings = {heading.at for heading in lines.headings}
    depth = indent(lines.text[at])
    for row in range(at - 1, start - 1, -1):
        text = lines.text[row]
        if depth and ITEM.match(text) and indent(text) < depth:
            return row
        card = row in headings or ("::" in text and split_card(text, signalled))
        if row < at - 1 and lines.is_free(row) and card:
            return row + 1
    return start


def _stop_before_next(lines: Lines, start: int, end: int) -> int:
    """Two cards without a blank line between them: the second `?` must keep its question line."""
    for at in range(start, end):
        if lines.claimed[at]:
            return at
        if lines.kind[at] == TEXT and lines.text[at].strip() in ("?", "??"):
            return max(start, at - 1)
    return end


def _without_schedule(lines: Lines, start: int, end: int) -> str:
    rows = [
        lines.text[at] if lines.kind[at] == CODE else re.sub(r"<!--SR:.*?-->", "", lines.text[at])
        for at in range(start, end)
    ]
    return dedent("\n".join(rows)).strip()


def _untagged_first(front: str) -> tuple[str, list[str]]:
    """`#flashcards` on the first line only marks the card."""
    first, newline, rest = front.partition("\n")
    if "#flash" not in first.casefold():
        return front, []
    first, tags = strip_tags(first)
    return (f"{first}{newline}{rest}").strip(), tags
