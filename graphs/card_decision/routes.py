"""Where a note goes next: pure functions from state to the next node."""

from itertools import islice
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Send

from graphs.card_decision.anki.note_types import STANDARD_MODELS
from graphs.card_decision.context import Context
from graphs.card_decision.mapping import parts_of
from graphs.card_decision.state import State


def fan_out(state: State) -> list[Send] | Literal["collect"]:
    """One decide_card for each candidate."""
    return [_send(state, note) for note in state.get("notes") or []] or "collect"


def after_collect(state: State, runtime: Runtime[Context]) -> Literal["review", "__end__"]:
    """A person is asked only where that is wanted and needed."""
    context = runtime.context or Context()
    waiting = any(decision["action"] == "manual_review" for decision in state.get("decisions") or [])
    return "review" if context.review == "interrupt" and waiting else "__end__"


def after_review(state: State) -> list[Send] | Literal["__end__"]:
    """Feedback means another round for the cards it is about."""
    feedback = state.get("feedback") or {}
    again = [note for note in state.get("notes") or [] if note["slug"] in feedback]
    return [_send(state, note, feedback[note["slug"]]) for note in again] or "__end__"


def _send(state: State, note: dict[str, Any], feedback: str = "") -> Send:
    existing = state.get("held") or {}
    language = note["candidate"]["language"]
    siblings = (
        other["candidate"]["front"]
        for other in state.get("notes") or []
        if other["slug"] != note["slug"] and other["candidate"]["language"] == language
    )
    payload = {
        "note": note,
        "models": state.get("note_types") or STANDARD_MODELS,
        "attachments": state.get("files") or {},
        "existing": {slug: existing[slug] for slug in parts_of(note["slug"], existing)},
        "siblings": list(islice(siblings, 200)),
        "feedback": [feedback] if feedback else [],
    }
    return Send("decide_card", payload)
