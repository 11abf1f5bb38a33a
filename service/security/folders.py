"""Looks through whatever is sent over HTTP for files that the server may not read."""

import re
from typing import Any

from common.errors import BadInput
from common.folders import confined

# Every input or setting of a graph that a node opens as a file ends like one of these.
_NAMES_A_FILE = re.compile(r"(^|_)(path|file|dir|folder|document)s?$")
# Where the text itself is sent, the path beside it is a label: nothing is opened.
_TEXT_BESIDE = {"note_path": "note_text", "file_path": "text", "document_path": "document_text"}
_DEPTH = 64


def check_paths(sent: Any, owner: str, depth: int = 0) -> None:
    """Refuse what names a file outside the folders. Nodes check again before they open one."""
    if depth > _DEPTH:
        raise BadInput("The request is nested too deeply.", remedy="Send it flatter.")
    if isinstance(sent, dict):
        for key, value in sent.items():
            if _NAMES_A_FILE.search(str(key)) and not _is_label(str(key), sent):
                _check_named(value, owner)
            if key == "command" and isinstance(value, dict):
                # A person's answer opens no file; generic clients send the whole review back in it.
                value = {name: part for name, part in value.items() if name != "resume"}
            check_paths(value, owner, depth + 1)
    elif isinstance(sent, list):
        for value in sent:
            check_paths(value, owner, depth + 1)


def _is_label(key: str, beside: dict[Any, Any]) -> bool:
    text = beside.get(_TEXT_BESIDE.get(key, ""))
    return isinstance(text, str) and re.search(r"\w", text) is not None


def _check_named(value: Any, owner: str) -> None:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and each:
            confined(each, owner)
