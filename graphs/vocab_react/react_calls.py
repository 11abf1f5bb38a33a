"""Tool calls that carry no ReAct label: JSON in the dialects of many models, XML-like tags, code."""

import re
from collections.abc import Iterator
from typing import Any

from graphs.vocab_react.react_input import arguments, balanced, json_at, read_input, read_pairs, read_tags
from graphs.vocab_react.react_step import Step, action, failed, final
from graphs.vocab_react.react_tools import TOOL_NAMES, known_tool, mentions, tool_of

_NAME_KEYS = (
    "action", "tool", "toolname", "name", "function", "functionname", "recipientname", "command", "method",
    "actionname", "toolcall", "functioncall", "nextaction", "call", "tooluse", "行動", "アクション",
    "acción", "действие",
)  # fmt: skip
_INPUT_KEYS = (
    "actioninput", "arguments", "args", "parameters", "params", "toolinput", "input", "kwargs", "inputs",
    "actionarguments", "functionarguments", "toolarguments", "toolargs", "toolparameters", "payload",
    "行動入力",
    "actionparameters", "actionargs", "アクション入力", "入力",
)  # fmt: skip
_META_KEYS = (
    "thought",
    "thoughts",
    "reasoning",
    "id",
    "type",
    "observation",
    "plan",
    "思考",
    "callid",
    "index",
)
_LIST_KEYS = ("toolcalls", "actions", "calls", "functioncalls", "steps")
_FINAL_KEYS = ("finalanswer", "answer", "final", "finalresponse", "最終回答")
_FINAL_WORDS = re.compile(
    r"^\W*(?:final[\s_\-]*(?:answer|response|output|result)?|finish(?:ed)?|done|answer|respond|complete[d]?|end|stop|"
    r"最終回答|最終的な回答|終了|完了|回答)\W*(?:$|[\[(:{])",
    re.IGNORECASE,
)
_NONE_WORDS = re.compile(
    r"^\W*(?:(?:none|no(?: further)?(?: more)? (?:action|tool)s?)(?: (?:is )?(?:needed|required|necessary))?|"
    r"null|nil|n/?a|"
    r"nothing|no|なし|無し|无|없음|ninguna|keine|aucune|нет)?\W*$",
    re.IGNORECASE,
)


def means_final(words: str) -> bool:
    """Whether an action's name says that the answer follows."""
    return bool(_FINAL_WORDS.match(words))


def means_none(words: str) -> bool:
    """Whether an action's name says that there is no action."""
    return bool(_NONE_WORDS.match(words))


def _squash(key: object) -> str:
    return re.sub(r"[\W_]+", "", str(key).lower())


def step_of_json(value: Any, repairs: list[str], depth: int = 0) -> Step | None:
    """The step a JSON value stands for, or None when it is not a step at all."""
    if depth > 4:
        return None
    if isinstance(value, list):
        return _step_of_list(value, repairs, depth)
    if not isinstance(value, dict):
        return None
    keys = {_squash(key): key for key in value}
    for name in _LIST_KEYS:
        if name in keys:
            return step_of_json(value[keys[name]], repairs, depth + 1)
    found = _named_call(value, keys, repairs, depth) or _keyed_call(value, repairs)
    if found:
        return found
    if "vocabulary" in keys or "vocab" in keys or any(name in keys for name in _FINAL_KEYS):
        return final(repairs)
    return None


def _step_of_list(value: list[Any], repairs: list[str], depth: int) -> Step | None:
    if value and all(isinstance(item, dict) and ("kanji" in item or "english" in item) for item in value):
        return final(repairs)
    steps = (step_of_json(item, repairs, depth + 1) for item in value)
    return next((step for step in steps if step), None)


