"""The Neo4j back-end: async driver, managed transactions, UNWIND and MERGE, vector indexes."""

import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction
from neo4j.exceptions import AuthError, DriverError, Neo4jError, ServiceUnavailable

from graphs.concept_extraction.knowledge.backend import Hits, Transaction
from graphs.concept_extraction.knowledge.embedders import claim
from graphs.concept_extraction.knowledge.neo4j_faults import explained
from graphs.concept_extraction.knowledge.neo4j_schema import (
    CONSTRAINTS,
    INDEX_NAMES,
    check_indexes,
    vector_index,
)
from graphs.concept_extraction.knowledge.records import Edge, EdgeKey, Label, Node, Vectors
from graphs.concept_extraction.titles import title_key

T = TypeVar("T")

CONNECT_TIMEOUT = 10.0
RETRY_SECONDS = 15.0
SEARCH_BATCH = 50

# Users may put labels of their own beside ours.
_OURS = "[l IN labels({end}) WHERE l IN ['Content', 'Quote', 'Concept', 'Person']][0]"
_EDGE_COLUMNS = (
    "type(r) AS type, a.uuid AS source, b.uuid AS target, "
    f"{_OURS.format(end='a')} AS source_label, {_OURS.format(end='b')} AS target_label, "
    "properties(r) AS props"
)


