"""Every log line is one JSON object that says which run it came from."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.checkpoint.memory import InMemorySaver

from common import logs
from tests.server.demo import builder


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root, stream = logging.getLogger(), io.StringIO()
    before = root.level
    logs.configure("info", stream)
    yield stream
    root.setLevel(before)
    for handler in [each for each in root.handlers if getattr(each, "is_study_handler", False)]:
        root.removeHandler(handler)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def test_a_node_logs_thread_run_graph_and_node(written: io.StringIO) -> None:
    thread, run = str(uuid4()), uuid4()
    graph = builder.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": thread, "graph_id": "demo"}, "run_id": run}
    with pytest.raises(AssertionError):
        # It has no store here; its first nodes have logged by then.
        await graph.ainvoke({"topic": "tides"}, config)
    found = [line for line in lines(written) if line["event"] == "thought_had"]
    assert len(found) == 1
    assert found[0]["thread"] == thread
    assert (found[0]["graph"], found[0]["node"], found[0]["count"]) == ("demo", "think", 1)
    assert found[0]["level"] == "info"


def test_outside_a_run_only_the_event_is_said(written: io.StringIO) -> None:
    token = var_child_runnable_config.set(None)
    logs.get_logger("tests.logs").warning("card_written", card="日本", path="a/b")
    var_child_runnable_config.reset(token)
    (line,) = lines(written)
    assert line["card"] == "日本"
    assert line["logger"] == "tests.logs"
    assert not {"thread", "run", "graph", "node"} & set(line)
    assert "日本" in written.getvalue()


def test_other_libraries_and_exceptions_are_one_line_each(written: io.StringIO) -> None:
    logging.getLogger("some.library").warning("plain %s", "text")
    try:
        raise ValueError("inside")
    except ValueError:
        logs.get_logger("tests.logs").exception("went_wrong")
    first, second = lines(written)
    assert first["event"] == "plain text"
    assert "ValueError: inside" in second["exception"]


def test_levels_hold_and_configuring_twice_does_not_double(written: io.StringIO) -> None:
    again = io.StringIO()
    logs.configure("error", again)
    logs.get_logger("tests.logs").warning("quiet")
    logs.get_logger("tests.logs").error("loud")
    assert [line["event"] for line in lines(again)] == ["loud"]
    assert written.getvalue() == ""