def _named_call(value: dict[str, Any], keys: dict[str, Any], repairs: list[str], depth: int) -> Step | None:
    name_key = next((keys[name] for name in _NAME_KEYS if name in keys), None)
    if name_key is None:
        return None
    named = value[name_key]
    if isinstance(named, dict | list):
        return step_of_json(named, repairs, depth + 1)
    if not isinstance(named, str) or means_none(named):
        return None
    if means_final(named):
        return final(repairs)
    tool = known_tool(named) or next((tool_of(found[0]) for found in mentions(named)), None)
    if tool is None:
        return failed(f"unknown tool: {named[:60]}", repairs)
    input_key = next((keys[name] for name in _INPUT_KEYS if name in keys), None)
    if input_key is not None:
        return action(tool, arguments(tool, value[input_key], repairs), repairs)
    flat = {key: item for key, item in value.items() if key != name_key and _squash(key) not in _META_KEYS}
    return action(tool, arguments(tool, flat, repairs), repairs)


def _keyed_call(value: dict[str, Any], repairs: list[str]) -> Step | None:
    for key, inner in value.items():
        tool = known_tool(str(key))
        if tool:
            return action(tool, arguments(tool, inner, repairs), repairs)
    return None


def json_steps(text: str, repairs: list[str]) -> Iterator[Step]:
    """The steps that JSON values anywhere in the text stand for, in their order."""
    position = 0
    for _ in range(24):
        opening = re.compile(r"[{\[](?=\s*[\"'“{\[\w])").search(text, position)
        if opening is None:
            return
        start = opening.start()
        found = step_of_json(json_at(text, start, len(text), []), repairs)
        if found:
            yield found
        whole = balanced(text, start)
        position = start + (len(whole) if whole and found is None and len(whole) > 2 else 1)


_TAG = re.compile(
    r"<\s*(?:(?:[\w:]+(?:\s+(?:name|tool|function)\s*=\s*|\s*=\s*))[\"']?)?"
    r"(?P<tool>(?:functions?\.)?(?:" + "|".join(TOOL_NAMES) + r"))[\"']?(?P<attributes>[^<>]*)>",
    re.IGNORECASE,
)


def xml_step(text: str, repairs: list[str]) -> Step | None:
    """`<get_lyrics>…`, `<function=get_lyrics>…`, `<invoke name="get_lyrics">…`."""
    opening = _TAG.search(text)
    if opening is None:
        return None
    tool = known_tool(opening["tool"])
    if tool is None:
        return None
    repairs.append("xml tags")
    attributes = opening["attributes"]
    body = re.split(r"</\s*(?:function|invoke|tool\w*|" + tool + r")\b", text[opening.end() :])[0]
    found = read_tags(tool, body) or read_pairs(tool, attributes)
    if not found:
        found = read_input(tool, body, 0, len(body), repairs) if body.strip() else {}
    return action(tool, found, repairs)


def enclosed(text: str, start: int) -> str:
    """What stands between the bracket at `start` and its partner, or the end of the line."""
    opening = text[start]
    closing = {"(": ")", "[": "]", "（": "）"}[opening]
    depth, quoted = 0, False
    for index in range(start, len(text)):
        char = text[index]
        if char == '"' and text[index - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (char == opening) - (char == closing)
        if depth == 0:
            return text[start + 1 : index]
    return text[start + 1 :].split("\n")[0]


def code_step(text: str, repairs: list[str]) -> Step | None:
    """A call written as code (`get_lyrics(song="Lemon")`), or a tool's name right before its JSON."""
    for found in mentions(text)[:20]:
        tool = tool_of(found[0])
        if found[0].count(" ") and "_" not in found[0]:
            continue
        rest = re.compile(r"(?:\.call|\.run|\.invoke)?\s*(?P<open>[(\[（])").match(text, found.end())
        if rest:
            inside = enclosed(text, rest.start("open"))
            if not mentions(inside) or '"' in inside:
                repairs.append("call syntax")
                return action(tool, read_input(tool, inside, 0, len(inside), repairs), repairs)
        gap = re.compile(r"[^\w{]{0,12}(?:<[^>]*>)*\s*(?:\w{1,12}\W{1,6}){0,3}?(?P<open>\{)").match(
            text, found.end()
        )
        if gap:
            repairs.append("name before json")
            return action(tool, read_input(tool, text, gap.start("open"), len(text), repairs), repairs)
    return None