class Neo4jTransaction:
    """The interface's transaction over the driver's. Labels and types are our own words, never a user's."""

    def __init__(self, tx: AsyncManagedTransaction, model: str) -> None:
        self._tx = tx
        self._model = model

    async def _rows(self, query: str, **values: Any) -> list[dict[str, Any]]:
        result = await self._tx.run(query, values)
        return [dict(record) async for record in result]

    async def nodes(
        self, label: Label, uuids: Sequence[str] | None = None, *, vectors: bool = False
    ) -> dict[str, Node]:
        where = "" if uuids is None else "WHERE n.uuid IN $uuids"
        vector = "n.embedding" if vectors else "NULL"
        rows = await self._rows(
            f"MATCH (n:{label}) {where} RETURN n {{.*, embedding: NULL}} AS props, {vector} AS vector "
            "ORDER BY n.uuid",
            uuids=list(uuids or []),
        )
        return {row["props"]["uuid"]: _node(label, row) for row in rows}

    async def concepts_by_key(self, keys: Sequence[str]) -> dict[str, Node]:
        rows = await self._rows(
            "MATCH (n:Concept) WHERE any(key IN n.keys WHERE key IN $keys) "
            "RETURN n {.*, embedding: NULL} AS props, NULL AS vector ORDER BY n.uuid",
            keys=list(keys),
        )
        return {row["props"]["uuid"]: _node("Concept", row) for row in rows}

    async def edges(self, keys: Sequence[EdgeKey]) -> dict[EdgeKey, Edge]:
        found: dict[EdgeKey, Edge] = {}
        for (kind, source_label, target_label), part in _grouped(keys).items():
            rows = await self._rows(
                f"UNWIND $pairs AS pair MATCH (a:{source_label} {{uuid: pair[0]}})-[r:{kind}]->"
                f"(b:{target_label} {{uuid: pair[1]}}) RETURN {_EDGE_COLUMNS}",
                pairs=[[key.source, key.target] for key in part],
            )
            found |= {edge.key: edge for edge in map(_edge, rows)}
        return found

    async def edges_of(self, label: Label, uuids: Sequence[str]) -> list[Edge]:
        rows = await self._rows(
            f"MATCH (n:{label}) WHERE n.uuid IN $uuids MATCH (n)-[r]-() "
            f"WITH DISTINCT r, startNode(r) AS a, endNode(r) AS b RETURN {_EDGE_COLUMNS}",
            uuids=list(uuids),
        )
        return [_edge(row) for row in rows if row["source_label"] and row["target_label"]]

    async def all_edges(self) -> list[Edge]:
        rows = await self._rows(
            f"MATCH (a)-[r]->(b) WHERE a.uuid IS NOT NULL AND b.uuid IS NOT NULL RETURN {_EDGE_COLUMNS} "
            "ORDER BY type, source, target"
        )
        return [_edge(row) for row in rows if row["source_label"] and row["target_label"]]

    async def put_nodes(self, nodes: Iterable[Node]) -> None:
        by_label: dict[Label, list[Node]] = defaultdict(list)
        for node in nodes:
            by_label[node.label].append(node)
        for label, part in by_label.items():
            await self._rows(
                f"UNWIND $rows AS row MERGE (n:{label} {{uuid: row.uuid}}) "
                "WITH n, row, n.embedding AS kept, n.embedding_model AS model "
                "SET n = row.props SET n.embedding = coalesce(row.vector, kept), "
                "n.embedding_model = CASE WHEN row.vector IS NULL THEN model ELSE $model END",
                rows=[_row(node) for node in part],
                model=self._model,
            )

    async def put_edges(self, edges: Iterable[Edge]) -> None:
        edges = list(edges)
        props = {edge.key: edge.props for edge in edges}
        for (kind, source_label, target_label), part in _grouped(props).items():
            await self._rows(
                f"UNWIND $rows AS row MATCH (a:{source_label} {{uuid: row.source}}) "
                f"MATCH (b:{target_label} {{uuid: row.target}}) MERGE (a)-[r:{kind}]->(b) SET r = row.props",
                rows=[{"source": k.source, "target": k.target, "props": props[k]} for k in part],
            )

    async def delete_nodes(self, label: Label, uuids: Sequence[str]) -> None:
        await self._rows(f"MATCH (n:{label}) WHERE n.uuid IN $uuids DETACH DELETE n", uuids=list(uuids))

    async def delete_edges(self, keys: Sequence[EdgeKey]) -> None:
        for (kind, source_label, target_label), part in _grouped(keys).items():
            await self._rows(
                f"UNWIND $pairs AS pair MATCH (:{source_label} {{uuid: pair[0]}})-[r:{kind}]->"
                f"(:{target_label} {{uuid: pair[1]}}) DELETE r",
                pairs=[[key.source, key.target] for key in part],
            )

    async def records(self, kind: str, ids: Sequence[str] | None = None) -> dict[str, dict[str, Any]]:
        where = "" if ids is None else "AND n.key IN $keys"
        rows = await self._rows(
            f"MATCH (n:StudyRecord) WHERE n.kind = $kind {where} "
            "RETURN n.id AS id, n.body AS body ORDER BY id",
            kind=kind,
            keys=[f"{kind}/{name}" for name in ids or []],
        )
        return {row["id"]: json.loads(row["body"]) for row in rows}

    async def put_records(self, kind: str, bodies: dict[str, dict[str, Any]]) -> None:
        await self._rows(
            "UNWIND $rows AS row MERGE (n:StudyRecord {key: row.key}) "
            "SET n.kind = $kind, n.id = row.id, n.body = row.body",
            kind=kind,
            rows=[
                {
                    "key": f"{kind}/{name}",
                    "id": name,
                    "body": json.dumps(body, ensure_ascii=False, default=str),
                }
                for name, body in bodies.items()
            ],
        )

    async def delete_records(self, kind: str, ids: Sequence[str]) -> None:
        await self._rows(
            "MATCH (n:StudyRecord) WHERE n.key IN $keys DELETE n", keys=[f"{kind}/{name}" for name in ids]
        )

    async def lock(self) -> None:
        """Writers come one after another: reads before writes then mean what they say."""
        await self._rows("MERGE (n:StudyRecord {key: 'lock'}) SET n.kind = 'lock', n.turn = timestamp()")


def _row(node: Node) -> dict[str, Any]:
    props = dict(node.props)
    if node.label == "Concept":
        names = (props["title"], *props.get("aliases", []))
        props["keys"] = sorted({title_key(name) for name in names})
    vector = None if node.vector is None else [float(value) for value in node.vector]
    return {"uuid": node.uuid, "props": props, "vector": vector}


