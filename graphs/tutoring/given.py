"""What a client may send: checked as it is written into the state, so that a bad value never stays there."""

from collections.abc import Callable
from typing import Any

from common.errors import BadInput
from graphs.tutoring.devices.spoken import mask_words


def text(name: str) -> Callable[[Any, Any], str]:
    """Reducer: the new text stands; anything but text is refused."""

    def take(old: Any, new: Any) -> str:
        if new is None:
            return ""
        if not isinstance(new, str):
            raise BadInput(f"`{name}` is {type(new).__name__}, not text.", remedy="Send a string.")
        return new

    return take


def question(old: Any, new: Any) -> str:
    """Reducer: the new question, without the passwords in its words."""
    return mask_words(text("student_question")(old, new))


def texts_by_name(old: Any, new: Any) -> dict[str, str]:
    """Reducer: running configurations by device, all of them text."""
    if new is None:
        return {}
    if not isinstance(new, dict) or not all(isinstance(value, str) for value in new.values()):
        raise BadInput(
            "`running_configs` must hold text by device name.", remedy='Send {"R1": "hostname R1 …"}.'
        )
    return {str(key): value for key, value in new.items()}
