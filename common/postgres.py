"""Opens the PostgreSQL database that DATABASE_URI names, and brings its tables up to date."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from common.errors import Unavailable

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

CONNECT_SECONDS = 10.0
POOL_SIZE = 8
# Any number will do, as long as all replicas use the same one.
_MIGRATION_LOCK = 7_350_118_024


def shown(uri: str) -> str:
    """The address without user and password, for messages."""
    try:
        parts = urlsplit(uri)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "an address that is none"
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


@asynccontextmanager
async def open_pool(uri: str) -> AsyncIterator[Pool]:
    """A pool of connections that replaces those the database has dropped."""
    options: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool: Pool = AsyncConnectionPool(
        uri,
        min_size=1,
        max_size=POOL_SIZE,
        timeout=CONNECT_SECONDS,
        kwargs=options,
        open=False,
        check=AsyncConnectionPool.check_connection,
    )
    try:
        await pool.open(wait=True, timeout=CONNECT_SECONDS)
    except PoolTimeout as exc:
        await pool.close()
        raise Unavailable(
            f"PostgreSQL at {shown(uri)} does not answer.",
            remedy="Check DATABASE_URI and that the database accepts connections.",
        ) from exc
    try:
        yield pool
    finally:
        await pool.close()


async def migrate_alone(pool: Pool, migrate: Callable[[], Awaitable[None]]) -> None:
    """Run migrations in one replica at a time.

    The lock is polled: a session blocked on it would be a running statement, and building an index
    concurrently waits for all of those.
    """
    async with pool.connection() as connection:
        while not await _try_lock(connection):  # noqa: ASYNC110 - the event is in another process
            await asyncio.sleep(0.2)
        try:
            await migrate()
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", (_MIGRATION_LOCK,))


async def _try_lock(connection: AsyncConnection[DictRow]) -> bool:
    cursor = await connection.execute("SELECT pg_try_advisory_lock(%s) AS locked", (_MIGRATION_LOCK,))
    row = await cursor.fetchone()
    return bool(row and row["locked"])
