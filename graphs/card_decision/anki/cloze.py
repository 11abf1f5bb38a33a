"""Anki's cloze rules, and the stricter ones we add."""

import html
import re
from dataclasses import dataclass

_OPEN = re.compile(r"\{\{c(\d[\d,]*)::")
_NEAR_MISSES = (
    (re.compile(r"\{\{c0+::"), "c0 is not a cloze number, they start at 1"),
    (re.compile(r"\{\{C\d+::"), "a capital C makes no cloze"),
    (re.compile(r"\{\{\s+c\d+::"), "a space after the braces makes no cloze"),
    (re.compile(r"\{\{c\d+\s+::"), "a space before the colons makes no cloze"),
    (re.compile(r"\{\{c\d+:(?!:)"), "a single colon makes no cloze"),
    (re.compile(r"(?<!\{)\{c\d+::"), "a single brace makes no cloze"),
)
_MATH = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.S)
MAX_NUMBER = 500


@dataclass(frozen=True)
class Cloze:
    """One gap: its numbers, its text, and where it stands."""

    numbers: tuple[int, ...]
    text: str
    start: int
    end: int


def parse_clozes(text: str) -> tuple[list[Cloze], int]:
    """All closed gaps, inner ones too, and how many were opened and never closed."""
    stack: list[tuple[tuple[int, ...], int, int]] = []
    found: list[Cloze] = []
    at = 0
    while at < len(text):
        if opening := _OPEN.match(text, at):
            numbers = tuple(int(part) for part in opening[1].split(",") if part and len(part) < 6)
            stack.append((numbers, at, opening.end()))
            at = opening.end()
        elif stack and text.startswith("}}", at):
            numbers, start, inner = stack.pop()
            found.append(Cloze(numbers, text[inner:at], start, at + 2))
            at += 2
        else:
            at += 1
    return sorted(found, key=lambda cloze: cloze.start), len(stack)


def holds_cloze(text: str) -> bool:
    """Whether Anki would see a cloze in the text."""
    return any(any(number > 0 for number in cloze.numbers) for cloze in parse_clozes(text)[0])


def cloze_numbers(text: str) -> set[int]:
    return {number for cloze in parse_clozes(text)[0] for number in cloze.numbers if number > 0}


def check_clozes(text: str) -> tuple[list[str], list[str]]:
    """Errors and warnings for the text of a cloze note."""
    clozes, unclosed = parse_clozes(text)
    errors = [problem for cloze in clozes for problem in _problems(cloze, text)]
    misses = [reason for pattern, reason in _NEAR_MISSES if pattern.search(text)]
    if unclosed:
        errors.append("a cloze is opened and never closed")
    if not any(number > 0 for cloze in clozes for number in cloze.numbers):
        why = f" ({'; '.join(misses)})" if misses else ""
        return [*dict.fromkeys(errors), f"the note type needs a cloze and the text has none{why}"], []
    return list(dict.fromkeys(errors)), misses


def _problems(cloze: Cloze, text: str) -> list[str]:
    label = f"c{','.join(map(str, cloze.numbers))}"
    content = cloze.text.split("::")[0]
    problems = []
    if not re.sub(r"<(?!img)[^>]*>|\s|\xa0", "", html.unescape(content)):
        problems.append(f"cloze {label} is empty")
    if any(number > MAX_NUMBER for number in cloze.numbers):
        problems.append(f"cloze {label}: numbers above {MAX_NUMBER} make no card")
    if not any(cloze.numbers):
        problems.append(f"cloze {label}: numbers start at 1")
    if _cuts_math(cloze, text):
        problems.append(
            f"cloze {label}: “}}}}” inside a formula ends the cloze early; put a space between them"
        )
    return problems


def _cuts_math(cloze: Cloze, text: str) -> bool:
    """The gap's end lies in a formula that its beginning does not, or its braces do not balance."""
    for math in _MATH.finditer(text):
        starts_inside = math.start() <= cloze.start < math.end()
        ends_inside = math.start() < cloze.end <= math.end()
        if ends_inside and not starts_inside:
            return True
        if ends_inside and starts_inside and cloze.text.count("{") != cloze.text.count("}"):
            return True
    return False
