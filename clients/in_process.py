"""Runs graphs in this process, on the same checkpoint and store files as the server."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphRecursionError
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Durability
from pydantic import ValidationError

import graphs
from clients.runs import STREAMED, OnEvent, Start, ThreadState, read_events, without_marks
from common.checkpoints import Checkpoints, open_checkpointer
from common.errors import Conflict, NotFound, StudyError
from common.inputs import bad_input
from common.store import DurableStore, open_store
from common.threads import client_owner
from common.waiting import Thread, Waiting

Graph = CompiledStateGraph[Any, Any, Any, Any]
LoadGraph = Callable[[str], Graph]


def load_graph(name: str) -> Graph:
    """The graph of a room, as langgraph.json serves it."""
    try:
        graph: Graph = graphs.part(name, "graph", "graph")
    except LookupError as exc:
        known = ", ".join(graphs.installed()) or "none"
        raise NotFound(f"No graph is called {name!r}.", remedy=f"Installed: {known}.") from exc
    return graph


class InProcess:
    """The graphs of this installation."""

    def __init__(self, load: LoadGraph = load_graph) -> None:
        self._load = load
        self._stack = AsyncExitStack()
        self._graphs: dict[str, Graph] = {}
        self._checkpoints: Checkpoints
        self._store: DurableStore

    async def open(self) -> None:
        self._checkpoints = await self._stack.enter_async_context(open_checkpointer())
        self._store = await self._stack.enter_async_context(open_store())

    async def close(self) -> None:
        await self._stack.aclose()

    async def execute(
        self,
        graph: str,
        thread_id: str,
        start: Start,
        context: dict[str, Any] | None,
        on_event: OnEvent | None,
    ) -> dict[str, Any]:
        # What is sent goes into the stored state: an answer of None must still be an answer.
        begin: Any = Command(resume=start.resume) if start.input is None else start.input
        if start.go_on:
            begin = None
        try:
            return await self._stream(graph, thread_id, begin, context, on_event, start.durability)
        except ValidationError as exc:
            raise bad_input(exc) from exc
        except GraphRecursionError as exc:
            raise StudyError(f"The run of {graph} did not come to an end: {exc}") from exc

    async def _stream(
        self,
        graph: str,
        thread_id: str,
        begin: Any,
        context: dict[str, Any] | None,
        on_event: OnEvent | None,
        durability: Durability,
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        compiled = self._graph(graph)
        chunks = compiled.astream(
            begin,
            self._config(graph, thread_id),
            context=context,
            stream_mode=list(STREAMED if on_event else STREAMED[:1]),
            output_keys=compiled.output_channels,
            subgraphs=True,
            durability=durability,
        )
        async for namespace, mode, chunk in chunks:
            if mode != "values":
                for event in read_events(mode, namespace, chunk) if on_event else ():
                    assert on_event is not None
                    on_event(event)
            elif not namespace:
                values = without_marks(chunk)
        return values

    async def state(self, graph: str, thread_id: str) -> ThreadState:
        snapshot = await self._graph(graph).aget_state(self._config(graph, thread_id))
        return ThreadState(
            values=dict(snapshot.values),
            next=snapshot.next,
            interrupts=tuple((each.id, each.value) for each in snapshot.interrupts),
        )

    async def waiting(self, graph: str | None) -> list[Waiting]:
        return await self._checkpoints.waiting(graph)

    async def threads(self, graph: str | None, limit: int) -> list[Thread]:
        return await self._checkpoints.threads(graph, limit=limit)

    async def find(self, thread_id: str) -> Thread | None:
        return next(iter(await self._checkpoints.threads(thread_id=thread_id)), None)

    async def cancel(self, thread_id: str) -> int:
        raise Conflict(
            f"Thread {thread_id} cannot be cancelled from here: a run in a process ends with its command.",
            remedy="Press Ctrl-C where it runs, or give the server's --url.",
        )

    async def discard(self, thread_id: str) -> None:
        await self._checkpoints.adelete_thread(thread_id)

    def _graph(self, name: str) -> Graph:
        if name not in self._graphs:
            kept = {"checkpointer": self._checkpoints, "store": self._store, "name": name}
            self._graphs[name] = self._load(name).copy(kept)
        return self._graphs[name]

    def _config(self, graph: str, thread_id: str) -> RunnableConfig:
        # The server marks its checkpoints with the graph; so must we, or waiting work would be missed.
        config: RunnableConfig = {"configurable": {"thread_id": thread_id, "graph_id": graph}}
        if owner := client_owner():
            config["metadata"] = {"owner": owner}
        return config
