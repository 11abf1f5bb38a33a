"""What people do with a knowledge base beside extracting: search it, export it, take a run back."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from common.embeddings import get_embedder
from common.errors import BadInput
from common.files import content_hash
from common.folders import own_part
from common.settings import get_settings
from graphs.concept_extraction.knowledge import KnowledgeStore, open_knowledge
from graphs.concept_extraction.knowledge.mirror import copy_into, open_mirror
from graphs.concept_extraction.obsidian import work_off

Item = dict[str, Any]


def notes_folder() -> Path:
    """Where notes go: STUDY_ZETTEL_DIR, or a folder of ours; to each owner their own."""
    settings = get_settings()
    return own_part(settings.zettel_dir) if settings.zettel_dir else own_part(settings.data_dir) / "zettel"


def opened(embedder: str | None = None) -> AbstractAsyncContextManager[KnowledgeStore]:
    """The knowledge base for the configured embedder. This loads a model: call it off the event loop."""
    chosen = get_embedder(embedder)
    return open_knowledge(chosen.name, chosen.dimension)


async def search(text: str, limit: int = 10) -> list[Item]:
    """Concepts near a text, best first."""
    if not text.strip():
        raise BadInput("There is nothing to search for.", remedy="Give a few words.")
    embedder = await asyncio.to_thread(get_embedder, None)
    query = await embedder.embed([text])
    async with await asyncio.to_thread(opened) as store:
        hits = (await store.nearest_concepts(query, limit, 0.0))[0]
    return [
        {"uuid": h.concept.uuid, "title": h.concept.title, "concept": h.concept.concept, "score": h.score}
        for h in hits
    ]


async def runs() -> list[Item]:
    """Every commit, newest first."""
    async with await asyncio.to_thread(opened) as store:
        found, contents = await store.runs(), {item.uuid: item for item in await store.contents()}
    listed = [
        {
            "run_id": run["run_id"],
            "title": contents[run["content_uuid"]].title if run["content_uuid"] in contents else "",
            "when": run["processed_date"],
            "status": run["status"],
            "created": len(run["receipt"]["created"]),
        }
        for run in found.values()
    ]
    return sorted(listed, key=lambda run: (run["when"], run["run_id"]), reverse=True)


async def undo(run_id: str) -> Item:
    """Take a run back, in the base and in the notes."""
    async with await asyncio.to_thread(opened) as store:
        report = await store.undo(run_id)
        notes = await work_off(store, await asyncio.to_thread(notes_folder))
    return {**report.model_dump(), "notes": asdict(notes)}


async def contents() -> list[Item]:
    async with await asyncio.to_thread(opened) as store:
        return [content.model_dump() for content in await store.contents()]


async def snapshot() -> Item:
    """The whole graph as JSON."""
    async with await asyncio.to_thread(opened) as store:
        return await store.snapshot()


async def export_notes(folder: Path) -> Item:
    """Every concept as a note in this folder; what a person changed there stays."""
    async with await asyncio.to_thread(opened) as store:
        return asdict(await work_off(store, folder, everything=True))


async def export_snapshot(graph: Item, folder: Path, source: str) -> Item:
    """The notes of another base, named by its `source`, from what its `snapshot` says."""
    path = get_settings().data_dir / "mirrors" / f"{content_hash(source)[:16]}.sqlite"
    async with open_mirror(path) as mirror:
        await copy_into(mirror, graph)
        return asdict(await work_off(mirror, folder, everything=True))
