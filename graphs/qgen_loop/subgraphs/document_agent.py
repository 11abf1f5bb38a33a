"""The agent that explores a document: agent, tools, image_injector; used by generator and validator."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, cast

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from pydantic import ValidationError

from common.errors import StudyError
from common.models import Role
from common.prompts import load
from common.structured import Unusable, read_text
from graphs.qgen_loop.coverage import with_spans
from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.schemas import Mode
from graphs.qgen_loop.subgraphs.images import PAGES, Delivery, pages_message, with_images
from graphs.qgen_loop.subgraphs.ledger import Ledger
from graphs.qgen_loop.tools.document_tools import Viewed, document_tools, in_words
from graphs.qgen_loop.tools.terminal import TERMINAL, result_schema

MAX_REMINDERS = 2


@dataclass(frozen=True)
class Task:
    """What one agent works with; it lives as long as the attempt and is never stored."""

    role: Role
    document: Document
    mode: Mode
    ledger: Ledger
    terminal: list[BaseTool]
    max_calls: int
    max_tool_calls: int
    delivery: Delivery = "user_message"


class AgentState(TypedDict, total=False):
    """The agent's own memory; it begins empty with every attempt."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The conversation of this attempt."""
    pending_pages: list[int]
    """Pages the model asked to see and has not been shown."""
    viewed_pages: list[int]
    """Pages shown in this attempt."""
    spans: list[list[int]]
    """Line ranges read in this attempt."""
    result: dict[str, Any] | None
    """What a terminal tool handed in, with the tool's name."""
    model_calls: int
    """Model calls so far."""
    tool_calls: int
    """Tool calls so far."""
    reminders: int
    """How often the model had to be told to use its tools."""


async def agent(state: AgentState, runtime: Runtime[Task]) -> dict[str, Any]:
    """One turn of the model; a turn without tool calls is read as a result or answered by a reminder."""
    task = runtime.context
    calls = state.get("model_calls", 0) + 1
    bound = [*document_tools(task.document, task.mode, Viewed()), *task.terminal]
    sent = await with_images(state["messages"], task.document)
    reply = await task.ledger.call(task.role, sent, bound)
    update: dict[str, Any] = {"messages": [reply], "model_calls": calls}
    if reply.tool_calls:
        return update
    result = _written_result(reply, task)
    reminders = state.get("reminders", 0) + 1
    if result is None and reminders <= MAX_REMINDERS:
        update["messages"] = [reply, _reminder(task)]
    return {**update, "result": result, "reminders": reminders}


def _reminder(task: Task) -> BaseMessage:
    names = " or ".join(tool.name for tool in task.terminal)
    return load("qgen_loop", "remind").render(tools=names)[0]


def _written_result(reply: AIMessage, task: Task) -> dict[str, Any] | None:
    """A model that cannot call tools may write the arguments as JSON instead."""
    name = task.terminal[0].name
    try:
        value, _ = read_text(result_schema(name, task.mode), str(reply.text))
    except Unusable:
        return None
    return {"tool": name, "args": value.model_dump()}


async def tools(state: AgentState, runtime: Runtime[Task]) -> dict[str, Any]:
    """Run the tool calls in order; a terminal one ends the work, whatever comes after it."""
    task, viewed = runtime.context, Viewed()
    last = state["messages"][-1]
    assert isinstance(last, AIMessage)
    available = {tool.name: tool for tool in document_tools(task.document, task.mode, viewed)}
    done = state.get("tool_calls", 0)
    answers: list[BaseMessage] = []
    result: dict[str, Any] | None = None
    for number, call in enumerate(last.tool_calls, start=1):
        before = len(viewed.pending)
        if call["name"] in TERMINAL and result is None:
            text, result = _handed_in(call["name"], call["args"], task)
        elif done + number > task.max_tool_calls:
            text = "No tool calls are left: hand in your result now."
        else:
            text = await _ran(available.get(call["name"]), call["name"], call["args"])
        pages = viewed.pending[before:] if task.delivery == "tool_message" else []
        answers.append(
            ToolMessage(
                text, tool_call_id=call["id"] or "", additional_kwargs={PAGES: pages} if pages else {}
            )
        )
    return {
        "messages": answers,
        "tool_calls": done + len(last.tool_calls),
        "pending_pages": viewed.pending if task.delivery == "user_message" else [],
        "viewed_pages": sorted({*state.get("viewed_pages", []), *viewed.pages}),
        "spans": with_spans(state.get("spans", []), viewed.spans),
        "result": result,
    }


def _handed_in(name: str, args: dict[str, Any], task: Task) -> tuple[str, dict[str, Any] | None]:
    if name not in {tool.name for tool in task.terminal}:
        return f"There is no tool {name} here.", None
    try:
        value = result_schema(name, task.mode).model_validate(args)
    except ValidationError as exc:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in exc.errors()[:4]
        )
        return f"The call is incomplete: {faults}. Correct it and call again.", None
    return "Received.", {"tool": name, "args": value.model_dump()}


async def _ran(tool: BaseTool | None, name: str, args: dict[str, Any]) -> str:
    if tool is None:
        return f"There is no tool {name}."
    try:
        return str(await tool.ainvoke(args))
    except (StudyError, ValidationError, TypeError, ValueError) as exc:
        return in_words(exc)


async def image_injector(state: AgentState) -> dict[str, Any]:
    """All pages asked for in one user message, after every tool has answered."""
    return {"messages": [pages_message(state["pending_pages"])], "pending_pages": []}


def after_agent(state: AgentState, runtime: Runtime[Task]) -> Literal["tools", "agent", "__end__"]:
    """Tools if any were called; otherwise once more after a reminder, or the end."""
    last = state["messages"][-1]
    if isinstance(last, AIMessage) and last.tool_calls:
        return "tools"
    spent = state.get("model_calls", 0) >= runtime.context.max_calls
    if state.get("result") or spent or not isinstance(last, HumanMessage):
        return "__end__"
    return "agent"


def after_tools(state: AgentState, runtime: Runtime[Task]) -> Literal["image_injector", "agent", "__end__"]:
    """The end after a terminal tool or the last call; images before the next turn."""
    if state.get("result") or state.get("model_calls", 0) >= runtime.context.max_calls:
        return "__end__"
    return "image_injector" if state.get("pending_pages") else "agent"


builder = StateGraph(AgentState, context_schema=Task)
builder.add_node("agent", agent)
builder.add_node("tools", tools)
builder.add_node("image_injector", image_injector)
builder.add_edge(START, "agent")
builder.add_conditional_edges("agent", after_agent)
builder.add_conditional_edges("tools", after_tools)
builder.add_edge("image_injector", "agent")

document_agent = builder.compile()

Agent = CompiledStateGraph[AgentState, Task, AgentState, AgentState]


async def explore(agent_graph: Agent, task: Task, messages: list[AnyMessage]) -> AgentState:
    """Let an agent work on a document until it hands in a result or its calls are used up.

    What it reads is not worth a checkpoint per step: an attempt that was killed starts again.
    """
    config: RunnableConfig = {
        "recursion_limit": 4 * task.max_calls + 10,
        # Otherwise the outer run's `sync` reaches in here and waits for a checkpoint that is never written.
        "configurable": {"__pregel_durability": "async"},
    }
    unstored = agent_graph.copy({"checkpointer": False})
    final = await unstored.ainvoke(AgentState(messages=messages), config, context=task)
    return cast(AgentState, final)
