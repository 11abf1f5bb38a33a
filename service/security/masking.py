"""Masks passwords in what devices and students said at the door: no checkpoint, run or log sees them."""

from typing import Any

import graphs

# Inputs of the tutor that hold what a device said.
_DEVICE_WORDS = ("running_configs", "cli_history")
# And those that hold the student's own words.
_SPOKEN_WORDS = ("student_question", "messages")
_MASKS = {
    **dict.fromkeys(_DEVICE_WORDS, ("devices.masking", "mask_secrets")),
    **dict.fromkeys(_SPOKEN_WORDS, ("devices.spoken", "mask_words")),
}


def masked(sent: Any) -> Any:
    """The same with every secret in device output hidden; the very object where there is none."""
    if isinstance(sent, dict):
        changed = {
            key: _hidden(value, _MASKS[key]) if key in _MASKS else masked(value)
            for key, value in sent.items()
        }
        return changed if any(changed[key] is not sent[key] for key in sent) else sent
    if isinstance(sent, list):
        items = [masked(each) for each in sent]
        return items if any(new is not old for new, old in zip(items, sent, strict=True)) else sent
    return sent


def _hidden(value: Any, mask: tuple[str, str]) -> Any:
    if isinstance(value, str):
        clean = graphs.part("tutoring", *mask)(value)
        return value if clean == value else clean
    if isinstance(value, dict):
        return {key: _hidden(each, mask) for key, each in value.items()}
    return [_hidden(each, mask) for each in value] if isinstance(value, list) else value
