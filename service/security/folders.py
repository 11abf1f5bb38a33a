"""Which files a request over HTTP may name: those in the configured folders and in the owner's uploads."""

import re
from pathlib import Path
from typing import Any

from common.errors import BadInput
from common.settings import Settings, get_settings
from service.security.tokens import LOCAL

# Every input or setting of a graph that a node opens as a file ends like one of these.
_NAMES_A_FILE = re.compile(r"(^|_)(path|file|dir|folder|document)s?$")
# Where the text itself is sent, the path beside it is a label: nothing is opened.
_TEXT_BESIDE = {"note_path": "note_text", "file_path": "text"}
_DEPTH = 64


def uploads_of(owner: str, settings: Settings) -> Path:
    """The folder of an owner's uploads."""
    return settings.data_dir / "uploads" / (owner or LOCAL)


def allowed_folders(owner: str, settings: Settings) -> list[Path]:
    return [*settings.input_folders, uploads_of(owner, settings)]


def confined(text: str, owner: str) -> Path:
    """The real place of a file that may be read; anything else is refused without saying what is there."""
    if "\0" in text:
        raise BadInput("A path holds a NUL character.", remedy="Send a plain path.")
    settings = get_settings()
    try:
        real = Path(text).expanduser().resolve()
        folders = [folder.resolve() for folder in allowed_folders(owner, settings)]
    except (OSError, RuntimeError) as exc:
        raise _refused(text) from exc
    # Everything of ours is in the data folder, uploads of others too.
    inside = any(real == folder or folder in real.parents for folder in folders)
    if not inside:
        raise _refused(text)
    return real


def _refused(text: str) -> BadInput:
    return BadInput(
        f"The file {text[:200]!r} is not in a folder that this server reads from.",
        remedy="Upload it, send its text, or have its folder added to STUDY_INPUT_FOLDERS.",
    )


def check_paths(sent: Any, owner: str, depth: int = 0) -> None:
    """Walk whatever was sent, and refuse it where a file outside the folders is named."""
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
    text = _TEXT_BESIDE.get(key)
    return text is not None and isinstance(beside.get(text), str) and bool(beside[text])


def _check_named(value: Any, owner: str) -> None:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and each:
            confined(each, owner)
