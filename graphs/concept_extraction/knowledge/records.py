"""What both back-ends store: nodes, edges, and documents of our own bookkeeping."""

import base64
import json
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from common.files import content_hash

Label = Literal["Content", "Quote", "Concept", "Person"]
Props = dict[str, Any]
Vector = npt.NDArray[np.float32]
Vectors = npt.NDArray[np.float32]

LABELS: tuple[Label, ...] = ("Content", "Quote", "Concept", "Person")


@dataclass(frozen=True)
class Node:
    """A thing with an id. Properties hold no None; the vector travels beside them."""

    label: Label
    uuid: str
    props: Props
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, order=True)
class EdgeKey:
    """Two nodes and what joins them; there is at most one edge of a type between them."""

    type: str
    source: str
    target: str
    source_label: Label = "Concept"
    target_label: Label = "Concept"


@dataclass(frozen=True)
class Edge:
    key: EdgeKey
    props: Props = field(default_factory=dict)


def node(label: Label, values: Props, vector: Vector | None = None) -> Node:
    """A node from a schema's dump; what is None is not stored."""
    props = {name: value for name, value in values.items() if value is not None}
    return Node(label, str(values["uuid"]), props, vector)


def fingerprint(props: Props) -> str:
    """Tells whether somebody changed a record since."""
    return content_hash(json.dumps(props, sort_keys=True, ensure_ascii=False, default=str))[:32]


def node_to_json(value: Node) -> dict[str, Any]:
    vector = None if value.vector is None else base64.b64encode(value.vector.tobytes()).decode()
    return {"label": value.label, "uuid": value.uuid, "props": value.props, "vector": vector}


def node_from_json(data: dict[str, Any]) -> Node:
    kept = Node(data["label"], data["uuid"], data["props"])
    if data["vector"] is None:
        return kept
    return replace(kept, vector=np.frombuffer(base64.b64decode(data["vector"]), dtype=np.float32))


def edge_to_json(value: Edge) -> dict[str, Any]:
    key = value.key
    return {
        "type": key.type,
        "source": key.source,
        "target": key.target,
        "source_label": key.source_label,
        "target_label": key.target_label,
        "props": value.props,
    }


def edge_key_from_json(data: dict[str, Any]) -> EdgeKey:
    return EdgeKey(data["type"], data["source"], data["target"], data["source_label"], data["target_label"])
