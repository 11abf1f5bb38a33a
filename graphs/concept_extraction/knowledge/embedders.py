"""Vectors of two models are never mixed: the base remembers who made its own."""

from typing import Any

from common.errors import BadInput, Conflict
from graphs.concept_extraction.knowledge.backend import Backend, Transaction
from graphs.concept_extraction.knowledge.records import Node

META, EMBEDDER = "meta", "embedder"


async def claim(backend: Backend, embedder: str, dimension: int) -> None:
    """Write down whose vectors this base holds, or refuse where they are another model's."""
    stored = await backend.execute(lambda tx: tx.records(META, [EMBEDDER]), write=False)
    _agree(stored.get(EMBEDDER), embedder, dimension)
    if EMBEDDER in stored:
        return

    async def write(tx: Transaction) -> None:
        meanwhile = (await tx.records(META, [EMBEDDER])).get(EMBEDDER)
        _agree(meanwhile, embedder, dimension)
        if meanwhile is None:
            await tx.put_records(META, {EMBEDDER: {"name": embedder, "dimension": dimension}})

    await backend.execute(write, write=True)


def _agree(stored: dict[str, Any] | None, embedder: str, dimension: int) -> None:
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
