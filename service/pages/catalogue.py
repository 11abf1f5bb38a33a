"""What the home page says about each graph, and the samples one can start it on."""

from pathlib import Path
from typing import Any, NamedTuple

from common.settings import get_settings

SAMPLES = Path("samples")


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
    """The sample files of a graph, each with the input that starts it. This blocks."""
    entry = ENTRIES.get(graph)
    if entry is None or not entry.file_input:
        return []
    found = []
    for root in get_settings().input_folders:
        folder = root / entry.folder
        for path in sorted(folder.rglob("*"))[:200] if folder.is_dir() else []:
            if path.suffix.lower() in entry.endings and path.is_file():
                label = path.relative_to(folder).as_posix()
                found.append({"label": label, "input": {entry.file_input: str(path)}})
    return found
