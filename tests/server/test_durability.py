"""Reviews survive kills and stops, and move between a server and a process; the file stops growing."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from clients.in_process import Graph
from clients.runner import Event, Job, open_runner
from common.errors import BadInput, Conflict, StudyError, Unavailable
from tests.server.demo import graph
from tests.server.serving import ROOT, Server, wait_for

Settings = Callable[..., None]


def demo(_name: str) -> Graph:
    return graph


@pytest.fixture
def thread() -> str:
    return str(uuid4())


def remembered(server: Server, topic: str) -> object:
    answer = httpx.get(f"{server.url}/store/items", params={"namespace": "demo", "key": topic}, timeout=120)
    return answer.json()["value"] if answer.status_code == 200 else None


def test_a_review_survives_a_kill(start_server: Callable[..., Server], thread: str) -> None:
    server, second = start_server(), str(uuid4())
    plain = {"assistant_id": "demo", "if_not_exists": "create"}
    with open_runner(server.url) as runner:
        asked = httpx.post(
            f"{server.url}/threads/{second}/runs/wait", json=plain | {"input": {"topic": "moon"}}, timeout=120
        )
        assert "__interrupt__" in asked.json()
        assert runner.run("demo", {"topic": "tides"}, thread_id=thread).waits
    server.kill()
    server.start()
    assert remembered(server, "tides") == {"note": "tides 1"}
    with open_runner(server.url) as runner:
        assert [each.thread_id for each in runner.waiting("demo")] == [second, thread]
        with pytest.raises(Conflict, match="waits for an answer"):
            runner.run("demo", {"topic": "other"}, thread_id=thread)
        final = runner.resume("demo", thread, "keep")
        assert final.values == {"note": "tides 1", "decision": "keep"}
        assert [each.thread_id for each in runner.waiting("demo")] == [second]
    # Without our client, too: a plain resume that creates the thread's row again.
    body = plain | {"command": {"resume": "later"}}
    answer = httpx.post(f"{server.url}/threads/{second}/runs/wait", json=body, timeout=120)
    assert answer.json() == {"note": "moon 1", "decision": "later"}


def test_a_review_survives_a_clean_stop(start_server: Callable[..., Server], thread: str) -> None:
    server = start_server()
    with open_runner(server.url) as runner:
        assert runner.run("demo", {"topic": "tides"}, thread_id=thread).waits
    server.stop()
    server.start()
    with open_runner(server.url) as runner:
        assert runner.resume("demo", thread, "keep").values["decision"] == "keep"


def test_a_review_moves_between_a_process_and_a_server(
    server: Server, settings: Settings, thread: str
) -> None:
    settings(data_dir=server.data_dir)
    with open_runner(load=demo) as local:
        assert local.run("demo", {"topic": "from here"}, thread_id=thread).waits
    with open_runner(server.url) as remote:
        assert thread in [each.thread_id for each in remote.waiting("demo")]
        assert remote.resume("demo", thread, "there").values["decision"] == "there"
        other = str(uuid4())
        asked = remote.run("demo", {"topic": "from there"}, thread_id=other).interrupt
    with open_runner(load=demo) as local:
        waiting = {each.thread_id: each for each in local.waiting("demo")}
        assert thread not in waiting
        assert waiting[other].interrupt == asked
        assert local.resume("demo", other, "here").values == {"note": "from there 1", "decision": "here"}
    with open_runner(server.url) as remote:
        assert remote.state("demo", other).values["decision"] == "here"


def test_a_review_survives_the_kill_of_a_command(settings: Settings, data_dir: Path, thread: str) -> None:
    script = (
        "import time; from clients.runner import open_runner; from tests.server.demo import graph\n"
        "with open_runner(load=lambda _: graph) as runner:\n"
        f"    runner.run('demo', {{'topic': 'tides'}}, thread_id={thread!r})\n"
        "    print('waits', flush=True); time.sleep(600)\n"
    )
    environment = os.environ | {"STUDY_DATA_DIR": str(data_dir), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"waits\n"
        process.kill()
    with open_runner(load=demo) as runner:
        assert runner.resume("demo", thread, "keep").values == {"note": "tides 1", "decision": "keep"}


def test_the_runner_behaves_on_a_server_as_in_process(server: Server, thread: str) -> None:
    with open_runner(server.url) as runner:
        events: list[Event] = []
        outcome = runner.run(
            "demo", {"topic": "tides"}, thread_id=thread, context={"loud": True}, on_event=events.append
        )
        assert outcome.values["note"] == "TIDES 1"
        assert ("custom", {"thought": 1}) in [(each.kind, each.data) for each in events]
        assert [each.node for each in events if each.kind == "update"] == ["begin", "think", "remember"]
        spoken: list[Event] = []
        runner.run("demo", {"topic": "aloud"}, thread_id=str(uuid4()), on_event=spoken.append)
        assert "".join(each.data for each in spoken if each.kind == "message") == "one two three"
        with pytest.raises(Conflict, match="asks nothing"):
            runner.resume("demo", str(uuid4()), "hello")
        runner.discard(thread)
        assert runner.state("demo", thread).interrupt is None
        with pytest.raises(StudyError, match="nonsense"):
            runner.run("nonsense", {}, thread_id=str(uuid4()))


def test_errors_on_the_server_keep_their_meaning(server: Server) -> None:
    topics = ["fine", "broken", "away", "bug", ""]
    jobs = [Job(str(uuid4()), {"topic": topic}) for topic in topics]
    with open_runner(server.url) as runner:
        finished = runner.run_many("demo", jobs, concurrency=3)
    errors = {done.job.input["topic"]: done.error for done in finished}
    assert errors["fine"] is None
    assert isinstance(errors["broken"], BadInput)
    assert "cannot be thought of" in str(errors["broken"])
    assert "Choose another." in str(errors["broken"])
    assert isinstance(errors["away"], Unavailable)
    assert type(errors["bug"]) is StudyError
    assert isinstance(errors[""], BadInput)
    assert "topic" in str(errors[""])


def test_the_checkpoint_file_stops_growing(start_server: Callable[..., Server]) -> None:
    server = start_server(STUDY_CHECKPOINT_HISTORY="5")
    thread, sizes = str(uuid4()), []
    with open_runner(server.url) as runner:
        for _ in range(4):
            runner.run("demo", {"topic": "tides", "rounds": 15, "padding": 50_000}, thread_id=thread)
            runner.resume("demo", thread, "keep")
            sizes.append(_size(server.data_dir / "checkpoints.sqlite"))
        history = httpx.get(
            f"{server.url}/threads/{thread}/history", params={"limit": 100}, timeout=120
        ).json()
    assert len(history) <= 10
    assert sizes[-1] <= sizes[1] * 1.3, sizes


def _size(file: Path) -> int:
    """With the write-ahead log worked in: how long that is depends on who reads meanwhile."""
    with closing(sqlite3.connect(file, timeout=120)) as connection:
        wait_for(lambda: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
    return file.stat().st_size


def test_logs_say_which_thread_and_node(server: Server) -> None:
    """The records of our modules carry the run they belong to, whichever formatter prints them."""
    thread = str(uuid4())
    with open_runner(server.url) as runner:
        runner.run("demo", {"topic": "logged"}, thread_id=thread)

    def logged() -> list[str]:
        return [line for line in server.log.splitlines() if '"thought_had"' in line and thread in line]

    wait_for(logged)
    line = json.loads(logged()[-1])
    assert {"thread", "run", "graph", "node"} <= set(line)
    assert (line["thread"], line["graph"], line["node"]) == (thread, "demo", "think")


def test_a_rolled_back_run_leaves_nothing(server: Server, thread: str, tmp_path: Path) -> None:
    """Multitask roll-back needs a method that the plain SQLite checkpointer lacks."""
    with open_runner(server.url) as runner:
        runner.run("demo", {"topic": "first"}, thread_id=thread)
        runner.resume("demo", thread, "kept")
    with httpx.Client(base_url=server.url, timeout=120) as http:
        # It cannot come to its end: its gate stays shut.
        (shut := tmp_path / "gate").touch()
        slow = {"assistant_id": "demo", "input": {"topic": "second", "rounds": 2, "gate": str(shut)}}
        run = http.post(f"/threads/{thread}/runs", json=slow).raise_for_status().json()["run_id"]
        wait_for(lambda: http.get(f"/threads/{thread}/state").json()["values"].get("note") == "second 1")
        assert http.get(f"/threads/{thread}/runs/{run}").json()["status"] == "running"
        quick = {"assistant_id": "demo", "input": {"topic": "third"}, "multitask_strategy": "rollback"}
        http.post(f"/threads/{thread}/runs/wait", json=quick).raise_for_status()
        history = http.get(f"/threads/{thread}/history", params={"limit": 500}).json()
    topics = {state["values"].get("topic") for state in history if state["values"]}
    assert topics == {"first", "third"}


def test_a_copied_thread_goes_its_own_way(server: Server, thread: str) -> None:
    with open_runner(server.url) as runner:
        runner.run("demo", {"topic": "copied"}, thread_id=thread)
        answer = httpx.post(f"{server.url}/threads/{thread}/copy", timeout=120)
        copy = answer.json()["thread_id"]
        assert runner.resume("demo", copy, "of the copy").values["decision"] == "of the copy"
        assert runner.state("demo", thread).interrupt is not None


def test_several_replicas_on_sqlite_are_refused_at_start(start_server: Callable[..., Server]) -> None:
    with pytest.raises(RuntimeError, match="STUDY_REPLICAS is 2") as caught:
        start_server(STUDY_REPLICAS="2")
    assert "Set DATABASE_URI to a PostgreSQL database" in str(caught.value)
