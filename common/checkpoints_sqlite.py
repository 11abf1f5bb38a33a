"""LangGraph's SQLite checkpointer with what it lacks: pruning, roll-back, fast copies, waiting threads."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from common.errors import BadInput
from common.sqlite import give_back_room
from common.waiting import Thread, Waiting, earliest_id, read_thread, read_waiting

# Too old: beyond the kept number in its namespace; or a subgraph's step under a root step that goes.
# A namespace with a colon belongs to one task of one root step; one without lives as long as its thread.
_DELETE_OLD = """
DELETE FROM checkpoints WHERE rowid IN (
    SELECT row FROM (
        SELECT rowid AS row, checkpoint_ns,
            row_number() OVER (PARTITION BY checkpoint_ns ORDER BY checkpoint_id DESC) AS age,
            json_extract(CAST(metadata AS TEXT), '$.parents.""') AS root
        FROM checkpoints WHERE thread_id = :thread
    ) WHERE age > :keep OR (instr(checkpoint_ns, ':') > 0 AND root < :oldest)
) RETURNING thread_id, checkpoint_ns, checkpoint_id
"""

_OLDEST_KEPT = """
SELECT min(checkpoint_id) FROM (
    SELECT checkpoint_id FROM checkpoints WHERE thread_id = :thread AND checkpoint_ns = ''
    ORDER BY checkpoint_id DESC LIMIT :keep
)
"""

_DELETE_WRITES = "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"

_FORGET_PARENTS = """
UPDATE checkpoints SET parent_checkpoint_id = NULL
WHERE thread_id = :thread AND parent_checkpoint_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM checkpoints AS parent WHERE parent.thread_id = checkpoints.thread_id
    AND parent.checkpoint_ns = checkpoints.checkpoint_ns
    AND parent.checkpoint_id = checkpoints.parent_checkpoint_id
)
"""

# A delta channel's value is spread over earlier checkpoints: such a thread cannot be shortened.
_USES_DELTA = """
SELECT 1 FROM checkpoints WHERE thread_id = ?
AND json_extract(CAST(metadata AS TEXT), '$.counters_since_delta_snapshot') IS NOT NULL LIMIT 1
"""

_DELETE_RUNS = """
DELETE FROM checkpoints WHERE json_extract(CAST(metadata AS TEXT), '$.run_id') IN ({marks})
RETURNING thread_id, checkpoint_ns, checkpoint_id
"""

_COPY = (
    """
    INSERT OR REPLACE INTO checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
    SELECT :target, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint,
        CAST(json_replace(CAST(metadata AS TEXT), '$.thread_id', :target) AS BLOB)
    FROM checkpoints WHERE thread_id = :source
    """,
    """
    INSERT OR REPLACE INTO writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
    SELECT :target, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value
    FROM writes WHERE thread_id = :source
    """,
)

_RESTING = """
SELECT thread_id FROM checkpoints GROUP BY thread_id HAVING max(checkpoint_id) < ? AND count(*) > 1
"""

_WAITING = """
SELECT c.thread_id, c.checkpoint_id, json_extract(CAST(c.metadata AS TEXT), '$.graph_id') AS graph,
    json_extract(CAST(c.metadata AS TEXT), '$.owner') AS owner, w.type, w.value
FROM writes AS w JOIN checkpoints AS c USING (thread_id, checkpoint_ns, checkpoint_id)
WHERE w.channel = '__interrupt__' AND c.checkpoint_ns = '' AND (:graph IS NULL OR graph = :graph)
AND c.checkpoint_id = (
    SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = c.thread_id AND checkpoint_ns = ''
)
ORDER BY c.checkpoint_id
"""

_THREADS = """
SELECT c.thread_id, c.checkpoint_id, json_extract(CAST(c.metadata AS TEXT), '$.graph_id') AS graph,
    (SELECT group_concat(w.channel) FROM writes AS w WHERE w.thread_id = c.thread_id
    AND w.checkpoint_ns = '' AND w.checkpoint_id = c.checkpoint_id
    AND w.channel IN ('__interrupt__', '__error__')) AS marks
