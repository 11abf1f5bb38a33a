"""One turn of the agent model."""

import json
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from common.budget import NOTHING, Budget, Spent
from common.calls import call
from common.errors import ModelFailed
from common.models import Role
from common.prompts import load
from graphs.vocab_react.context import Context
from graphs.vocab_react.state import State
from graphs.vocab_react.steps.begin import begin
from graphs.vocab_react.steps.roles import Update, agent_role, budget_of

_NATIVE_TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_lyrics",
            "description": "Find the lyrics of a song.",
            "parameters": {
                "type": "object",
                "properties": {"song": {"type": "string"}, "artist": {"type": "string"}},
                "required": ["song"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "extract_vocabulary",
            "description": "Pick words out of the lyrics.",
            "parameters": {"type": "object", "properties": {"lyrics_id": {"type": "string"}}},
        },
    },
    {
        "type": "function",
        "function": {
            "name": "return_vocabulary",
            "description": "Hand the words to the learner.",
            "parameters": {"type": "object", "properties": {}},
        },
    },
]


async def agent(state: State, runtime: Runtime[Context]) -> Update:
    """One turn of the model; the first turn of a run clears what an earlier run left."""
    context = runtime.context or Context()
    update: Update = {}
    before = state.get("spent")
    if state.get("song") is not None or state.get("next") != "agent":
        update = await begin(state, context)
        if update.get("next"):
            return update
        state = State(**{**state, **update, "spent": None})  # type: ignore[typeddict-item]
    role, budget = agent_role(context), budget_of(state, context)
    transcript = state.get("transcript", [])
    try:
        reply = await _turn(role, _messages(state["request"], transcript), budget, context.native_tools)
    except ModelFailed as exc:
        told = f"{role.label} did not help: {exc}"
        return {
            **update,
            "next": "direct_extraction",
            "warnings": [*state.get("warnings", []), told],
            **_spent(before, bool(update), budget),
        }
    said = [*transcript, {"role": "assistant", "content": _written(reply)}]
    turns = state.get("iterations", 0) + 1
    return {
        **update,
        "next": "act",
        "transcript": said,
        "iterations": turns,
        **_spent(before, bool(update), budget),
    }


async def _turn(role: Role, messages: list[BaseMessage], budget: Budget, native: bool) -> AIMessage:
    """One call, stopped before the model makes up an Observation; some servers know no stop words."""
    if native:
        return await call(role, messages, budget=budget, tools=_NATIVE_TOOLS)
    try:
        return await call(role, messages, budget=budget, stop=["\nObservation"])
    except ModelFailed as exc:
        if not exc.refused:
            raise
        return await call(role, messages, budget=budget)


def _spent(before: Spent | None, begun: bool, budget: Budget) -> Update:
    """What this turn spent; the first turn of a run also takes back what the run before it spent."""
    old = (before or NOTHING) if begun else NOTHING
    change = {key: budget.delta[key] - old[key] for key in NOTHING}  # type: ignore[literal-required]
    return {"spent": change}


def _written(reply: AIMessage) -> str:
    """The reply's text; a native tool call as the JSON it stands for."""
    if reply.tool_calls:
        first = reply.tool_calls[0]
        return json.dumps({"name": first["name"], "arguments": first["args"]}, ensure_ascii=False)
    return str(reply.text)[:20_000]


def _messages(request: dict[str, Any], transcript: list[dict[str, str]]) -> list[BaseMessage]:
    start = load("vocab_react", "agent").render(
        song=request["song"], artist=request["artist"] or "unknown", count=request["count"]
    )
    kinds = {"assistant": AIMessage, "user": HumanMessage}
    return [*start, *(kinds[turn["role"]](turn["content"]) for turn in transcript)]
