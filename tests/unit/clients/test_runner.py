"""The runner in process: events, reviews, refusals, batches, and errors in one line."""

import asyncio
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from clients.in_process import Graph, load_graph
from clients.runner import Event, Job, Runner, open_runner
from common.errors import BadInput, Conflict, NotFound, StudyError, Unavailable
from tests.server.demo import graph


def demo(_name: str) -> Graph:
    return graph


@pytest.fixture
def runner() -> Iterator[Runner]:
    with open_runner(load=demo) as opened:
        yield opened


@pytest.fixture
def thread() -> str:
    return str(uuid4())


def test_a_run_waits_and_a_second_runner_finishes_it(runner: Runner, thread: str) -> None:
    outcome = runner.run("demo", {"topic": "tides", "rounds": 2}, thread_id=thread)
    assert outcome.waits
    assert outcome.interrupt["action_requests"][0]["args"] == {"note": "tides 2"}
    assert outcome.values["note"] == "tides 2"
    assert [(each.thread_id, each.graph) for each in runner.waiting("demo")] == [(thread, "demo")]
    with open_runner(load=demo) as other:
        final = other.resume("demo", thread, "keep")
    assert not final.waits
    assert final.values == {"note": "tides 2", "decision": "keep"}
    assert runner.waiting("demo") == []
    assert runner.state("demo", thread).values["decision"] == "keep"


def test_new_input_never_replaces_a_review(runner: Runner, thread: str) -> None:
    runner.run("demo", {"topic": "tides"}, thread_id=thread)
    with pytest.raises(Conflict, match="waits for an answer"):
        runner.run("demo", {"topic": "moon"}, thread_id=thread)
    assert runner.state("demo", thread).interrupt is not None
    runner.discard(thread)
    assert runner.state("demo", thread).values == {}
    assert runner.run("demo", {"topic": "moon"}, thread_id=thread).values["note"] == "moon 1"


def test_answering_what_was_not_asked_is_refused(runner: Runner, thread: str) -> None:
    with pytest.raises(Conflict, match="asks nothing"):
        runner.resume("demo", thread, "hello")


def test_events_come_as_they_happen(runner: Runner, thread: str) -> None:
    events: list[Event] = []
    runner.run("demo", {"topic": "tides"}, thread_id=thread, on_event=events.append)
    assert [(each.kind, each.node) for each in events] == [
        ("update", "begin"),
        ("custom", ""),
        ("update", "think"),
        ("update", "remember"),
    ]
    assert events[1].data == {"thought": 1}


def test_what_a_model_says_is_heard_word_by_word(runner: Runner, thread: str) -> None:
    events: list[Event] = []
    runner.run("demo", {"topic": "aloud"}, thread_id=thread, on_event=events.append)
    spoken = [each for each in events if each.kind == "message"]
    assert "".join(each.data for each in spoken) == "one two three"
    assert len(spoken) > 1
    assert {each.node for each in spoken} == {"think"}


def test_context_reaches_the_nodes(runner: Runner, thread: str) -> None:
    outcome = runner.run("demo", {"topic": "tides"}, thread_id=thread, context={"loud": True})
    assert outcome.values["note"] == "TIDES 1"


@pytest.mark.parametrize(
    ("input", "context", "message"),
    [
        ({"topic": ""}, None, "topic"),
        ({"topic": "x", "rounds": "many"}, None, "rounds"),
        ({"topic": "x"}, {"limit": 99}, "limit"),
    ],
)
def test_bad_input_is_named(
    runner: Runner, thread: str, input: dict[str, Any], context: dict[str, Any] | None, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        runner.run("demo", input, thread_id=thread, context=context)


def test_errors_of_the_graph_stay_what_they_are(runner: Runner, thread: str) -> None:
    with pytest.raises(BadInput) as caught:
        runner.run("demo", {"topic": "broken"}, thread_id=thread)
    assert caught.value.remedy == "Choose another."
    with pytest.raises(StudyError, match="KeyError: 'an unforeseen fault'") as other:
        runner.run("demo", {"topic": "bug"}, thread_id=str(uuid4()))
    assert "STUDY_LOG_LEVEL" in other.value.remedy


def test_a_run_without_end_is_an_error(runner: Runner, thread: str) -> None:
    def endless(_name: str) -> Graph:
        limited: Graph = graph.with_config({"recursion_limit": 5})
        return limited

    with open_runner(load=endless) as limited, pytest.raises(StudyError, match="did not come to an end"):
        limited.run("demo", {"topic": "x", "rounds": 50}, thread_id=thread)


def test_many_jobs_run_side_by_side_and_one_fault_stops_no_other(runner: Runner) -> None:
    topics = ["a", "broken", "b", "away", "c", "bug"]
    jobs = (Job(str(uuid4()), {"topic": topic}) for topic in topics)
    seen: list[str] = []
    finished = runner.run_many(
        "demo", jobs, concurrency=3, on_done=lambda done: seen.append(done.job.input["topic"])
    )
    assert sorted(seen) == sorted(topics)
    failed = {done.job.input["topic"]: type(done.error) for done in finished if done.error}
    assert failed == {"broken": BadInput, "away": Unavailable, "bug": StudyError}
    assert all(done.outcome and done.outcome.waits for done in finished if not done.error)
    with pytest.raises(BadInput, match="Concurrency"):
        runner.run_many("demo", [], concurrency=0)


def test_thread_ids_are_uuids(runner: Runner) -> None:
    with pytest.raises(BadInput, match="no thread id"):
        runner.run("demo", {"topic": "x"}, thread_id="my thread")


def test_an_unknown_graph_is_named() -> None:
    with pytest.raises(NotFound, match="nonsense"):
        load_graph("nonsense")


def test_nobody_listens() -> None:
    with (
        pytest.raises(Unavailable, match=r"No server answers at http://127.0.0.1:9"),
        open_runner("http://127.0.0.1:9"),
    ):
        pass


def test_what_a_broken_off_command_still_writes_is_waited_for() -> None:
    """Closing the files under a write would end a Ctrl-C in a traceback."""
    written: list[str] = []

    async def write() -> None:
        await asyncio.sleep(0.05)
        written.append("checkpoint")

    async def broken_off() -> None:
        kept.append(asyncio.create_task(write()))

    kept: list[asyncio.Task[None]] = []
    with pytest.raises(KeyboardInterrupt), open_runner(load=demo) as opened:
        opened._wait(broken_off())
        raise KeyboardInterrupt
    assert written == ["checkpoint"]
