"""What the home page says about each graph, and the samples one can start it on."""

from pathlib import Path
from typing import Any, NamedTuple

import graphs
from common.settings import get_settings

# Looked up once, at the start: looking at the disk blocks.
INSTALLED = tuple(graphs.installed())
_MOST = 200
_ASKED = ("What is a VLAN?", "Why is my interface administratively down?", "How do I add a static route?")


class Entry(NamedTuple):
    """One graph in a person's words."""

    title: str
    says: str
    page: str
    # the folder under samples/, the endings of its files, and the input that takes a file's path
    folder: str
    endings: tuple[str, ...]
    file_input: str


ENTRIES: dict[str, Entry] = {
    "card_decision": Entry(
        "Cards", "Turns a note into Anki cards, and asks you about the doubtful ones.",
        "/app/review", "vault", (".md",), "note_path",
    ),
    "vocab_react": Entry(
        "Vocabulary", "Finds Japanese words worth learning in a song.", "/app/vocab", "songs", (), "",
    ),
    "qgen_loop": Entry(
        "Questions", "Writes questions about a document, each with its evidence.",
        "/app/questions", "documents", (".md", ".txt", ".pdf", ".xml", ".nxml"), "document_path",
    ),
    "tutoring": Entry(
        "Tutor", "Explains, diagnoses and checks in a network lab.", "/app/tutor", "labs", (), "",
    ),
    "concept_extraction": Entry(
        "Concepts", "Turns book quotes into a Zettelkasten, with you as the editor.",
        "/app/review", "quotes", (".md",), "file_path",
    ),
}  # fmt: skip


def samples_of(graph: str) -> list[dict[str, Any]]:
    """The samples of a graph, each with the input that starts it. This blocks."""
    if graph == "vocab_react":
        return [_song(path) for path in _files("songs", (".txt",))]
    if graph == "tutoring":
        return [{"label": asked, "input": {"student_question": asked}} for asked in _ASKED]
    entry = ENTRIES.get(graph)
    if entry is None or not entry.file_input:
        return []
    found = [_file(path, root, entry.file_input) for path, root in _found(entry)]
    if graph == "concept_extraction":
        for sample in found:
            sample["input"] |= _work(Path(sample["input"]["file_path"]))
    return found


def _files(folder: str, endings: tuple[str, ...]) -> list[Path]:
    return [
        path
        for root in get_settings().input_folders
        if (root / folder).is_dir()
        for path in sorted((root / folder).rglob("*"))[:_MOST]
        if path.suffix.lower() in endings and path.is_file() and path.name != "README.md"
    ]


def _found(entry: Entry) -> list[tuple[Path, str]]:
    return [(path, entry.folder) for path in _files(entry.folder, entry.endings)]


def _file(path: Path, folder: str, name: str) -> dict[str, Any]:
    label = path.as_posix().rpartition(f"/{folder}/")[2]
    return {"label": label, "input": {name: str(path)}}


def _work(path: Path) -> dict[str, str]:
    """A quotes file is about the work in its first heading; ours were written for this house."""
    lines = path.read_text(encoding="utf-8").splitlines()
    title = next((line[2:].strip() for line in lines if line.startswith("# ")), path.stem)
    return {"title": title, "author": "Study Graphs"}


def _song(path: Path) -> dict[str, Any]:
    """Songs begin with `title:` and `artist:`; the first of several names counts."""
    said = {"title": path.stem, "artist": ""}
    for line in path.read_text(encoding="utf-8").splitlines()[:10]:
        name, _, value = line.partition(":")
        if name in said:
            said[name] = value.split("|")[0].strip()
    return {"label": said["title"], "input": {"song": said["title"], "artist": said["artist"]}}
