"""The commit: a plan that grows over three nodes, one transaction, files, and a look back."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from graphs.concept_extraction.candidates import embedding_text
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.knowledge import CommitPlan, KnowledgeStore
from graphs.concept_extraction.knowledge.relations import with_inverses
from graphs.concept_extraction.library import notes_folder
from graphs.concept_extraction.obsidian import work_off
from graphs.concept_extraction.planning import (
    merges,
    plan_concepts,
    plan_relations,
    plan_supports,
    plan_verdicts,
)
from graphs.concept_extraction.state import State
from graphs.concept_extraction.subgraphs.desk import context_of, embedder_for, knowledge


def _becomes(state: State) -> dict[str, str]:
    return merges(state.get("candidate_concepts", []), state.get("duplicate_detections", []))


async def create_concepts_db(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """First part of the plan: concepts, names that merges leave behind, and decisions to remember."""
    content, candidates = state.get("content") or {}, state.get("candidate_concepts", [])
    becomes = _becomes(state)
    created, aliases = plan_concepts(candidates, becomes, str(content.get("name", "")))
    plan = CommitPlan(
        run_id=state["run_id"],
        content_uuid=state["content_uuid"],
        processed_date=datetime.now(UTC).isoformat(timespec="seconds"),
        concepts=created,
        aliases=aliases,
        verdicts=plan_verdicts(candidates, state.get("duplicate_detections", []), becomes),
    )
    return {"phase": "commit", "plan": plan.model_dump(mode="json")}


async def create_relations_db(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Second part: relations between what the candidates became."""
    plan = CommitPlan.model_validate(state["plan"])
    relations, becomes = state.get("relations", []), _becomes(state)
    async with knowledge(context_of(runtime)) as store:
        outside = [
            item[end] for item in relations for end in ("source", "target") if item[end] not in becomes
        ]
        stored = set(await store.concepts(outside))
    plan.relations = plan_relations(relations, becomes, stored)
    return {"plan": plan.model_dump(mode="json")}


async def create_supports_relations(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Last part: quotes to concepts. Then the whole plan is applied, in one transaction."""
    context = context_of(runtime)
    plan = CommitPlan.model_validate(state["plan"])
    quotes = {quote["uuid"] for quote in state.get("quotes", [])}
    plan.supports = plan_supports(state.get("candidate_concepts", []), _becomes(state), quotes)
    embedder = await embedder_for(context)
    rows = await embedder.embed([embedding_text(item.concept) for item in plan.concepts])
    vectors = {item.concept.uuid: rows[at] for at, item in enumerate(plan.concepts)}
    async with knowledge(context) as store:
        receipt = await store.apply(plan, vectors)
    supporting = {item.quote_uuid for item in plan.supports}
    silent = [quote for quote in state.get("quotes", []) if quote["uuid"] not in supporting]
    coverage = {
        "quotes": len(quotes),
        "supporting": len(supporting),
        "uncovered": [{"id": quote["uuid"], "text": quote["text"][:80]} for quote in silent],
    }
    return {"plan": plan.model_dump(mode="json"), "receipt": receipt.model_dump(), "coverage": coverage}


async def create_obsidian_files(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The notes in the outbox; what cannot be written stays there and is named."""
    context = context_of(runtime)
    if not context.write_notes:
        return {"notes": {"skipped": True}}
    async with knowledge(context) as store:
        report = await work_off(store, await asyncio.to_thread(notes_folder))
    failed = [f"Note not written, it stays in the outbox: {line}" for line in report.failed]
    return {"notes": asdict(report), "errors": failed, "warnings": report.beside}


async def update_processed_date(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Read everything back, compare it with the plan, and close the run."""
    plan = CommitPlan.model_validate(state["plan"])
    async with knowledge(context_of(runtime)) as store:
        missing = await _missing(store, plan)
        if not missing:
            await store.close_run(plan.run_id)
        content = await store.content(plan.content_uuid)
    return {
        "phase": "end",
        "outcome": "failed" if missing else "committed",
        "errors": missing,
        "content": content.model_dump() if content else None,
    }


async def _missing(store: KnowledgeStore, plan: CommitPlan) -> list[str]:
    """What the plan holds and the knowledge base does not."""
    touched = {item.concept.uuid for item in plan.concepts} | {item.concept_uuid for item in plan.supports}
    touched |= {end for item in plan.relations for end in (item.source, item.target)}
    around = await store.surroundings(sorted(touched))
    lost = [f"Concept {uuid} is not stored." for uuid in sorted(touched - around.keys())]
    edges = {(uuid, kind, other.uuid) for uuid, item in around.items() for kind, other, _ in item.relations}
    for source, kind, target in with_inverses((r.source, r.type, r.target) for r in plan.relations):
        if (source, kind.value, target) not in edges:
            lost.append(f"Relation {source} {kind.value} {target} is not stored.")
    supports = {(quote.uuid, uuid) for uuid, item in around.items() for quote, _, _ in item.quotes}
    for item in plan.supports:
        if (item.quote_uuid, item.concept_uuid) not in supports:
            lost.append(f"Quote {item.quote_uuid} does not support {item.concept_uuid}.")
    return lost
