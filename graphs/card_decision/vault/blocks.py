"""START/END blocks and their one-line form, notes split by a rule, and question callouts."""

import re

from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.lines import TEXT, Lines, block_end, block_start
from graphs.card_decision.vault.pairs import ANSWERS

_FIELD = re.compile(r"^([^\W\d_][\w ()-]{0,30}):(?!//)\s?(.*)$")
_STANDARD = re.compile(r"(?:basic|cloze)\b", re.I)
_ID = re.compile(r"^\s*(?:<!--\s*)?ID:\s*(\d+)\s*(?:-->)?\s*$")
_ONE_LINE = re.compile(r"STARTI\s*\[([^\]]+)\]\s*(.+?)\s*ENDI")
_CALLOUT = re.compile(r"^((?:\s*>)+)\s*\[!(question|faq|help|flashcard|card|anki)\]([-+]?)[ \t]*(.*)$", re.I)
_INNER = re.compile(r"^>?\s*\[!(?:success|answer|check|done|tip|note|info)\][-+]?[ \t]*(.*)$", re.I)
_RULE = re.compile(r"^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$")
_FRONTS = ("front", "text", "question")
_BACKS = ("back", "back extra", "answer", "extra")


def find_blocks(lines: Lines) -> Found:
    """`START` … `END`: the note type on the first line, then fields by name."""
    found = Found()
    at = lines.body
    while at < len(lines):
        if lines.text[at].strip() == "START" and lines.is_free(at):
            end = _block_close(lines, at)
            if end < 0:
                found.problems.append(f"line {at + 1}: START without END")
                break
            _read_block(lines, at, end, found)
            at = end
        elif "STARTI" in lines.text[at] and lines.is_free(at):
            _read_one_line(lines, at, found)
        at += 1
    return found


def _block_close(lines: Lines, start: int) -> int:
    for at in range(start + 1, len(lines)):
        if lines.kind[at] == TEXT and lines.text[at].strip() in ("END", "START"):
            return at if lines.text[at].strip() == "END" else -1
    return -1


def _read_block(lines: Lines, start: int, end: int, found: Found) -> None:
    lines.claim(start, end + 1)
    rows = lines.text[start + 1 : end]
    if not rows or rows[0].strip() in ("", "DELETE"):
        found.problems.append(f"line {start + 1}: a START block with nothing to make a card of")
        return
    fields, tags, foreign = _fields(rows[1:], own_names=not _STANDARD.match(rows[0].strip()))
    _emit_block(rows[0].strip(), fields, tags, foreign, (start, end + 1), found)


def _fields(rows: list[str], own_names: bool) -> tuple[dict[str, str], list[str], int | None]:
    """Named fields; text before the first name belongs to the first field (key ""). A note type of the
    user's own has `own_names`: there every `Name:` that begins a line is one."""
    fields: dict[str, list[str]] = {"": []}
    current = ""
    tags: list[str] = []
    foreign: int | None = None
    for row in rows:
        if match := _ID.match(row):
            foreign = int(match[1])
        elif (named := _FIELD.match(row)) and named[1].strip() == "Tags":
            tags = named[2].replace(",", " ").split()
        elif named and _names_field(named[1], own_names):
            current = named[1].strip()
            fields[current] = [named[2]]
        else:
            fields[current].append(row)
    return {name: "\n".join(part).strip() for name, part in fields.items()}, tags, foreign


def _names_field(name: str, own_names: bool) -> bool:
    if own_names:
        return not name[0].islower()
    return name[0].isupper() and name.casefold() in (*_FRONTS, *_BACKS, "hint")


def _emit_block(
    model: str,
    fields: dict[str, str],
    tags: list[str],
    foreign: int | None,
    at: tuple[int, int],
    found: Found,
) -> None:
    front = fields.get("") or _first(fields, _FRONTS)
    back = _first(fields, _BACKS)
    if not _STANDARD.match(model):
        front, back, *_ = [*fields.values(), "", ""] if fields[""] else [*list(fields.values())[1:], "", ""]
    cloze = "cloze" in model.casefold() or bool(re.search(r"\{\{c\d", front))
    if not front or (not back and not cloze):
        found.problems.append(f"line {at[0] + 1}: a START block with one side empty")
        return
    draft = Draft("start_end", front, back, *at, tags=tags, foreign_id=foreign, model_name=model)
    draft.card_type = "Cloze" if cloze else "Basic"
    draft.reverse = "reversed" in model.casefold()
    draft.fields = {name: text for name, text in fields.items() if name}
    found.drafts.append(draft)


