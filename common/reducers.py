"""Reducers that a replayed node or a loop cannot inflate."""

from collections.abc import Callable, Iterable
from typing import Any

Item = dict[str, Any]
Change = list[Item] | dict[str, Any] | None


def upsert(key: str = "id") -> Callable[[list[Item] | None, Change], list[Item]]:
    """A list keyed by `key`: later items replace earlier ones in place, `deleted` removes,
    `{"replace": [...]}` starts over."""

    def merge(old: list[Item] | None, change: Change) -> list[Item]:
        if isinstance(change, dict) and "replace" in change:
            return merge([], change["replace"])
        merged = {item[key]: item for item in old or []}
        for item in _items(change):
            if item.get("deleted"):
                merged.pop(item[key], None)
            else:
                merged[item[key]] = item
        return list(merged.values())

    return merge


def _items(change: Change) -> Iterable[Item]:
    if isinstance(change, dict):
        return [change]
    return change or []


def add_unique(old: list[str] | None, change: list[str] | dict[str, list[str]] | None) -> list[str]:
    """A list of lines without doubles, in order of first appearance; `{"replace": [...]}` starts over."""
    if isinstance(change, dict):
        return list(dict.fromkeys(change["replace"]))
    return list(dict.fromkeys([*(old or []), *(change or [])]))
