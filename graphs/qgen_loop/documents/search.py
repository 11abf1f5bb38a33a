"""Search that no pattern can hang: RE2 over the whole text, a deadline, then line numbers."""

import bisect
import time
from dataclasses import dataclass, field
from typing import Any

import re2

MAX_PATTERN = 400
MAX_PROGRAM = 8_000
MAX_MATCHES = 40
MAX_CONTEXT = 10
SECONDS = 0.15
_SLICE = 64 * 1024


@dataclass(frozen=True)
class Match:
    """One line that matches, with the lines around it."""

    line: int
    page: int
    text: str
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        first = self.line - len(self.before)
        around = [*self.before, self.text, *self.after]
        marks = [">" if first + i == self.line else " " for i in range(len(around))]
        return "\n".join(
            f"{mark}{first + i}: {text}" for i, (mark, text) in enumerate(zip(marks, around, strict=True))
        )


@dataclass(frozen=True)
class SearchResult:
    """Matches, or in `note` a plain sentence on why there are none or not all."""

    matches: list[Match]
    note: str = ""
    complete: bool = True

    def __str__(self) -> str:
        shown = "\n--\n".join(str(match) for match in self.matches)
        return "\n".join(part for part in (shown, self.note) if part)


class TextIndex:
    """The text as bytes, with the offset of every line, so that RE2 never converts it again."""

    def __init__(self, lines: list[str]) -> None:
        encoded = [line.encode() for line in lines]
        self.data = b"\n".join(encoded)
        self.starts: list[int] = []
        position = 0
        for line in encoded:
            self.starts.append(position)
            position += len(line) + 1

    def line_at(self, offset: int) -> int:
        """The zero-based line that holds this byte."""
        return bisect.bisect_right(self.starts, offset) - 1

    def line_numbers(self, pattern: Any, *, limit: int, seconds: float) -> tuple[list[int], bool]:
        """Zero-based numbers of matching lines, at most `limit`, and whether the whole text was seen."""
        deadline = time.perf_counter() + seconds
        found: list[int] = []
        low = 0
        while low < len(self.starts):
            high = self._slice_end(low)
            stop = self.starts[high] if high < len(self.starts) else len(self.data)
            position = self.starts[low]
            while (hit := pattern.search(self.data, position, stop)) is not None:
                line = self.line_at(min(hit.start(), len(self.data) - 1))
                found.append(line)
                following = max(line, self.line_at(max(hit.end() - 1, 0))) + 1
                if len(found) > limit or following >= high:
                    break
                position = self.starts[following]
            if len(found) > limit or time.perf_counter() > deadline:
                return found[:limit], high >= len(self.starts) and len(found) <= limit
            low = high
        return found, True

    def _slice_end(self, low: int) -> int:
        return max(low + 1, bisect.bisect_left(self.starts, self.starts[low] + _SLICE))


def compiled(pattern: str, *, literal: bool) -> Any:
    """A safe pattern; raises `re2.error` with the reason where RE2 cannot take it."""
    if len(pattern) > MAX_PATTERN:
        raise re2.error(f"it is longer than {MAX_PATTERN} characters")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.never_capture = True
    options.max_mem = 2 << 20
    # Extracted text breaks lines anywhere, so a space in a phrase stands for any white space.
    phrase = r"\s+".join(re2.escape(word) for word in pattern.split())
    source = phrase if literal else f"(?m:{pattern})"
    ready = re2.compile(source, options)
    if ready.programsize > MAX_PROGRAM:
        raise re2.error("it is too complex")
    return ready


def search_lines(
    index: TextIndex,
    lines: list[str],
    pages: list[int],
    pattern: str,
    *,
    context_lines: int = 2,
    literal: bool = False,
) -> SearchResult:
    """Lines that match a regular expression or a phrase, each with its surroundings."""
    if not pattern.strip():
        return SearchResult([], "The pattern is empty: give a word, a phrase or a regular expression.")
    try:
        ready = compiled(pattern, literal=literal)
    except re2.error as exc:
        reason = exc.args[0] if exc.args else "it is not a valid expression"
        reason = reason.decode(errors="replace") if isinstance(reason, bytes) else reason
        return SearchResult([], f"The pattern cannot be used: {reason}. Look-around and back-references are "
                                "not available; try a plain phrase.", complete=False)  # fmt: skip
    numbers, complete = index.line_numbers(ready, limit=MAX_MATCHES, seconds=SECONDS)
    if not numbers and complete and not literal and " " in pattern.strip():
        numbers, complete = index.line_numbers(
            compiled(pattern, literal=True), limit=MAX_MATCHES, seconds=SECONDS / 2
        )
    context = max(0, min(context_lines, MAX_CONTEXT))
    matches = [_match(lines, pages, number, context) for number in numbers]
    return SearchResult(matches, _note(len(matches), complete), complete)


def _match(lines: list[str], pages: list[int], number: int, context: int) -> Match:
    before = lines[max(0, number - context) : number]
    after = lines[number + 1 : number + 1 + context]
    return Match(number + 1, pages[number], lines[number], before, after)


def _note(count: int, complete: bool) -> str:
    if complete:
        return "" if count else "No line matches."
    if count >= MAX_MATCHES:
        return f"Only the first {count} matching lines are shown: make the pattern more specific."
    return "The pattern is too slow for this document: only its beginning was searched. Try a plain phrase."