def _first(fields: dict[str, str], names: tuple[str, ...]) -> str:
    return next((text for name, text in fields.items() if name.casefold() in names and text), "")


def _read_one_line(lines: Lines, at: int, found: Found) -> None:
    match = _ONE_LINE.search(lines.text[at])
    if not match:
        found.problems.append(f"line {at + 1}: STARTI without [note type] and ENDI")
        return
    lines.claim(at, at + 1)
    text = re.sub(r"\s*<!--\s*ID:.*?-->|\s+ID:\s*\d+\s*$", "", match[2])
    parts = re.split(r"\s+(Back|Tags):\s+", text)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    fields = {"": parts[0].removeprefix("Front: "), "Back": named.get("Back", "")}
    found_id = re.search(r"ID:\s*(\d+)", match[2])
    foreign = int(found_id[1]) if found_id else None
    _emit_block(match[1], fields, named.get("Tags", "").split(), foreign, (at, at + 1), found)


def find_callouts(lines: Lines, signalled: bool) -> Found:
    """A foldable question callout: its title asks, its body answers."""
    found = Found()
    for at in range(lines.body, len(lines)):
        row = lines.text[at]
        match = _CALLOUT.match(row) if "[!" in row and lines.is_free(at) else None
        if match and (match[3] or signalled or match[2].casefold() in ("flashcard", "card", "anki")):
            _read_callout(lines, at, match, found)
    return found


def _read_callout(lines: Lines, at: int, match: re.Match[str], found: Found) -> None:
    depth = match[1].count(">")
    end = at + 1
    while end < len(lines) and _depth(lines.text[end]) >= depth:
        end += 1
    body = [_unquote(row, depth) for row in lines.text[at + 1 : end]]
    title, back = match[4].strip(), _inner_answer(body)
    if not title or not back:
        found.problems.append(
            f"line {at + 1}: a question callout with no {'title' if not title else 'answer'}"
        )
        return
    lines.claim(at, end)
    found.drafts.append(Draft("callout", title, back, at, end, (at, at + 1), (at + 1, end)))


def _depth(row: str) -> int:
    prefix = re.match(r"^(?:\s*>)*", row)
    return prefix[0].count(">") if prefix else 0


def _unquote(row: str, depth: int) -> str:
    return re.sub(rf"^(?:\s*>){{{depth}}} ?", "", row)


def _inner_answer(body: list[str]) -> str:
    """The body; where all of it is one inner answer callout, that callout's body."""
    text = "\n".join(body).strip()
    rows = text.split("\n")
    inner = _INNER.match(rows[0]) if rows else None
    if not inner or not all(row.startswith(">") for row in rows if row.strip()):
        return text
    inside = "\n".join(_unquote(row, 1) for row in rows[1:]).strip()
    plain_title = inner[1].strip(" :：").casefold() in ("", *ANSWERS)
    return inside if inside and plain_title else text


def find_ruled(lines: Lines) -> Found:
    """A note that asks for cards and has no other: split at its rule (two in a row: in both directions), or
    at each rule in a block."""
    rules = [
        at for at in range(lines.body, len(lines)) if lines.kind[at] == TEXT and _RULE.match(lines.text[at])
    ]
    found = Found()
    doubled = len(rules) == 2 and all(lines.is_blank(at) for at in range(rules[0] + 1, rules[1]))
    if len(rules) == 1 or doubled:
        _emit_ruled(lines, (lines.body, rules[0]), (rules[-1] + 1, len(lines)), found)
        for draft in found.drafts:
            draft.reverse = doubled
        return found
    for at in rules:
        if at and lines.text[at - 1].strip() and at + 1 < len(lines) and lines.text[at + 1].strip():
            _emit_ruled(lines, (block_start(lines, at), at), (at + 1, block_end(lines, at + 1)), found)
    return found


def _emit_ruled(lines: Lines, front_at: tuple[int, int], back_at: tuple[int, int], found: Found) -> None:
    rows = [lines.text[at] for at in range(*front_at) if not lines.claimed[at]]
    front = "\n".join(row for row in rows if not re.fullmatch(r"\s*(#[^\s#]+\s*)+", row)).strip()
    back = lines.join(*back_at).strip()
    if not front or not back:
        found.problems.append(f"line {front_at[1] + 1}: nothing stands on one side of the rule")
        return
    lines.claim(front_at[0], back_at[1])
    found.drafts.append(Draft("ruled", front, back, front_at[0], back_at[1], front_at, back_at))
