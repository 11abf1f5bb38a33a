"""YAML frontmatter, read safely: broken or hostile YAML is a line in the report, never a crash."""

import datetime
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_CHARS = 200_000
_MAX_VALUES = 20_000


def read_frontmatter(text: str) -> tuple[dict[str, Any], list[str]]:
    """The mapping as JSON values, and what was wrong with it."""
    if not text.strip():
        return {}, []
    if len(text) > _MAX_CHARS:
        return {}, [f"frontmatter: {len(text)} characters are too many, it is ignored"]
    try:
        loaded = yaml.load(text, Loader=_Loader)  # noqa: S506 - CSafeLoader builds plain values only
    except yaml.YAMLError as exc:
        return {}, [f"frontmatter: broken YAML, it is ignored ({_where(exc)})"]
    except (ValueError, RecursionError, TypeError) as exc:
        return {}, [f"frontmatter: a value cannot be read, it is ignored ({exc})"]
    if loaded is None:
        return {}, []
    if not isinstance(loaded, dict):
        return {}, ["frontmatter: not a list of keys and values, it is ignored"]
    try:
        return _Plain().mapping(loaded), []
    except (OverflowError, RecursionError):
        return {}, ["frontmatter: it grows without end (aliases), it is ignored"]


def _where(exc: yaml.YAMLError) -> str:
    mark = getattr(exc, "problem_mark", None)
    problem = getattr(exc, "problem", None) or str(exc).split("\n")[0]
    return f"line {mark.line + 2}: {problem}" if mark else problem


class _Plain:
    """Copies YAML values as JSON ones, and stops where aliases multiply them."""

    def __init__(self) -> None:
        self.left = _MAX_VALUES

    def mapping(self, value: dict[Any, Any]) -> dict[str, Any]:
        return {str(key): self.value(item) for key, item in value.items()}

    def value(self, value: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise OverflowError
        if isinstance(value, dict):
            return self.mapping(value)
        if isinstance(value, list | tuple | set):
            return [self.value(item) for item in value]
        if isinstance(value, datetime.date | datetime.datetime | datetime.time):
            return value.isoformat()
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            return str(value)
        if value is None or isinstance(value, str | int | float | bool):
            return value
        return str(value)


def text_of(frontmatter: dict[str, Any], *keys: str) -> str:
    """The first of these keys that holds a plain value, as text."""
    for key in keys:
        value = frontmatter.get(key)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""


def words_of(frontmatter: dict[str, Any], *keys: str) -> list[str]:
    """Lists, or text split at commas and spaces, of these keys together."""
    words: list[str] = []
    for key in keys:
        value = frontmatter.get(key)
        if isinstance(value, str):
            words += value.replace(",", " ").split()
        elif isinstance(value, list):
            words += [str(item).strip() for item in value if isinstance(item, str | int | float)]
    return [word for word in dict.fromkeys(words) if word]
