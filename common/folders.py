"""Which files a run on the server may read, and where it keeps what is its owner's alone.

It reads from the configured folders and from its owner's uploads. In process a person works on their own
files, and nothing is confined.
"""

from contextvars import ContextVar
from pathlib import Path

from langchain_core.runnables.config import var_child_runnable_config

from common.errors import BadInput
from common.settings import Settings, get_settings

# The owner of what is made without tokens: by the command line, or on a server that is open.
LOCAL = "local"
# Who sent the request that is being answered, where the server asks for tokens.
asking: ContextVar[str | None] = ContextVar("asking", default=None)


def uploads_of(owner: str, settings: Settings) -> Path:
    """The folder of an owner's uploads."""
    return settings.data_dir / "uploads" / (owner or LOCAL)


def owner_of_run() -> str | None:
    """Who owns the run that is under way on the server; None in process."""
    configurable = (var_child_runnable_config.get() or {}).get("configurable") or {}
    if "assistant_id" not in configurable:
        return None
    return str(configurable.get("langgraph_auth_user_id") or LOCAL)


def own_part(folder: Path) -> Path:
    """The part of a folder that belongs to whoever runs or asks; `local` has the folder itself.

    So owners share no knowledge base, no statistics and no cache, and the command line's own are `local`'s.
    """
    owner = owner_of_run() or asking.get() or LOCAL
    return folder if owner == LOCAL else folder / "owners" / owner


def check_readable(path: str | Path) -> None:
    """To be called by a node before it opens a file that its input names. This blocks."""
    owner = owner_of_run()
    if owner is not None:
        confined(str(path), owner)


def confined(text: str, owner: str) -> Path:
    """The real place of a file that may be read; anything else is refused without saying what is there."""
    if "\0" in text:
        raise BadInput("A path holds a NUL character.", remedy="Send a plain path.")
    settings = get_settings()
    try:
        real = Path(text).expanduser().resolve()
        folders = [each.resolve() for each in (*settings.input_folders, uploads_of(owner, settings))]
    except (OSError, RuntimeError) as exc:
        raise _refused(text) from exc
    if not any(real == folder or folder in real.parents for folder in folders):
        raise _refused(text)
    return real


def _refused(text: str) -> BadInput:
    return BadInput(
        f"The file {text[:200]!r} is not in a folder that this server reads from.",
        remedy="Upload it, send its text, or have its folder added to STUDY_INPUT_FOLDERS.",
    )
