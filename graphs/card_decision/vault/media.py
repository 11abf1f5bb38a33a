"""Files that notes show: found as Obsidian finds them, and never outside the vault."""

import hashlib
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from graphs.card_decision.vault.files import Vault

_EMBED = re.compile(r"!\[\[([^\]|#\n]+)[^\]\n]*\]\]|!\[[^\]\n]*\]\(<?([^)>\s]+)>?[^)\n]*\)")
MAX_MEDIA_BYTES = 50_000_000


def references(text: str) -> list[str]:
    """The local files a note's text embeds, as written."""
    found = (wiki.strip() or plain for wiki, plain in _EMBED.findall(text))
    return [name for name in dict.fromkeys(found) if not re.match(r"^[a-z][a-z0-9+.-]*:", name, re.I)]


def find_media(vault: Vault, note_path: str, reference: str) -> Path | None:
    """The file a reference means: beside the note, from the vault's root, else by its name."""
    name = unquote(reference).replace("\\", "/").strip()
    if not name or name.startswith("/") or "\x00" in name:
        return None
    folder = PurePosixPath(note_path).parent
    for candidate in (vault.root / folder / name, vault.root / name):
        if found := _inside(vault.root, candidate):
            return found
    if ".." in PurePosixPath(name).parts:
        return None
    for path in vault.attachments.get(PurePosixPath(name).name.casefold(), []):
        if path.casefold().endswith(name.casefold()) and (found := _inside(vault.root, vault.root / path)):
            return found
    return None


def _inside(root: Path, candidate: Path) -> Path | None:
    """The real file, where it is one and lies in the vault, links followed."""
    try:
        real = candidate.resolve(strict=True)
        if real.is_relative_to(root) and real.is_file() and real.stat().st_size <= MAX_MEDIA_BYTES:
            return real
    except (OSError, RuntimeError, ValueError):
        return None
    return None


def stored_name(file: Path) -> str:
    """The file's name in Anki: with a hash of its content, so that it can never overwrite another file
    there, and a changed picture is a changed card."""
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:8]
    stem = re.sub(r'[\\/:*?"<>|\x00-\x1f\[\]{}]', "_", file.stem)
    return f"{stem}-{digest}{file.suffix.lower()}"


def attachments_of(vault: Vault, note_path: str, text: str) -> dict[str, str]:
    """For each file the note shows: its name in Anki, or an empty string where it cannot be had."""
    stored = {}
    for reference in references(text):
        file = find_media(vault, note_path, reference)
        stored[reference] = stored_name(file) if file else ""
    return stored
