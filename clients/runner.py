"""One way to run graphs from the command line: in this process, or on a server with `--url`."""

import asyncio
import uuid
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any, Self, TypeVar

from clients.in_process import InProcess, LoadGraph, load_graph
from clients.on_server import OnServer
from clients.runs import Done, Event, Job, OnEvent, Outcome, Place, Start, ThreadState
from common.errors import BadInput, Conflict, NotFound, StudyError
from common.logs import get_logger
from common.waiting import Thread, Waiting

__all__ = [
    "Done",
    "Event",
    "Job",
    "OnEvent",
    "Outcome",
    "Runner",
    "Thread",
    "ThreadState",
    "Waiting",
    "open_runner",
]

T = TypeVar("T")
# How long a command that is broken off waits for writes that are under way.
SETTLE_SECONDS = 0.5
log = get_logger(__name__)


def open_runner(url: str | None = None, *, load: LoadGraph = load_graph) -> "Runner":
    """A runner on the server at `url`, or in this process where none is given; use it in a `with`."""
    return Runner(OnServer(url) if url else InProcess(load))


class Runner:
    """Runs graphs and waits for them. Every failure is a StudyError."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loop = asyncio.Runner()

    def __enter__(self) -> Self:
        try:
            self._loop.run(self._place.open())
        except BaseException:  # a cancelled opening must close what it opened, too
            self.__exit__()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        try:
            if kind is not None and not issubclass(kind, Exception):
                self._loop.run(_settle())
            self._loop.run(self._place.close())
        finally:
            self._loop.close()

    def run(
        self,
        graph: str,
        input: dict[str, Any],
        *,
        thread_id: str,
        context: dict[str, Any] | None = None,
        on_event: OnEvent | None = None,
    ) -> Outcome:
        """Run a graph on new input; refused where the thread waits for an answer."""
        return self._wait(self._run(graph, Job(thread_id, input, context), on_event))

    def resume(
        self,
        graph: str,
        thread_id: str,
        answer: Any,
        *,
        context: dict[str, Any] | None = None,
        on_event: OnEvent | None = None,
    ) -> Outcome:
        """Answer what the thread asks, and let it go on."""
        return self._wait(self._resume(graph, thread_id, answer, context, on_event))

    def go_on(
        self,
        graph: str,
        thread_id: str,
        *,
        context: dict[str, Any] | None = None,
        on_event: OnEvent | None = None,
    ) -> Outcome:
        """Let a thread that was broken off go on from its last finished step."""
        return self._wait(self._go_on(graph, checked_id(thread_id), context, on_event))

    def state(self, graph: str, thread_id: str) -> ThreadState:
        """Where the thread stands."""
        return self._wait(self._place.state(graph, checked_id(thread_id)))

    def waiting(self, graph: str | None = None) -> list[Waiting]:
        """The threads that wait for an answer, longest waiting first."""
        return self._wait(self._place.waiting(graph))

    def threads(self, graph: str | None = None, *, limit: int = 50) -> list[Thread]:
        """The threads worked on, latest first."""
        return self._wait(self._place.threads(graph, limit))

    def find(self, thread_id: str) -> Thread:
        """The thread with this id; NotFound where there is none."""
        return self._wait(self._find(thread_id))

    def cancel(self, thread_id: str) -> int:
        """Stop what the thread runs on a server; says how many runs that were."""
        return self._wait(self._place.cancel(checked_id(thread_id)))

    def discard(self, thread_id: str) -> None:
        """Forget a thread and whatever it asks; nothing it wrote elsewhere is touched."""
        self._wait(self._place.discard(checked_id(thread_id)))

    def run_many(
        self,
        graph: str,
        jobs: Iterable[Job],
        *,
        concurrency: int = 4,
        on_done: Callable[[Done], None] | None = None,
    ) -> list[Done]:
        """Run jobs side by side, never more than `concurrency`; one job's error stops no other.

        `jobs` is read as places come free, so that a long list is never held as a whole.
        """
        if concurrency < 1:
            raise BadInput(f"Concurrency is {concurrency}.", remedy="Use 1 or more.")
        return self._wait(self._run_many(graph, iter(jobs), concurrency, on_done))

    async def _run(self, graph: str, job: Job, on_event: OnEvent | None = None) -> Outcome:
        thread_id = checked_id(job.thread_id)
        state = await self._place.state(graph, thread_id)
        if state.interrupts:
            raise Conflict(
                f"Thread {thread_id} of {graph} waits for an answer; new input would replace its review.",
                remedy="Answer it, or discard the thread first.",
            )
        start = Start(input=job.input, durability=job.durability)
        return await self._finish(graph, thread_id, start, job.context, on_event)

    async def _resume(
        self,
        graph: str,
        thread_id: str,
        answer: Any,
        context: dict[str, Any] | None,
        on_event: OnEvent | None,
    ) -> Outcome:
        state = await self._place.state(graph, checked_id(thread_id))
        if not state.interrupts:
            raise Conflict(
                f"Thread {thread_id} of {graph} asks nothing.",
                remedy="It was answered already, or never ran here: list what waits.",
            )
        # With several questions open, the answer must say which one it is for.
        resume = {state.interrupts[0][0]: answer} if len(state.interrupts) > 1 else answer
        return await self._finish(graph, thread_id, Start(resume=resume), context, on_event)

    async def _go_on(
        self, graph: str, thread_id: str, context: dict[str, Any] | None, on_event: OnEvent | None
    ) -> Outcome:
        state = await self._place.state(graph, thread_id)
        if state.interrupts or not state.next:
            stands = "waits for an answer" if state.interrupts else "has come to its end"
            raise Conflict(f"Thread {thread_id} of {graph} {stands}.")
        return await self._finish(graph, thread_id, Start(go_on=True), context, on_event)

    async def _find(self, thread_id: str) -> Thread:
        found = await self._place.find(checked_id(thread_id))
        if found is None:
            raise NotFound(f"No thread here is called {thread_id}.", remedy="List them: study runs list.")
        return found

    async def _finish(
        self,
        graph: str,
        thread_id: str,
        start: Start,
        context: dict[str, Any] | None,
        on_event: OnEvent | None,
    ) -> Outcome:
        values = await self._place.execute(graph, thread_id, start, context, on_event)
        state = await self._place.state(graph, thread_id)
        return Outcome(thread_id, values or state.values, state.interrupt)

    async def _run_many(
        self, graph: str, jobs: Iterator[Job], concurrency: int, on_done: Callable[[Done], None] | None
    ) -> list[Done]:
        finished: list[Done] = []

        async def work() -> None:
            for job in jobs:
                done = await self._run_one(graph, job)
                finished.append(done)
                if on_done:
                    on_done(done)

        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work())
        return finished

    async def _run_one(self, graph: str, job: Job) -> Done:
        try:
            return Done(job, outcome=await _plainly(self._run(graph, job)))
        except StudyError as exc:
            return Done(job, error=exc)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run(_plainly(work))


async def _settle() -> None:
    """Let what a broken-off run still writes come to its end, before the files are closed under it."""
    if left := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(left, timeout=SETTLE_SECONDS)


async def _plainly(work: Coroutine[Any, Any, T]) -> T:
    """Let errors that a person can act on through; log any other and say it in one line."""
    try:
        return await work
    except StudyError:
        raise
    except Exception as exc:
        # Graphs may raise anything, and nobody should meet a traceback.
        log.debug("run_failed", exc_info=exc)
        raise StudyError(
            f"The run failed: {type(exc).__name__}: {exc}.", remedy="STUDY_LOG_LEVEL=debug shows where."
        ) from exc


def checked_id(thread_id: str) -> str:
    """Servers know threads by UUID only; so do we everywhere, that threads can move."""
    try:
        return str(uuid.UUID(thread_id))
    except ValueError as exc:
        raise BadInput(
            f"{thread_id!r} is no thread id.", remedy="Use the UUID that a listing shows."
        ) from exc
