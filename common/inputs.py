"""Input held against its shape: LangGraph itself neither checks what a run is sent nor fills in defaults."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from common.errors import BadInput

T = TypeVar("T", bound=BaseModel)


def checked_input(shape: type[T], state: Mapping[str, Any]) -> T:
    """What a run was sent, with its defaults; BadInput names the first field that is wrong.

    The first node of every graph calls it. A key that holds None counts as left out.
    """
    sent = {name: state[name] for name in shape.model_fields if state.get(name) is not None}
    try:
        return shape.model_validate(sent)
    except ValidationError as exc:
        raise bad_input(exc) from exc


def bad_input(exc: ValidationError) -> BadInput:
    """The first fault of an input or a context, said in one line."""
    fault = exc.errors()[0]
    field = ".".join(str(part) for part in fault["loc"]) or "the input"
    more = f" ({exc.error_count() - 1} more)" if exc.error_count() > 1 else ""
    return BadInput(f"{field}: {fault['msg']}{more}.", remedy="Correct it and try again.")