def _node(label: Label, row: dict[str, Any]) -> Node:
    inner = ("embedding", "embedding_model", "keys")
    props = {name: value for name, value in row["props"].items() if name not in inner}
    vector = None if row["vector"] is None else np.asarray(row["vector"], dtype=np.float32)
    return Node(label, props["uuid"], props, vector)


def _edge(row: dict[str, Any]) -> Edge:
    key = EdgeKey(row["type"], row["source"], row["target"], row["source_label"], row["target_label"])
    return Edge(key, dict(row["props"]))


def _grouped(keys: Iterable[EdgeKey]) -> dict[tuple[str, str, str], list[EdgeKey]]:
    groups: dict[tuple[str, str, str], list[EdgeKey]] = defaultdict(list)
    for key in keys:
        groups[key.type, key.source_label, key.target_label].append(key)
    return groups


class Neo4jBackend:
    """One database behind a bolt address."""

    name = "neo4j"

    def __init__(self, uri: str, user: str, password: str) -> None:
        self._uri = uri
        self._model = ""
        self._driver: AsyncDriver = AsyncGraphDatabase.driver(
            uri,
            auth=(user, password) if user else None,
            connection_timeout=CONNECT_TIMEOUT,
            max_transaction_retry_time=RETRY_SECONDS,
            notifications_min_severity="OFF",
        )

    async def prepare(self, embedder: str, dimension: int) -> None:
        self._model = embedder
        found = await self._auto("SHOW INDEXES YIELD name, options WHERE name IN $names", names=INDEX_NAMES)
        check_indexes(found, dimension)
        if len(found) < len(INDEX_NAMES):
            for statement in (
                *CONSTRAINTS,
                *(vector_index(label, dimension) for label in ("Quote", "Concept")),
            ):
                await self._auto(statement)
            await self._auto("CALL db.awaitIndexes(60)")
        await claim(self, embedder, dimension)

    async def _auto(self, query: str, **values: Any) -> list[dict[str, Any]]:
        try:
            async with self._driver.session() as session:
                result = await session.run(query, values)
                return [dict(record) async for record in result]
        except (Neo4jError, DriverError, OSError) as exc:
            raise explained(exc, self._uri) from exc

    async def execute(self, work: Callable[[Transaction], Awaitable[T]], *, write: bool) -> T:
        async def managed(tx: AsyncManagedTransaction) -> T:
            ours = Neo4jTransaction(tx, self._model)
            if write:
                await ours.lock()
            return await work(ours)

        try:
            async with self._driver.session() as session:
                run = session.execute_write if write else session.execute_read
                return await run(managed)
        except (AuthError, ServiceUnavailable, Neo4jError, DriverError, OSError) as exc:
            raise explained(exc, self._uri) from exc

    async def search(self, label: Label, queries: Vectors, limit: int, threshold: float) -> list[Hits]:
        """Batches of queries, one round trip each."""
        hits: list[Hits] = []
        for start in range(0, len(queries), SEARCH_BATCH):
            part = queries[start : start + SEARCH_BATCH]
            hits += await self._search(label, part, limit, threshold)
        return hits

    async def _search(self, label: Label, queries: Vectors, limit: int, threshold: float) -> list[Hits]:
        index = "concept_embeddings_index" if label == "Concept" else "quote_embeddings_index"
        rows = await self._auto(
            "UNWIND range(0, size($queries) - 1) AS at "
            "CALL db.index.vector.queryNodes($index, $limit, $queries[at]) YIELD node, score "
            "WITH at, node.uuid AS uuid, score WHERE score >= $threshold "
            "RETURN at, uuid, score ORDER BY at, score DESC, uuid",
            index=index,
            limit=limit,
            queries=[[float(value) for value in query] for query in queries],
            threshold=threshold,
        )
        hits: list[Hits] = [[] for _ in queries]
        for row in rows:
            hits[row["at"]].append((row["uuid"], float(row["score"])))
        return hits

    async def close(self) -> None:
        await self._driver.close()
