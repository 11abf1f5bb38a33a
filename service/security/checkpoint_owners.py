"""Whose a thread is, read from its checkpoints: they are what survives a kill."""

from common.checkpoints import Checkpoints
from common.folders import LOCAL

_kept: list[Checkpoints] = []


def keep(checkpoints: Checkpoints) -> None:
    """Called once the application has opened its checkpoints."""
    _kept[:] = [checkpoints]


async def owner_of_thread(thread_id: str) -> str | None:
    """The owner in the latest checkpoint; `local` where none is written; None for no checkpoint at all."""
    if not _kept:
        return None
    found = await _kept[0].aget_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
    if found is None:
        return None
    # Run metadata may hold any key.
    metadata: dict[str, object] = dict(found.metadata)
    return str(metadata.get("owner") or LOCAL)
