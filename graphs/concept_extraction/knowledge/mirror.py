"""A copy of another base's graph in a file here, so that its notes can be written on this machine."""

from pathlib import Path
from typing import Any

from graphs.concept_extraction.knowledge.backend import Transaction
from graphs.concept_extraction.knowledge.records import LABELS, Edge, EdgeKey, Label, Node, node
from graphs.concept_extraction.knowledge.sqlite import SqliteBackend
from graphs.concept_extraction.knowledge.store import KnowledgeStore

# Nothing is searched in a mirror: its nodes have no vectors.
_NO_EMBEDDER = "mirror"


def open_mirror(path: Path) -> KnowledgeStore:
    """The mirror in this file; it remembers which notes were written from it, and how."""
    return KnowledgeStore(SqliteBackend(path), _NO_EMBEDDER, 1)


async def copy_into(mirror: KnowledgeStore, snapshot: dict[str, Any]) -> None:
    """Make the mirror's graph equal to the snapshot, in one transaction."""
    nodes = [_node(item) for item in snapshot["nodes"]]
    labels = {item.uuid: item.label for item in nodes}
    edges = [_edge(item, labels) for item in snapshot["edges"]]

    async def work(tx: Transaction) -> None:
        await tx.delete_edges([edge.key for edge in await tx.all_edges()])
        for label in LABELS:
            gone = [uuid for uuid in await tx.nodes(label) if labels.get(uuid) != label]
            await tx.delete_nodes(label, gone)
        await tx.put_nodes(nodes)
        await tx.put_edges(edges)

    await mirror.backend.execute(work, write=True)


def _node(item: dict[str, Any]) -> Node:
    return node(item["label"], {name: value for name, value in item.items() if name != "label"})


def _edge(item: dict[str, Any], labels: dict[str, Label]) -> Edge:
    source, target = item["source"], item["target"]
    props = {name: value for name, value in item.items() if name not in ("type", "source", "target")}
    return Edge(EdgeKey(item["type"], source, target, labels[source], labels[target]), props)
