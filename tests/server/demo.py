"""A small graph for the tests: it works a while, remembers in the store, asks a person, and ends."""

import asyncio
from pathlib import Path

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from common.errors import BadInput, Unavailable
from common.logs import get_logger

log = get_logger(__name__)


class Input(BaseModel):
    """What to think about."""

    topic: str = Field(description="What to think about.", min_length=1, max_length=100, examples=["tides"])
    rounds: int = Field(1, ge=1, le=500, description="How often to think.")
    padding: int = Field(0, ge=0, description="Size of the thought, in characters.")
    gate: str = Field("", description="A file: while it is there, no second thought is had.")


class Output(BaseModel):
    """What came of it."""

    note: str = Field(description="The thought.")
    decision: str = Field(description="What the person said.")


class Context(BaseModel):
    """How to think."""

    loud: bool = Field(False, description="Think in capitals.")
    limit: int = Field(3, ge=1, le=9, description="How many thoughts at most.")


class State(TypedDict, total=False):
    topic: str
    rounds: int
    padding: int
    gate: str
    done: int
    note: str
    decision: str


async def begin(state: Input) -> State:
    """Typed with Input, so that LangGraph checks what was sent; and it resets what belongs to one run."""
    given: State = {"rounds": state.rounds, "padding": state.padding, "gate": state.gate}
    return {**given, "done": 0, "note": "", "decision": ""}


async def think(state: State, runtime: Runtime[Context]) -> State:
    if state["topic"] == "broken":
        raise BadInput("The topic 'broken' cannot be thought of.", remedy="Choose another.")
    if state["topic"] == "bug":
        raise KeyError("an unforeseen fault")
    if state["topic"] == "away":
        raise Unavailable("The muse does not answer.", remedy="Wait.")
    if state["topic"] == "aloud":
        await GenericFakeChatModel(messages=iter([AIMessage("one two three")])).ainvoke("speak")
    while state["done"] and Path(state["gate"] or "/none").exists():
        await asyncio.sleep(0.02)
    done = state["done"] + 1
    context = runtime.context or Context()
    topic = state["topic"].upper() if context.loud else state["topic"]
    get_stream_writer()({"thought": done})
    log.info("thought_had", count=done)
    return {"done": done % state["rounds"], "note": f"{topic} {done}" + "x" * state["padding"]}


async def remember(state: State, runtime: Runtime[Context]) -> State:
    assert runtime.store is not None
    await runtime.store.aput(("demo",), state["topic"], {"note": state["note"][:50]})
    return {"decision": ""}


def ask(state: State) -> State:
    answer = interrupt({"action_requests": [{"name": "decide", "args": {"note": state["note"][:50]}}]})
    return {"decision": str(answer)}


def more(state: State) -> str:
    return "think" if state["done"] else "remember"


builder = StateGraph(State, input_schema=Input, output_schema=Output, context_schema=Context)
builder.add_node("begin", begin)
builder.add_node("think", think)
builder.add_node("remember", remember)
builder.add_node("ask", ask)
builder.add_edge(START, "begin")
builder.add_edge("begin", "think")
builder.add_conditional_edges("think", more, ["think", "remember"])
builder.add_edge("remember", "ask")
builder.add_edge("ask", END)
graph = builder.compile()
