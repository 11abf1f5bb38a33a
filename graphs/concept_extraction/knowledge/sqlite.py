"""The default back-end: one SQLite file, and an exact search over a matrix in memory."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from common.errors import StudyError, Unavailable
from graphs.concept_extraction.knowledge.backend import Hits, Transaction
from graphs.concept_extraction.knowledge.embedders import claim
from graphs.concept_extraction.knowledge.matrix import Matrix, matrix_of, nearest
from graphs.concept_extraction.knowledge.records import Edge, EdgeKey, Label, Node, Vectors
from graphs.concept_extraction.knowledge.sqlite_rows import (
    SCHEMA,
    edge_from_row,
    edge_row,
    key_rows,
    node_from_row,
    vector_row,
)

T = TypeVar("T")

WAIT_FOR_WRITERS = 30.0
CHUNK = 500

# One matrix per file and label; `version` counts every change of the vectors.
_matrices: dict[tuple[Path, Label], tuple[int, Matrix]] = {}


def _chunks(values: Sequence[str]) -> Iterator[list[str]]:
    unique = list(dict.fromkeys(values))
    for start in range(0, len(unique), CHUNK):
        yield unique[start : start + CHUNK]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


class SqliteTransaction:
    """The interface's transaction over one connection; each step runs off the event loop."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return await asyncio.to_thread(lambda: self._connection.execute(sql, values).fetchall())

    async def _run(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        await asyncio.to_thread(self._connection.executemany, sql, list(rows))

    async def nodes(
        self, label: Label, uuids: Sequence[str] | None = None, *, vectors: bool = False
    ) -> dict[str, Node]:
        column = "v.data" if vectors else "NULL"
        query = (
            f"SELECT n.label, n.uuid, n.props, {column} FROM nodes n "  # noqa: S608 - fixed words only
            "LEFT JOIN vectors v ON v.label = n.label AND v.uuid = n.uuid WHERE n.label = ?"
        )
        if uuids is None:
            rows = await self._rows(f"{query} ORDER BY n.uuid", [label])
            return {row[1]: node_from_row(row) for row in rows}
        found: dict[str, Node] = {}
        for part in _chunks(uuids):
            for row in await self._rows(f"{query} AND n.uuid IN ({_marks(part)})", [label, *part]):
                found[row[1]] = node_from_row(row)
        return found

    async def concepts_by_key(self, keys: Sequence[str]) -> dict[str, Node]:
        uuids: list[str] = []
        for part in _chunks(keys):
            sql = f"SELECT uuid FROM concept_keys WHERE key IN ({_marks(part)})"  # noqa: S608 - marks only
            uuids += [row[0] for row in await self._rows(sql, part)]
        return await self.nodes("Concept", uuids)

    async def edges(self, keys: Sequence[EdgeKey]) -> dict[EdgeKey, Edge]:
        wanted = set(keys)
        around = await self._edges_at("source", [key.source for key in keys])
        return {edge.key: edge for edge in around if edge.key in wanted}

    async def edges_of(self, label: Label, uuids: Sequence[str]) -> list[Edge]:
        found = {edge.key: edge for edge in await self._edges_at("source", uuids)}
        found |= {edge.key: edge for edge in await self._edges_at("target", uuids)}
        return [edge for edge in found.values() if label in (edge.key.source_label, edge.key.target_label)]

    async def _edges_at(self, end: str, uuids: Sequence[str]) -> list[Edge]:
        found: list[Edge] = []
        for part in _chunks(uuids):
            sql = f"SELECT * FROM edges WHERE {end} IN ({_marks(part)})"  # noqa: S608 - fixed words only
            found += [edge_from_row(row) for row in await self._rows(sql, part)]
        return found

    async def all_edges(self) -> list[Edge]:
        rows = await self._rows("SELECT * FROM edges ORDER BY type, source, target")
        return [edge_from_row(row) for row in rows]

    async def put_nodes(self, nodes: Iterable[Node]) -> None:
        nodes = list(nodes)
        props = [(n.label, n.uuid, json.dumps(n.props, ensure_ascii=False, sort_keys=True)) for n in nodes]
        await self._run("INSERT OR REPLACE INTO nodes VALUES (?, ?, ?)", props)
        concepts = [n for n in nodes if n.label == "Concept"]
        await self._run("DELETE FROM concept_keys WHERE uuid = ?", [[n.uuid] for n in concepts])
        await self._run("INSERT OR IGNORE INTO concept_keys VALUES (?, ?)", key_rows(concepts))
        vectors = [vector_row(n) for n in nodes if n.vector is not None]
        if vectors:
            await self._run("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", vectors)
            await self._vectors_changed()

    async def put_edges(self, edges: Iterable[Edge]) -> None:
        await self._run("INSERT OR REPLACE INTO edges VALUES (?, ?, ?, ?, ?, ?)", map(edge_row, edges))

    async def delete_nodes(self, label: Label, uuids: Sequence[str]) -> None:
        for table in ("nodes", "vectors"):
            sql = f"DELETE FROM {table} WHERE label = ? AND uuid = ?"  # noqa: S608 - fixed words only
            await self._run(sql, [(label, uuid) for uuid in uuids])
        if label == "Concept":
            await self._run("DELETE FROM concept_keys WHERE uuid = ?", [[uuid] for uuid in uuids])
        await self._vectors_changed()

    async def _vectors_changed(self) -> None:
        await self._run("UPDATE counters SET value = value + 1 WHERE name = ?", [["vectors"]])

    async def delete_edges(self, keys: Sequence[EdgeKey]) -> None:
        rows = [(key.type, key.source, key.target) for key in keys]
        await self._run("DELETE FROM edges WHERE type = ? AND source = ? AND target = ?", rows)

    async def records(self, kind: str, ids: Sequence[str] | None = None) -> dict[str, dict[str, Any]]:
        query = "SELECT id, body FROM records WHERE kind = ?"
        if ids is None:
            rows = await self._rows(f"{query} ORDER BY id", [kind])
        else:
            rows = []
            for part in _chunks(ids):
                rows += await self._rows(f"{query} AND id IN ({_marks(part)})", [kind, *part])
        return {row[0]: json.loads(row[1]) for row in rows}

    async def put_records(self, kind: str, bodies: dict[str, dict[str, Any]]) -> None:
        rows = [
            (kind, name, json.dumps(body, ensure_ascii=False, sort_keys=True))
            for name, body in bodies.items()
        ]
        await self._run("INSERT OR REPLACE INTO records VALUES (?, ?, ?)", rows)

    async def delete_records(self, kind: str, ids: Sequence[str]) -> None:
        await self._run("DELETE FROM records WHERE kind = ? AND id = ?", [(kind, name) for name in ids])


class SqliteBackend:
    """One file; a connection for each transaction, so that threads and processes share it safely."""

    name = "sqlite"

    def __init__(self, path: Path) -> None:
        self._path = path

    async def prepare(self, embedder: str, dimension: int) -> None:
        await asyncio.to_thread(self._create)
        await claim(self, embedder, dimension)

    def _create(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as connection:
            connection.executescript(SCHEMA)

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self._path, timeout=WAIT_FOR_WRITERS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as exc:
            raise self._fault(exc) from exc
        return connection

    def _fault(self, exc: sqlite3.Error) -> StudyError:
        if isinstance(exc, sqlite3.OperationalError) and "locked" in str(exc):
            return Unavailable(
                f"The knowledge base {self._path.name} is busy.", remedy="Try again in a moment."
            )
        return StudyError(
            f"The knowledge base {self._path.name} cannot be used: {exc}.",
            remedy="Check the disk, the rights and the file under STUDY_DATA_DIR.",
        )

    async def execute(self, work: Callable[[Transaction], Awaitable[T]], *, write: bool) -> T:
        connection = await asyncio.to_thread(self._connect)
        try:
            await asyncio.to_thread(connection.execute, "BEGIN IMMEDIATE" if write else "BEGIN")
            result = await work(SqliteTransaction(connection))
            await asyncio.to_thread(connection.execute, "COMMIT" if write else "ROLLBACK")
            return result
        except sqlite3.Error as exc:
            raise self._fault(exc) from exc
        finally:
            # Closing an open transaction rolls it back.
            await asyncio.to_thread(connection.close)

    async def search(self, label: Label, queries: Vectors, limit: int, threshold: float) -> list[Hits]:
        return await asyncio.to_thread(self._search, label, queries, limit, threshold)

    def _search(self, label: Label, queries: Vectors, limit: int, threshold: float) -> list[Hits]:
        return nearest(self._matrix(label), queries, limit, threshold)

    def _matrix(self, label: Label) -> Matrix:
        with closing(self._connect()) as connection:
            connection.execute("BEGIN")
            version = connection.execute("SELECT value FROM counters WHERE name = 'vectors'").fetchone()[0]
            key = (self._path.resolve(), label)
            cached = _matrices.get(key)
            if cached is None or cached[0] != version:
                rows = connection.execute(
                    "SELECT uuid, data FROM vectors WHERE label = ? ORDER BY uuid", [label]
                ).fetchall()
                _matrices[key] = cached = (version, matrix_of(rows))
        return cached[1]

    async def close(self) -> None:
        """Nothing is held open between transactions."""
