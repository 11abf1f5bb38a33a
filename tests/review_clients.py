"""What two public review clients would make of a payload of ours, written from how they behave.

agent-chat-ui reads LangChain's request as it is; Agent Inbox turns it into its own older form first. Both
show the description as Markdown and every argument as a text field of its own, and both send back an
edited field as text.
"""

import json
from dataclasses import dataclass
from typing import Any

DECISIONS = {"approve", "edit", "reject"}


@dataclass(frozen=True)
class Shown:
    """What the person sees: a heading, a description, one text field per argument, and the buttons."""

    heading: str
    description: str
    fields: dict[str, str]
    buttons: set[str]


class NotShown(Exception):
    """The client falls back to a bare JSON dump, or to a card that says the schema is improper."""


def _need(condition: object, why: str) -> None:
    if not condition:
        raise NotShown(why)


def _as_text(value: Any) -> str:
    """As a form field; JSON only, or the page could not have received it."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def agent_chat_ui(payload: Any) -> Shown:
    """LangChain's request: one action, and the review configuration that bears its name."""
    _need(isinstance(payload, dict), "the request is no object")
    requests, configs = payload.get("action_requests"), payload.get("review_configs")
    _need(isinstance(requests, list) and requests, "no action_requests")
    _need(isinstance(configs, list) and configs, "no review_configs")
    action = requests[0]
    _need(isinstance(action.get("name"), str) and action["name"], "the action has no name")
    _need(isinstance(action.get("args"), dict), "the action's args are no object")
    _need(isinstance(action.get("description", ""), str), "the description is no text")
    config = next((each for each in configs if each.get("action_name") == action["name"]), None)
    _need(config, "no review configuration for this action")
    assert config is not None
    allowed = set(config.get("allowed_decisions") or [])
    _need(allowed and allowed <= DECISIONS, f"unknown decisions {allowed}")
    fields = {name: _as_text(value) for name, value in action["args"].items()}
    return Shown(action["name"], action.get("description", ""), fields, allowed)


def agent_inbox(payload: Any) -> Shown:
    """The older form: `action_request` and `config`, made from the newer one where that is sent."""
    _need(isinstance(payload, dict), "the interrupt is no object")
    requests = payload.get("action_requests")
    _need(isinstance(requests, list) and requests, "improper schema")
    action = requests[0]
    arguments = action.get("args", action.get("arguments"))
    _need(isinstance(arguments, dict) and arguments, "no arguments")
    _need(action.get("arguments") == arguments, "older clients read `arguments`")
    configs = payload.get("review_configs") or [{}]
    allowed = set(configs[0].get("allowed_decisions") or DECISIONS)
    names = {"approve": "accept", "edit": "edit", "reject": "response"}
    fields = {name: _as_text(value) for name, value in arguments.items()}
    buttons = {names[each] for each in allowed}
    return Shown(action.get("name") or "", action.get("description") or "", fields, buttons)


def edited_in_chat(payload: Any, field: str, text: str) -> dict[str, Any]:
    """What agent-chat-ui sends when a person has changed one field."""
    action = payload["action_requests"][0]
    edited = {"name": action["name"], "args": {**action["args"], field: text}}
    return {"decisions": [{"type": "edit", "edited_action": edited}]}


def edited_in_inbox(payload: Any, field: str, text: str) -> list[dict[str, Any]]:
    """What Agent Inbox sends when a person has changed one field."""
    action = payload["action_requests"][0]
    return [{"type": "edit", "args": {"action": action["name"], "args": {**action["args"], field: text}}}]
