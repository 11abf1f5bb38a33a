"""What one turn of the model means: an action, a final answer, or nothing usable."""

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Step:
    """One ReAct step. `repairs` says what had to be set right, or, for an error, what is wrong."""

    kind: Literal["action", "final", "error"]
    tool: str | None = None
    input: dict[str, Any] | None = None
    repairs: list[str] = field(default_factory=list)


def action(tool: str, arguments: dict[str, Any], repairs: list[str]) -> Step:
    """A call of a known tool."""
    return Step("action", tool, arguments, list(dict.fromkeys(repairs)))


def final(repairs: list[str]) -> Step:
    """The model says that it is done; what it retyped is not kept."""
    return Step("final", None, None, list(dict.fromkeys(repairs)))


def failed(reason: str, repairs: list[str]) -> Step:
    """Nothing to act on, with the reason first."""
    return Step("error", None, None, [reason, *dict.fromkeys(repairs)])
