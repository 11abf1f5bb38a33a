"""What every back-end of the knowledge base must do; each back-end's test module inherits this."""

from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from common.errors import BadInput, Conflict, NotFound
from graphs.concept_extraction.knowledge import (
    CommitPlan,
    KnowledgeStore,
    PlannedAlias,
    PlannedConcept,
    PlannedRelation,
    PlannedSupport,
    Verdict,
    pair_id,
)
from graphs.concept_extraction.knowledge.ids import concept_id, content_id, person_id, quote_id, run_id
from graphs.concept_extraction.knowledge.records import Edge, EdgeKey, node
from graphs.concept_extraction.knowledge.relations import INVERSES
from graphs.concept_extraction.schemas import Concept, Content, Person, Quote, RelationType

DIMENSION = 16
DAY = "2026-01-02T03:04:05+00:00"


def vector(seed: int, dimension: int = DIMENSION) -> Any:
    row = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    return row / np.linalg.norm(row)


def book(title: str = "Cartas", author: str = "Séneca") -> tuple[Content, Person, list[Quote]]:
    uuid = content_id(title, author)
    content = Content(uuid=uuid, name=f"{author} - {title}", title=title, author=author, summary="s")
    texts = ["El tiempo es lo único nuestro.", "Vivir es aprender a morir.", "Nadie es libre si teme."]
    quotes = [
        Quote(
            uuid=quote_id(uuid, text),
            text=text,
            section="I",
            page_reference=str(at),
            position=at,
            created_at=DAY,
        )
        for at, text in enumerate(texts)
    ]
    return content, Person(uuid=person_id(author), name=author, summary="x"), quotes


def concept(content: Content, title: str, **more: Any) -> Concept:
    uuid = concept_id(content.uuid, title)
    return Concept(uuid=uuid, name=title, title=title, concept=f"{title}, explicado.", **more)


def plan_for(content: Content, quotes: list[Quote], titles: list[str], run: str = "1") -> CommitPlan:
    concepts = [concept(content, title) for title in titles]
    return CommitPlan(
        run_id=run_id(content.uuid, run),
        content_uuid=content.uuid,
        processed_date=DAY,
        concepts=[PlannedConcept(concept=item) for item in concepts],
        relations=[
            PlannedRelation(source=a.uuid, type=RelationType.GENERALIZES, target=b.uuid, reasoning="amplía")
            for a, b in pairwise(concepts)
        ],
        supports=[
            PlannedSupport(quote_uuid=quote.uuid, concept_uuid=item.uuid, reasoning="lo dice", confidence=0.9)
            for quote, item in zip(quotes, concepts, strict=False)
        ],
    )


def vectors_of(plan: CommitPlan) -> dict[str, Any]:
    return {item.concept.uuid: vector(at + 100) for at, item in enumerate(plan.concepts)}


async def saved(store: KnowledgeStore, title: str = "Cartas") -> tuple[Content, list[Quote]]:
    content, person, quotes = book(title)
    await store.save_content(content, person, quotes, np.stack([vector(at) for at in range(len(quotes))]))
    return content, quotes


