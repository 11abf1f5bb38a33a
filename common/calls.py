"""One model call over an unreliable line: time limit, Retry-After, back-off, counting, prompt size."""

import asyncio
import contextlib
import random
import re
import time
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable

from common.budget import Budget
from common.errors import ModelFailed, StudyError, retry_on, status_of
from common.logs import get_logger
from common.models import Role, chat_model, context_window, split_spec
from common.redaction import redacted
from common.settings import get_settings

NOSTREAM = "nostream"

Bound = Runnable[LanguageModelInput, AIMessage]

log = get_logger(__name__)
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")

# HTTP clients belong to the event loop that opened their connections.
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Role, BaseChatModel]] = WeakKeyDictionary()
_dead_until: dict[str, float] = {}


async def call(
    role: Role,
    messages: Sequence[BaseMessage],
    *,
    budget: Budget,
    tools: Sequence[Any] = (),
    stop: list[str] | None = None,
    stream: bool = False,
    response_schema: dict[str, Any] | None = None,
) -> AIMessage:
    """One answer of the role's model, or ModelFailed that says why there is none."""
    client = await _client(role)
    _refuse(role, messages, budget)
    runnable = _bound(client, role, tools, stop, response_schema)
    tags = [] if stream else [NOSTREAM]
    message = await _persist(role, runnable, list(messages), tags)
    budget.charge(role.spec, message)
    return _writable(message)


def _writable(message: AIMessage) -> AIMessage:
    """The message without zeros and halves of characters, which no database and no file takes."""
    said = {"content": message.content, "tool_calls": message.tool_calls}
    clean = _cleaned(said)
    return message if clean == said else message.model_copy(update=clean)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return _UNWRITABLE.sub("", value)
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(part) for key, part in value.items()}
    return [_cleaned(part) for part in value] if isinstance(value, list) else value


def estimate_tokens(messages: Sequence[BaseMessage]) -> int:
    """A cautious guess: four ASCII characters to a token, and one of any other script."""
    text = "".join(str(message.text) for message in messages)
    plain = sum(map(str.isascii, text))
    return plain // 4 + len(text) - plain


def forget() -> None:
    """Drop every client and every memory of dead models."""
    _clients.clear()
    _dead_until.clear()


def _refuse(role: Role, messages: Sequence[BaseMessage], budget: Budget) -> None:
    """Stop before the call where it is sure to be useless or too dear."""
    if budget.exhausted:
        raise ModelFailed(budget.exhausted, infrastructure=False)
    tokens, window = estimate_tokens(messages), context_window(role.spec)
    if tokens > window:
        raise ModelFailed(
            f"the prompt has about {tokens} tokens, more than the {window} that fit",
            remedy="Shorten the input, or raise STUDY_NUM_CTX.",
            infrastructure=False,
        )
    if time.monotonic() < _dead_until.get(role.spec, 0.0):
        raise ModelFailed("it was out of reach a moment ago", remedy=_remedy(role, None))


async def _client(role: Role) -> BaseChatModel:
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    if role not in clients:
        try:
            # importing a provider's SDK reads hundreds of files
            clients[role] = await asyncio.to_thread(chat_model, role)
        except StudyError as exc:
            raise ModelFailed(exc.message, remedy=exc.remedy) from exc
    return clients[role]


def _bound(
    model: BaseChatModel,
    role: Role,
    tools: Sequence[Any],
    stop: list[str] | None,
    response_schema: dict[str, Any] | None,
) -> Bound:
    extra: dict[str, Any] = {"stop": stop} if stop else {}
    if response_schema is not None:
        extra |= native_format(role.spec, response_schema)
    if tools:
        return model.bind_tools(list(tools), **extra)
    return model.bind(**extra) if extra else model


def native_format(spec: str, schema: dict[str, Any]) -> dict[str, Any]:
    """How each provider is told the shape of its answer; empty where it cannot be told."""
    provider = split_spec(spec)[0]
    if provider == "ollama":
        return {"format": schema}
    if provider == "google_genai":
        return {"response_mime_type": "application/json", "response_json_schema": schema}
    if provider == "openai" or provider in get_settings().base_urls:
        shape = {"name": "answer", "schema": schema, "strict": False}
        return {"response_format": {"type": "json_schema", "json_schema": shape}}
    return {}


async def _persist(role: Role, runnable: Bound, messages: list[BaseMessage], tags: list[str]) -> AIMessage:
    """Try again while the line fails and patience lasts."""
    settings = get_settings()
    for attempt in range(1, settings.model_attempts + 1):
        try:
            async with asyncio.timeout(settings.model_timeout):
                return await runnable.ainvoke(messages, config={"tags": tags})
        except Exception as exc:
            wait = _wait(exc, attempt)
            if not retry_on(exc) or attempt == settings.model_attempts or wait > settings.model_max_wait:
                raise _failure(role, exc) from exc
            log.info("model_retry", role=role.label, attempt=attempt, wait=wait, reason=type(exc).__name__)
            await asyncio.sleep(wait)
    raise AssertionError("unreachable: the last attempt returns or raises")


def _wait(exc: BaseException, attempt: int) -> float:
    headers = getattr(getattr(exc, "response", None), "headers", None) or {}
    with contextlib.suppress(KeyError, ValueError):
        return max(0.0, _seconds(headers["retry-after"]))
    pause: float = 0.25 * 2**attempt * random.uniform(0.75, 1.25)
    return pause


def _seconds(retry_after: str) -> float:
    """HTTP allows a number of seconds and a date."""
    try:
        return float(retry_after)
    except ValueError:
        return parsedate_to_datetime(retry_after).timestamp() - time.time()


def _failure(role: Role, exc: BaseException) -> ModelFailed:
    status = status_of(exc)
    infrastructure = retry_on(exc) or status is not None
    if infrastructure and status is None:
        _dead_until[role.spec] = time.monotonic() + get_settings().model_cooldown
    log.warning("model_failed", role=role.label, status=status, reason=type(exc).__name__)
    return ModelFailed(
        _reason(exc, status),
        remedy=_remedy(role, status),
        infrastructure=infrastructure,
        refused=status in (400, 422),
    )


def _reason(exc: BaseException, status: int | None) -> str:
    if isinstance(exc, TimeoutError):
        return f"no answer within {get_settings().model_timeout:g} s"
    # Some servers repeat the key they were sent.
    first_line = redacted((str(exc).strip().splitlines() or [""])[0])[:200]
    told = f"{type(exc).__name__}: {first_line}" if first_line else type(exc).__name__
    return f"the server answered {status}: {first_line}" if status else told


def _remedy(role: Role, status: int | None) -> str:
    provider, name = split_spec(role.spec)
    if status in (401, 403):
        return "Check the key of this provider."
    if provider == "ollama":
        return f"Run: ollama pull {name}" if status == 404 else "Is Ollama running? Start it: ollama serve"
    if status == 404:
        return f"The server has no model {name!r}; choose one it lists."
    if status == 429:
        return "The provider limits the rate; wait, or set STUDY_MODEL_RATE."
    return "Check that the model's server is running and its address is right; study doctor tells."
