"""Threads as their checkpoints tell of them: which were worked on, and which wait for a person's answer."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from langgraph.types import Interrupt

# Checkpoint ids are version 6 UUIDs: their leading bits are the time, in steps of 100 ns since 1582.
_EPOCH = datetime(1582, 10, 15, tzinfo=UTC)


Status = Literal["waits", "runs", "failed", "rests"]


@dataclass(frozen=True)
class Thread:
    """One thread, and how it stands since its latest checkpoint.

    What rests has come to its end, or was broken off: its next nodes tell.
    """

    thread_id: str
    graph: str
    status: Status
    since: datetime


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


def read_thread(thread_id: str, checkpoint_id: str, graph: str | None, marks: str | None) -> Thread:
    """One thread from the names of the special writes at its latest checkpoint."""
    status: Status = "rests"
    if marks:
        status = "waits" if "__interrupt__" in marks else "failed"
    return Thread(thread_id, graph or "", status, saved_at(checkpoint_id))


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
