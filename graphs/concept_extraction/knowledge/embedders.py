"""Vectors of two models are never mixed: the base remembers who made its own."""

from typing import Any

from common.errors import BadInput, Conflict
from graphs.concept_extraction.knowledge.records import Node

META, EMBEDDER = "meta", "embedder"


def agree(stored: dict[str, Any] | None, embedder: str, dimension: int) -> None:
    """Refuse to work on vectors that another model made."""
    if stored is None or (stored["name"], stored["dimension"]) == (embedder, dimension):
        return
    raise Conflict(
        f"This knowledge base holds vectors of {stored['name']} ({stored['dimension']} dimensions); "
        f"the embedder now is {embedder} ({dimension}).",
        remedy=f"Set STUDY_EMBEDDINGS={stored['name']}, or start a new base with another STUDY_DATA_DIR "
        "or STUDY_NEO4J_URI.",
    )


def check_dimension(node: Node, dimension: int) -> None:
    if node.vector is not None and node.vector.shape != (dimension,):
        raise BadInput(
            f"The vector of {node.label} {node.props.get('title') or node.uuid!r} has "
            f"{node.vector.size} dimensions; this knowledge base has {dimension}.",
            remedy="Embed it with the base's own embedder.",
        )
