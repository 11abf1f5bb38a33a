"""Whose a thread is, read from its checkpoints: they are what survives a kill."""

from typing import Any

from common.checkpoints import Checkpoints
from common.folders import LOCAL

_kept: list[Checkpoints] = []


def keep(checkpoints: Checkpoints) -> None:
    """Called once the application has opened its checkpoints."""
    _kept[:] = [checkpoints]


async def metadata_of_thread(thread_id: str) -> dict[str, Any]:
    """What is written beside the thread's latest checkpoint; empty for no checkpoint at all."""
    if not _kept:
        return {}
    found = await _kept[0].aget_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
    return dict(found.metadata) if found else {}


async def owner_of_thread(thread_id: str) -> str | None:
    """The owner in the latest checkpoint; `local` where none is written; None for no checkpoint at all."""
    metadata = await metadata_of_thread(thread_id)
    return str(metadata.get("owner") or LOCAL) if metadata else None
