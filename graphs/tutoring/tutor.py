"""NetworkingLabTutor: the tutor as a Python object. Every answer runs the graph, on the durable files."""

import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from common.checkpoints import open_checkpointer
from common.store import open_store
from common.threads import thread_id
from graphs.tutoring.labs import Lab, get_lab, lab_ids
from graphs.tutoring.progress import GUEST, add_evidence, delete_evidence, list_evidence, list_mastery
from graphs.tutoring.schemas import CliEntry, Evidence, Mastery

ANSWERING = ("teaching_feedback_node", "feedback_node")


class Chunk(str):
    """A piece of an answer; `phase` tells where the answer stands. Pieces join to the whole text."""

    phase: str

    def __new__(cls, text: str, phase: str) -> "Chunk":
        """A piece of text in a phase; phases without text come as empty pieces."""
        made = super().__new__(cls, text)
        made.phase = phase
        return made


class NetworkingLabTutor:
    """One student's conversation about one lab."""

    def __init__(
        self, student: str = GUEST, conversation: str = "main", context: dict[str, Any] | None = None
    ) -> None:
        self.student = student
        self.conversation = conversation
        self.context = context or {}
        self.lab: Lab | None = None
        self.cli_history: list[CliEntry] = []
        self.last: dict[str, Any] = {}

    @property
    def thread(self) -> str:
        """The thread of this student, lab and conversation."""
        return thread_id("tutoring", self.student, self.lab.id if self.lab else "", self.conversation)

    @staticmethod
    def labs() -> list[str]:
        """The labs there are."""
        return lab_ids()

    def start_lab(self, lab_id: str) -> dict[str, Any]:
        """Begin or take up a lab; an unknown one is refused with the nearest name."""
        self.lab = get_lab(lab_id)
        self.cli_history = []
        return {"lab": self.lab.id, "title": self.lab.title, "instructions": self.lab.instructions()}

    def add_command(self, command: str, output: str, prompt: str | None = None) -> None:
        """Show the tutor a command and its output; the next question is about it."""
        self.cli_history.append(CliEntry(command=command, output=output, prompt=prompt))

    async def ask(
        self,
        question: str,
        cli_history: list[Any] | None = None,
        running_configs: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """Ask, and wait for the whole answer: `response`, and how it came about."""
        async for _ in self.ask_stream(question, cli_history, running_configs):
            pass
        return self.last

    async def ask_stream(
        self,
        question: str,
        cli_history: list[Any] | None = None,
        running_configs: dict[str, str] | None = None,
    ) -> AsyncIterator[Chunk]:
        """Ask, and read the answer as it is written; `last` holds the whole result afterwards."""
        phase, values = "prepare", dict[str, Any]()
        async with self._graph() as graph:
            async for mode, event in graph.astream(
                self._turn(question, cli_history, running_configs),
                {"configurable": {"thread_id": self.thread}},
                context=self.context or None,
                stream_mode=["custom", "messages", "values"],
            ):
                if mode == "custom" and "phase" in event:
                    phase = event["phase"]
                    yield Chunk("", phase)
                elif mode == "messages" and spoken(event):
                    yield Chunk(str(event[0].text), phase)
                elif mode == "values":
                    values = event
        self.cli_history = []
        self.last = result(values)

    def _turn(
        self, question: str, cli_history: list[Any] | None, running_configs: dict[str, str] | None
    ) -> dict[str, Any]:
        history = cli_history if cli_history is not None else self.cli_history
        entries = [item if isinstance(item, dict) else item.model_dump() for item in history]
        return {
            "student_question": question,
            "cli_history": entries,
            "current_lab": self.lab.id if self.lab else "",
            "student_id": self.student,
            "running_configs": running_configs or {},
        }

    @asynccontextmanager
    async def _graph(self) -> AsyncIterator[Any]:
        # The graph's module imports this package, so it is loaded when it is first needed.
        builder = importlib.import_module("graphs.tutoring.graph").builder
        async with open_checkpointer() as checkpointer, open_store() as store:
            yield builder.compile(checkpointer=checkpointer, store=store)

    async def progress(self) -> list[Mastery]:
        """What the student knows, best known first."""
        async with open_store() as store:
            return await list_mastery(store, self.student)

    async def evidence(self) -> list[Evidence]:
        """What that rests on."""
        async with open_store() as store:
            return await list_evidence(store, self.student)

    async def forget_evidence(self, evidence_id: str) -> Evidence:
        """Delete one observation; mastery is worked out again."""
        async with open_store() as store:
            return await delete_evidence(store, self.student, evidence_id)

    async def note(self, evidence: list[Evidence]) -> dict[str, float]:
        """Add observations made elsewhere, such as a lab's checks."""
        async with open_store() as store:
            return await add_evidence(store, self.student, evidence)


def spoken(event: Any) -> bool:
    """Whether a message event is a piece of the answer."""
    message, metadata = event
    return metadata.get("langgraph_node") in ANSWERING and message.type in ("ai", "AIMessageChunk")


def result(values: dict[str, Any]) -> dict[str, Any]:
    """A turn's state as callers want it."""
    keys = ("intent", "tutoring_strategy", "cli_diagnoses", "sources", "retrieved_docs", "lab_checks", "quiz",
            "mastery_level", "origin", "warnings", "conversation_history", "hints_given")  # fmt: skip
    return {"response": values.get("feedback_message", ""), **{key: values.get(key) for key in keys}}
