"""What every durable checkpointer of ours must do; run on SQLite and on PostgreSQL."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from common.checkpoints import Checkpoints


class State(TypedDict, total=False):
    steps: int
    asked: str
    answer: str
    padding: str


def step(state: State) -> State:
    return {"steps": state.get("steps", 0) + 1}


def ask(state: State) -> State:
    return {"answer": interrupt({"question": state.get("asked", "well?")})}


def build(checkpoints: Checkpoints, *, rounds: int = 3, wait: bool = False) -> CompiledStateGraph[Any]:
    """A loop of `rounds` steps, each with a subgraph of its own, that may end with a question."""
    inner = StateGraph(State).add_node("step", step).add_edge(START, "step").add_edge("step", END).compile()
    builder = StateGraph(State).add_node("work", inner).add_node("ask", ask).add_edge(START, "work")
    last = "ask" if wait else END
    builder.add_conditional_edges("work", lambda state: "work" if state["steps"] < rounds else last)
    builder.add_edge("ask", END)
    return builder.compile(checkpointer=checkpoints)


def on(thread: str, *, graph: str = "demo", run: str | None = None) -> Any:
    metadata = {"run_id": run} if run else {}
    return {
        "configurable": {"thread_id": thread, "graph_id": graph},
        "metadata": metadata,
        "recursion_limit": 1000,
    }


async def stored(checkpoints: Checkpoints, thread: str) -> list[Any]:
    return [row async for row in checkpoints.alist({"configurable": {"thread_id": thread}})]


class CheckpointCases:
    """Subclasses bring a `checkpoints` fixture with a history of 4 and a `count_rows` fixture."""

    async def test_pruning_keeps_the_latest_state_and_the_thread_goes_on(
        self, checkpoints: Checkpoints
    ) -> None:
        graph, thread = build(checkpoints, wait=True), str(uuid4())
        await graph.ainvoke({"steps": 0}, on(thread))
        await checkpoints.aprune([thread])
        rows = await stored(checkpoints, thread)
        assert [row.config["configurable"]["checkpoint_ns"] for row in rows] == [""]
        assert rows[0].parent_config is None
        result = await graph.ainvoke(Command(resume="yes"), on(thread))
        assert result["answer"] == "yes"

    async def test_pruning_with_delete_leaves_nothing(
        self, checkpoints: Checkpoints, count_rows: Callable[[str], Awaitable[int]]
    ) -> None:
        graph, thread, other = build(checkpoints), str(uuid4()), str(uuid4())
        await graph.ainvoke({"steps": 0}, on(thread))
        await graph.ainvoke({"steps": 0}, on(other))
        await checkpoints.aprune([thread], strategy="delete")
        assert await count_rows(thread) == 0
        assert await count_rows(other) > 0

    async def test_a_long_thread_keeps_a_bounded_history(
        self, checkpoints: Checkpoints, count_rows: Callable[[str], Awaitable[int]]
    ) -> None:
        thread = str(uuid4())
        graph = build(checkpoints, rounds=40)
        result = await graph.ainvoke({"steps": 0}, on(thread))
        assert result["steps"] == 40
        roots = [
            row
            for row in await stored(checkpoints, thread)
            if not row.config["configurable"]["checkpoint_ns"]
        ]
        assert 4 <= len(roots) <= 8
        assert await count_rows(thread) < 150
        history = [state async for state in graph.aget_state_history(on(thread))]
        assert history[0].values["steps"] == 40

    async def test_a_run_is_rolled_back(self, checkpoints: Checkpoints) -> None:
        graph, thread, first, second = build(checkpoints, rounds=1), str(uuid4()), str(uuid4()), str(uuid4())
        await graph.ainvoke({"steps": 0, "asked": "first"}, on(thread, run=first))
        await graph.ainvoke({"steps": 0, "asked": "second"}, on(thread, run=second))
        await checkpoints.adelete_for_runs([second])
        state = await graph.aget_state(on(thread))
        assert state.values["asked"] == "first"
        assert state.next == ()
        await checkpoints.adelete_for_runs([])
        assert (await graph.aget_state(on(thread))).values["asked"] == "first"

    async def test_a_copy_goes_its_own_way(self, checkpoints: Checkpoints) -> None:
        graph, source, target = build(checkpoints, wait=True), str(uuid4()), str(uuid4())
        await graph.ainvoke({"steps": 0}, on(source))
        await checkpoints.acopy_thread(source, target)
        result = await graph.ainvoke(Command(resume="copied"), on(target))
        assert result["answer"] == "copied"
        assert (await graph.aget_state(on(source))).next == ("ask",)

    async def test_resting_threads_keep_their_latest_state_only(
        self, checkpoints: Checkpoints, count_rows: Callable[[str], Awaitable[int]]
    ) -> None:
        graph, thread = build(checkpoints, wait=True), str(uuid4())
        await graph.ainvoke({"steps": 0}, on(thread))
        before = await count_rows(thread)
        assert thread not in await checkpoints.sweep(datetime.now(UTC) - timedelta(minutes=5))
        assert await count_rows(thread) == before
        assert thread in await checkpoints.sweep(datetime.now(UTC) + timedelta(minutes=5))
        assert await count_rows(thread) < before
        assert (await graph.ainvoke(Command(resume="late"), on(thread)))["answer"] == "late"

    async def test_waiting_threads_are_listed_from_the_checkpoints(self, checkpoints: Checkpoints) -> None:
        graph, mine, other, done = build(checkpoints, wait=True), str(uuid4()), str(uuid4()), str(uuid4())
        await graph.ainvoke({"steps": 0, "asked": "ready?"}, on(mine))
        await graph.ainvoke({"steps": 0}, on(other, graph="another"))
        await graph.ainvoke({"steps": 0}, on(done))
        await graph.ainvoke(Command(resume="ok"), on(done))
        found = await checkpoints.waiting("demo")
        assert [each.thread_id for each in found] == [mine]
        assert found[0].interrupt == {"question": "ready?"}
        assert abs(datetime.now(UTC) - found[0].since) < timedelta(minutes=1)
        assert {each.thread_id for each in await checkpoints.waiting()} == {mine, other}

    async def test_threads_are_listed_with_how_they_stand(self, checkpoints: Checkpoints) -> None:
        asking, done, broken = build(checkpoints, wait=True), build(checkpoints), str(uuid4())
        waits, rests = str(uuid4()), str(uuid4())
        await asking.ainvoke({"steps": 0}, on(waits))
        await done.ainvoke({"steps": 0}, on(rests, graph="another"))
        with pytest.raises(TypeError):
            await done.ainvoke({"steps": "many"}, on(broken))  # type: ignore[typeddict-item]
        found = await checkpoints.threads()
        assert [(each.thread_id, each.status) for each in found] == [
            (broken, "failed"),
            (rests, "rests"),
            (waits, "waits"),
        ]
        assert [each.thread_id for each in await checkpoints.threads("another")] == [rests]
        assert [each.graph for each in await checkpoints.threads(thread_id=waits)] == ["demo"]
        assert len(await checkpoints.threads(limit=2)) == 2
        assert await checkpoints.threads(thread_id=str(uuid4())) == []
