"""Walking a vault and reading its notes: what cannot be read is a line in the report."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from common.errors import BadInput
from graphs.card_decision.vault.lines import normalised

MAX_NOTE_BYTES = 10_000_000
_TEMPLATES = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)


@dataclass
class NoteFile:
    """One file of the vault: its text, or why there is none."""

    path: str
    text: str = ""
    problem: str = ""


@dataclass
class Vault:
    """A vault's notes (sorted paths, relative, with `/`) and its other files by name."""

    root: Path
    notes: list[str] = field(default_factory=list)
    attachments: dict[str, list[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def read(self, path: str) -> NoteFile:
        return read_note(self.root / path, path)

    def files(self) -> Iterator[NoteFile]:
        for path in self.notes:
            yield self.read(path)


def open_vault(root: Path) -> Vault:
    """List a vault. Hidden folders and the folders of templates are left out; links to folders are
    followed once."""
    if not root.is_dir():
        raise BadInput(f"{root} is not a folder.", remedy="Give the folder of an Obsidian vault.")
    vault = Vault(root.resolve())
    _walk(vault, vault.root, "", set())
    templates = tuple(_template_folders(vault.root))
    vault.notes = sorted(path for path in vault.notes if not path.startswith(templates))
    for paths in vault.attachments.values():
        paths.sort(key=lambda path: (path.count("/"), path))
    return vault


def _template_folders(root: Path) -> Iterator[str]:
    """Where Obsidian itself was told that templates lie: what stands there is no note yet."""
    for name, key in _TEMPLATES:
        try:
            settings = json.loads((root / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue  # no such plugin, or settings that are none
        folder = settings.get(key) if isinstance(settings, dict) else None
        if isinstance(folder, str) and folder.strip("/. "):
            yield f"{folder.strip('/ ')}/"


def _walk(vault: Vault, folder: Path, prefix: str, seen: set[tuple[int, int]]) -> None:
    try:
        status = folder.stat()
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as exc:
        vault.problems.append(f"{prefix or '.'}: cannot be listed ({exc.strerror})")
        return
    if (status.st_dev, status.st_ino) in seen:
        vault.problems.append(f"{prefix}: a link that leads back to its own folder, left out")
        return
    seen = seen | {(status.st_dev, status.st_ino)}
    for entry in entries:
        if not entry.name.startswith("."):
            _visit(vault, entry, f"{prefix}{entry.name}", seen)


def _visit(vault: Vault, entry: os.DirEntry[str], path: str, seen: set[tuple[int, int]]) -> None:
    try:
        if entry.is_dir():
            _walk(vault, Path(entry.path), f"{path}/", seen)
        elif entry.name.lower().endswith((".md", ".markdown")):
            vault.notes.append(path)
        else:
            vault.attachments.setdefault(entry.name.casefold(), []).append(path)
    except OSError as exc:
        vault.problems.append(f"{path}: cannot be looked at ({exc.strerror})")


def read_note(file: Path, path: str) -> NoteFile:
    """A note's text, normalised, or the reason it cannot be read."""
    try:
        size = file.stat().st_size
        if size > MAX_NOTE_BYTES:
            return NoteFile(path, problem=f"{size:,} bytes are too many for a note, left out")
        data = file.read_bytes()
    except OSError as exc:
        return NoteFile(path, problem=f"cannot be read ({exc.strerror})")
    return decode_note(data, path)


def decode_note(data: bytes, path: str) -> NoteFile:
    """Text from bytes: UTF-8, or UTF-16 where its mark says so; anything else is not a note."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    if encoding == "utf-8" and b"\x00" in data:
        return NoteFile(path, problem="a binary file with the name of a note, left out")
    try:
        return NoteFile(path, normalised(data.decode(encoding)))
    except UnicodeDecodeError as exc:
        return NoteFile(path, problem=f"not {encoding.upper()} text (byte {exc.start}), left out")
