"""Thread ids can be worked out again, anywhere, for ever."""

import unicodedata
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import BadInput
from common.threads import WORKED_ON, thread_id


def test_known_ids_never_change() -> None:
    """Another value here would orphan every thread that people have."""
    assert thread_id("vocab_react", "故郷", "文部省唱歌") == "0f65179f-1d71-5523-85bd-5e0b319e75d0"
    assert (
        thread_id("card_decision", "vault", "notes/a.md", owner="maria")
        == "9c8a3993-ac0a-5f0e-adfc-45752019660a"
    )


def test_every_part_matters() -> None:
    ids = {
        thread_id("vocab_react", "a", "b"),
        thread_id("vocab_react", "b", "a"),
        thread_id("vocab_react", "ab", ""),
        thread_id("vocab_react", "", "ab"),
        thread_id("vocab_react", "a", "b", owner="maria"),
        thread_id("card_decision", "a", "b"),
    }
    assert len(ids) == 6


@given(st.text(), st.text(), st.text())
@settings(max_examples=100)
def test_spelling_of_accents_does_not_matter(song: str, artist: str, owner: str) -> None:
    composed = thread_id("vocab_react", song, artist, owner=owner)
    apart = [unicodedata.normalize("NFD", word) for word in (song, artist, owner)]
    assert thread_id("vocab_react", apart[0], apart[1], owner=apart[2]) == composed
    assert uuid.UUID(composed).version == 5


@pytest.mark.parametrize("graph", list(WORKED_ON))
def test_the_wrong_number_of_parts_is_refused(graph: str) -> None:
    with pytest.raises(BadInput, match=WORKED_ON[graph][0]):
        thread_id(graph, *["x"] * (len(WORKED_ON[graph]) + 1))


def test_an_unknown_graph_is_refused() -> None:
    with pytest.raises(BadInput, match="vocab_react"):
        thread_id("nonsense", "x")
