"""Running the whole graph in a test: a thread, a scripted reader, answers to its questions."""

from itertools import count
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from common import models
from graphs.concept_extraction.graph import builder
from graphs.concept_extraction.knowledge import KnowledgeStore, open_knowledge
from tests.fakes.concept_extraction_reader import Reader
from tests.fakes.scripted import ScriptedModel

QUOTES = """# Citas

## Del tiempo

Sólo el tiempo es nuestro.
12

Quien pospone la vida la pierde.
13

## Del ánimo

Nadie es libre si teme.
31
"""

_numbers = count()

BOOK = {"text": QUOTES, "title": "Cartas", "author": "Anónimo"}


class Flow:
    """One thread of concept_extraction."""

    def __init__(
        self, reader: Reader | None = None, saver: BaseCheckpointSaver[Any] | None = None, **context: Any
    ) -> None:
        self.reader = reader or Reader()
        # Clients are kept by their name: every flow has a reader of its own.
        spec = f"scripted:reader-{next(_numbers)}"
        models.register(spec, ScriptedModel(replies=[self.reader]))
        chosen = {f"{role}_model": spec for role in ("reasoning", "checking", "simple")}
        self.context = {**chosen, "embedder": "use", **context}
        self.graph = builder.compile(checkpointer=saver or InMemorySaver())
        self.config = {"configurable": {"thread_id": "thread"}}
        self.out: dict[str, Any] = {}

    async def start(self, **given: Any) -> dict[str, Any]:
        return await self._go({**BOOK, **given} if "content_uuid" not in given else given)

    async def answer(self, kind: str = "approve", message: str = "", **args: Any) -> dict[str, Any]:
        decision: dict[str, Any] = {"type": kind}
        if kind == "edit":
            decision["edited_action"] = {"name": "review_concepts", "args": args}
        elif message:
            decision["message"] = message
        return await self.send({"decisions": [decision]})

    async def send(self, answer: Any) -> dict[str, Any]:
        return await self._go(Command(resume=answer))

    async def _go(self, given: Any) -> dict[str, Any]:
        self.out = await self.graph.ainvoke(given, self.config, context=self.context)  # type: ignore[arg-type]
        return self.out

    @property
    def asked(self) -> dict[str, Any]:
        """What the person is asked."""
        request = self.out["__interrupt__"][0].value["action_requests"][0]
        assert request["args"] == request["arguments"]
        return dict(request["args"])

    @property
    def name(self) -> str:
        return str(self.out["__interrupt__"][0].value["action_requests"][0]["name"])

    @property
    def concepts(self) -> dict[str, dict[str, Any]]:
        """What is under review, by title."""
        return {item["title"]: item for item in self.asked["concepts"]}

    async def state(self) -> dict[str, Any]:
        return dict((await self.graph.aget_state(self.config)).values)  # type: ignore[arg-type]


def base() -> KnowledgeStore:
    """The knowledge base that the graph used."""
    return open_knowledge("use", 512)


async def snapshot() -> dict[str, Any]:
    async with base() as store:
        return await store.snapshot()


async def titles() -> set[str]:
    async with base() as store:
        return {concept.title for concept in (await store.concepts()).values()}


def files(data_dir: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((data_dir / "zettel").glob("*"))}
