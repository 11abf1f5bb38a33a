"""What a database must be able to do for us; everything else is written once, on top of this."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from graphs.concept_extraction.knowledge.records import Edge, EdgeKey, Label, Node, Vectors

T = TypeVar("T")

# uuid and score, best first
Hits = list[tuple[str, float]]


class Transaction(Protocol):
    """All or nothing. Reads see what this transaction wrote."""

    async def nodes(
        self, label: Label, uuids: Sequence[str] | None = None, *, vectors: bool = False
    ) -> dict[str, Node]:
        """The nodes with these ids, or all of the label."""
        ...

    async def concepts_by_key(self, keys: Sequence[str]) -> dict[str, Node]:
        """Concepts whose title, now or formerly, has one of these keys; by uuid."""
        ...

    async def edges(self, keys: Sequence[EdgeKey]) -> dict[EdgeKey, Edge]: ...

    async def edges_of(self, label: Label, uuids: Sequence[str]) -> list[Edge]:
        """Every edge that starts or ends at one of these nodes."""
        ...

    async def all_edges(self) -> list[Edge]: ...

    async def put_nodes(self, nodes: Iterable[Node]) -> None: ...

    async def put_edges(self, edges: Iterable[Edge]) -> None: ...

    async def delete_nodes(self, label: Label, uuids: Sequence[str]) -> None: ...

    async def delete_edges(self, keys: Sequence[EdgeKey]) -> None: ...

    async def records(self, kind: str, ids: Sequence[str] | None = None) -> dict[str, dict[str, Any]]: ...

    async def put_records(self, kind: str, bodies: dict[str, dict[str, Any]]) -> None: ...

    async def delete_records(self, kind: str, ids: Sequence[str]) -> None: ...


class Backend(Protocol):
    """One database."""

    name: str

    async def prepare(self, embedder: str, dimension: int) -> None:
        """Make tables, constraints and indexes; refuse vectors of another kind than are there."""
        ...

    async def execute(self, work: Callable[[Transaction], Awaitable[T]], *, write: bool) -> T:
        """Run `work` in one transaction; it may be run again, so it must only use the transaction."""
        ...

    async def search(self, label: Label, queries: Vectors, limit: int, threshold: float) -> list[Hits]:
        """For each query the nearest nodes, with (1 + cosine) / 2 at or above the threshold."""
        ...

    async def close(self) -> None: ...
