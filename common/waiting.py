"""What waits for a person's answer, as the checkpoints tell it."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.types import Interrupt

# Checkpoint ids are version 6 UUIDs: their leading bits are the time, in steps of 100 ns since 1582.
_EPOCH = datetime(1582, 10, 15, tzinfo=UTC)


@dataclass(frozen=True)
class Waiting:
    """One thread that stands at an interrupt."""

    thread_id: str
    graph: str
    interrupt: Any
    interrupt_id: str
    since: datetime
    owner: str = ""


def saved_at(checkpoint_id: str) -> datetime:
    """When the checkpoint with this id was saved."""
    number = uuid.UUID(checkpoint_id).int
    ticks = (number >> 80) << 12 | (number >> 64) & 0xFFF
    return _EPOCH + timedelta(microseconds=ticks // 10)


def earliest_id(moment: datetime) -> str:
    """The smallest checkpoint id that can have been made at this moment."""
    ticks = (moment - _EPOCH) // timedelta(microseconds=1) * 10
    number = (ticks >> 12) << 80 | 0x6 << 76 | (ticks & 0xFFF) << 64
    return str(uuid.UUID(int=number))


def read_waiting(
    thread_id: str, checkpoint_id: str, graph: str | None, written: Any, owner: str | None = None
) -> Iterable[Waiting]:
    """The interrupts in one stored write; normally there is exactly one."""
    for interrupt in written if isinstance(written, (list, tuple)) else [written]:
        if isinstance(interrupt, Interrupt):
            yield Waiting(
                thread_id=thread_id,
                graph=graph or "",
                interrupt=interrupt.value,
                interrupt_id=interrupt.id,
                since=saved_at(checkpoint_id),
                owner=owner or "",
            )
