"""Masks passwords in device configurations at the door: no checkpoint, run or log sees them."""

from typing import Any

import graphs

# Inputs of the tutor that hold what a device said.
_DEVICE_WORDS = ("running_configs", "cli_history")


def masked(sent: Any) -> Any:
    """The same with every secret in device output hidden; the very object where there is none."""
    if isinstance(sent, dict):
        changed = {
            key: _hidden(value) if key in _DEVICE_WORDS else masked(value) for key, value in sent.items()
        }
        return changed if any(changed[key] is not sent[key] for key in sent) else sent
    if isinstance(sent, list):
        items = [masked(each) for each in sent]
        return items if any(new is not old for new, old in zip(items, sent, strict=True)) else sent
    return sent


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        clean = graphs.part("tutoring", "devices.masking", "mask_secrets")(value)
        return value if clean == value else clean
    if isinstance(value, dict):
        return {key: _hidden(each) for key, each in value.items()}
    return [_hidden(each) for each in value] if isinstance(value, list) else value
