"""One look at Anki: every note of ours, by slug, and the note types."""

from dataclasses import dataclass, field

from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.note_types import SLUG_FIELD
from graphs.card_decision.anki.records import SLUG_TAG, AnkiNote, CardRecord, anki_note

QUERY = f'"{SLUG_FIELD}:_*" OR "tag:{SLUG_TAG}*"'


@dataclass
class Snapshot:
    """What Anki held when we looked."""

    by_slug: dict[str, AnkiNote] = field(default_factory=dict)
    by_id: dict[int, AnkiNote] = field(default_factory=dict)
    models: dict[str, list[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def look(connect: AnkiConnect, records: dict[str, CardRecord], foreign_ids: list[int]) -> Snapshot:
    """Read all of our notes at once, and those that notes of the vault point at by id."""
    snapshot = Snapshot(models=connect.models())
    query = QUERY
    if foreign_ids:
        query = f"({QUERY}) OR nid:{','.join(str(id_) for id_ in sorted(set(foreign_ids)))}"
    notes = [anki_note(raw) for raw in connect.notes(query)]
    place_decks(connect, notes)
    for note in sorted(notes, key=lambda note: note.note_id):
        snapshot.by_id[note.note_id] = note
        if note.slug:
            _file(snapshot, note, records.get(note.slug))
    return snapshot


def place_decks(connect: AnkiConnect, notes: list[AnkiNote]) -> None:
    decks = connect.decks_of([card for note in notes for card in note.cards])
    for note in notes:
        note.decks = {card: decks[card] for card in note.cards if card in decks}


def _file(snapshot: Snapshot, note: AnkiNote, record: CardRecord | None) -> None:
    """Two notes with one slug (copied in Anki): the one we know stays ours, the other is reported."""
    held = snapshot.by_slug.get(note.slug)
    if held is None:
        snapshot.by_slug[note.slug] = note
        return
    if record is not None and record.note_id == note.note_id:
        snapshot.by_slug[note.slug], note = note, held
    snapshot.problems.append(
        f"{note.slug}: note {note.note_id} in Anki carries the same slug and is left alone"
    )
