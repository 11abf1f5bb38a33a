"""Where to go next: pure functions of the state."""

from typing import Literal

from graphs.vocab_react.state import State


def after_agent(state: State) -> Literal["act", "direct_extraction", "finish"]:
    """Act on what the model wrote; with no usable model extract directly; with a cached answer finish."""
    wanted = state.get("next")
    if wanted == "finish":
        return "finish"
    return "act" if wanted == "act" else "direct_extraction"


def after_act(state: State) -> Literal["agent", "direct_extraction", "finish"]:
    """Finish once words are returned; extract directly when the turns are used up; else the next turn."""
    wanted = state.get("next")
    if wanted == "finish":
        return "finish"
    return "agent" if wanted == "agent" else "direct_extraction"
