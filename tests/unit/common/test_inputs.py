"""Input held against its shape."""

from typing import Any

import pytest

import graphs
from common.errors import BadInput
from common.inputs import checked_input

REFUSED = [
    ("card_decision", {"note_path": 3}, "note_path"),
    ("card_decision", {"note_path": "x.md", "note_text": ["a"]}, "note_text"),
    ("qgen_loop", {}, "document_path"),
    ("qgen_loop", {"document_path": "x", "target_count": -3}, "target_count"),
    ("tutoring", {"student_question": ["x"]}, "student_question"),
    ("vocab_react", {"song": 5}, "song"),
]


@pytest.mark.parametrize(("graph", "sent", "field"), REFUSED)
async def test_every_graph_names_what_is_wrong(graph: str, sent: dict[str, Any], field: str) -> None:
    with pytest.raises(BadInput, match=field):
        await graphs.part(graph, "graph", "graph").ainvoke(sent)


def test_none_counts_as_left_out_and_defaults_are_filled_in() -> None:
    shape = graphs.part("vocab_react", "state", "Input")
    assert checked_input(shape, {"song": "故郷", "artist": None, "other": 1}).count == 5
