"""From decisions to Anki: writes, what the ledger learns, and another round where Anki changed meanwhile."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clients.cards.deciding import NoteResult
from common.files import content_hash
from graphs.card_decision.anki.collection import Snapshot
from graphs.card_decision.anki.connect import AnkiConnect, AnkiRefused
from graphs.card_decision.anki.ledger import Ledger
from graphs.card_decision.anki.normalise import same_deck, same_field
from graphs.card_decision.anki.note_types import SLUG_FIELD
from graphs.card_decision.anki.records import AnkiNote, CardRecord, slug_tag
from graphs.card_decision.anki.writes import Write, creation
from graphs.card_decision.schemas import CardDecision
from graphs.card_decision.vault.files import Vault
from graphs.card_decision.vault.media import find_media


@dataclass
class Plan:
    """What a run will write, and what only the ledger learns."""

    writes: list[Write] = field(default_factory=list)
    learned: list[CardRecord] = field(default_factory=list)
    by_slug: dict[str, CardDecision] = field(default_factory=dict)


def plan_writes(results: list[NoteResult], records: dict[str, CardRecord], snapshot: Snapshot) -> Plan:
    """Turn every decision into a write or into something to remember."""
    plan = Plan()
    for result in results:
        for decision in result.decisions:
            if decision.slug in result.note.contested:
                continue
            plan.by_slug[decision.slug] = decision
            record = _record(decision, records)
            note = snapshot.by_slug.get(decision.slug) or _foreign(decision, snapshot)
            _add(plan, decision, record, note)
    return plan


def _record(decision: CardDecision, records: dict[str, CardRecord]) -> CardRecord:
    known = records.get(decision.slug)
    record = known.model_copy(deep=True) if known else CardRecord(slug=decision.slug, note_path="")
    record.note_path = decision.note_path
    record.source = decision.candidate.front if decision.candidate else record.source
    record.decision = stored_decision(decision) if decision.action == "manual_review" else {}
    return record


def stored_decision(decision: CardDecision) -> dict[str, Any]:
    """What the ledger keeps of a card that waits for a person."""
    return decision.model_dump(exclude={"evidence"})


def _foreign(decision: CardDecision, snapshot: Snapshot) -> AnkiNote | None:
    candidate = decision.candidate
    held = snapshot.by_id.get(candidate.foreign_id) if candidate and candidate.foreign_id else None
    return held if held is not None and held.slug in ("", decision.slug) else None


def _add(plan: Plan, decision: CardDecision, record: CardRecord, note: AnkiNote | None) -> None:
    card = decision.proposed_card
    if decision.action == "create" and card is not None and note is None:
        record.base, record.base_tags, record.base_deck, record.kept = None, [], "", {}
        record.state, record.note_id = "pending", None
        plan.writes.append(creation(record, card))
        return
    if note is not None:
        record.note_id, record.model_name, record.state = note.note_id, note.model_name, "synced"
    elif decision.action == "skip" and record.base is not None:
        record.state = "deleted"
    if decision.action in ("skip", "update") and card is not None and note is not None:
        _learn(record, decision, note)
    if decision.action == "update" and note is not None and decision.diff is not None:
        diff = decision.diff
        write = Write("update", record, card, note, dict(diff.write_fields), diff.add_tags, diff.remove_tags)
        write.deck, write.adopt = diff.move_to, {}
        _name(write, note)
        plan.writes.append(write)
    elif decision.action == "skip" and note is not None and not note.slug:
        write = Write("mark", record, card, note)
        _name(write, note)
        plan.writes.append(write)
    elif note is not None or record.base is not None or decision.action == "manual_review":
        plan.learned.append(record)


def _name(write: Write, note: AnkiNote) -> None:
    """A note that another tool made gets our slug as a tag: that is how it is found again."""
    if not note.slug:
        if SLUG_FIELD in note.fields:
            write.fields[SLUG_FIELD] = write.slug
        else:
            write.add_tags = [*write.add_tags, slug_tag(write.slug)]


def _learn(record: CardRecord, decision: CardDecision, note: AnkiNote) -> None:
    """Where Anki and the note say the same, that is the new base: nothing is overwritten by knowing it."""
    card = decision.proposed_card
    assert card is not None, "checked by the caller"
    base = dict(record.base or {})
    for name, ours in card.fields.items():
        if name in note.fields and same_field(note.fields[name], ours):
            base[name] = ours
            record.kept.pop(name, None)
    record.base = base
    if not record.base_deck and same_deck(card.deck_name, note.deck):
        record.base_deck = card.deck_name


def upload_media(
    connect: AnkiConnect, ledger: Ledger, vault: Vault, writes: list[Write], notes: dict[str, dict[str, str]]
) -> dict[str, list[str]]:
    """Send the files that cards to be written show; returns what went wrong, by slug."""
    told: dict[str, list[str]] = {}
    known = ledger.media()
    for write in writes:
        for reference in write.card.media if write.card else []:
            file = find_media(vault, write.record.note_path, reference)
            stored = notes.get(write.record.note_path, {}).get(reference, "")
            if file is None or not stored:
                told.setdefault(write.slug, []).append(f"media “{reference}” is missing or outside the vault")
                continue
            data = file.read_bytes()
            digest = content_hash(data)
            if known.get(stored) == digest:
                continue
            try:
                connect.store_media(stored, data)
            except AnkiRefused as exc:
                told.setdefault(write.slug, []).append(str(exc))
                continue
            ledger.save_media(stored, digest)
            known[stored] = digest
    return told


def media_files(vault: Vault, results: list[NoteResult], folder: Path) -> list[Path]:
    """Copies of the files that cards show, under their names in Anki, for a package."""
    copies: dict[str, Path] = {}
    for result in results:
        for decision in result.decisions:
            for reference in decision.proposed_card.media if decision.proposed_card else []:
                file = find_media(vault, result.note.path, reference)
                stored = result.note.attachments.get(reference, "")
                if file and stored and stored not in copies:
                    copies[stored] = folder / stored
                    copies[stored].write_bytes(file.read_bytes())
    return list(copies.values())
