"""The knowledge base: contents, quotes, concepts and what joins them, over either database."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphs.concept_extraction.knowledge.backend import Backend, Transaction
from graphs.concept_extraction.knowledge.commit import NOTES, OUTBOX, RUNS, VERDICTS, apply_plan
from graphs.concept_extraction.knowledge.embedders import check_dimension
from graphs.concept_extraction.knowledge.plan import CommitPlan, Receipt, UndoReport, Verdict, pair_id
from graphs.concept_extraction.knowledge.records import (
    LABELS,
    Edge,
    EdgeKey,
    Label,
    Node,
    Vector,
    Vectors,
    node,
)
from graphs.concept_extraction.knowledge.undo import undo_run
from graphs.concept_extraction.schemas import Concept, Content, Person, Quote
from graphs.concept_extraction.titles import title_key

TOP_K = 50
THRESHOLD = 0.7

# Properties that a second ingestion must not take away.
_KEPT: dict[Label, tuple[str, ...]] = {
    "Content": ("processed_date",),
    "Quote": ("created_at",),
    "Person": ("occupation", "summary", "summary_short"),
}


@dataclass(frozen=True)
class Neighbour:
    """A stored concept and how near it is: (1 + cosine) / 2."""

    concept: Concept
    score: float


@dataclass(frozen=True)
class Surroundings:
    """What a note shows of one concept."""

    concept: Concept
    relations: list[tuple[str, Concept, str]]
    quotes: list[tuple[Quote, Content | None, dict[str, Any]]]


class KnowledgeStore:
    """The one interface to what is known. Open it with `open_knowledge`."""

    def __init__(self, backend: Backend, embedder: str, dimension: int) -> None:
        self.backend = backend
        self.embedder = embedder
        self.dimension = dimension

    async def __aenter__(self) -> "KnowledgeStore":
        try:
            await self.backend.prepare(self.embedder, self.dimension)
        except BaseException:  # a cancelled opening must close the connection, too
            await self.backend.close()
            raise
        return self

    async def __aexit__(self, *fault: object) -> None:
        await self.backend.close()

    # -- contents and quotes

    async def save_content(
        self, content: Content, person: Person | None, quotes: list[Quote], vectors: Vectors
    ) -> None:
        """A content with its author and quotes, in one transaction; doing it twice changes nothing."""
        nodes = [node("Content", content.model_dump())]
        nodes += [
            node("Quote", quote.model_dump(), vector) for quote, vector in zip(quotes, vectors, strict=True)
        ]
        edges = [Edge(EdgeKey("QUOTED_IN", q.uuid, content.uuid, "Quote", "Content")) for q in quotes]
        if person is not None:
            nodes.append(node("Person", person.model_dump()))
            edges.append(Edge(EdgeKey("AUTHORED_BY", person.uuid, content.uuid, "Person", "Content")))
        for made in nodes:
            check_dimension(made, self.dimension)

        async def work(tx: Transaction) -> None:
            await tx.put_nodes([await _keeping(tx, made) for made in nodes if made.label != "Quote"])
            await tx.put_nodes(await _keeping_quotes(tx, [made for made in nodes if made.label == "Quote"]))
            await tx.put_edges(edges)

        await self.backend.execute(work, write=True)

    async def content(self, uuid: str) -> Content | None:
        found = await self._nodes("Content", [uuid])
        return Content.model_validate(found[uuid].props) if uuid in found else None

    async def contents(self) -> list[Content]:
        return [Content.model_validate(item.props) for item in (await self._nodes("Content")).values()]

    async def person(self, uuid: str) -> Person | None:
        found = await self._nodes("Person", [uuid])
        return Person.model_validate(found[uuid].props) if uuid in found else None

    async def quotes_of(self, content_uuid: str) -> list[Quote]:
        """The content's quotes in the order of the file."""

        async def work(tx: Transaction) -> dict[str, Node]:
            edges = await tx.edges_of("Content", [content_uuid])
            return await tx.nodes("Quote", [e.key.source for e in edges if e.key.type == "QUOTED_IN"])

        found = await self.backend.execute(work, write=False)
        quotes = [Quote.model_validate(item.props) for item in found.values()]
        return sorted(quotes, key=lambda quote: (quote.position, quote.uuid))

    # -- concepts

    async def concepts(self, uuids: Sequence[str] | None = None) -> dict[str, Concept]:
        found = await self._nodes("Concept", uuids)
        return {uuid: Concept.model_validate(item.props) for uuid, item in found.items()}

    async def concepts_titled(self, titles: Sequence[str]) -> dict[str, list[Concept]]:
        """Concepts that bear, or bore, one of these titles; by the title's key."""
        keys = {title_key(title) for title in titles}
        found = await self.backend.execute(lambda tx: tx.concepts_by_key(sorted(keys)), write=False)
        by_key: dict[str, list[Concept]] = {key: [] for key in keys}
        for item in found.values():
            concept = Concept.model_validate(item.props)
            for key in {title_key(name) for name in (concept.title, *concept.aliases)} & keys:
                by_key[key].append(concept)
        return by_key

    async def nearest_concepts(
        self, queries: Vectors, limit: int = TOP_K, threshold: float = THRESHOLD
    ) -> list[list[Neighbour]]:
        """For each query vector the nearest concepts, best first."""
        hits = await self._search("Concept", queries, limit, threshold)
        concepts = await self.concepts([uuid for row in hits for uuid, _ in row])
        return [[Neighbour(concepts[uuid], score) for uuid, score in row if uuid in concepts] for row in hits]

    async def nearest_quotes(
        self, queries: Vectors, limit: int = TOP_K, threshold: float = THRESHOLD
    ) -> list[list[tuple[Quote, float]]]:
        hits = await self._search("Quote", queries, limit, threshold)
        found = await self._nodes("Quote", [uuid for row in hits for uuid, _ in row])
        quotes = {uuid: Quote.model_validate(item.props) for uuid, item in found.items()}
        return [[(quotes[uuid], score) for uuid, score in row if uuid in quotes] for row in hits]

    async def _search(self, label: Label, queries: Vectors, limit: int, threshold: float) -> Any:
        wanted = np.asarray(queries, dtype=np.float32).reshape(-1, self.dimension)
        return await self.backend.search(label, wanted, limit, threshold)

    async def surroundings(self, uuids: Sequence[str]) -> dict[str, Surroundings]:
        """Each concept with its relations and quotes, in a fixed order."""
        return await self.backend.execute(lambda tx: _surroundings(tx, uuids), write=False)

    # -- decisions, runs, notes

    async def verdicts(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Verdict]:
        """Remembered decisions about these pairs, by `pair_id`."""
        names = [pair_id(first, second) for first, second in pairs]
        found = await self.backend.execute(lambda tx: tx.records(VERDICTS, names), write=False)
        return {name: Verdict.model_validate(body) for name, body in found.items()}

    async def apply(self, plan: CommitPlan, vectors: dict[str, Vector]) -> Receipt:
        for item in plan.concepts:
            made = node("Concept", item.concept.model_dump(), vectors.get(item.concept.uuid))
            check_dimension(made, self.dimension)
        return await self.backend.execute(lambda tx: apply_plan(tx, plan, vectors), write=True)

    async def undo(self, run_id: str) -> UndoReport:
        return await self.backend.execute(lambda tx: undo_run(tx, run_id), write=True)

    async def run(self, run_id: str) -> dict[str, Any] | None:
        return (await self.runs([run_id])).get(run_id)

    async def runs(self, run_ids: Sequence[str] | None = None) -> dict[str, dict[str, Any]]:
        return await self.backend.execute(lambda tx: tx.records(RUNS, run_ids), write=False)

    async def close_run(self, run_id: str) -> None:
        """Mark a run whose writes were read back."""

        async def work(tx: Transaction) -> None:
            run = (await tx.records(RUNS, [run_id])).get(run_id)
            if run is not None and run["status"] == "applied":
                await tx.put_records(RUNS, {run_id: {**run, "status": "closed"}})

        await self.backend.execute(work, write=True)

    async def outbox(self) -> list[str]:
        """Concepts whose notes are still to be written or removed."""
        return list(await self.backend.execute(lambda tx: tx.records(OUTBOX), write=False))

    async def notes(self, vault: str) -> dict[str, dict[str, Any]]:
        """What we wrote into this vault, by concept: file name and hash."""
        found = await self.backend.execute(lambda tx: tx.records(NOTES), write=False)
        return {body["concept_uuid"]: body for body in found.values() if body["vault"] == vault}

    async def notes_intended(self, vault: str, notes: dict[str, tuple[str, str]]) -> None:
        """What is about to be written, by concept: file name and hash."""

        async def work(tx: Transaction) -> None:
            stored = await tx.records(NOTES, [f"{vault}/{uuid}" for uuid in notes])
            await tx.put_records(
                NOTES,
                {
                    f"{vault}/{uuid}": {
                        "vault": vault,
                        "concept_uuid": uuid,
                        "hash": stored.get(f"{vault}/{uuid}", {}).get("hash", ""),
                        "file_name": file_name,
                        "next": body_hash,
                    }
                    for uuid, (file_name, body_hash) in notes.items()
                },
            )

        await self.backend.execute(work, write=True)

    async def notes_written(self, vault: str, notes: dict[str, tuple[str | None, str]]) -> None:
        """Strike concepts off the outbox; a file name of None is a file that is gone."""
        kept = {
            f"{vault}/{uuid}": {
                "vault": vault,
                "concept_uuid": uuid,
                "hash": body_hash,
                "file_name": name,
                "next": "",
            }
            for uuid, (name, body_hash) in notes.items()
            if name is not None
        }

        async def work(tx: Transaction) -> None:
            await tx.put_records(NOTES, kept)
            await tx.delete_records(
                NOTES, [f"{vault}/{uuid}" for uuid in notes if f"{vault}/{uuid}" not in kept]
            )
            await tx.delete_records(OUTBOX, list(notes))

        await self.backend.execute(work, write=True)

    async def snapshot(self) -> dict[str, Any]:
        """The whole graph in a fixed order: equal graphs give equal snapshots in both databases."""

        async def work(tx: Transaction) -> dict[str, Any]:
            nodes = [item for label in LABELS for item in (await tx.nodes(label)).values()]
            edges = sorted(await tx.all_edges(), key=lambda edge: edge.key)
            return {
                "nodes": [{"label": item.label, **dict(sorted(item.props.items()))} for item in nodes],
                "edges": [
                    {"type": e.key.type, "source": e.key.source, "target": e.key.target, **e.props}
                    for e in edges
                ],
            }

        return await self.backend.execute(work, write=False)

    async def _nodes(self, label: Label, uuids: Sequence[str] | None = None) -> dict[str, Node]:
        return await self.backend.execute(lambda tx: tx.nodes(label, uuids), write=False)


