"""Reads what a model wrote as a tool's input, from clean JSON down to "Lemon by Kenshi Yonezu"."""

import json
import re
from typing import Any

import json_repair

from graphs.vocab_react.react_tools import GET_LYRICS, canonical_key, first_argument, known_tool

_WRAPPERS = (
    "input", "action_input", "args", "arguments", "parameters", "params", "kwargs", "tool_input", "inputs",
    "data",
    "payload", "properties",
)  # fmt: skip
_FENCE = re.compile(r"^\s*(?:```|~~~)[\w+-]*[ \t]*\n?(.*?)(?:```|~~~|\Z)", re.DOTALL)
_PAIR = re.compile(
    r"[\"'`*]{0,6}(?P<key>[^\W\d][\w \-]{0,30}?)[\"'`*]{0,6}\s*(?:=>|[:=：＝])\s*"
    r"(?P<value>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|“[^”]*”|「[^」]*」|`[^`]*`"
    r"|(?:(?![、，&]\s*\w{1,30}\s*[:=：＝])[^,;\n])+)"
)
_OPENING = re.compile(r"[\s`]{0,99}(?:```\w*\s*)?(?:json\b)?[\s:：`]{0,99}(?P<open>[{\[])")
_PLACEHOLDER = re.compile(
    r"^[\s<\[{(\"']*(?:the input to the action|the input|input|your input|none|null|n/?a"
    r"|nil|empty|\.{3}|…|no input"
    r"(?: needed| required)?|not needed|nothing|-)[\s>\]})\"'.]*$",
    re.IGNORECASE,
)
_TAGS = (
    re.compile(
        r"<(?:\w+\s+name\s*=\s*|parameter\s*=\s*|arg\s*=\s*)[\"']?(\w+)[\"']?[^>]*>(.*?)</", re.DOTALL
    ),
    re.compile(r"<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL),
    re.compile(r"<(\w+)>([^<]*)</\1>"),
)
_EQUALS = re.compile(r"([{,]\s*([\"'])\w+\2)\s*(?:=>|[=＝])\s*")
# Between the strings of an object: `"song"：`, `，"artist"`.
_WIDE_MARKS = re.compile(r"(?<=\")\s*：|[，、](?=\s*\")")
_NARROW = {"：": ":", "，": ",", "、": ","}
_TOO_DEEP = r"(?:[{\[][^{}\[\]]{0,20}){60}"
_LONGEST_JSON = 60_000
_TABLE_ROW = re.compile(r"^\s*\|\s*([^|\n]+?)\s*\|\s*([^|\n]+?)\s*\|", re.MULTILINE)
_ARGUMENT_NAMES = ("song", "artist", "lyrics", "lyrics_id", "vocabulary")
_TOLD = (
    re.compile(
        r"song\s+(?:is|called|named|titled)?\s*(.+?)[\s,]+(?:and\s+)?(?:the\s+)?artist\s+(?:is|called|named)?\s*(.+)",
        re.I,
    ),
    re.compile(r"^([^()（）]+?)\s*[(（]([^()（）]+)[)）]\s*$"),
)
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"', "＂": '"', "‘": "'", "’": "'"})


def balanced(text: str, start: int) -> str | None:
    """The JSON value opening at `start`, brackets inside strings not counted; None when it never closes."""
    depth, quoted, escaped = 0, False, False
    for index in range(start, len(text)):
        char = text[index]
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
            continue
        if char == '"':
            quoted, escaped = True, False
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return text[start : index + 1]
    return None


def read_json(text: str, repairs: list[str]) -> Any:
    """JSON as written, or repaired; None where there is nothing of the kind."""
    if re.search(_TOO_DEEP, text) or len(text) > _LONGEST_JSON:
        return None
    curly = text.translate(_QUOTES)
    wide = _WIDE_MARKS.sub(lambda mark: _NARROW[mark[0].strip()], curly)
    for attempt, note in ((text, ""), (curly, "curly quotes"), (wide, "full-width marks")):
        try:
            value = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        if note:
            repairs.append(note)
        return value
    written = _EQUALS.sub(r"\1: ", text) if text.startswith("{") else text
    try:
        value = json_repair.loads(written.translate(_QUOTES) if '"' not in written else written)
    except (ValueError, RecursionError):
        return None
    if value == "" or value is None:
        return None
    repairs.append("json repaired")
    return value


def json_at(text: str, start: int, end: int, repairs: list[str]) -> Any:
    """The JSON value that opens at `start`; one that never closes is cut at `end` and repaired."""
    whole = balanced(text, start)
    if whole is None and "“" in text[start : start + 40]:
        whole = balanced(text.translate(_QUOTES), start)
    if whole is None:
        repairs.append("json unclosed")
        whole = text[start:end]
    return read_json(whole.strip().rstrip("`"), repairs)


def read_input(tool: str, text: str, start: int, end: int, repairs: list[str]) -> dict[str, Any]:
    """The arguments for `tool` written in text[start:end]; JSON may run past `end` inside its own strings."""
    opening = _OPENING.match(text, start)
    if opening and opening.start("open") < max(end, start + 1):
        value = json_at(text, opening.start("open"), end, repairs)
        if isinstance(value, dict | list) and value:
            return arguments(tool, value, repairs)
        if text[opening.start("open")] == "{":
            return {}
    return read_plain(tool, text[start:end], repairs)


def read_plain(tool: str, written: str, repairs: list[str]) -> dict[str, Any]:
    """Arguments that are not plain JSON: fenced, quoted, key and value, or just words."""
    fenced = _FENCE.match(written)
    body = (fenced[1] if fenced else written).strip().strip("`").strip()
    if not body or _PLACEHOLDER.match(body):
        return {}
    if body[0] in "\"'“" and "{" in body[:4]:
        return _double_encoded(tool, body, repairs)
    brace = re.search(r"[{]", body)
    if brace:
        value = json_at(body, brace.start(), len(body), repairs)
        if isinstance(value, dict) and value:
            return arguments(tool, value, repairs)
    pairs = read_tags(tool, body) or read_pairs(tool, body)
    if pairs:
        repairs.append("key and value pairs")
        return _with_leading_value(tool, body, pairs)
    repairs.append("plain words")
    return positional(tool, split_words(tool, body))


def _double_encoded(tool: str, body: str, repairs: list[str]) -> dict[str, Any]:
    repairs.append("double-encoded json")
    inner = read_json(body, repairs)
    if isinstance(inner, str):
        inner = read_json(inner, repairs)
    if isinstance(inner, dict | list):
        return arguments(tool, inner, repairs)
    start = body.index("{")
    value = json_at(body.replace('\\"', '"'), start, len(body), repairs)
    return arguments(tool, value, repairs) if isinstance(value, dict) else {}


def arguments(tool: str, value: Any, repairs: list[str]) -> dict[str, Any]:
    """The tool's arguments out of any JSON value, with wrappers taken off and keys given their names."""
    if isinstance(value, str):
        return read_plain(tool, value, repairs)
    if isinstance(value, list):
        return _from_list(tool, value, repairs)
    if not isinstance(value, dict):
        return {}
    if len(value) == 1:
        key, inner = next(iter(value.items()))
        nested = tool == GET_LYRICS and isinstance(inner, dict)
        unwraps = nested or str(key).lower() in _WRAPPERS or known_tool(str(key)) == tool
        if unwraps and isinstance(inner, dict | list | str):
            repairs.append(f"unwrapped {key}")
            return arguments(tool, inner, repairs)
    named = {canonical_key(tool, str(key)): item for key, item in value.items()}
    if set(named) != set(value):
        repairs.append("argument names")
    return {key: _value(key, item) for key, item in named.items()}


def _value(key: str, item: Any) -> Any:
    """Words without their wrapping; a song and its artist may come as lists of one."""
    if key in ("song", "artist") and isinstance(item, list) and len(item) == 1:
        item = item[0]
    return clean(item) if isinstance(item, str) else item


def _from_list(tool: str, value: list[Any], repairs: list[str]) -> dict[str, Any]:
    repairs.append("list instead of an object")
    if value and all(isinstance(item, dict) for item in value):
        if tool == GET_LYRICS or (len(value) == 1 and "kanji" not in value[0]):
            merged = {key: item for entry in reversed(value) for key, item in entry.items()}
            return arguments(tool, merged, repairs)
        return {first_argument(tool): value}
    return positional(tool, [str(item) for item in value])


def read_pairs(tool: str, body: str) -> dict[str, Any]:
    """`song: Lemon` lines, `song="Lemon", artist=…`, and the like."""
    found: dict[str, Any] = {}
    for written, value in _TABLE_ROW.findall(body):
        if canonical_key(tool, written) in _ARGUMENT_NAMES:
            found.setdefault(canonical_key(tool, written), clean(value))
    for line in re.split(r"\n\s*(?:[-*•]\s*)?", body):
        for pair in _PAIR.finditer(line.strip().lstrip("-*• ")):
            key = canonical_key(tool, re.sub(r"^(?:with|and|the)\s+", "", pair["key"]))
            if key in _ARGUMENT_NAMES:
                found.setdefault(key, clean(pair["value"]))
    return found


def _with_leading_value(tool: str, body: str, pairs: dict[str, Any]) -> dict[str, Any]:
    """`"Lemon", artist="Yonezu"`: a value before the first pair is the first argument."""
    first = first_argument(tool)
    leading = re.match(r"\s*([\"'“])(.+?)[\"'”]\s*,", body)
    return {first: leading[2], **pairs} if leading and first not in pairs else pairs


def read_tags(tool: str, body: str) -> dict[str, Any]:
    """`<song>Lemon</song>`, `<parameter name="song">…</parameter>`, `<arg_key>…</arg_key><arg_value>…`."""
    found: dict[str, Any] = {}
    for pattern in _TAGS:
        for key, value in pattern.findall(body):
            name = canonical_key(tool, key)
            if name in _ARGUMENT_NAMES:
                found.setdefault(name, clean(value))
    return found


def split_words(tool: str, body: str) -> list[str]:
    """A song and its artist out of words: `Lemon by Kenshi Yonezu`, `"Lemon", "Yonezu"`, `Lemon - Yonezu`."""
    if tool != GET_LYRICS:
        return [clean(body)]
    line = body.strip().splitlines()[0][:300]
    quoted = re.findall(r"\"([^\"]+)\"|「([^」]+)」|『([^』]+)』|“([^”]+)”|'([^']+)'(?=[,\s)]|$)", line)
    values = [next(filter(None, groups)) for groups in quoted]
    if len(values) == 2:
        return values
    told = next((found for pattern in _TOLD if (found := pattern.search(line))), None)
    if told:
        return [clean(told[1]), clean(told[2]).rstrip(".")]
    lines = [part for part in body.strip().splitlines() if part.strip()]
    if len(lines) == 2 and all(len(part) < 60 for part in lines):
        return [clean(part) for part in lines]
    for separator in (r"\s+by\s+", r"\s*[,、，;|]\s*", r"\s+[-–—/]\s+", r"\s+(?:de|von|par|от)\s+"):
        halves = re.split(separator, line, maxsplit=1, flags=re.IGNORECASE)
        if len(halves) == 2 and all(clean(half) for half in halves):
            return [clean(_without_lead(halves[0])), clean(_without_lead(halves[1]))]
    return [clean(_without_lead(line))]


def _without_lead(words: str) -> str:
    return re.sub(
        r"^\s*(?:(?:the\s+)?(?:lyrics\s+(?:of|for|to)\s+)?(?:the\s+)?"
        r"(?:song|title|artist|singer)\s+)", "", words,
        flags=re.IGNORECASE,
    )  # fmt: skip


def positional(tool: str, values: list[str]) -> dict[str, Any]:
    """Values without names, in the order the tool declares its arguments."""
    if tool == GET_LYRICS:
        return dict(
            zip(("song", "artist"), [clean(value) for value in values if value.strip()], strict=False)
        )
    return {first_argument(tool): values[0]} if values and values[0] else {}


def clean(value: str) -> str:
    """A value without the quotes, backticks and stray punctuation around it."""
    bare = value.strip()
    while len(bare) > 1 and (bare[0], bare[-1]) in (
        ('"', '"'), ("'", "'"), ("`", "`"), ("“", "”"), ("「", "」"), ("『", "』"), ("‘", "’"), ("*", "*"),
    ):  # fmt: skip
        bare = bare[1:-1].strip()
    return bare
