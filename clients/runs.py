"""What a run is to the command line, wherever it happens: events while it goes, an outcome at its end."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from langgraph.types import Durability, StreamMode

from common.waiting import Thread, Waiting

# What the two places stream to us; "values" ends as the outcome, the others become events.
STREAMED: tuple[StreamMode, ...] = ("values", "updates", "custom", "messages")
_MARKS = ("__interrupt__", "__metadata__")


@dataclass(frozen=True)
class Event:
    """Something that happened in a run.

    `update`: a node finished, `data` is what it returned. `message`: a piece of streamed text.
    `custom`: what a node wrote for its watchers.
    """

    kind: Literal["update", "message", "custom"]
    node: str
    data: Any
    namespace: tuple[str, ...] = ()


OnEvent = Callable[[Event], None]


@dataclass(frozen=True)
class Outcome:
    """How a run ended: its output, and what it asks a person, if it waits for one."""

    thread_id: str
    values: dict[str, Any]
    interrupt: Any = None

    @property
    def waits(self) -> bool:
        return self.interrupt is not None


@dataclass(frozen=True)
class ThreadState:
    """Where a thread stands. `next` names the nodes to come; nothing is known of an unused thread."""

    values: dict[str, Any]
    next: tuple[str, ...] = ()
    interrupts: tuple[tuple[str, Any], ...] = ()

    @property
    def interrupt(self) -> Any:
        """The payload of the first question that waits."""
        return self.interrupts[0][1] if self.interrupts else None


@dataclass(frozen=True)
class Job:
    """One run of a batch. In this process, one that is begun anew after a kill needs its steps stored only
    at its end: `durability="exit"`."""

    thread_id: str
    input: dict[str, Any]
    context: dict[str, Any] | None = None
    durability: Durability = "sync"


@dataclass(frozen=True)
class Done:
    """One finished job of a batch: an outcome, or the error that ended it."""

    job: Job
    outcome: Outcome | None = None
    error: Exception | None = None


@dataclass(frozen=True)
class Start:
    """What sets a run going: new input, the answer to what a thread asks, or leave to go on."""

    input: dict[str, Any] | None = None
    resume: Any = None
    go_on: bool = False
    durability: Durability = "sync"


class Place(Protocol):
    """Where graphs run: in this process, or on a server."""

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def execute(
        self,
        graph: str,
        thread_id: str,
        start: Start,
        context: dict[str, Any] | None,
        on_event: OnEvent | None,
    ) -> dict[str, Any]: ...

    async def state(self, graph: str, thread_id: str) -> ThreadState: ...

    async def waiting(self, graph: str | None) -> list[Waiting]: ...

    async def threads(self, graph: str | None, limit: int) -> list[Thread]: ...

    async def find(self, thread_id: str) -> Thread | None: ...

    async def cancel(self, thread_id: str) -> int: ...

    async def discard(self, thread_id: str) -> None: ...


def read_events(mode: str, namespace: Sequence[str], chunk: Any) -> Iterator[Event]:
    """The events in one streamed chunk, whichever place it came from."""
    where = tuple(namespace)
    if mode == "updates" and isinstance(chunk, dict):
        for node, update in chunk.items():
            if node not in _MARKS:
                yield Event("update", node, update, where)
    elif mode == "custom":
        yield Event("custom", "", chunk, where)
    elif mode == "messages":
        message, metadata = chunk
        text = _spoken(message)
        if text:
            yield Event("message", str(metadata.get("langgraph_node", "")), text, where)


def without_marks(values: Any) -> dict[str, Any]:
    """A streamed state without the platform's own keys."""
    if not isinstance(values, dict):
        return {}
    return {key: value for key, value in values.items() if key not in _MARKS}


def _spoken(message: Any) -> str:
    """The text an assistant's message carries; other messages say nothing here."""
    fields = message if isinstance(message, dict) else {"type": message.type, "content": message.content}
    if not str(fields.get("type", "")).lower().startswith("ai"):
        return ""
    content = fields.get("content", "")
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content if isinstance(block, dict))
