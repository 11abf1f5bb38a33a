"""Checkpoints and store in a real PostgreSQL: the same behaviour as in SQLite, shared by replicas."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from clients.runner import open_runner
from common.checkpoints import Checkpoints, open_checkpointer
from common.checkpoints_postgres import PostgresCheckpoints
from common.errors import Unavailable
from common.store import open_store
from tests.checkpoint_cases import CheckpointCases, build, on
from tests.live.postgres import programs, running_postgres
from tests.server.serving import Server


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    installed = programs()
    if installed is None:
        pytest.skip("PostgreSQL is not installed")
    with running_postgres(installed) as uri:
        yield uri


@pytest.fixture
async def checkpoints(database: str, settings: Callable[..., None]) -> AsyncIterator[Checkpoints]:
    settings(checkpoint_history=4, database_uri=database, replicas=2)
    async with open_checkpointer() as opened:
        assert isinstance(opened, PostgresCheckpoints)
        yield opened
        async with opened.pool.connection() as connection:
            await connection.execute("TRUNCATE checkpoints, checkpoint_blobs, checkpoint_writes")


@pytest.fixture
def count_rows(checkpoints: PostgresCheckpoints) -> Callable[[str], Awaitable[int]]:
    async def count(thread: str) -> int:
        total = 0
        async with checkpoints.pool.connection() as connection:
            for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
                cursor = await connection.execute(
                    f"SELECT count(*) AS n FROM {table} WHERE thread_id = %s",
                    (thread,),
                )
                row = await cursor.fetchone()
                total += row["n"] if row else 0
        return total

    return count


class TestPostgres(CheckpointCases):
    pass


async def test_replicas_start_together_and_share_threads(
    database: str, settings: Callable[..., None]
) -> None:
    settings(database_uri=database, replicas=4)

    async def replica(thread: str) -> int:
        async with open_checkpointer() as opened, open_store() as store:
            await store.aput(("replicas",), thread, {"seen": True})
            result = await build(opened).ainvoke({"steps": 0}, on(thread))
            return int(result["steps"])

    assert await asyncio.gather(*(replica(str(uuid4())) for _ in range(4))) == [3] * 4
    async with open_store() as store:
        assert len(await store.asearch(("replicas",), limit=10)) == 4


async def test_a_database_that_does_not_answer_is_named(
    settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("common.postgres.CONNECT_SECONDS", 0.5)
    settings(database_uri="postgresql://someone:secret@127.0.0.1:9/study")
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9/study does not answer") as caught:
        async with open_checkpointer():
            pass
    assert "secret" not in str(caught.value)


def test_a_review_in_postgres_survives_the_kill_of_a_server(database: str, tmp_path: Path) -> None:
    """`langgraph dev` takes DATABASE_URI for itself; there, the name with our prefix is read."""
    server, thread = (
        Server(tmp_path / "server", STUDY_DATABASE_URI=database, STUDY_REPLICAS="2"),
        str(uuid4()),
    )
    try:
        server.start()
        with open_runner(server.url) as runner:
            assert runner.run("demo", {"topic": "tides", "rounds": 60}, thread_id=thread).waits
        server.kill()
        server.start()
        with open_runner(server.url) as runner:
            assert thread in [each.thread_id for each in runner.waiting("demo")]
            assert runner.resume("demo", thread, "keep").values["decision"] == "keep"
        assert not (server.data_dir / "checkpoints.sqlite").exists()
    finally:
        server.kill()
