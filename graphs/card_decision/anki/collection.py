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
    notes += _without_slug(connect, records, notes)
    place_decks(connect, notes)
    for note in sorted(notes, key=lambda note: note.note_id):
        snapshot.by_id[note.note_id] = note
        if note.slug:
            _file(snapshot, note, records.get(note.slug))
    for slug, record in records.items():
        held = snapshot.by_id.get(record.note_id or 0)
        if slug not in snapshot.by_slug and held is not None and not held.slug:
            snapshot.by_slug[slug] = held
    return snapshot


def _without_slug(
    connect: AnkiConnect, records: dict[str, CardRecord], found: list[AnkiNote]
) -> list[AnkiNote]:
    """Notes that lost their slug, as when their note type was changed: still known by their id."""
    slugs, ids = {note.slug for note in found}, {note.note_id for note in found}
    lost = [
        record.note_id
        for slug, record in records.items()
        if record.state == "synced" and slug not in slugs and record.note_id and record.note_id not in ids
    ]
    return [anki_note(raw) for raw in connect.notes_by_id(lost)]


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
