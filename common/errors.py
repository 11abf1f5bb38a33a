"""The few errors a person can meet, each saying what to do and whether a retry can help."""

from collections.abc import Iterator


class StudyError(RuntimeError):
    """Something went wrong with one named item; `remedy` says what to do about it.

    A RuntimeError, because the LangGraph server tells clients the message of those and hides others'.
    """

    status = 500
    retryable = False

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        # What a provider said may end without a stop, and would run into the remedy.
        stop = "" if self.message.endswith((".", "!", "?", "…", ":")) else "."
        return f"{self.message}{stop} {self.remedy}" if self.remedy else self.message


class BadInput(StudyError):
    """What was sent cannot be used as it is."""

    status = 422


class NotFound(StudyError):
    """What was asked for is not there."""

    status = 404


class Conflict(StudyError):
    """It changed meanwhile, or waits for somebody's answer."""

    status = 409


class Unavailable(StudyError):
    """A service we depend on does not answer; trying again later can help."""

    status = 503
    retryable = True


class ModelUnavailable(Unavailable):
    """A configured model cannot be reached or does not exist."""


class ModelFailed(StudyError):
    """A model call came to nothing. `infrastructure` tells a dead line from a useless answer,
    `refused` a server that would not take the request as it was."""

    status = 503

    def __init__(
        self, message: str, *, remedy: str = "", infrastructure: bool = True, refused: bool = False
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.infrastructure = infrastructure
        self.refused = refused


RETRYABLE_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})

# The SDKs bring HTTP clients of their own (httpx, httpx2, …): their bases are told by name.
_TRANSIENT = frozenset({"TimeoutError", "ConnectionError", "TransportError", "APIConnectionError"})


def status_of(exc: BaseException) -> int | None:
    """The HTTP status that an SDK's exception, or a cause of it, carries under whichever name it uses."""
    for fault in _causes(exc):
        response = getattr(fault, "response", None)
        for holder, name in ((fault, "status_code"), (fault, "code"), (response, "status_code")):
            value = getattr(holder, name, None)
            if isinstance(value, int) and 400 <= value < 600:
                return value
    return None


def retry_on(exc: BaseException) -> bool:
    """Whether running the same step again can help: for LangGraph's RetryPolicy and our own calls."""
    if isinstance(exc, StudyError):
        return exc.retryable
    status = status_of(exc)
    if status is not None:
        return status in RETRYABLE_STATUS
    return any(_TRANSIENT & {base.__name__ for base in type(fault).__mro__} for fault in _causes(exc))


def _causes(exc: BaseException) -> Iterator[BaseException]:
    """The exception and what it was raised from."""
    fault: BaseException | None = exc
    while fault is not None:
        yield fault
        fault = fault.__cause__
