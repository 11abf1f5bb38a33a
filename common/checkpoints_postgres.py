"""LangGraph's PostgreSQL checkpointer with what it lacks: short histories, roll-back, waiting threads."""

from collections.abc import Sequence
from datetime import datetime

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from common.postgres import Pool, migrate_alone
from common.waiting import Thread, Waiting, earliest_id, read_thread, read_waiting

_OVERLONG = """
SELECT 1 FROM checkpoints WHERE thread_id = %(thread)s AND checkpoint_ns = ''
AND NOT EXISTS (
    SELECT 1 FROM checkpoints WHERE thread_id = %(thread)s AND metadata ? 'counters_since_delta_snapshot'
)
LIMIT 1 OFFSET %(last)s
"""

# Writes and values go by the checkpoints deleted: a running step may save both before its checkpoint.
_DELETE_CASCADE = """
, gone AS (
    DELETE FROM checkpoints AS c USING chosen
    WHERE c.thread_id = chosen.thread_id AND c.checkpoint_ns = chosen.checkpoint_ns
    AND c.checkpoint_id = chosen.checkpoint_id
    RETURNING c.thread_id, c.checkpoint_ns, c.checkpoint_id, c.checkpoint -> 'channel_versions' AS versions
), writes_gone AS (
    DELETE FROM checkpoint_writes AS w USING gone
    WHERE w.thread_id = gone.thread_id AND w.checkpoint_ns = gone.checkpoint_ns
    AND w.checkpoint_id = gone.checkpoint_id
), freed AS (
    SELECT DISTINCT gone.thread_id, gone.checkpoint_ns, v.key AS channel, v.value AS version
    FROM gone CROSS JOIN LATERAL jsonb_each_text(gone.versions) AS v
), used AS (
    SELECT DISTINCT c.thread_id, c.checkpoint_ns, v.key AS channel, v.value AS version
    FROM checkpoints AS c CROSS JOIN LATERAL jsonb_each_text(c.checkpoint -> 'channel_versions') AS v
    WHERE c.thread_id IN (SELECT thread_id FROM chosen)
    AND NOT EXISTS (
        SELECT 1 FROM chosen WHERE chosen.thread_id = c.thread_id
        AND chosen.checkpoint_ns = c.checkpoint_ns AND chosen.checkpoint_id = c.checkpoint_id
    )
), garbage AS (SELECT * FROM freed EXCEPT SELECT * FROM used)
DELETE FROM checkpoint_blobs AS b USING garbage
WHERE b.thread_id = garbage.thread_id AND b.checkpoint_ns = garbage.checkpoint_ns
AND b.channel = garbage.channel AND b.version = garbage.version
"""

_OLD = """
WITH ranked AS (
    SELECT thread_id, checkpoint_ns, checkpoint_id, metadata -> 'parents' ->> '' AS root,
        row_number() OVER (PARTITION BY checkpoint_ns ORDER BY checkpoint_id DESC) AS age
    FROM checkpoints WHERE thread_id = %(thread)s
), chosen AS (
    SELECT thread_id, checkpoint_ns, checkpoint_id FROM ranked
    WHERE age > %(keep)s OR (
        position(':' IN checkpoint_ns) > 0
        AND root < (SELECT min(checkpoint_id) FROM ranked WHERE checkpoint_ns = '' AND age <= %(keep)s)
    )
)
"""

_OF_RUNS = """
WITH chosen AS (
    SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints
    WHERE metadata ->> 'run_id' = ANY(%(runs)s)
)
"""

_KEEP = _OLD + _DELETE_CASCADE
_DELETE_RUNS = _OF_RUNS + _DELETE_CASCADE

_COPY = (
    """
    INSERT INTO checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
    SELECT %(target)s, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint,
        CASE WHEN metadata ? 'thread_id'
        THEN jsonb_set(metadata, '{thread_id}', to_jsonb(%(target)s::text)) ELSE metadata END
    FROM checkpoints WHERE thread_id = %(source)s ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT %(target)s, checkpoint_ns, channel, version, type, blob
    FROM checkpoint_blobs WHERE thread_id = %(source)s ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO checkpoint_writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
    SELECT %(target)s, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob
    FROM checkpoint_writes WHERE thread_id = %(source)s ON CONFLICT DO NOTHING
    """,
)

_RESTING = """
SELECT thread_id FROM checkpoints GROUP BY thread_id
HAVING max(checkpoint_id) < %s AND count(*) > 1
AND NOT bool_or(metadata ? 'counters_since_delta_snapshot')
"""

