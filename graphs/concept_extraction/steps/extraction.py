"""Candidates from quotes, their critique, and their refinement."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from common.budget import Budget, Spent, add_spent
from common.prompts import fence, load
from common.structured import Answer, ask
from graphs.concept_extraction import rules
from graphs.concept_extraction.candidates import Gathered, gather, references, refine
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.review import uncovered_quotes
from graphs.concept_extraction.schemas import (
    CHECKS,
    CandidateConceptsResponse,
    CritiqueResponse,
    RefinementResponse,
)
from graphs.concept_extraction.showing import show_concepts, show_issues, show_quotes, show_relations
from graphs.concept_extraction.state import Item, State
from graphs.concept_extraction.steps.duplicates import compare
from graphs.concept_extraction.steps.spending import agreed_budget
from graphs.concept_extraction.subgraphs.desk import (
    GRAPH,
    budget_of,
    checking,
    context_of,
    language_in,
    reasoning,
)

LONGEST_BATCH = 30_000


def batches(quotes: list[Item], most: int) -> list[list[Item]]:
    """Quotes in parts that fit into one prompt; a very long quote has one of its own."""
    parts: list[list[Item]] = []
    size = 0
    for quote in quotes:
        length = len(quote["text"])
        if not parts or len(parts[-1]) >= most or size + length > LONGEST_BATCH:
            parts.append([])
            size = 0
        parts[-1].append(quote)
        size += length
    return parts


async def extract_candidate_concepts(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Atomic ideas from every batch of quotes; a batch that fails is answered by rules and says so."""
    context, quotes = context_of(runtime), state.get("quotes", [])
    parts = batches(quotes, context.quotes_per_call)
    allowance = agreed_budget(parts, quotes, context)
    if allowance is None:
        return {"phase": "end", "outcome": "aborted", "warnings": ["The estimate was not approved."]}
    state = {**state, "allowance": allowance}
    gate = asyncio.Semaphore(context.concurrency)
    names = references([quote["uuid"] for quote in quotes], "Q")
    done = await asyncio.gather(*(_extract(part, names, state, context, gate) for part in parts))
    gathered = Gathered()
    spent: Spent | None = None
    for answer, budget in done:
        gathered.warnings += answer.warnings
        gather(answer.value.concepts, names, state["content_uuid"], answer.origin, gathered)
        silent = ", ".join(answer.value.unattributed_quotes[:20])
        if silent:
            gathered.warnings.append(f"Quotes without an idea of their own: {silent}.")
        spent = add_spent(spent, budget.delta)
    candidates = list(gathered.candidates.values())
    if len(candidates) > context.max_concepts:
        left = len(candidates) - context.max_concepts
        gathered.warnings.append(
            f"{left} candidates are over the limit of {context.max_concepts} for one run."
        )
    return {
        "allowance": allowance,
        "candidate_concepts": {"replace": candidates[: context.max_concepts]},
        "warnings": gathered.warnings,
        "spent": spent,
    }


async def _extract(
    part: list[Item], names: dict[str, str], state: State, context: Context, gate: asyncio.Semaphore
) -> tuple[Answer[CandidateConceptsResponse], Budget]:
    language, budget = language_in(state), budget_of(state, context)
    wanted = {quote["uuid"] for quote in part}
    refs = {name: uuid for name, uuid in names.items() if uuid in wanted}
    content = state.get("content") or {}
    messages = load(GRAPH, f"extract_{language}").render(
        title=content.get("title", ""),
        author=content.get("author", ""),
        quotes=fence(show_quotes(refs, part), "quotes"),
    )
    async with gate:
        answer = await ask(
            CandidateConceptsResponse,
            messages,
            role=reasoning(context),
            twin=lambda: rules.extract(refs, part, language),
            budget=budget,
        )
    return answer, budget


