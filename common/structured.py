"""`ask`: the one way to put a question to a model, and the ladder that ends at the rules twin."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Generic, TypeVar

import json_repair
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel, ValidationError

from common.budget import Budget
from common.calls import call
from common.errors import ModelFailed
from common.models import Role
from common.origins import Origin
from common.prompts import load

T = TypeVar("T", bound=BaseModel)

LONGEST_ANSWER = 400_000
LONGEST_MENDED = 60_000
MOST_NESTED = 20
MOST_OBJECTS = 40
SHOWN_BACK = 4_000

_THINKING = re.compile(
    r"<(think|thinking|reasoning|reflection|scratchpad)>.*?(?:</\1>|\Z)|\A.*</think(?:ing)?>",
    re.DOTALL | re.IGNORECASE,
)
_OPENING = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder()
_FENCE = re.compile(r"```(?:json|JSON)?\s*\n?(.*?)(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A value of the asked shape, and how it came about.

    `degraded`: a model was configured, and rules had to answer. A result that this role was
    to check must not be accepted then. `infrastructure`: the line failed, not the model's wits.
    """

    value: T
    origin: Origin
    warnings: list[str] = field(default_factory=list)
    degraded: bool = False
    infrastructure: bool = False


class Unusable(ValueError):
    """What the model sent is not an answer; the text says why, for the model to read."""


async def ask(
    schema: type[T],
    messages: list[BaseMessage],
    *,
    role: Role,
    twin: Callable[[], T],
    budget: Budget,
) -> Answer[T]:
    """An answer of the shape `schema`: by the role's model, mended once if need be, or by `twin`."""
    if role.is_rules:
        return Answer(twin(), "rules")
    try:
        value, origin = await _climb(schema, messages, role, budget)
    except ModelFailed as exc:
        told = [f"{role.label} did not help: {exc}"]
        return Answer(twin(), "rules", told, degraded=True, infrastructure=exc.infrastructure)
    return Answer(value, origin)


async def _climb(
    schema: type[T], messages: list[BaseMessage], role: Role, budget: Budget
) -> tuple[T, Origin]:
    shape = flat_schema(schema)
    asked = _with_format(messages, shape)
    reply, fault = await _first_reply(asked, role, budget, shape)
    if reply is not None:
        try:
            return await asyncio.to_thread(read_answer, schema, reply)
        except Unusable as exc:
            fault = str(exc)
    repair = load("common", "repair").render(error=fault, schema=json.dumps(shape))
    second = await call(role, [*asked, AIMessage(_shown(reply)), *repair], budget=budget)
    try:
        return (await asyncio.to_thread(read_answer, schema, second))[0], "llm_repaired"
    except Unusable as exc:
        raise ModelFailed(f"its answer stayed unusable: {exc}", infrastructure=False) from exc


def _with_format(messages: list[BaseMessage], shape: dict[str, Any]) -> list[BaseMessage]:
    """The schema, said in words at the end of the last message: some servers refuse two in a row."""
    wanted = str(load("common", "answer_format").render(schema=json.dumps(shape))[0].text)
    *before, last = messages
    if not isinstance(last, HumanMessage):
        return [*messages, HumanMessage(wanted)]
    if isinstance(last.content, str):
        return [*before, HumanMessage(f"{last.content}\n\n{wanted}")]
    return [*before, HumanMessage([*last.content, {"type": "text", "text": wanted}])]


async def _first_reply(
    asked: list[BaseMessage], role: Role, budget: Budget, shape: dict[str, Any]
) -> tuple[AIMessage | None, str]:
    """With the provider's own structured output, or in plain text where the server refuses that."""
    try:
        return await call(role, asked, budget=budget, response_schema=shape), ""
    except ModelFailed as exc:
        if exc.refused:
            return await call(role, asked, budget=budget), ""
        if exc.infrastructure or budget.exhausted:
            raise
        return None, exc.message


def _shown(reply: AIMessage | None) -> str:
    """What the model said, short enough to be shown back to it."""
    return (str(reply.text) if reply else "")[:SHOWN_BACK] or "(no answer)"


def read_answer(schema: type[T], reply: AIMessage) -> tuple[T, Origin]:
    """The value in a reply, in whatever clothes it comes: a tool call, a fence, prose around it."""
    for candidate in reply.tool_calls:
        value, origin, _ = _fitted(schema, candidate["args"], "llm")
        if value is not None:
            return value, origin
    text = str(reply.text)
    if len(text) > LONGEST_ANSWER:
        raise Unusable(f"it has {len(text)} characters; the limit is {LONGEST_ANSWER}")
    return read_text(schema, text)


