"""Which failures are worth a second try."""

import httpx
import pytest
from ollama import ResponseError
from pydantic import BaseModel, ValidationError

from common.errors import BadInput, ModelFailed, StudyError, Unavailable, retry_on, status_of


class Sdk(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(f"status {code}")
        self.code = code


def http_error(code: int) -> httpx.HTTPStatusError:
    request = httpx.Request("GET", "http://127.0.0.1")
    return httpx.HTTPStatusError("no", request=request, response=httpx.Response(code, request=request))


def invalid() -> ValidationError:
    class Shape(BaseModel):
        n: int

    with pytest.raises(ValidationError) as caught:
        Shape.model_validate({"n": "x"})
    return caught.value


def caused_by(cause: Exception) -> Exception:
    wrapper = RuntimeError("wrapped")
    wrapper.__cause__ = cause
    return wrapper


@pytest.mark.parametrize(
    ("exc", "wanted"),
    [
        (http_error(429), True),
        (http_error(503), True),
        (http_error(404), False),
        (ResponseError("model not found", 404), False),
        (Sdk(429), True),
        (Sdk(400), False),
        (TimeoutError(), True),
        (ConnectionRefusedError(), True),
        (httpx.ReadTimeout("slow"), True),
        (caused_by(httpx.ConnectError("no")), True),
        (caused_by(Sdk(500)), True),
        (ValueError("bad json"), False),
        (invalid(), False),
        (Unavailable("Anki is closed."), True),
        (BadInput("no"), False),
        (ModelFailed("no"), False),
    ],
)
def test_retry_on(exc: Exception, wanted: bool) -> None:
    assert retry_on(exc) is wanted


def test_status_of_something_else() -> None:
    assert status_of(Sdk(7)) is None


def test_message_and_remedy() -> None:
    assert (
        str(StudyError("Note a.md is empty.", remedy="Write something."))
        == "Note a.md is empty. Write something."
    )
    assert str(StudyError("Only this.")) == "Only this."


def test_a_message_without_a_stop_does_not_run_into_its_remedy() -> None:
    assert str(StudyError("the model is down", remedy="Start it.")) == "the model is down. Start it."
    assert str(StudyError("the model is down")) == "the model is down"
