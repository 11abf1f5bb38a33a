"""The durable checkpointer that langgraph.json names: every step of every thread survives a kill.

SQLite in STUDY_DATA_DIR by default; PostgreSQL where DATABASE_URI names one. A thread keeps its latest
STUDY_CHECKPOINT_HISTORY steps while it is worked on; once it has rested for STUDY_CHECKPOINT_IDLE_HOURS
only its latest state stays. So the file grows with the number of threads, never with their age.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta

from common.checkpoints_postgres import PostgresCheckpoints
from common.checkpoints_sqlite import SqliteCheckpoints
from common.errors import BadInput
from common.logs import get_logger
from common.postgres import open_pool
from common.settings import Settings, get_settings
from common.sqlite import open_database

SWEEP_SECONDS = 3600.0

Checkpoints = SqliteCheckpoints | PostgresCheckpoints

log = get_logger(__name__)


@asynccontextmanager
async def open_checkpointer() -> AsyncIterator[Checkpoints]:
    """Open the checkpointer that the settings ask for, and keep it tidy while it is open."""
    settings = await asyncio.to_thread(get_settings)
    async with AsyncExitStack() as stack:
        checkpoints = await _open(settings, stack)
        tidying = asyncio.create_task(_tidy(checkpoints, timedelta(hours=settings.checkpoint_idle_hours)))
        try:
            yield checkpoints
        finally:
            tidying.cancel()
            with suppress(asyncio.CancelledError):
                await tidying


async def _open(settings: Settings, stack: AsyncExitStack) -> Checkpoints:
    if settings.postgres_uri:
        pool = await stack.enter_async_context(open_pool(settings.postgres_uri))
        postgres = PostgresCheckpoints(pool, history=settings.checkpoint_history)
        await postgres.migrate()
        return postgres
    refuse_shared_sqlite(settings)
    connection = await stack.enter_async_context(open_database(settings.data_dir / "checkpoints.sqlite"))
    sqlite = SqliteCheckpoints(connection, history=settings.checkpoint_history)
    await sqlite.setup()
    return sqlite


def refuse_shared_sqlite(settings: Settings) -> None:
    """One file on one disk cannot serve several replicas: say so at start, not by lost decisions."""
    if settings.replicas > 1:
        raise BadInput(
            f"STUDY_REPLICAS is {settings.replicas}, but checkpoints and store are in SQLite files, "
            "which only one replica can use.",
            remedy="Set DATABASE_URI to a PostgreSQL database, or STUDY_REPLICAS=1.",
        )


async def _tidy(checkpoints: Checkpoints, idle: timedelta) -> None:
    """Now and every hour, reduce the threads that rest to their latest state."""
    while True:
        try:
            swept = await checkpoints.sweep(datetime.now(UTC) - idle)
        except Exception as exc:  # noqa: BLE001 - tidying is never worth stopping the server for
            log.warning("checkpoint_sweep_failed", error=str(exc))
        else:
            if swept:
                log.info("checkpoints_swept", threads=len(swept))
        await asyncio.sleep(SWEEP_SECONDS)
