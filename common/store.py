"""The durable LangGraph Store that langgraph.json names: what graphs remember across threads.

The platform's own store keeps its rows in memory and loses up to ten seconds at a kill; this one writes
each row before the node goes on.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from langgraph.store.postgres.aio import AsyncPostgresStore
from langgraph.store.sqlite.aio import AsyncSqliteStore

from common.checkpoints import refuse_shared_sqlite
from common.owned_store import PostgresStore, SqliteStore
from common.postgres import migrate_alone, open_pool
from common.settings import get_settings
from common.sqlite import open_database

DurableStore = AsyncSqliteStore | AsyncPostgresStore


@asynccontextmanager
async def open_store() -> AsyncIterator[DurableStore]:
    """Open the store that the settings ask for: SQLite in STUDY_DATA_DIR, or PostgreSQL."""
    settings = await asyncio.to_thread(get_settings)
    async with AsyncExitStack() as stack:
        store: DurableStore
        if settings.postgres_uri:
            pool = await stack.enter_async_context(open_pool(settings.postgres_uri))
            store = await stack.enter_async_context(PostgresStore(pool))
            await migrate_alone(pool, store.setup)
        else:
            refuse_shared_sqlite(settings)
            path = settings.data_dir / "store.sqlite"
            connection = await stack.enter_async_context(open_database(path, isolation_level=None))
            store = await stack.enter_async_context(SqliteStore(connection))
            await store.setup()
        yield store
