"""Taking a run back: only what still stands as we wrote it is restored, and nothing is deleted."""

from dataclasses import dataclass, field
from typing import Any

from graphs.card_decision.anki.collection import Snapshot
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.ledger import Entry, Ledger
from graphs.card_decision.anki.normalise import same_deck, same_field, tag_key
from graphs.card_decision.anki.records import UNDONE_TAG, AnkiNote, CardRecord


@dataclass
class UndoReport:
    """What was restored, what was left because it changed since, and which new notes were marked."""

    restored: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)


def undo_run(connect: AnkiConnect, ledger: Ledger, snapshot: Snapshot, run: str) -> UndoReport:
    """Restore a run's before-images, latest write first."""
    report = UndoReport()
    records = ledger.cards()
    for entry in reversed(ledger.entries(run=run, state="done")):
        note, record = snapshot.by_slug.get(entry.slug), records.get(entry.slug)
        if note is None or record is None:
            report.left.append(f"{entry.slug}: no longer in Anki")
            continue
        if entry.kind == "create":
            _mark(connect, note, report, entry)
        else:
            _restore(connect, entry, note, record, report)
        with ledger.transaction():
            ledger.save_cards([record])
            ledger.mark_entries([entry.id], "undone")
    return report


def _mark(connect: AnkiConnect, note: AnkiNote, report: UndoReport, entry: Entry) -> None:
    """A note is never deleted: a new one gets a tag by which its owner finds it."""
    connect.invoke("addTags", notes=[note.note_id], tags=UNDONE_TAG)
    report.marked.append(f"{entry.slug}: tagged {UNDONE_TAG}; delete it in Anki if you do not want it")


def _restore(
    connect: AnkiConnect, entry: Entry, note: AnkiNote, record: CardRecord, report: UndoReport
) -> None:
    before, after = entry.before, entry.after
    fields = {
        name: before["fields"][name]
        for name, value in after["fields"].items()
        if name in before.get("fields", {}) and same_field(note.fields.get(name, ""), value)
    }
    touched = [name for name in after["fields"] if name not in fields]
    _send(connect, entry, note, fields)
    base = dict(record.base or {})
    for name in fields:
        base.pop(name, None)
        if before["base"] and name in before["base"]:
            base[name] = before["base"][name]
    record.base = base
    record.base_tags, record.base_deck = before["base_tags"], before["base_deck"] or record.base_deck
    record.kept = before["kept"]
    if touched:
        report.left.append(f"{entry.slug}: {', '.join(touched)} changed since, left as it is")
    else:
        report.restored.append(entry.slug)


def _send(connect: AnkiConnect, entry: Entry, note: AnkiNote, fields: dict[str, str]) -> None:
    before, after = entry.before, entry.after
    held = {tag_key(tag) for tag in before.get("tags", [])}
    present = {tag_key(tag) for tag in note.tags}
    sent: list[tuple[str, dict[str, Any]]] = []
    if fields:
        sent.append(("updateNoteFields", {"note": {"id": note.note_id, "fields": fields}}))
    added = [tag for tag in after["tags"] if tag_key(tag) in present and tag_key(tag) not in held]
    if added:
        sent.append(("removeTags", {"notes": [note.note_id], "tags": " ".join(added)}))
    removed = [tag for tag in after.get("removed_tags", []) if tag_key(tag) not in present]
    if removed:
        sent.append(("addTags", {"notes": [note.note_id], "tags": " ".join(removed)}))
    if after["deck"] and before.get("deck") and same_deck(note.deck, after["deck"]):
        sent.append(("changeDeck", {"cards": note.cards, "deck": before["deck"]}))
    for reply in connect.multi(sent):
        if reply.error:
            entry.after.setdefault("errors", []).append(reply.error)
