"""Asking a person: the review payload every client shows, and the answer in every dialect they send."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from langgraph.types import interrupt

from common.errors import BadInput, Conflict
from common.files import content_hash

R = TypeVar("R")

Kind = Literal["approve", "edit", "feedback", "abort"]

_KINDS: dict[str, Kind] = {
    "approve": "approve",
    "accept": "approve",
    "edit": "edit",
    "response": "feedback",
    "respond": "feedback",
    "feedback": "feedback",
    "reject": "abort",
    "ignore": "abort",
    "abort": "abort",
}


@dataclass(frozen=True)
class Decision:
    """What the person decided: everything as proposed, per-item changes, another round, or nothing at all."""

    kind: Kind
    args: dict[str, Any] = field(default_factory=dict)
    message: str = ""
    review_id: str | None = None
    warnings: list[str] = field(default_factory=list)


def ask_person(name: str, args: dict[str, Any], description: str, accept: Callable[[Decision], R]) -> R:
    """Interrupt until an answer comes that belongs to this review and that `accept` takes.

    `accept` raises BadInput for an answer it cannot use; the next interrupt carries the error.
    """
    review_id = content_hash(json.dumps([name, args], sort_keys=True, ensure_ascii=False))[:16]
    error = ""
    while True:
        answer = interrupt(request(name, {**args, "review_id": review_id}, description, error))
        try:
            return accept(_as_shown(_current(read_decision(answer), review_id), args))
        except (BadInput, Conflict) as exc:
            error = str(exc)


def request(name: str, args: dict[str, Any], description: str, error: str = "") -> dict[str, Any]:
    """LangChain's HITL request, with `args` repeated as `arguments` so that every client shows it."""
    shown = {**args, "error": error} if error else args
    told = f"{description}\n\n**The last answer was not taken:** {error}" if error else description
    return {
        "action_requests": [{"name": name, "args": shown, "arguments": shown, "description": told}],
        "review_configs": [{"action_name": name, "allowed_decisions": ["approve", "edit", "reject"]}],
    }


def _current(decision: Decision, review_id: str) -> Decision:
    if decision.review_id is None:
        note = "The answer did not name its review; it was taken for the current one."
        return Decision(decision.kind, decision.args, decision.message, review_id, [note])
    if decision.review_id != review_id:
        raise Conflict(
            "This answer belongs to an earlier state of the review.",
            remedy="Look at the current one and answer again.",
        )
    return decision


def _as_shown(decision: Decision, shown: dict[str, Any]) -> Decision:
    """Undo what generic clients do to a field one edits: they show and send it as text, whatever it was."""
    args = {
        name: _parsed(name, value)
        if isinstance(value, str) and name in shown and not isinstance(shown[name], str)
        else value
        for name, value in decision.args.items()
    }
    return replace(decision, args=args)


def _parsed(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as exc:
        raise BadInput(
            f"{name} is no valid JSON: {exc}.", remedy="Correct the text and send it again."
        ) from exc


def read_decision(answer: Any) -> Decision:
    """The decision in LangChain's dialect, Agent Inbox's, or as a bare word."""
    top = answer if isinstance(answer, dict) else {}
    item = _single(answer)
    word = str(item.get("type", "")).lower()
    if word not in _KINDS:
        raise BadInput(
            f"{word or str(answer)[:80]!r} is not a decision.",
            remedy="Answer with approve, edit, reject or response.",
        )
    args, message = _args(item), _message(item)
    kind = _KINDS[word]
    if kind == "abort" and message and word == "reject":
        kind = "feedback"
    if kind == "feedback" and not message:
        raise BadInput("The feedback is empty.", remedy="Say what should change, or reject without words.")
    review_id = args.pop("review_id", None) or item.get("review_id") or top.get("review_id")
    return Decision(kind, args, message, str(review_id) if review_id else None)


def _single(answer: Any) -> dict[str, Any]:
    """The one decision inside whatever was sent."""
    if isinstance(answer, dict) and "decisions" in answer:
        answer = answer["decisions"]
    if isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    if isinstance(answer, str):
        answer = {"type": answer.strip()}
    if not isinstance(answer, dict):
        raise BadInput("The answer holds no single decision.", remedy="Send exactly one decision.")
    return answer


def _args(item: dict[str, Any]) -> dict[str, Any]:
    """LangChain sends `edited_action.args`, Agent Inbox `args.args`, our own clients `args`."""
    edited = item.get("edited_action")
    found = edited.get("args") if isinstance(edited, dict) else item.get("args")
    if isinstance(found, dict) and isinstance(found.get("args"), dict):
        found = found["args"]
    return dict(found) if isinstance(found, dict) else {}


def _message(item: dict[str, Any]) -> str:
    for key in ("message", "feedback", "args", "response"):
        if isinstance(item.get(key), str):
            return str(item[key]).strip()
    return ""
