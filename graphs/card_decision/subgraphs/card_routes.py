"""Where a card goes next inside decide_card: pure functions of its state."""

from typing import Literal

from langgraph.runtime import Runtime

from graphs.card_decision.context import Context
from graphs.card_decision.state import CardState
from graphs.card_decision.subgraphs.agents import roles_of
from graphs.card_decision.subgraphs.drafts import CardDraft, qa_fails


def from_start(state: CardState) -> Literal["map_card", "decide"]:
    """A card the user deleted in Anki stays deleted: nothing is asked about it."""
    existing = state["note"].get("existing_anki_note")
    return "decide" if existing and existing.get("deleted") else "map_card"


def after_validation(
    state: CardState, runtime: Runtime[Context]
) -> Literal["map_card", "polish_style", "qa_check", "decide"]:
    if state.get("failure") or not state.get("drafts"):
        return "decide"
    context = runtime.context or Context()
    drafts = [CardDraft.model_validate(draft) for draft in state["drafts"]]
    if all(draft.validation and draft.validation.valid for draft in drafts):
        polish = context.style_enabled and not state.get("polished") and not roles_of(context).style.is_rules
        return "polish_style" if polish else "qa_check"
    return "map_card" if may_map_again(state, context) else "decide"


def after_qa(state: CardState, runtime: Runtime[Context]) -> Literal["map_card", "diff_card", "decide"]:
    if state.get("failure"):
        return "decide"
    context = runtime.context or Context()
    drafts = [CardDraft.model_validate(draft) for draft in state["drafts"]]
    failing = any(qa_fails(draft.qa, context) for draft in drafts)
    if failing and context.allow_auto_fix and not state.get("degraded") and may_map_again(state, context):
        return "map_card"
    return "diff_card" if any(draft.slug in state.get("existing", {}) for draft in drafts) else "decide"


def may_map_again(state: CardState, context: Context) -> bool:
    """Rules would only say the same again; a model gets its retries while calls are left."""
    spent = state.get("spent")
    calls = spent["calls"] if spent else 0
    return (
        not roles_of(context).mapper.is_rules
        and state.get("attempts", 0) <= context.max_mapping_retries
        and calls < context.max_llm_calls_per_card
    )
