"""Reads the step a model wrote: the first action, else a final answer, else an error with its reason."""

import html
import re

from graphs.vocab_react.react_calls import (
    code_step,
    enclosed,
    json_steps,
    means_final,
    means_none,
    step_of_json,
    xml_step,
)
from graphs.vocab_react.react_input import json_at, read_input, read_pairs, read_tags
from graphs.vocab_react.react_labels import LABELS, Section, inline_sections, sections
from graphs.vocab_react.react_step import Step, action, failed, final
from graphs.vocab_react.react_tools import GET_LYRICS, TOOL_NAMES, known_tool, mentions, tool_of

__all__ = ["Step", "parse_step"]

_BLANKS = re.compile(r"\s{20,}")
_LONGEST = 30_000
_THINKING = re.compile(
    r"<(think|thinking|reasoning|reflection|scratchpad)>.*?</\1>", re.DOTALL | re.IGNORECASE
)
_THOUGHT_END = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_TOKENS = re.compile(
    r"<[|｜][\w▁]{1,40}[|｜]>|</?s>|\[/?INST\]|\[ARGS\]|<end_of_turn>|<start_of_turn>(?:model)?",
    re.IGNORECASE,
)
_WIDE_TAGS = str.maketrans("＜＞", "<>")
_WITH = re.compile(r"\W{1,3}with\s+\w+\s*=\s*[\"'“「]")
_NUMBERED_INPUT = re.compile(r"\b(action|tool) (\d+) (input|arguments)\b", re.IGNORECASE)
_LABEL_TAGS = {name.replace(" ", "_") for names in LABELS.values() for name in names} | {"name"}
_PLAIN_TAG = re.compile(r"<(/?)([^\W\d][\w-]*)>")
_ECHO = re.compile(
    r"one of|the action to take|the tool to use|name of (?:the )?tool|tool name here|<tool|\bor\b|\|",
    re.IGNORECASE,
)
_LISTED_WORD = re.compile(
    r"^\s*(?:\d+[.)]|[-*•])?\s*\W{0,3}[\u3040-\u30ff\u3400-\u9fff]+\W{0,3}\s*"
    r"[(（\[:：,—–-]+\s*[a-zāīūēō' -]{2,}",
    re.MULTILINE,
)
_TOLD_FINAL = re.compile(
    r"final answer\W{0,4}(?:is\b|[:：])|here (?:is|are) (?:the|your) (?:final )?vocabulary", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"[\s`*|,;.>\"'—–-]*(?:(?:tool|function)\b[\s`*|,;.]*)?(?:with\s+)?(?:the\s+)?"
    r"(?:(?:action[ _-]?inputs?|inputs?|args|arguments|parameters|params)(?: \d+)?)?\s*[:：=]?\s*",
    re.IGNORECASE,
)


def parse_step(text: str) -> Step:
    """The step that `text` means. Never raises; an error's reason stands first in `repairs`."""
    repairs: list[str] = []
    spoken = _spoken(text, repairs)
    if not spoken.strip():
        return failed("empty answer", repairs)
    tagged = xml_step(spoken, repairs)
    if tagged:
        return tagged
    plain = _PLAIN_TAG.sub(_tag_to_label, spoken)
    labelled = _labelled(plain, sections(plain), repairs)
    if labelled and labelled.kind != "error":
        return labelled
    found = (
        _unlabelled(plain, repairs, labelled)
        or _labelled(plain, inline_sections(plain), [*repairs, "labels inside a line"])
        or labelled
        or _last_resort(plain, repairs)
    )
    return found or failed("no action and no final answer", repairs)


def _spoken(text: str, repairs: list[str]) -> str:
    """The text without thinking blocks, chat tokens and escaped underscores."""
    # endless blanks mean nothing, and every search below would try each of them
    short = _BLANKS.sub("\n", text[:_LONGEST])
    plain = short.replace("\r\n", "\n").replace("\\_", "_").replace("\u200b", "").replace("\ufeff", "")
    plain = (html.unescape(plain) if "&quot;" in plain else plain).translate(_WIDE_TAGS)
    spoken = _THOUGHT_END.sub("", _THINKING.sub("", plain))
    spoken = re.sub(r"<think(?:ing)?>", "", spoken, flags=re.IGNORECASE)
    if spoken != plain:
        repairs.append("thinking removed")
    spoken = _NUMBERED_INPUT.sub(r"\1 \3 \2", spoken.replace("<escape>", '"'))
    return _TOKENS.sub("\n", spoken)


