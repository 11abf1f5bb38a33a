"""The generator: an agent with submit_qa and report_exhausted."""

from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AnyMessage

from graphs.qgen_loop.subgraphs.document_agent import Agent, AgentState, Task, explore


class DocumentExhaustedError(Exception):
    """The generator says that the document yields no further question."""

    def __init__(self, reason: str, state: AgentState) -> None:
        super().__init__(reason)
        self.reason = reason
        self.seen = seen(state)


@dataclass(frozen=True)
class Seen:
    """What an agent looked at."""

    pages: list[int] = field(default_factory=list)
    spans: list[list[int]] = field(default_factory=list)


@dataclass(frozen=True)
class Generated:
    """What the generator handed in, if anything, and what it looked at."""

    args: dict[str, Any] | None
    seen: Seen


def seen(state: AgentState) -> Seen:
    """What the agent looked at, from its memory."""
    return Seen(list(state.get("viewed_pages", [])), list(state.get("spans", [])))


async def generate_question(agent: Agent, task: Task, messages: list[AnyMessage]) -> Generated:
    """One question, or nothing; raises `DocumentExhaustedError` when the generator reports that."""
    final = await explore(agent, task, messages)
    result = final.get("result")
    if result and result["tool"] == "report_exhausted":
        raise DocumentExhaustedError(str(result["args"]["reason"]), final)
    return Generated(result["args"] if result else None, seen(final))