_WAITING = """
SELECT c.thread_id, c.checkpoint_id, c.metadata ->> 'graph_id' AS graph, c.metadata ->> 'owner' AS owner,
    w.type, w.blob
FROM checkpoint_writes AS w JOIN checkpoints AS c USING (thread_id, checkpoint_ns, checkpoint_id)
WHERE w.channel = '__interrupt__' AND c.checkpoint_ns = ''
AND (%(graph)s::text IS NULL OR c.metadata ->> 'graph_id' = %(graph)s)
AND c.checkpoint_id = (
    SELECT max(l.checkpoint_id) FROM checkpoints AS l WHERE l.thread_id = c.thread_id AND l.checkpoint_ns = ''
)
ORDER BY c.checkpoint_id
"""

_THREADS = """
SELECT latest.thread_id, latest.checkpoint_id, latest.graph,
    (SELECT string_agg(w.channel, ',') FROM checkpoint_writes AS w WHERE w.thread_id = latest.thread_id
    AND w.checkpoint_ns = '' AND w.checkpoint_id = latest.checkpoint_id
    AND w.channel IN ('__interrupt__', '__error__')) AS marks
FROM (
    SELECT DISTINCT ON (thread_id) thread_id, checkpoint_id, metadata ->> 'graph_id' AS graph
    FROM checkpoints
    WHERE checkpoint_ns = '' AND (%(thread)s::text IS NULL OR thread_id = %(thread)s)
    ORDER BY thread_id, checkpoint_id DESC
) AS latest
WHERE %(graph)s::text IS NULL OR latest.graph = %(graph)s
ORDER BY latest.checkpoint_id DESC LIMIT %(limit)s
"""


class PostgresCheckpoints(AsyncPostgresSaver):
    """Checkpoints in PostgreSQL, shared by all replicas, each thread's history kept short."""

    def __init__(self, pool: Pool, *, history: int) -> None:
        super().__init__(pool)
        self.pool = pool
        self.history = history

    async def migrate(self) -> None:
        await migrate_alone(self.pool, self.setup)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        saved = await super().aput(config, checkpoint, metadata, new_versions)
        if not config["configurable"].get("checkpoint_ns"):
            await self._shorten(str(config["configurable"]["thread_id"]))
        return saved

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        # The platform's own fallback calls deleting everything "delete_all".
        await super().aprune(thread_ids, strategy="delete" if strategy == "delete_all" else strategy)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove what these runs saved: a roll-back to the state before them."""
        async with self._cursor() as cursor:
            await cursor.execute(_DELETE_RUNS, {"runs": [str(run_id) for run_id in run_ids]})

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the whole history, pending answers included."""
        names = {"source": str(source_thread_id), "target": str(target_thread_id)}
        async with self._cursor() as cursor, cursor.connection.transaction():
            for statement in _COPY:
                await cursor.execute(statement, names)

    async def sweep(self, rested_since: datetime) -> list[str]:
        """Reduce every thread untouched since then to its latest state; returns the threads reduced."""
        async with self._cursor() as cursor:
            await cursor.execute(_RESTING, (earliest_id(rested_since),))
            resting = [row["thread_id"] for row in await cursor.fetchall()]
        for thread_id in resting:
            await self._keep(thread_id, 1)
        return resting

    async def waiting(self, graph: str | None = None) -> list[Waiting]:
        """The threads (of one graph, or of all) that stand at an interrupt, longest waiting first."""
        async with self._cursor() as cursor:
            await cursor.execute(_WAITING, {"graph": graph})
            rows = await cursor.fetchall()
        return [
            found
            for row in rows
            for found in read_waiting(
                row["thread_id"],
                row["checkpoint_id"],
                row["graph"],
                self.serde.loads_typed((row["type"], row["blob"])),
                row["owner"],
            )
        ]

    async def threads(
        self, graph: str | None = None, *, limit: int = 50, thread_id: str | None = None
    ) -> list[Thread]:
        """The threads (of one graph, or of all), latest first."""
        names = {"graph": graph, "thread": thread_id, "limit": limit}
        async with self._cursor() as cursor:
            await cursor.execute(_THREADS, names)
            rows = await cursor.fetchall()
        return [read_thread(**row) for row in rows]

    async def _shorten(self, thread_id: str) -> None:
        """Trim at twice the wanted length, so that the cost of deleting is spread over many steps."""
        async with self._cursor() as cursor:
            await cursor.execute(_OVERLONG, {"thread": thread_id, "last": 2 * self.history - 1})
            overlong = await cursor.fetchone()
        if overlong:
            await self._keep(thread_id, self.history)

    async def _keep(self, thread_id: str, keep: int) -> None:
        async with self._cursor() as cursor:
            await cursor.execute(_KEEP, {"thread": thread_id, "keep": keep})
