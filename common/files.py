"""Writing files so that a reader or a kill never meets half of one, and naming content by its hash."""

import hashlib
import os
import tempfile
from pathlib import Path

# Reading the mask means setting it for a moment, for all threads: once, at import.
_UMASK = os.umask(0)
os.umask(_UMASK)


def as_bytes(data: str | bytes) -> bytes:
    return data.encode("utf-8") if isinstance(data, str) else data


def content_hash(data: str | bytes) -> str:
    """The SHA-256 of text (as UTF-8) or bytes, in hexadecimal."""
    return hashlib.sha256(as_bytes(data)).hexdigest()


def write_atomic(path: Path, data: str | bytes) -> None:
    """Put `data` at `path` whole or not at all; parent folders are made, file permissions are kept.

    This blocks: in a node, call it through `asyncio.to_thread`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Replacing a symbolic link would leave its target stale: write where it points.
    target = path.resolve() if path.is_symlink() else path
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(as_bytes(data))
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode_for(target))
        os.replace(temporary, target)
    except BaseException:  # Ctrl-C must leave no temporary file either
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _mode_for(target: Path) -> int:
    """The permissions the file has now, or what an ordinary new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    return 0o666 & ~_UMASK


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable; file systems that cannot sync a folder are left alone."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)
