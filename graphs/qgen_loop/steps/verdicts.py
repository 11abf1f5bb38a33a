"""The decisions a node can take about a candidate, as plain values."""

from typing import Any

from common.errors import ModelFailed
from graphs.qgen_loop.schemas import RejectionReason


def rejected(reason: RejectionReason, detail: str, duplicate_of: str | None = None) -> dict[str, Any]:
    """The candidate is not taken."""
    return {"outcome": "rejected", "reason": reason, "detail": detail, "duplicate_of": duplicate_of}


def passed(*, validated: bool, notes: list[str] | None = None) -> dict[str, Any]:
    """The candidate is taken; `validated` tells whether a model answered it blind."""
    return {"outcome": "passed", "validated": validated, "notes": notes or []}


def ended(status: str, reason: str) -> dict[str, Any]:
    """The run ends or pauses here; the candidate keeps its place."""
    return {"outcome": "ended", "status": status, "reason": reason}


def reached(count: int) -> str:
    """The reason of a run that has what it wanted."""
    return "1 question is accepted." if count == 1 else f"{count} questions are accepted."


def failed_call(exc: ModelFailed, exhausted_budget: str | None, who: str) -> dict[str, Any] | None:
    """What a failed model call means: a spent budget ends, a dead line suspends, nonsense is None.

    Whatever a provider's client raised (`__cause__`) is no fault of the document: a stream that broke off
    must not exhaust it.
    """
    if exhausted_budget:
        return ended("budget", exhausted_budget)
    if exc.infrastructure or exc.__cause__ is not None:
        return ended(
            "suspended", f"The {who} cannot be reached: {str(exc).rstrip('.')}. Run it again to go on."
        )
    return None
