"""Relations: what to look for, what is near, and what holds."""

from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from common.errors import StudyError
from common.prompts import load
from common.structured import ask
from graphs.concept_extraction import rules
from graphs.concept_extraction.candidates import embedding_text, references, relation_items
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.schemas import RelationQueriesResponse, RelationsResponse
from graphs.concept_extraction.showing import show_concepts
from graphs.concept_extraction.state import Item, State
from graphs.concept_extraction.subgraphs.desk import (
    GRAPH,
    budget_of,
    context_of,
    embedder_for,
    knowledge,
    language_in,
    limits_for,
    reasoning,
    simple,
)

MOST_NEAR = 8
QUERIES_AT_ONCE = 60


async def generate_relation_queries(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """For each candidate a text that a related concept would resemble."""
    context, language = context_of(runtime), language_in(state)
    candidates = [item for item in state.get("candidate_concepts", []) if not item.get("rejected")]
    refs = references([item["id"] for item in candidates], "C")
    budget = budget_of(state, context)
    queries: dict[str, str] = {item["id"]: embedding_text(item) for item in candidates}
    warnings: list[str] = []
    names = list(refs)
    for start in range(0, len(names), QUERIES_AT_ONCE):
        part = {name: refs[name] for name in names[start : start + QUERIES_AT_ONCE]}
        twin = partial(rules.relation_queries, part, candidates)
        answer = await ask(
            RelationQueriesResponse,
            load(GRAPH, f"queries_{language}").render(concepts=show_concepts(part, candidates)),
            role=simple(context),
            twin=twin,
            budget=budget,
        )
        warnings += answer.warnings
        for query in answer.value.queries:
            uuid = part.get(query.concept_id.strip().upper())
            if uuid and query.query.strip():
                queries[uuid] = query.query.strip()
    items = [{"id": uuid, "query": text} for uuid, text in queries.items()]
    return {"relation_queries": {"replace": items}, "spent": budget.delta, "warnings": warnings}


async def search_relation_candidates(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """What lies near each query, among the stored concepts and among the other candidates."""
    context = context_of(runtime)
    candidates = [item for item in state.get("candidate_concepts", []) if not item.get("rejected")]
    queries = {item["id"]: item["query"] for item in state.get("relation_queries", [])}
    wanted = [item for item in candidates if item["id"] in queries]
    if not wanted:
        return {"relation_candidates": {"replace": []}}
    embedder = await embedder_for(context)
    near = limits_for(context, embedder).near
    rows = await embedder.embed([queries[item["id"]] for item in wanted])
    own = await embedder.embed([embedding_text(item) for item in candidates])
    try:
        async with knowledge(context) as store:
            stored = await store.nearest_concepts(rows, context.top_k, near)
    except StudyError as exc:
        return {"relation_candidates": {"replace": []}, "errors": [f"No relations were looked for: {exc}"]}
    scores = (1 + rows @ own.T) / 2
    found = []
    for at, item in enumerate(wanted):
        hits = [
            _near(hit.concept.uuid, hit.concept.title, hit.concept.concept, hit.score) for hit in stored[at]
        ]
        hits += [
            _near(other["id"], other["title"], other["concept"], float(scores[at, to]))
            for to, other in enumerate(candidates)
            if scores[at, to] >= near
        ]
        kept = {
            hit["id"]: hit for hit in sorted(hits, key=lambda hit: hit["score"]) if hit["id"] != item["id"]
        }
        best = sorted(kept.values(), key=lambda hit: (-hit["score"], hit["id"]))[:MOST_NEAR]
        found.append({"id": item["id"], "near": best})
    return {"relation_candidates": {"replace": found}}


def _near(uuid: str, title: str, text: str, score: float) -> Item:
    return {"id": uuid, "title": title, "concept": text, "score": round(score, 4)}


async def create_relations_all(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """One branch of candidates with what is near them; every relation once, by its canonical form."""
    context, language, batch = context_of(runtime), language_in(state), state["batch"]
    near = {item["id"]: item["near"] for item in state["near"]}
    peers = {item["id"]: item for item in state["peers"]}
    others = {hit["id"]: hit for hits in near.values() for hit in hits if hit["id"] not in peers}
    shown = {item["id"]: item for item in batch}
    shown |= {hit["id"]: peers[hit["id"]] for hits in near.values() for hit in hits if hit["id"] in peers}
    refs = references(list(shown), "C")
    names = {uuid: name for name, uuid in (refs | references(list(others), "E")).items()}
    pairs = [
        (names[item["id"]], item, names[hit["id"]], shown.get(hit["id"]) or hit, hit["score"])
        for item in batch
        for hit in near[item["id"]]
    ]
    budget = budget_of(state, context)
    answer = await ask(
        RelationsResponse,
        load(GRAPH, f"relations_{language}").render(
            concepts=show_concepts(refs, list(shown.values())),
            existing=show_concepts(references(list(others), "E"), list(others.values())),
        ),
        role=reasoning(context),
        twin=lambda: rules.relate(pairs, language),
        budget=budget,
    )
    items, warnings = relation_items(
        answer.value.relations, {name: uuid for uuid, name in names.items()}, answer.origin
    )
    return {"relations": items, "spent": budget.delta, "warnings": [*answer.warnings, *warnings]}