class KnowledgeContract:
    """Inherit and give a fixture `store`."""

    @pytest.fixture
    async def store(self) -> AsyncIterator[KnowledgeStore]:
        raise AssertionError("a back-end's module overrides this")
        yield  # noqa: PT022 - what inherits it yields

    async def test_content_quotes_and_author_come_back(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        assert await store.content(content.uuid) == content
        assert await store.quotes_of(content.uuid) == quotes
        assert (await store.person(person_id("Séneca"))) is not None
        assert [item.uuid for item in await store.contents()] == [content.uuid]
        assert await store.content("nobody") is None

    async def test_edges_run_in_the_direction_written_down(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        edges = (await store.snapshot())["edges"]
        assert {"type": "AUTHORED_BY", "source": person_id("Séneca"), "target": content.uuid} in edges
        assert {"type": "QUOTED_IN", "source": quotes[0].uuid, "target": content.uuid} in edges

    async def test_ingesting_twice_changes_nothing(self, store: KnowledgeStore) -> None:
        await saved(store)
        before = await store.snapshot()
        content, person, quotes = book()
        later = [quote.model_copy(update={"created_at": "2030-01-01"}) for quote in quotes]
        blank = person.model_copy(update={"summary": ""})
        await store.save_content(content, blank, later, np.stack([vector(at) for at in range(3)]))
        assert await store.snapshot() == before

    async def test_a_plan_is_written_whole(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo", "La muerte"])
        receipt = await store.apply(plan, vectors_of(plan))
        assert (len(receipt.created), receipt.relations, receipt.supports) == (2, 2, 2)
        snapshot = await store.snapshot()
        assert {item["title"] for item in snapshot["nodes"] if item["label"] == "Concept"} == {
            "El tiempo",
            "La muerte",
        }
        a, b = (item.concept.uuid for item in plan.concepts)
        types = {(e["type"], e["source"], e["target"]) for e in snapshot["edges"]}
        assert {("GENERALIZES", a, b), ("SPECIFIC_OF", b, a)} <= types
        support = next(e for e in snapshot["edges"] if e["type"] == "SUPPORTS")
        assert (support["reasoning"], support["confidence"]) == ("lo dice", 0.9)
        stored = await store.content(content.uuid)
        assert stored is not None
        assert stored.processed_date == DAY

    async def test_concepts_are_saved_with_their_embedding(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo", "La muerte"])
        vectors = vectors_of(plan)
        await store.apply(plan, vectors)
        for uuid, row in vectors.items():
            hits = (await store.nearest_concepts(row[None, :], limit=1, threshold=0.0))[0]
            assert hits[0].concept.uuid == uuid
            assert hits[0].score == pytest.approx(1.0, abs=1e-4)

    async def test_scores_are_half_of_one_plus_cosine(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, [f"Idea {at}" for at in range(8)])
        vectors = vectors_of(plan)
        await store.apply(plan, vectors)
        query = vector(7)
        hits = (await store.nearest_concepts(query[None, :], limit=50, threshold=0.0))[0]
        assert len(hits) == 8
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        for hit in hits:
            cosine = float(vectors[hit.concept.uuid] @ query)
            assert hit.score == pytest.approx((1 + cosine) / 2, abs=1e-4)
        middle = hits[3].score
        above = (await store.nearest_concepts(query[None, :], limit=50, threshold=middle - 1e-6))[0]
        assert len(above) == 4

    async def test_many_queries_in_one_call(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, [f"Idea {at}" for at in range(5)])
        vectors = vectors_of(plan)
        await store.apply(plan, vectors)
        found = await store.nearest_concepts(np.stack(list(vectors.values())), limit=1)
        assert [row[0].concept.uuid for row in found] == list(vectors)
        quoted = await store.nearest_quotes(np.stack([vector(0), vector(2)]), limit=1)
        assert [row[0][0].position for row in quoted] == [0, 2]

    async def test_applying_twice_is_applying_once(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo", "La muerte"])
        first = await store.apply(plan, vectors_of(plan))
        before = await store.snapshot()
        assert await store.apply(plan, vectors_of(plan)) == first
        assert await store.snapshot() == before
        again = plan_for(content, quotes, ["El tiempo", "La muerte"], run="2")
        again.processed_date = "2027-01-01"
        receipt = await store.apply(again, vectors_of(again))
        assert (receipt.created, receipt.changed, receipt.relations, receipt.supports) == ([], [], 0, 0)
        assert await store.snapshot() == before

    async def test_a_plan_with_a_lost_end_writes_nothing(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        before = await store.snapshot()
        plan = plan_for(content, quotes, ["El tiempo"])
        plan.supports.append(
            PlannedSupport(quote_uuid="no-quote", concept_uuid=plan.concepts[0].concept.uuid)
        )
        with pytest.raises(Conflict, match="no-quote"):
            await store.apply(plan, vectors_of(plan))
        assert await store.snapshot() == before
        assert await store.runs() == {}
        assert await store.outbox() == []

    async def test_a_vector_of_another_dimension_is_refused_by_name(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo"])
        with pytest.raises(BadInput, match="El tiempo"):
            await store.apply(plan, {plan.concepts[0].concept.uuid: vector(1, DIMENSION + 1)})
        with pytest.raises(BadInput, match="dimensions"):
            await store.save_content(content, None, quotes[:1], np.stack([vector(0, 3)]))

    async def test_two_embedders_are_never_mixed(self, store: KnowledgeStore) -> None:
        await saved(store)
        with pytest.raises(Conflict, match="other"):
            await store.backend.prepare("other", DIMENSION)
        with pytest.raises(Conflict, match="99"):
            await store.backend.prepare(store.embedder, 99)

    async def test_titles_meet_by_their_key_and_aliases_too(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["Razón y pasión", "El año"])
        plan.concepts[0].concept.aliases = ["Cabeza y corazón"]
        await store.apply(plan, vectors_of(plan))
        found = await store.concepts_titled(["RAZON Y PASION", "cabeza y corazon", "el ano", "nada"])
        assert {key: [c.title for c in rows] for key, rows in found.items()} == {
            "razon y pasion": ["Razón y pasión"],
            "cabeza y corazon": ["Razón y pasión"],
            "el ano": [],
            "nada": [],
        }

    async def test_an_edited_title_keeps_the_id_and_remembers_the_old_one(
        self, store: KnowledgeStore
    ) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo"])
        await store.apply(plan, vectors_of(plan))
        uuid = plan.concepts[0].concept.uuid
        edited = plan_for(content, quotes, ["El tiempo"], run="2")
        edited.concepts[0].concept.title = "Tiempo propio"
        edited.concepts[0].edited = True
        await store.apply(edited, {uuid: vector(500)})
        stored = (await store.concepts([uuid]))[uuid]
        assert (stored.title, stored.aliases) == ("Tiempo propio", ["El tiempo"])
        assert (await store.nearest_concepts(vector(500)[None, :], limit=1))[0][0].score > 0.99

    async def test_a_stored_concept_keeps_its_words_unless_a_person_edits(
        self, store: KnowledgeStore
    ) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo"])
        await store.apply(plan, vectors_of(plan))
        other = plan_for(content, quotes, ["El tiempo"], run="2")
        other.concepts[0].concept.concept = "otra cosa"
        await store.apply(other, vectors_of(other))
        uuid = plan.concepts[0].concept.uuid
        assert (await store.concepts([uuid]))[uuid].concept == "El tiempo, explicado."

    async def test_merging_adds_a_name(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo"])
        await store.apply(plan, vectors_of(plan))
        uuid = plan.concepts[0].concept.uuid
        merge = plan_for(content, quotes, [], run="2")
        merge.aliases = [PlannedAlias(concept_uuid=uuid, title="Lo temporal")]
        merge.verdicts = [Verdict(first="cand", second=uuid, same=True, by="person")]
        await store.apply(merge, {})
        assert (await store.concepts([uuid]))[uuid].aliases == ["Lo temporal"]
        remembered = await store.verdicts([(uuid, "cand"), ("a", "b")])
        assert remembered[pair_id("cand", uuid)].same
        assert len(remembered) == 1
        hits = await store.nearest_concepts(vectors_of(plan)[uuid][None, :], limit=1)
        assert hits[0][0].score > 0.99

    @pytest.mark.parametrize("kind", list(RelationType))
    async def test_every_relation_is_stored_with_its_inverse(
        self, store: KnowledgeStore, kind: RelationType
    ) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["A uno", "B dos"])
        a, b = (item.concept.uuid for item in plan.concepts)
        plan.relations = [PlannedRelation(source=a, type=kind, target=b)]
        await store.apply(plan, vectors_of(plan))
        edges = {(e["type"], e["source"], e["target"]) for e in (await store.snapshot())["edges"]}
        between = {edge for edge in edges if edge[1] in (a, b)}
        assert between == {(kind.value, a, b), (INVERSES[kind].value, b, a)}

    async def test_undo_leaves_the_base_as_before(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        before = await store.snapshot()
        plan = plan_for(content, quotes, ["El tiempo", "La muerte"])
        plan.verdicts = [Verdict(first="x", second="y", same=False, by="person")]
        await store.apply(plan, vectors_of(plan))
        report = await store.undo(plan.run_id)
        assert report.kept == []
        assert await store.snapshot() == before
        assert await store.verdicts([("x", "y")]) == {}
        assert (await store.nearest_concepts(vector(100)[None, :], threshold=0.0))[0] == []
        assert await store.undo(plan.run_id) == report
        with pytest.raises(Conflict, match="undone"):
            await store.apply(plan, vectors_of(plan))
        with pytest.raises(NotFound):
            await store.undo("no such run")

    async def test_undo_sets_back_an_edit(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo"])
        await store.apply(plan, vectors_of(plan))
        before = await store.snapshot()
        uuid = plan.concepts[0].concept.uuid
        edit = plan_for(content, quotes, ["El tiempo"], run="2")
        edit.concepts[0].concept.title, edit.concepts[0].edited = "Otro", True
        await store.apply(edit, {uuid: vector(9)})
        await store.undo(edit.run_id)
        assert await store.snapshot() == before
        hits = await store.nearest_concepts(vectors_of(plan)[uuid][None, :], limit=1)
        assert hits[0][0].score > 0.99

    async def test_undo_spares_what_others_touched(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        first = plan_for(content, quotes, ["El tiempo", "La muerte", "El miedo"])
        await store.apply(first, vectors_of(first))
        time, death, fear = (item.concept.uuid for item in first.concepts)
        later = plan_for(content, quotes, ["La libertad"], run="2")
        freedom = later.concepts[0].concept.uuid
        later.relations = [PlannedRelation(source=freedom, type=RelationType.OPPOSES, target=fear)]
        await store.apply(later, vectors_of(later))

        async def rename(tx: Any) -> None:
            held = (await tx.nodes("Concept", [death]))[death]
            await tx.put_nodes([node("Concept", {**held.props, "analysis": "de mi puño"})])

        await store.backend.execute(rename, write=True)
        report = await store.undo(first.run_id)
        left = await store.concepts()
        assert set(left) == {death, fear, freedom}
        assert any("changed since" in line for line in report.kept)
        assert any("used by others" in line for line in report.kept)
        edges = {(e["type"], e["source"], e["target"]) for e in (await store.snapshot())["edges"]}
        assert ("OPPOSES", freedom, fear) in edges
        assert ("SUPPORTS", quotes[2].uuid, fear) in edges
        assert not any(time in edge for edge in edges)

    async def test_the_outbox_names_every_note_to_write(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo", "La muerte"])
        await store.apply(plan, vectors_of(plan))
        uuids = sorted(item.concept.uuid for item in plan.concepts)
        assert await store.outbox() == uuids
        await store.notes_intended("vault", {uuid: (f"{uuid}.md", "hash") for uuid in uuids})
        assert {body["next"] for body in (await store.notes("vault")).values()} == {"hash"}
        assert await store.outbox() == uuids
        await store.notes_written("vault", {uuid: (f"{uuid}.md", "hash") for uuid in uuids})
        assert await store.outbox() == []
        assert set(await store.notes("vault")) == set(uuids)
        assert await store.notes("other") == {}
        await store.undo(plan.run_id)
        assert await store.outbox() == uuids
        await store.notes_written("vault", {uuids[0]: (None, "")})
        assert set(await store.notes("vault")) == {uuids[1]}

    async def test_surroundings_show_relations_and_quotes(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo", "La muerte"])
        await store.apply(plan, vectors_of(plan))
        time, death = (item.concept.uuid for item in plan.concepts)
        around = await store.surroundings([time, "nobody"])
        assert list(around) == [time]
        assert [(kind, other.uuid) for kind, other, _ in around[time].relations] == [("GENERALIZES", death)]
        quote, source, edge = around[time].quotes[0]
        assert (quote.text, source.title if source else "", edge["confidence"]) == (
            "El tiempo es lo único nuestro.",
            "Cartas",
            0.9,
        )

    async def test_a_run_is_closed_once_it_was_read_back(self, store: KnowledgeStore) -> None:
        content, quotes = await saved(store)
        plan = plan_for(content, quotes, ["El tiempo"])
        await store.apply(plan, vectors_of(plan))
        await store.close_run(plan.run_id)
        run = await store.run(plan.run_id)
        assert run is not None
        assert run["status"] == "closed"
        await store.close_run("nobody")
        assert await store.run("nobody") is None

    async def test_a_failed_step_rolls_everything_back(self, store: KnowledgeStore) -> None:
        content, _ = await saved(store)
        before = await store.snapshot()

        async def work(tx: Any) -> None:
            await tx.put_nodes([node("Concept", concept(content, "Medio").model_dump())])
            await tx.put_edges([Edge(EdgeKey("RELATES_TO", "a", "b"))])
            raise Conflict("in the middle")

        with pytest.raises(Conflict):
            await store.backend.execute(work, write=True)
        assert await store.snapshot() == before

    async def test_the_same_content_by_another_spelling_is_the_same(self, store: KnowledgeStore) -> None:
        assert content_id("Cartas", "SENECA") == content_id("cartas ", "Séneca")
        await saved(store, "Cartas")
        await saved(store, "CARTAS")
        assert len(await store.contents()) == 1
