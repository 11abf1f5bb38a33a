"""The whole graph in children that are killed after the approval: run as `python -m … DIR KILLS`.

Each child resumes a review that waits in a checkpoint file and dies at one step of the commit; then
the thread is run on in another child. Prints one JSON line for each.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command

from common.settings import get_settings
from graphs.concept_extraction.graph import builder
from graphs.concept_extraction.knowledge import open_knowledge
from tests.unit.concept_extraction.killing import Countdown, armed, transaction_of

QUOTES = "# Citas\n\nSólo el tiempo es nuestro.\n12\n\nNadie es libre si teme.\n13\n"
BOOK = {"text": QUOTES, "title": "Cartas", "author": "Anónimo"}
MODELS = {f"{role}_model": "rules" for role in ("reasoning", "checking", "simple")}
CONTEXT = {**MODELS, "embedder": "ngram"}
CONFIG: Any = {"configurable": {"thread_id": "thread"}}


async def step_on(folder: Path, given: Any) -> dict[str, Any]:
    async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.sqlite")) as saver:
        graph = builder.compile(checkpointer=saver)
        if given == "go on":
            waits = (await graph.aget_state(CONFIG)).interrupts
            given = Command(resume="approve") if waits else None
        return dict(await graph.ainvoke(given, CONFIG, context=CONTEXT))  # type: ignore[arg-type]


async def look() -> dict[str, Any]:
    async with open_knowledge("ngram", 512) as store:
        graph = await store.snapshot()
        return {
            "concepts": sum(item["label"] == "Concept" for item in graph["nodes"]),
            "supports": sum(edge["type"] == "SUPPORTS" for edge in graph["edges"]),
            "runs": len(await store.runs()),
        }


def in_child(folder: Path, given: Any, at: int = 0) -> bool:
    """Whether the child came to its end."""
    child = os.fork()
    if child == 0:
        if at:
            armed(transaction_of(""), Countdown(at))
        asyncio.run(step_on(folder, given))
        os._exit(0)
    return os.WIFEXITED(os.waitpid(child, 0)[1])


def main(folder: Path, kills: int) -> None:
    for number in range(kills):
        place = folder / str(number)
        place.mkdir(parents=True)
        os.environ["STUDY_DATA_DIR"] = str(place)
        get_settings.cache_clear()
        assert in_child(place, BOOK)
        ended = in_child(place, Command(resume="approve"), at=1 + number * 4)
        after = asyncio.run(look())
        assert in_child(place, "go on") or in_child(place, "go on")
        notes = sorted(path.name for path in (place / "zettel").iterdir())
        print(
            json.dumps({"ended": ended, "after": after, "final": asyncio.run(look()), "notes": notes}),
            flush=True,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