async def _keeping(tx: Transaction, made: Node) -> Node:
    old = (await tx.nodes(made.label, [made.uuid])).get(made.uuid)
    return _with_kept(made, old)


async def _keeping_quotes(tx: Transaction, quotes: list[Node]) -> list[Node]:
    stored = await tx.nodes("Quote", [quote.uuid for quote in quotes])
    return [_with_kept(quote, stored.get(quote.uuid)) for quote in quotes]


def _with_kept(made: Node, old: Node | None) -> Node:
    if old is None:
        return made
    kept = {name: old.props[name] for name in _KEPT[made.label] if old.props.get(name)}
    return Node(made.label, made.uuid, {**old.props, **made.props, **kept}, made.vector)


async def _surroundings(tx: Transaction, uuids: Sequence[str]) -> dict[str, Surroundings]:
    edges = await tx.edges_of("Concept", uuids)
    others = [end for e in edges if e.key.source_label == "Concept" for end in (e.key.source, e.key.target)]
    concepts = await tx.nodes("Concept", [*uuids, *others])
    quotes = await tx.nodes("Quote", [e.key.source for e in edges if e.key.source_label == "Quote"])
    quoted = await tx.edges_of("Quote", list(quotes))
    content_of = {e.key.source: e.key.target for e in quoted if e.key.type == "QUOTED_IN"}
    contents = await tx.nodes("Content", list(content_of.values()))
    found: dict[str, Surroundings] = {}
    for uuid in uuids:
        if uuid not in concepts:
            continue
        out = [e for e in edges if e.key.source == uuid and e.key.target in concepts]
        into = [e for e in edges if e.key.target == uuid and e.key.source in quotes]
        relations = [
            (e.key.type, _concept(concepts[e.key.target]), e.props.get("reasoning", "")) for e in out
        ]
        support = [
            (_quote(quotes[e.key.source]), _content(contents.get(content_of.get(e.key.source, ""))), e.props)
            for e in into
        ]
        found[uuid] = Surroundings(
            _concept(concepts[uuid]),
            sorted(relations, key=lambda item: (item[0], item[1].title, item[1].uuid)),
            sorted(
                support, key=lambda item: (item[1].title if item[1] else "", item[0].position, item[0].uuid)
            ),
        )
    return found


def _concept(item: Node) -> Concept:
    return Concept.model_validate(item.props)


def _quote(item: Node) -> Quote:
    return Quote.model_validate(item.props)


def _content(item: Node | None) -> Content | None:
    return Content.model_validate(item.props) if item else None