def read_text(schema: type[T], text: str) -> tuple[T, Origin]:
    """The value in a text: strict JSON first, wherever it stands, then JSON mended."""
    stripped = _THINKING.sub("", text).strip()
    if not stripped:
        raise Unusable("it is empty")
    fault = "it holds no JSON object"
    candidates = _candidates(stripped)
    for parse, origin in _PARSERS:
        for candidate in candidates:
            value, how, wrong = _fitted(schema, parse(candidate), origin)
            if value is not None:
                return value, how
            fault = wrong or fault
    raise Unusable(fault)


def _candidates(text: str) -> list[str]:
    """Where the object may be: fenced, bare, or somewhere in prose, where the last one is the answer."""
    fenced = [match.strip() for match in _FENCE.findall(text)]
    opening = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    closing = max(text.rfind("}"), text.rfind("]")) + 1
    inside = [text[opening:closing], text[opening:]] if opening >= 0 else []
    return list(dict.fromkeys(part for part in [*fenced, *inside, *_objects(text)] if part))


def _objects(text: str) -> list[str]:
    """The objects that stand side by side in the text, the last first; none out of a list or a cut object."""
    found: list[str] = []
    opening = _OPENING.search(text)
    for _ in range(MOST_OBJECTS):
        if opening is None:
            break
        start = opening.start()
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = None, text.find("}", start) + 1
            if text[start] == "[":
                end = start + 1
            elif not end or "{" in text[start + 1 : end]:
                break
        found.extend([text[start:end]] if isinstance(value, dict) else [])
        opening = _OPENING.search(text, end)
    return found[::-1]


def _strict(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _mended(text: str) -> Any:
    """JSON with its faults mended; not where that would take for ever (it is quadratic in open brackets)."""
    steps = ((char in "{[") - (char in "}]") for char in text)
    if len(text) > LONGEST_MENDED or max(accumulate(steps), default=0) > MOST_NESTED:
        return None
    try:
        return json_repair.loads(text)
    except (ValueError, RecursionError):
        return None


_PARSERS: tuple[tuple[Callable[[str], Any], Origin], ...] = ((_strict, "llm"), (_mended, "llm_repaired"))


def _validated(schema: type[T], data: Any) -> T | str:
    """The value, or what is wrong with the data in words a model understands."""
    if isinstance(data, list):
        data = _wrapped(schema, data)
    if not isinstance(data, dict):
        return ""
    try:
        return schema.model_validate(data)
    except ValidationError as exc:
        faults = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in exc.errors()[:5]]
        return "; ".join(faults)


def _fitted(schema: type[T], data: Any, origin: Origin) -> tuple[T | None, Origin, str]:
    """The value and its origin, else what is wrong: as sent, out of a wrapping, or with other keys."""
    value = _validated(schema, data)
    if not isinstance(value, str):
        return value, origin, ""
    for other in _others(schema, data):
        mended = _validated(schema, other)
        if not isinstance(mended, str):
            return mended, "llm_repaired", ""
    return None, origin, value


def _others(schema: type[BaseModel], data: Any) -> list[Any]:
    """What else an object may mean: the one object inside it; its fields in another case, less the nulls."""
    if not isinstance(data, dict):
        return []
    inner = [value for value in data.values() if isinstance(value, dict | list)] if len(data) == 1 else []
    names = {_plain(name): name for name in schema.model_fields}
    renamed = {names.get(_plain(key), key): value for key, value in data.items() if value is not None}
    return [*inner, renamed]


def _plain(name: object) -> str:
    return re.sub(r"[\W_]", "", str(name)).lower()


def _wrapped(schema: type[BaseModel], items: list[Any]) -> Any:
    """A bare list for a schema that is one list; or a list around the one object asked for."""
    names = list(schema.model_fields)
    if len(names) == 1:
        return {names[0]: items}
    return items[0] if len(items) == 1 else None


def flat_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema with references inlined and titles dropped: what every provider takes."""
    full = schema.model_json_schema()
    definitions = full.pop("$defs", {})
    flat = _inlined(full, definitions)
    assert isinstance(flat, dict)
    return flat


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inlined(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _inlined(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    kept = {key: value for key, value in node.items() if key != "title" or not isinstance(value, str)}
    return {key: _inlined(value, definitions) for key, value in kept.items()}
