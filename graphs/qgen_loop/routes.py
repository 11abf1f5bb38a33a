"""Where the loop goes next: pure functions of the state."""

from typing import Literal

from langgraph.types import Send

from graphs.qgen_loop.state import State

FINAL = frozenset({"target_reached", "exhausted", "suspended", "no_visual_content", "budget"})


def enter(state: State) -> list[Send]:
    """The way in, marked as such: a new run on a used thread must be told from another round of the loop."""
    return [Send("generate_node", {**state, "entered": True})]


def _outcome(state: State) -> str:
    verdict = state.get("verdict")
    return str(verdict["outcome"]) if verdict else ""


def after_generate(state: State) -> Literal["dedupe_node", "reject_node", "check_exit_node"]:
    """A candidate goes on; an attempt without one is a failure; an ended or suspended run is checked."""
    outcome = _outcome(state)
    if outcome == "ended":
        return "check_exit_node"
    return "reject_node" if outcome == "rejected" else "dedupe_node"


def after_dedupe(state: State) -> Literal["validate_node", "reject_node", "check_exit_node"]:
    """Unique candidates are validated."""
    outcome = _outcome(state)
    if outcome == "ended":
        return "check_exit_node"
    return "reject_node" if outcome == "rejected" else "validate_node"


def after_validate(state: State) -> Literal["accept_node", "reject_node", "check_exit_node"]:
    """Pass, fail, or neither because the validator cannot be reached."""
    outcome = _outcome(state)
    if outcome == "ended":
        return "check_exit_node"
    return "accept_node" if outcome == "passed" else "reject_node"


def after_check(state: State) -> Literal["generate_node", "__end__"]:
    """Another attempt, or the end."""
    return "__end__" if state.get("status") in FINAL else "generate_node"