def _tag_to_label(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    if name not in _LABEL_TAGS:
        return tag[0]
    if tag[1]:
        return "\n"
    return "\ntool name: " if name == "name" else f"\n{name.replace('_', ' ')}: "


def _labelled(text: str, marks: list[Section], repairs: list[str]) -> Step | None:
    """The first action or final answer among labelled stretches; an error where an unknown tool is named."""
    for index, section in enumerate(marks):
        if section.kind == "final":
            return final(repairs)
        if section.kind != "action":
            continue
        following = marks[index + 1] if index + 1 < len(marks) else None
        step = _action_step(text, section, following, repairs)
        if step:
            return step
    return None


def _action_step(text: str, section: Section, following: Section | None, repairs: list[str]) -> Step | None:
    """What one Action stretch says; None where it is prose, an echo of the instructions, or no action."""
    written = text[section.value : section.end]
    opening = re.match(r"[\s`]*(?:json|python|tool_code)?\s*(?P<open>[{\[])", written)
    if opening:
        start = section.value + opening.start("open")
        called = step_of_json(json_at(text, start, section.end, repairs), repairs)
        if called:
            return called
    head = written.strip().split("\n")[0]
    if means_none(head):
        return None
    found = mentions(written)
    if means_final(head) and not mentions(head):
        return final(repairs)
    if not found:
        return _unknown(head, section, following, text, repairs)
    if _is_echo(written, found):
        return None
    tool = tool_of(found[0][0])
    if found[0][0] != tool or head.strip() != found[0][0]:
        repairs.append("tool name read from words")
    after = section.value + found[0].end()
    return action(tool, _arguments_of(tool, text, after, section, following, repairs), repairs)


def _unknown(
    head: str, section: Section, following: Section | None, text: str, repairs: list[str]
) -> Step | None:
    """A near miss of a tool's name is that tool; another identifier is an unknown tool; prose is nothing."""
    name = re.split(r"[\s({\[:]", head.strip(" *`\"'_."))[0]
    tool = known_tool(head.strip(" *`\"'.")) or known_tool(name)
    if tool:
        repairs.append("tool name corrected")
        after = text.index(name, section.value) + len(name)
        return action(tool, _arguments_of(tool, text, after, section, following, repairs), repairs)
    if re.fullmatch(r"\w+(?:[.\-]\w+)*", name) and (len(head.split()) <= 3 or "(" in head or "{" in head):
        return failed(f"unknown tool: {name[:60]}", repairs)
    return None


def _is_echo(written: str, found: list[re.Match[str]]) -> bool:
    """Whether the instructions were copied: every tool listed, or several with 'one of'."""
    named = {tool_of(mention[0]) for mention in found if mention.start() < 400}
    head = written[: found[-1].end()]
    return len(named) == len(TOOL_NAMES) or (len(named) > 1 and bool(_ECHO.search(head)))


def _arguments_of(
    tool: str, text: str, after: int, section: Section, following: Section | None, repairs: list[str]
) -> dict[str, object]:
    """The input of a labelled action: in its own brackets, under the Input label, or in what follows."""
    bracket = re.compile(r"[\s`*\"]{0,3}(?P<open>[(\[（])").match(text, after)
    if bracket and bracket.start("open") < section.end:
        inside = enclosed(text, bracket.start("open"))
        if inside.strip():
            repairs.append("call syntax")
            return read_input(tool, inside, 0, len(inside), repairs)
    if following and following.kind == "input":
        return read_input(tool, text, following.value, following.end, repairs)
    return _rest(tool, text, after, section.end, repairs)


def _rest(tool: str, text: str, after: int, end: int, repairs: list[str]) -> dict[str, object]:
    """An input with no label of its own, right behind the tool's name."""
    between = _BETWEEN.match(text, after)
    start = between.end() if between else after
    rest = text[start:end]
    if not rest.strip():
        return {}
    repairs.append("input without label")
    if re.match(r"\s*(?:```\w*\s*)?[{\[]", rest) or re.match(r"\s*[\"']\s*\{", rest):
        return read_input(tool, text, start, end, repairs)
    pairs = read_tags(tool, rest) or read_pairs(tool, rest)
    if pairs:
        return dict(pairs)
    words = rest.strip().split("\n\n")[0]
    names_both = re.search(r"\s+by\s+|[,「\"“]", words) and len(words) < 120
    if tool == GET_LYRICS and names_both and not re.match(r"(?:I|This|Let|Then|We|to)\b", words):
        return read_input(tool, words, 0, len(words), repairs)
    return {}


def _unlabelled(text: str, repairs: list[str], labelled: Step | None) -> Step | None:
    """A call with no label. Where a label named an unknown tool, that stands."""
    if labelled:
        return None
    steps = list(json_steps(text, repairs))
    first = next((step for step in steps if step.kind == "action"), steps[0] if steps else None)
    coded = code_step(text, []) if not first or first.kind != "action" else None
    return coded or first


def _name_and_pairs(text: str, repairs: list[str]) -> Step | None:
    """A tool's name at the start of a line, or before `with song="…"`; its arguments as pairs behind it."""
    for found in mentions(text)[:20]:
        before = text[: found.start()].rpartition("\n")[2]
        begins = re.fullmatch(r"[\W_]*(?:\d{1,2}[.):]\W*)?", before) or _WITH.match(text, found.end())
        if not begins or " " in found[0]:
            continue
        tool = tool_of(found[0])
        pairs = read_pairs(tool, text[found.end() :].lstrip(" :："))
        if pairs:
            return action(tool, pairs, [*repairs, "key and value pairs"])
    return None


def _last_resort(text: str, repairs: list[str]) -> Step | None:
    """A tool's name alone on a line, or a list of words with no label."""
    told = _name_and_pairs(text, repairs)
    if told:
        return told
    for line in text.splitlines():
        if re.match(r"\s*finish\s*[\[(]", line, re.IGNORECASE):
            return final([*repairs, "answer without label"])
        tool = known_tool(line.strip(" \t*`#>-.\"'")) if len(line) < 40 else None
        if tool:
            return action(tool, {}, [*repairs, "name alone"])
    rows = len(_LISTED_WORD.findall(text)) + len(
        re.findall(r"^\s*\|[^|\n]*[\u3040-\u9fff][^|\n]*\|", text, re.MULTILINE)
    )
    if _TOLD_FINAL.search(text) or rows >= 2:
        return final([*repairs, "answer without label"])
    return None
