"""Pure functions from state to the next node's name."""

from langgraph.graph import END
from langgraph.types import Send

from graphs.concept_extraction.state import Item, State

MOST_BRANCHES = 4


def route_start(state: State) -> str:
    """A quotes file is ingested first; a stored content is taken as it is."""
    if state.get("text") or state.get("file_path") or not state.get("content_uuid"):
        return "quote_parse"
    return "check_content_processed"


def after_check(state: State) -> str:
    return END if state.get("phase") == "end" else "load_content_quotes"


def after_loading(state: State) -> str:
    return END if state.get("phase") == "end" else "extract_candidate_concepts"


def chunks(items: list[Item], most: int = MOST_BRANCHES) -> list[list[Item]]:
    """At most `most` parts of about one size, in order."""
    size = max(1, -(-len(items) // most))
    return [items[start : start + size] for start in range(0, len(items), size)]


def fan_out_duplicates(state: State) -> str | list[Send]:
    """Every candidate is compared; a few branches share the work."""
    if state.get("phase") == "end":
        return END
    candidates = state.get("candidate_concepts", [])
    if not candidates:
        return "generate_relation_queries"
    content = state.get("content")
    return [
        Send(
            "detect_duplicates_all",
            {"batch": part, "peers": candidates, "content": content, **_carried(state)},
        )
        for part in chunks(candidates)
    ]


def fan_out_relations(state: State) -> str | list[Send]:
    """Relations of every candidate with what was found near it."""
    candidates = [item for item in state.get("candidate_concepts", []) if not item.get("rejected")]
    near = {item["id"]: item for item in state.get("relation_candidates", [])}
    wanted = [item for item in candidates if near.get(item["id"], {}).get("near")]
    if not wanted:
        return "self_critique"
    return [
        Send(
            "create_relations_all",
            {
                "batch": part,
                "peers": candidates,
                "near": [near[item["id"]] for item in part],
                "content": state.get("content"),
                **_carried(state),
            },
        )
        for part in chunks(wanted)
    ]


def _carried(state: State) -> dict[str, object]:
    """What a branch needs to keep to the run's budget."""
    return {"spent": state.get("spent"), "allowance": state.get("allowance")}


def should_continue_phase1(state: State) -> str:
    """Refine while the critique fails, a refinement still changes something, and rounds are left."""
    if state.get("phase") == "end":
        return END
    quality = state.get("quality_assessment") or {}
    if quality.get("overall_passes") or quality.get("degraded"):
        return "present_for_review"
    first = state.get("phase_1_iteration", 0) <= 1
    if not (first or state.get("refined")) or quality.get("rounds_left", 0) <= 0:
        return "present_for_review"
    return "refine_extraction"


def should_continue_phase2(state: State) -> str:
    """Another round, the commit, or nothing at all."""
    if state.get("phase") == "end":
        return END
    return "create_concepts_db" if state.get("human_approved") else "incorporate_feedback"
