"""Where a turn goes next: pure functions of the state."""

from typing import Literal

from graphs.tutoring.state import State

Path = Literal["teaching_retrieval_node", "retrieval_node"]


def by_intent(state: State) -> Path:
    """Troubleshooting has its own path; teaching and ambiguous questions are explained."""
    return "retrieval_node" if state.get("intent") == "troubleshooting" else "teaching_retrieval_node"


def after_router(state: State) -> Path | Literal["check_node", "__end__"]:
    """A finished turn is not repeated; configurations at hand are checked against the lab first."""
    if state.get("repeated"):
        return "__end__"
    if state.get("current_lab") and state.get("running_configs"):
        return "check_node"
    return by_intent(state)
