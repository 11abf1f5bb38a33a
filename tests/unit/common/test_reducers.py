"""Reducers: replayed nodes and loops never inflate a list."""

from hypothesis import given
from hypothesis import strategies as st

from common.origins import weakest
from common.reducers import add_unique, upsert

merge = upsert()
items = st.lists(st.fixed_dictionaries({"id": st.sampled_from("abcd"), "n": st.integers(0, 3)}), max_size=6)


def test_replaces_in_place_and_removes() -> None:
    old = [{"id": "a", "n": 1}, {"id": "b", "n": 1}]
    assert merge(old, [{"id": "a", "n": 2}]) == [{"id": "a", "n": 2}, {"id": "b", "n": 1}]
    assert merge(old, {"id": "a", "deleted": True}) == [{"id": "b", "n": 1}]
    assert merge(old, {"replace": [{"id": "c"}]}) == [{"id": "c"}]
    assert merge(None, None) == []


@given(items, items)
def test_twice_is_once(old: list[dict[str, object]], change: list[dict[str, object]]) -> None:
    once = merge(old, change)
    assert merge(once, change) == once
    assert len({item["id"] for item in once}) == len(once)


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_unique_lines(old: list[str], change: list[str]) -> None:
    once = add_unique(old, change)
    assert add_unique(once, change) == once
    assert set(once) == set(old) | set(change)


def test_unique_lines_start_over() -> None:
    assert add_unique(["a"], {"replace": ["b", "b"]}) == ["b"]
    assert add_unique(None, None) == []


def test_weakest_origin() -> None:
    assert weakest("llm", "llm_repaired") == "llm_repaired"
    assert weakest("llm", "rules") == "rules"
    assert weakest() == "rules"