FROM checkpoints AS c JOIN (
    SELECT thread_id, max(checkpoint_id) AS checkpoint_id FROM checkpoints
    WHERE checkpoint_ns = '' AND (:thread IS NULL OR thread_id = :thread) GROUP BY thread_id
) USING (thread_id, checkpoint_id)
WHERE c.checkpoint_ns = '' AND (:graph IS NULL OR graph = :graph)
ORDER BY c.checkpoint_id DESC LIMIT :limit
"""


class SqliteCheckpoints(AsyncSqliteSaver):
    """Checkpoints in one SQLite file, each thread's history kept short."""

    def __init__(self, conn: aiosqlite.Connection, *, history: int) -> None:
        super().__init__(conn)
        self.history = history

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        # A cancelled run must not leave a transaction open: it would lock the file for other processes.
        saved = await asyncio.shield(super().aput(config, checkpoint, metadata, new_versions))
        if not config["configurable"].get("checkpoint_ns"):
            await self._shorten(str(config["configurable"]["thread_id"]))
        return saved

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await asyncio.shield(super().aput_writes(config, writes, task_id, task_path))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep each namespace's latest checkpoint ("keep_latest"), or nothing ("delete")."""
        if strategy not in ("keep_latest", "delete", "delete_all"):
            raise BadInput(f"Unknown pruning strategy {strategy!r}.", remedy="Use keep_latest or delete.")
        for thread_id in map(str, thread_ids):
            if strategy != "keep_latest":
                await self.adelete_thread(thread_id)
            elif not await self._keep(thread_id, 1):
                raise BadInput(f"Thread {thread_id} uses a delta channel and cannot be pruned.")
        async with self.lock:
            await give_back_room(self.conn)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove what these runs saved: a roll-back to the state before them."""
        wanted = [str(run_id) for run_id in run_ids]
        if not wanted:
            return
        query = _DELETE_RUNS.format(marks=",".join("?" * len(wanted)))
        async with self._transaction() as cursor:
            await self._delete_returning(cursor, query, wanted)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the whole history, pending answers included."""
        names = {"source": str(source_thread_id), "target": str(target_thread_id)}
        async with self._transaction() as cursor:
            for statement in _COPY:
                await cursor.execute(statement, names)

    async def adelete_thread(self, thread_id: str) -> None:
        await self.setup()
        await super().adelete_thread(thread_id)

    async def sweep(self, rested_since: datetime) -> list[str]:
        """Reduce every thread untouched since then to its latest state; returns the threads reduced."""
        await self.setup()
        async with self.lock, self.conn.execute(_RESTING, (earliest_id(rested_since),)) as cursor:
            resting = [row[0] for row in await cursor.fetchall()]
        swept = [thread_id for thread_id in resting if await self._keep(thread_id, 1)]
        async with self.lock:
            await give_back_room(self.conn)
        return swept

    async def waiting(self, graph: str | None = None) -> list[Waiting]:
        """The threads (of one graph, or of all) that stand at an interrupt, longest waiting first."""
        await self.setup()
        async with self.lock, self.conn.execute(_WAITING, {"graph": graph}) as cursor:
            rows = await cursor.fetchall()
        return [
            found
            for thread_id, checkpoint_id, graph_id, owner, kind, value in rows
            for found in read_waiting(
                thread_id, checkpoint_id, graph_id, self.serde.loads_typed((kind, value)), owner
            )
        ]

    async def threads(
        self, graph: str | None = None, *, limit: int = 50, thread_id: str | None = None
    ) -> list[Thread]:
        """The threads (of one graph, or of all), latest first."""
        await self.setup()
        names = {"graph": graph, "thread": thread_id, "limit": limit}
        async with self.lock, self.conn.execute(_THREADS, names) as cursor:
            return [read_thread(*row) for row in await cursor.fetchall()]

    async def _shorten(self, thread_id: str) -> None:
        """Trim at twice the wanted length, so that the cost of deleting is spread over many steps."""
        query = "SELECT 1 FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '' LIMIT 1 OFFSET ?"
        async with self.lock, self.conn.execute(query, (thread_id, 2 * self.history - 1)) as cursor:
            overlong = await cursor.fetchone()
        if overlong and await self._keep(thread_id, self.history):
            async with self.lock:
                await give_back_room(self.conn)

    async def _keep(self, thread_id: str, keep: int) -> bool:
        """Leave the latest `keep` steps of a thread; False where that would lose state."""
        names: dict[str, Any] = {"thread": thread_id, "keep": keep}
        async with self._transaction() as cursor:
            if await (await cursor.execute(_USES_DELTA, (thread_id,))).fetchone():
                return False
            row = await (await cursor.execute(_OLDEST_KEPT, names)).fetchone()
            names["oldest"] = row[0] if row else None
            await self._delete_returning(cursor, _DELETE_OLD, names)
            await cursor.execute(_FORGET_PARENTS, names)
        return True

    async def _delete_returning(self, cursor: aiosqlite.Cursor, query: str, values: Any) -> None:
        """Delete checkpoints, then the writes of exactly those.

        A running step may save its writes before its checkpoint, so writes that have no checkpoint yet
        are not garbage.
        """
        await cursor.execute(query, values)
        gone = [tuple(row) for row in await cursor.fetchall()]
        await cursor.executemany(_DELETE_WRITES, gone)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[aiosqlite.Cursor]:
        """All or nothing, holding the write lock from the start so that no other process steps between."""
        await self.setup()
        async with self.lock, self.conn.cursor() as cursor:
            if self.conn.in_transaction:
                await self.conn.rollback()  # what a failed write has left
            await cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
            except BaseException:  # a cancelled run must leave no transaction open
                await self.conn.rollback()
                raise
            await self.conn.commit()
