"""The person's turn: a payload, an interrupt, and an answer that is checked."""

from typing import Any

from langgraph.runtime import Runtime

from common.errors import BadInput
from common.interrupts import Decision, ask_person
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.planning import merges
from graphs.concept_extraction.review import Decided, decide, payload
from graphs.concept_extraction.state import Item, State
from graphs.concept_extraction.steps.extraction import revise
from graphs.concept_extraction.subgraphs.desk import checking, context_of, knowledge, reasoning

ABORT = "abort"


async def present_for_review(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Show everything, wait, and take the answer; past the last round only approve or abort."""
    context = context_of(runtime)
    async with knowledge(context) as store:
        stored = {uuid: concept.title for uuid, concept in (await store.concepts()).items()}
    round_ = state.get("phase_2_iteration", 0) + 1
    last = round_ > context.review_rounds
    candidates, relations = state.get("candidate_concepts", []), state.get("relations", [])
    moot = _moot(relations, merges(candidates, state.get("duplicate_detections", [])))
    unseen = {item["id"] for item in moot}
    seen = [item for item in relations if item["id"] not in unseen]
    shown = _payload(state, context, stored, round_, last, seen)

    def accept(decision: Decision) -> Decided | str:
        if decision.kind == "abort":
            return ABORT
        if last and decision.kind != "approve":
            raise BadInput("This was the last round.", remedy="Approve what is proposed, or abort.")
        args = dict(decision.args)
        if decision.kind == "edit" and not args.keys() & {"concepts", "relations", "feedback"}:
            raise BadInput("The edit decides nothing.", remedy="See `how`, or approve.")
        if decision.kind == "feedback":
            args["feedback"] = decision.message or args.get("feedback")
        decided = decide(args, shown, candidates, seen, set(stored))
        decided.warnings += decision.warnings
        if decided.approved:
            # Nothing is written that was not shown, even where the merge is declined.
            decided.relations += [{**item, "dropped": True} for item in moot]
        return decided

    answer = ask_person("review_concepts", shown, _description(shown), accept)
    counted = {"phase_2_iteration": round_, "iteration_count": state.get("iteration_count", 0) + 1}
    if isinstance(answer, str):
        told = "The review was aborted; nothing was written."
        return counted | {"phase": "end", "outcome": "aborted", "human_approved": False, "warnings": [told]}
    return counted | {
        "phase": "commit" if answer.approved else "human_review",
        "human_approved": answer.approved,
        "human_feedback": answer.feedback or None,
        "candidate_concepts": answer.candidates,
        "relations": answer.relations,
        "changes": [],
        "warnings": answer.warnings,
    }


def _moot(relations: list[Item], becomes: dict[str, str]) -> list[Item]:
    """Relations of a candidate to the concept that it is to become."""
    ends = [(item, {becomes.get(item[end], item[end]) for end in ("source", "target")}) for item in relations]
    return [item for item, concepts in ends if len(concepts) == 1]


def _payload(
    state: State, context: Context, stored: dict[str, str], round_: int, last: bool, relations: list[Item]
) -> Item:
    quality = state.get("quality_assessment") or {}
    told = {
        "titles": stored,
        "round": round_,
        "last_round": last,
        "critique": {
            name: quality.get(name)
            for name in ("checks", "issues", "overall_passes", "checked_by", "degraded")
        },
        "changes": list(state.get("changes") or []),
        "cost": dict(state.get("spent") or {}),
        "models": {"reasoning": reasoning(context).spec, "checking": checking(context).spec},
        "errors": list(state.get("errors") or []),
        "warnings": list(state.get("warnings") or [])[:50],
    }
    return payload(
        state.get("content") or {},
        state.get("quotes", []),
        state.get("candidate_concepts", []),
        state.get("duplicate_detections", []),
        relations,
        told,
    )


def _description(shown: Item) -> str:
    """The review in Markdown, for clients that show nothing else."""
    lines = [f"# {shown['content']['title']} — round {shown['round']}", ""]
    for item in shown["concepts"]:
        into = f" → {item['merge_into_title'] or item['merge_into']}" if item["merge_into"] else ""
        lines.append(f"- **{item['title']}** ({item['proposal']}{into}): {item['concept']}")
        lines += [f"  > {' '.join(quote['text'].split())}" for quote in item["quotes"][:2]]
    lines += ["", *(f"- {r['source']} {r['type']} {r['target']}" for r in shown["relations"][:50])]
    if shown["uncovered_count"]:
        lines.append(f"\n{shown['uncovered_count']} quotes support nothing.")
    return "\n".join([*lines, "", shown["how"]])


async def incorporate_feedback(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Work the person's words into the candidates; what they edited themselves stays."""
    context = context_of(runtime)
    update = await revise(state, context, "feedback", state.get("human_feedback") or "")
    if reasoning(context).is_rules:
        note = "No model is configured to work in feedback; edit the concepts one by one."
        update["warnings"] = [*update["warnings"], note]
    return update | {"human_feedback": None}
