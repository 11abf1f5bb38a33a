"""The SQLite checkpointer: durable, short, shared between processes, refused to several replicas."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.types import Command

from common.checkpoints import Checkpoints, open_checkpointer
from common.checkpoints_sqlite import SqliteCheckpoints
from common.errors import BadInput, Unavailable
from common.waiting import earliest_id, saved_at
from tests.checkpoint_cases import CheckpointCases, build, on


@pytest.fixture
async def checkpoints(settings: Callable[..., None]) -> AsyncIterator[Checkpoints]:
    settings(checkpoint_history=4)
    async with open_checkpointer() as opened:
        yield opened


@pytest.fixture
def count_rows(checkpoints: SqliteCheckpoints) -> Callable[[str], Awaitable[int]]:
    async def count(thread: str) -> int:
        total = 0
        for table in ("checkpoints", "writes"):
            query = f"SELECT count(*) FROM {table} WHERE thread_id = ?"
            async with checkpoints.conn.execute(query, (thread,)) as cursor:
                row = await cursor.fetchone()
                total += row[0] if row else 0
        return total

    return count


class TestSqlite(CheckpointCases):
    pass


async def test_the_file_uses_a_write_ahead_log_and_gives_room_back(checkpoints: SqliteCheckpoints) -> None:
    found = {}
    for name in ("journal_mode", "auto_vacuum", "journal_size_limit"):
        async with checkpoints.conn.execute(f"PRAGMA {name}") as cursor:
            row = await cursor.fetchone()
            found[name] = row[0] if row else None
    assert found == {"journal_mode": "wal", "auto_vacuum": 2, "journal_size_limit": 16 * 1024 * 1024}


async def test_the_file_stops_growing(checkpoints: SqliteCheckpoints, data_dir: Path) -> None:
    graph, thread, sizes = build(checkpoints, rounds=30), str(uuid4()), []
    for _ in range(4):
        await graph.ainvoke({"steps": 0, "padding": "x" * 20_000}, on(thread))
        async with checkpoints.conn.execute("PRAGMA page_count") as cursor:
            row = await cursor.fetchone()
            sizes.append(row[0] if row else 0)
    assert sizes[-1] <= sizes[0] * 1.3, sizes
    await checkpoints.aprune([thread])
    async with checkpoints.conn.execute("PRAGMA page_count") as cursor:
        row = await cursor.fetchone()
    assert row is not None
    assert row[0] < sizes[-1] / 3


async def test_two_processes_share_the_file(checkpoints: Checkpoints) -> None:
    """Two connections, as the server and a command line have, write at the same time."""
    async with open_checkpointer() as second:
        threads = [str(uuid4()) for _ in range(8)]
        runs = [
            build(owner).ainvoke({"steps": 0}, on(thread))
            for owner, thread in zip([checkpoints, second] * 4, threads, strict=True)
        ]
        results = await asyncio.gather(*runs)
        assert [result["steps"] for result in results] == [3] * 8
        waiting = str(uuid4())
        await build(second, wait=True).ainvoke({"steps": 0}, on(waiting))
        resumed = await build(checkpoints, wait=True).ainvoke(Command(resume="here"), on(waiting))
        assert resumed["answer"] == "here"


async def test_a_cancelled_write_locks_nobody_out(
    checkpoints: SqliteCheckpoints, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, begun = checkpoints.conn.commit, asyncio.Event()

    async def slow_commit() -> None:
        begun.set()
        await asyncio.sleep(0.05)
        await commit()

    monkeypatch.setattr(checkpoints.conn, "commit", slow_commit)
    place: Any = {"configurable": {"thread_id": str(uuid4()), "checkpoint_ns": ""}}
    run = asyncio.create_task(checkpoints.aput(place, empty_checkpoint(), {}, {}))
    await begun.wait()
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    for _ in range(200):
        if not checkpoints.conn.in_transaction:
            break
        await asyncio.sleep(0.05)
    assert not checkpoints.conn.in_transaction
    other = await asyncio.to_thread(
        sqlite3.connect, data_dir / "checkpoints.sqlite", timeout=60, check_same_thread=False
    )
    await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
    await asyncio.to_thread(other.close)


async def test_a_failed_write_is_taken_back(checkpoints: SqliteCheckpoints) -> None:
    graph, thread = build(checkpoints), str(uuid4())
    await graph.ainvoke({"steps": 0}, on(thread))
    await checkpoints.conn.execute("DELETE FROM checkpoints")
    assert checkpoints.conn.in_transaction
    await checkpoints.aprune([thread])
    assert (await graph.aget_state(on(thread))).values["steps"] == 3


async def test_an_error_inside_changes_nothing(checkpoints: SqliteCheckpoints) -> None:
    graph, thread = build(checkpoints), str(uuid4())
    await graph.ainvoke({"steps": 0}, on(thread))
    with pytest.raises(ZeroDivisionError):
        async with checkpoints._transaction() as cursor:
            await cursor.execute("DELETE FROM checkpoints")
            raise ZeroDivisionError
    assert (await graph.aget_state(on(thread))).values["steps"] == 3


async def test_several_replicas_are_refused(settings: Callable[..., None]) -> None:
    settings(replicas=2)
    with pytest.raises(BadInput, match="STUDY_REPLICAS is 2") as caught:
        async with open_checkpointer():
            pass
    assert "DATABASE_URI" in caught.value.remedy


async def test_an_unusable_file_is_named(settings: Callable[..., None], data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "checkpoints.sqlite").write_text("this is no database, only some text " * 50)
    with pytest.raises(Unavailable, match=r"checkpoints\.sqlite"):
        async with open_checkpointer():
            pass


async def test_a_folder_that_cannot_be_made_is_named(settings: Callable[..., None], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings(data_dir=tmp_path / "file" / "below")
    with pytest.raises(Unavailable, match="STUDY_DATA_DIR"):
        async with open_checkpointer():
            pass


async def test_unknown_strategies_are_refused(checkpoints: Checkpoints) -> None:
    with pytest.raises(BadInput, match="keep_everything"):
        await checkpoints.aprune(["x"], strategy="keep_everything")


async def test_threads_with_delta_channels_are_left_alone(checkpoints: SqliteCheckpoints) -> None:
    graph, thread = build(checkpoints, rounds=2), str(uuid4())
    await graph.ainvoke({"steps": 0}, on(thread))
    await checkpoints.conn.execute(
        "UPDATE checkpoints SET metadata = CAST(json_set(CAST(metadata AS TEXT), "
        "'$.counters_since_delta_snapshot', json('{\"seen\": [1, 1]}')) AS BLOB)"
    )
    await checkpoints.conn.commit()
    with pytest.raises(BadInput, match="delta channel"):
        await checkpoints.aprune([thread])
    assert await checkpoints.sweep(datetime(2100, 1, 1, tzinfo=UTC)) == []


def test_checkpoint_ids_tell_the_time() -> None:
    identifier = str(uuid6())
    assert abs((saved_at(identifier) - datetime.now(UTC)).total_seconds()) < 5
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert saved_at(earliest_id(moment)) == moment
    assert earliest_id(moment) < identifier or moment > datetime.now(UTC)
