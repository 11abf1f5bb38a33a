"""Tables of the SQLite back-end, and records to and from their rows."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from graphs.concept_extraction.knowledge.records import Edge, EdgeKey, Node
from graphs.concept_extraction.titles import title_key

SCHEMA = """
CREATE TABLE IF NOT EXISTS nodes (
    label TEXT NOT NULL, uuid TEXT NOT NULL, props TEXT NOT NULL, PRIMARY KEY (label, uuid)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (
    label TEXT NOT NULL, uuid TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (label, uuid)
);
CREATE TABLE IF NOT EXISTS concept_keys (
    key TEXT NOT NULL, uuid TEXT NOT NULL, PRIMARY KEY (key, uuid)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS concept_keys_by_uuid ON concept_keys (uuid);
CREATE TABLE IF NOT EXISTS edges (
    type TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    source_label TEXT NOT NULL, target_label TEXT NOT NULL, props TEXT NOT NULL,
    PRIMARY KEY (type, source, target)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS edges_by_source ON edges (source);
CREATE INDEX IF NOT EXISTS edges_by_target ON edges (target);
CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO counters VALUES ('vectors', 0);
"""


def node_from_row(row: tuple[Any, ...]) -> Node:
    label, uuid, props, data = row
    vector = None if data is None else np.frombuffer(data, dtype=np.float32)
    return Node(label, uuid, json.loads(props), vector)


def vector_row(node: Node) -> tuple[str, str, bytes]:
    assert node.vector is not None
    return node.label, node.uuid, np.ascontiguousarray(node.vector, dtype=np.float32).tobytes()


def key_rows(concepts: Iterable[Node]) -> list[tuple[str, str]]:
    """Every key a concept answers to, now or formerly."""
    return [
        (key, concept.uuid)
        for concept in concepts
        for key in {title_key(name) for name in (concept.props["title"], *concept.props.get("aliases", []))}
    ]


def edge_row(edge: Edge) -> tuple[str, ...]:
    key = edge.key
    props = json.dumps(edge.props, ensure_ascii=False, sort_keys=True)
    return key.type, key.source, key.target, key.source_label, key.target_label, props


def edge_from_row(row: tuple[Any, ...]) -> Edge:
    kind, source, target, source_label, target_label, props = row
    return Edge(EdgeKey(kind, source, target, source_label, target_label), json.loads(props))
