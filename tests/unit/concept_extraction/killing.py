"""A process that forks children which commit and are killed by SIGKILL: run as `python -m … DIR KILLS`.

Everything is imported once; each child is a process of its own and dies at one step of the commit,
or at a moment that its parent chooses. Prints what was found after every kill as one JSON line.
"""

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphs.concept_extraction.knowledge import CommitPlan, KnowledgeStore
from graphs.concept_extraction.knowledge.neo4j import Neo4jBackend, Neo4jTransaction
from graphs.concept_extraction.knowledge.sqlite import SqliteBackend, SqliteTransaction
from graphs.concept_extraction.obsidian import vault, work_off
from tests.unit.concept_extraction.contract import DIMENSION, plan_for, saved, vectors_of

STEPS = ("records", "nodes", "edges", "edges_of", "put_nodes", "put_edges", "put_records", "delete_records")


class Countdown:
    """Kills this process at the n-th step."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def armed(kind: Any, step: Countdown) -> None:
    for name in STEPS:
        real = getattr(kind, name)

        def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
            async def counted(*args: Any, **kwargs: Any) -> Any:
                step()
                result = await real(*args, **kwargs)
                step()
                return result

            return counted

        setattr(kind, name, wrap(real))
    write = vault.write_atomic

    def written(*args: Any) -> None:
        step()
        write(*args)
        step()

    vault.write_atomic = written


def store_at(target: str) -> KnowledgeStore:
    if target.startswith("bolt://"):
        uri, user, password = target.split(" ")
        return KnowledgeStore(Neo4jBackend(uri, user, password), "test", DIMENSION)
    return KnowledgeStore(SqliteBackend(Path(target)), "test", DIMENSION)


def transaction_of(target: str) -> Any:
    return Neo4jTransaction if target.startswith("bolt://") else SqliteTransaction


async def plan_in(store: KnowledgeStore, run: str) -> CommitPlan:
    content, quotes = await saved(store)
    return plan_for(content, quotes, [f"Idea {run} a", f"Idea {run} b", f"Idea {run} c"], run)


async def commit(target: str, notes: Path, run: str) -> None:
    async with store_at(target) as store:
        plan = await plan_in(store, run)
        await store.apply(plan, vectors_of(plan))
        await work_off(store, notes)


async def look(target: str, run: str) -> dict[str, Any]:
    """What of this run is there: nothing, all, or (never) a part."""
    async with store_at(target) as store:
        plan = await plan_in(store, run)
        ids = [item.concept.uuid for item in plan.concepts]
        around = await store.surroundings(ids)
        edges = sum(len(item.relations) + len(item.quotes) for item in around.values())
        outbox = len(set(await store.outbox()) & set(ids))
        return {
            "concepts": len(around),
            "edges": edges,
            "applied": await store.run(plan.run_id) is not None,
            "outbox": outbox,
        }


def killed(target: str, notes: Path, run: str, at: int, delay: float) -> bool:
    """Commit in a child that dies at step `at`, or after `delay` seconds; False where it came to its end."""
    child = os.fork()
    if child == 0:
        if at:
            armed(transaction_of(target), Countdown(at))
        asyncio.run(commit(target, notes, run))
        os._exit(0)
    if not at:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def measured(target: str, notes: Path) -> tuple[int, float]:
    """How many steps one commit with its notes has, and how many seconds, in a child that lives."""
    reader, writer = os.pipe()
    start = time.monotonic()
    if os.fork() == 0:
        endless = Countdown(10**9)
        armed(transaction_of(target), endless)
        asyncio.run(commit(target, notes, "count"))
        os.write(writer, str(10**9 - endless.left).encode())
        os._exit(0)
    os.close(writer)
    os.wait()
    return int(os.read(reader, 100)), time.monotonic() - start


def main(target: str, notes: Path, kills: int) -> None:
    asyncio.run(commit(target, notes, "warm"))
    steps, seconds = measured(target, notes)
    stride = max(1, steps * 3 // (kills * 2))
    step = 0
    for number in range(kills):
        run = f"{number}"
        by_step = number % 3 != 2
        step = step + stride if by_step else step
        at = step if by_step else 0
        died = killed(target, notes, run, at, random.uniform(0, seconds))
        if by_step and not died:
            step = 1
        after = asyncio.run(look(target, run))
        asyncio.run(commit(target, notes, run))
        final = asyncio.run(look(target, run))
        names = sum(f"Idea {run} " in path.name for path in notes.glob("*.md"))
        found = {"died": died, "step": at, "after": after, "final": final, "notes": names}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