async def self_critique(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The six-point checklist. A configured critic that fails never counts as a pass."""
    context, language = context_of(runtime), language_in(state)
    shown = _shown(state)
    missing = [name for name, uuid in shown["quote_refs"].items() if uuid in shown["uncovered"]]
    budget = budget_of(state, context)
    messages = load(GRAPH, f"critique_{language}").render(
        quotes=fence(show_quotes(shown["quote_refs"], state.get("quotes", [])), "quotes"),
        concepts=show_concepts(shown["refs"], shown["candidates"], shown["quote_refs"]),
        relations=show_relations(shown["relation_refs"], shown["relations"], shown["titles"]),
        uncovered=", ".join(missing) or "—",
    )
    answer = await ask(
        CritiqueResponse,
        messages,
        role=checking(context),
        twin=lambda: rules.criticise(
            shown["candidates"], state.get("duplicate_detections", []), missing, language
        ),
        budget=budget,
    )
    round_ = state.get("phase_1_iteration", 0) + 1
    quality = _assessed(answer, shown, context.refine_rounds - round_ + 1, checking(context).spec)
    return {
        "quality_assessment": quality,
        "critique_log": [{"round": round_, **quality}],
        "phase_1_iteration": round_,
        "iteration_count": state.get("iteration_count", 0) + 1,
        "spent": budget.delta,
        "warnings": answer.warnings,
    }


def _assessed(answer: Answer[CritiqueResponse], shown: Item, rounds_left: int, spec: str) -> Item:
    checks = {name: bool(getattr(answer.value, name)) for name in CHECKS}
    titles = {name: shown["titles"][uuid] for name, uuid in shown["refs"].items()} | shown["titles"]
    issues = [
        {**issue.model_dump(), "title": titles.get(issue.concept_id, "")} for issue in answer.value.issues
    ]
    return {
        "checks": checks,
        "issues": issues,
        "overall_passes": all(checks.values()) and not answer.degraded,
        "checked_by": "rules" if answer.origin == "rules" else spec,
        "degraded": answer.degraded,
        "rounds_left": rounds_left,
    }


async def refine_extraction(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Mend what the critique found: only the named concepts change, none is added twice."""
    quality = state.get("quality_assessment") or {}
    return await revise(state, context_of(runtime), "refine", show_issues(quality))


async def revise(state: State, context: Context, prompt: str, wishes: str) -> dict[str, Any]:
    """Ask for changes to the candidates, and compare again what changed."""
    language, shown, budget = language_in(state), _shown(state), budget_of(state, context)
    messages = load(GRAPH, f"{prompt}_{language}").render(
        quotes=fence(show_quotes(shown["quote_refs"], state.get("quotes", [])), "quotes"),
        concepts=show_concepts(shown["refs"], shown["candidates"], shown["quote_refs"]),
        relations=show_relations(shown["relation_refs"], shown["relations"], shown["titles"]),
        wishes=fence(wishes, "wishes"),
    )
    detections = state.get("duplicate_detections", [])
    if prompt == "refine":
        twin = lambda: rules.refine(shown["candidates"], detections, shown["refs"])  # noqa: E731
    else:
        twin = rules.take_feedback
    answer = await ask(RefinementResponse, messages, role=reasoning(context), twin=twin, budget=budget)
    gathered = refine(
        answer.value.concepts,
        state.get("candidate_concepts", []),
        shown["refs"],
        shown["quote_refs"],
        state["content_uuid"],
        answer.origin,
    )
    dropped = _dropped(answer.value.dropped_relations, shown)
    update = await _compared(state, gathered, context, budget)
    return update | {
        "relations": [*dropped, *_orphans(state, gathered)],
        "refined": bool(gathered.candidates or dropped),
        "changes": _told(state, gathered, dropped),
        "spent": budget.delta,
        "warnings": [*answer.warnings, *gathered.warnings, *update.get("warnings", [])],
    }


def _shown(state: State) -> Item:
    """Candidates and relations under their short names."""
    candidates = [item for item in state.get("candidate_concepts", []) if not item.get("rejected")]
    relations = [item for item in state.get("relations", []) if not item.get("dropped")]
    titles = {item["id"]: item["title"] for item in state.get("candidate_concepts", [])}
    for found in [*state.get("duplicate_detections", []), *state.get("relation_candidates", [])]:
        for near in [*found.get("nearest", []), *found.get("near", [])]:
            titles.setdefault(near["id"], near["title"])
    return {
        "candidates": candidates,
        "refs": references([item["id"] for item in candidates], "C"),
        "quote_refs": references([quote["uuid"] for quote in state.get("quotes", [])], "Q"),
        "relations": relations,
        "relation_refs": references([item["id"] for item in relations], "R"),
        "titles": titles,
        "uncovered": {quote["uuid"] for quote in uncovered_quotes(state.get("quotes", []), candidates)},
    }


async def _compared(state: State, gathered: Gathered, context: Context, budget: Budget) -> dict[str, Any]:
    """New and changed candidates go through the duplicate cascade again; removed ones leave no trace."""
    changed = [item for item in gathered.candidates.values() if not item.get("deleted")]
    gone = [uuid for uuid, item in gathered.candidates.items() if item.get("deleted")]
    merged = {item["id"]: item for item in state.get("candidate_concepts", [])} | gathered.candidates
    peers = [item for item in merged.values() if not item.get("deleted")]
    update = await compare(changed, peers, context, budget, language_in(state)) if changed else {}
    known = {item["id"]: item for item in update.pop("candidate_concepts", [])}
    removed = [{"id": uuid, "deleted": True} for uuid in gone]
    for key in ("duplicate_detections", "novel_concepts", "existing_concepts_with_quotes"):
        update[key] = [*update.get(key, []), *removed]
    update["candidate_concepts"] = [known.get(uuid, item) for uuid, item in gathered.candidates.items()]
    return update


def _dropped(names: list[str], shown: Item) -> list[Item]:
    held = {item["id"]: item for item in shown["relations"]}
    uuids = [shown["relation_refs"].get(name.strip().upper()) for name in names]
    return [{**held[uuid], "dropped": True} for uuid in uuids if uuid]


def _orphans(state: State, gathered: Gathered) -> list[Item]:
    """Relations of candidates that are gone."""
    gone = {uuid for uuid, item in gathered.candidates.items() if item.get("deleted")}
    relations = state.get("relations", [])
    return [
        {"id": item["id"], "deleted": True} for item in relations if {item["source"], item["target"]} & gone
    ]


def _told(state: State, gathered: Gathered, dropped: list[Item]) -> list[str]:
    """What the reviewer will read as changes of this round."""
    before = {item["id"]: item["title"] for item in state.get("candidate_concepts", [])}
    lines = list(state.get("changes") or [])
    for uuid, item in gathered.candidates.items():
        if item.get("deleted"):
            lines.append(f"removed: {before.get(uuid, uuid)}")
        elif uuid in before:
            lines.append(f"changed: {item['title']}")
        else:
            lines.append(f"added: {item['title']}")
    return list(dict.fromkeys([*lines, *(f"relation dropped: {item['id']}" for item in dropped)]))
