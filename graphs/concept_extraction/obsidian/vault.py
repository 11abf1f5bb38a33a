"""Working off the outbox into a folder of notes, without ever losing a person's words."""

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.files import write_atomic
from graphs.concept_extraction.knowledge import KnowledgeStore
from graphs.concept_extraction.obsidian.names import free_stem, name_key
from graphs.concept_extraction.obsidian.notes import (
    Note,
    others_words,
    our_hash,
    our_part,
    part_untouched,
    render,
    study_id,
    with_our_part,
)

BESIDE = ".new"

# What the store remembers of a note in this vault.
Known = dict[str, Any] | None


@dataclass
class VaultReport:
    """What happened to the files; `beside` names those that a person had changed."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Outcome:
    """One note after writing: its file and the hash to remember, or none for a file that is gone."""

    file_name: str | None
    hash: str


def vault_id(folder: Path) -> str:
    """How the outbox knows this folder again."""
    return str(folder.resolve())


def file_names(folder: Path) -> dict[str, str]:
    """Every note there is: name key without its ending → the name on disk."""
    if not folder.is_dir():
        return {}
    return {
        name_key(entry.name.removesuffix(".md")): entry.name
        for entry in os.scandir(folder)
        if entry.name.endswith(".md")
    }


def choose_stems(folder: Path, known: dict[str, dict[str, Any]], concepts: dict[str, str]) -> dict[str, str]:
    """A file name for every concept: the one it has, wherever its id is found, or a free one.

    A file keeps its name when its concept gets another title: links of the person's own stay alive.
    """
    present = file_names(folder)
    missing = {uuid for uuid in concepts if uuid not in known or not _there(folder, known[uuid])}
    by_id = _moved(folder, present, missing)
    stems: dict[str, str] = {}
    for uuid in concepts:
        if uuid in known and (_there(folder, known[uuid]) or uuid not in by_id):
            stems[uuid] = known[uuid]["file_name"].removesuffix(".md")
        elif uuid in by_id:
            stems[uuid] = by_id[uuid].removesuffix(".md")
    taken = set(present) | {name_key(stem) for stem in stems.values()}
    for uuid in sorted(concepts.keys() - stems.keys(), key=lambda key: (concepts[key], key)):
        stems[uuid] = free_stem(concepts[uuid], taken)
        taken.add(name_key(stems[uuid]))
    return stems


def _there(folder: Path, record: dict[str, Any]) -> bool:
    return (folder / str(record["file_name"])).is_file()


def _moved(folder: Path, present: dict[str, str], wanted: set[str]) -> dict[str, str]:
    """Notes that a person renamed, or that a killed run wrote: found by the id in their frontmatter."""
    if not wanted:
        return {}
    found: dict[str, str] = {}
    for name in sorted(present.values()):
        try:
            with (folder / name).open(encoding="utf-8", errors="replace") as stream:
                uuid = study_id(stream.read(4_000))
        except OSError:
            continue
        if uuid in wanted and not name.endswith(f"{BESIDE}.md"):
            found.setdefault(str(uuid), name)
    return found


def write_note(folder: Path, stem: str, note: Note, known: Known, report: VaultReport) -> Outcome:
    """Write one note where that overwrites nobody's words; else put the new text beside and say so."""
    path = folder / f"{stem}.md"
    if not path.exists():
        write_atomic(path, note.text)
        report.written.append(path.name)
        return Outcome(path.name, note.hash)
    current, ours = _read(path), _our_hashes(known)
    if our_part(current) is not None and our_hash(current).split("/")[1] == note.hash.split("/")[1]:
        # The part is as it should be; the frontmatter may be a person's by now.
        ours.add(note.hash)
    if not part_untouched(current, ours):
        return _put_beside(folder, stem, note, known, report)
    renewed = with_our_part(current, note.text, ours)
    if renewed == current:
        report.unchanged.append(path.name)
        return Outcome(path.name, note.hash)
    if _read(path) != current:  # edited while we were looking
        return _put_beside(folder, stem, note, known, report)
    write_atomic(path, renewed.encode("utf-8", errors="surrogateescape"))
    report.written.append(path.name)
    return Outcome(path.name, note.hash)


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="surrogateescape")


def _our_hashes(known: Known) -> set[str]:
    """What we wrote last, and what a killed run may have written after that."""
    return {known[name] for name in ("hash", "next") if known.get(name)} if known else set()


def _put_beside(folder: Path, stem: str, note: Note, known: Known, report: VaultReport) -> Outcome:
    """The person changed our part, or the file is theirs: the new text goes into its own file."""
    path = folder / f"{stem}{BESIDE}.md"
    if not path.exists() or _read(path) != note.text:
        write_atomic(path, note.text)
    report.beside.append(f"{stem}.md was changed by hand; the new text is in {path.name}")
    return Outcome(f"{stem}.md", known["hash"] if known else "")


def remove_note(folder: Path, known: Known, report: VaultReport) -> Outcome:
    """The concept is gone: so is its file, unless a person wrote in it."""
    path = folder / known["file_name"] if known else None
    if path is not None and path.is_file():
        if others_words(_read(path), _our_hashes(known)):
            report.beside.append(f"{path.name} was changed by hand; it stays although its concept is gone")
        else:
            path.unlink()
            report.removed.append(path.name)
    return Outcome(None, "")


async def work_off(store: KnowledgeStore, folder: Path, *, everything: bool = False) -> VaultReport:
    """Every note in the outbox (or of every concept), struck off once it is safely on disk."""
    vault = await asyncio.to_thread(vault_id, folder)
    pending, concepts, known = await store.outbox(), await store.concepts(), await store.notes(vault)
    # A concept may have gone while its notes were written elsewhere.
    wanted = sorted(concepts.keys() | set(pending) | known.keys()) if everything else pending
    report = VaultReport()
    titles = {uuid: concept.title for uuid, concept in concepts.items()}
    try:
        stems = await asyncio.to_thread(choose_stems, folder, known, titles)
    except OSError as exc:
        report.failed.append(f"{folder.name}: {exc.strerror or exc}")
        return report
    around = await store.surroundings([uuid for uuid in wanted if uuid in concepts])
    notes = {uuid: render(item, stems) for uuid, item in around.items()}
    # Before any file is touched: a killed run must know its own words again.
    await store.notes_intended(
        vault, {uuid: (f"{stems[uuid]}.md", note.hash) for uuid, note in notes.items()}
    )
    done = await asyncio.to_thread(_write_all, folder, wanted, stems, notes, known, report)
    await store.notes_written(vault, {uuid: (out.file_name, out.hash) for uuid, out in done.items()})
    return report


def _write_all(
    folder: Path,
    wanted: list[str],
    stems: dict[str, str],
    notes: dict[str, Note],
    known: dict[str, dict[str, Any]],
    report: VaultReport,
) -> dict[str, Outcome]:
    done: dict[str, Outcome] = {}
    for uuid in wanted:
        try:
            if uuid in notes:
                done[uuid] = write_note(folder, stems[uuid], notes[uuid], known.get(uuid), report)
            else:
                done[uuid] = remove_note(folder, known.get(uuid), report)
        except OSError as exc:
            report.failed.append(f"{stems.get(uuid, uuid)}.md: {exc.strerror or exc}")
    return done
