"""The registry of error patterns and its JSON loader."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from graphs.tutoring.diagnosis.patterns import BaseErrorPattern, read_pattern

DATA = Path(__file__).parent / "data" / "patterns"
CATCH_ALL = "refused-otherwise"


class PatternRegistry:
    """Patterns by id, in the order they are asked."""

    def __init__(self, patterns: list[BaseErrorPattern] | None = None) -> None:
        self._patterns: dict[str, BaseErrorPattern] = {}
        for pattern in patterns or []:
            self.add(pattern)

    def __iter__(self) -> Iterator[BaseErrorPattern]:
        return iter(self._patterns.values())

    def __len__(self) -> int:
        return len(self._patterns)

    def __contains__(self, pattern_id: object) -> bool:
        return pattern_id in self._patterns

    def get(self, pattern_id: str) -> BaseErrorPattern | None:
        """The pattern of that id."""
        return self._patterns.get(pattern_id)

    def add(self, pattern: BaseErrorPattern) -> None:
        """Take one more pattern; its id must be new."""
        if pattern.id in self._patterns:
            raise ValueError(f"a pattern with the id {pattern.id!r} is there already")
        self._patterns[pattern.id] = pattern
        if CATCH_ALL in self._patterns:  # asked last, so that a learned pattern may know better
            self._patterns[CATCH_ALL] = self._patterns.pop(CATCH_ALL)

    def load_json(self, path: Path) -> int:
        """Add the patterns of a JSON file; returns how many."""
        patterns = load_patterns(path)
        for pattern in patterns:
            self.add(pattern)
        return len(patterns)


def load_patterns(path: Path) -> list[BaseErrorPattern]:
    """The patterns of one JSON file, checked against the schema."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return [read_pattern(item) for item in data["patterns"]]
    except (KeyError, TypeError, json.JSONDecodeError, ValidationError, re.error) as exc:
        raise ValueError(f"{path.name} is no pattern file: {exc}") from exc


def builtin_patterns() -> PatternRegistry:
    """Our own patterns, exact messages first."""
    registry = PatternRegistry()
    registry.load_json(DATA / "builtin.json")
    return registry
