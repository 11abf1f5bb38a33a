"""Opens our SQLite files: write-ahead log, patience with other processes, room given back after deletes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import aiosqlite

from common.errors import Unavailable

# How long a write waits for another process (the server, a command line) to finish its own.
BUSY_SECONDS = 30.0
WAL_LIMIT_BYTES = 16 * 1024 * 1024


@asynccontextmanager
async def open_database(
    path: Path, *, isolation_level: Literal["DEFERRED"] | None = "DEFERRED"
) -> AsyncIterator[aiosqlite.Connection]:
    """A connection to the file at `path`, made with its folder where it is missing."""
    try:
        await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        connection = await aiosqlite.connect(path, timeout=BUSY_SECONDS, isolation_level=isolation_level)
    except (OSError, aiosqlite.Error) as exc:
        raise _unusable(path, exc) from exc
    try:
        await _prepare(connection, path)
        yield connection
    finally:
        await connection.close()


async def _prepare(connection: aiosqlite.Connection, path: Path) -> None:
    try:
        # Before anything is written: a file takes its vacuum mode when its first page is made.
        await connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        await connection.execute("PRAGMA journal_mode = WAL")
        await connection.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}")
        await connection.commit()
    except aiosqlite.Error as exc:
        raise _unusable(path, exc) from exc


async def give_back_room(connection: aiosqlite.Connection, pages: int = 2000) -> None:
    """Return freed pages to the file system, a bounded number at a time."""
    # Each step of this statement frees one page; only a script is stepped to its end.
    async with connection.executescript(f"PRAGMA incremental_vacuum({int(pages)})"):
        pass


def _unusable(path: Path, exc: Exception) -> Unavailable:
    return Unavailable(
        f"The file {path} cannot be used: {exc}.",
        remedy="Check that the folder is writable and the file is a SQLite database, or set STUDY_DATA_DIR.",
    )
