"""Cleans a model's answer: thoughts, preambles, internal codes, tool names and document numbers go."""

import re

_GROUNDS = r"(?:documents?|documentation|context|information|cli (?:history|output|context))"
_OPENINGS = (
    r"(?:sure|certainly|of course|okay|ok|great question|absolutely|claro|por supuesto)[!,.:]+\s+",
    r"(?:as an ai|i am an ai)[^.,\n]*[,.:]+\s*",
    rf"based on (?:the|your) (?:provided |retrieved |given )?{_GROUNDS}[^,\n]{{0,40}}[,.:]+\s*",
    rf"according to (?:the )?(?:retrieved |provided )?{_GROUNDS}[,.:]+\s*",
    r"let me (?:explain|help|see|check)[^.\n]*[,.:]+\s*",
    r"here(?:'s| is) (?:the|my|your) (?:answer|response|explanation|paraphrased[^:\n]*)[,.:]+\s*",
)
PREAMBLE = re.compile(rf"\A\s*(?:{'|'.join(_OPENINGS)})+", re.IGNORECASE)
THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
CODE_LINE = re.compile(
    r"^\s*(?:⚠️|📋|✅)?\s*\**(?:ERROR TYPE|DIAGNOSIS|FIX|PATTERN(?: ID)?)\**:\s*", re.MULTILINE | re.IGNORECASE
)
CODES = re.compile(r"\s*[(\[`]*\b[A-Z]{3,}(?:_[A-Z]+)+\b[)\]`]*")
TOOLS = re.compile(r"`?\b(?:get_device_running_config|execute_command|create_interface)\b(?:\([^)]*\))?`?")
DOCUMENTS = re.compile(
    r"\s*[\[(](?:doc(?:ument)?|source|card)s?\s*#?\d+(?:\s*,\s*#?\d+)*[\])]", re.IGNORECASE
)
INTERNAL = re.compile(
    r"\b(?:tool_calls?|retrieved_docs|cli_history|system prompt|detailed thinking|pattern_id)\b|<\|",
    re.IGNORECASE,
)


def clean_reply(text: str) -> str:
    """A model's answer as a student should read it."""
    text = PREAMBLE.sub("", THINKING.sub("", text))
    text = CODE_LINE.sub("", text)
    text = TOOLS.sub("the device's configuration", text)
    text = DOCUMENTS.sub("", CODES.sub("", text))
    text = re.sub(r"[ \t]+([.,;:])(?=\s|$)", r"\1", re.sub(r"\n{3,}", "\n\n", text)).strip()
    return text[:1].upper() + text[1:]


def is_internal(text: str) -> bool:
    """Whether a text speaks of our inner workings."""
    return INTERNAL.search(text) is not None


def needs_rewording(text: str) -> bool:
    """Whether cleaning by rules was not enough."""
    return not text.strip() or is_internal(text)
