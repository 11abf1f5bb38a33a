"""Settling what waits for a person: by the ledger, or in a run that stopped to ask."""

import datetime
import json
from typing import Any

from clients.cards.deciding import GRAPH
from clients.runner import Runner
from graphs.card_decision.anki.collection import Snapshot, look
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.ledger import Ledger
from graphs.card_decision.anki.normalise import same_field
from graphs.card_decision.anki.records import CardRecord
from graphs.card_decision.anki.sync import Writer, ensure_models
from graphs.card_decision.anki.validation import validate_card
from graphs.card_decision.anki.writes import Write, creation
from graphs.card_decision.schemas import CardDecision


def waiting_cards(ledger: Ledger) -> list[CardDecision]:
    return [
        CardDecision.model_validate(record.decision) for record in ledger.cards().values() if record.decision
    ]


def settle_reviews(connect: AnkiConnect, ledger: Ledger, accept: list[str], keep: list[str]) -> list[str]:
    """Write the note's version of some cards, keep Anki's of others; returns a line for each."""
    records = ledger.cards()
    snapshot = look(connect, records, _ids(records, accept))
    told, writes = [], []
    for slug in [*accept, *keep]:
        record = records.get(slug)
        if record is None or not record.decision:
            told.append(f"{slug}: does not wait for a review")
        elif slug in keep:
            _keep(record)
            ledger.save_cards([record])
            told.append(f"{slug}: Anki's version stays")
        else:
            write, line = _accepted(record, snapshot, connect)
            writes += [write] if write else []
            told += [line] if line else []
    if writes:
        run = ledger.begin_run(datetime.datetime.now(datetime.UTC).isoformat())
        Writer(connect, ledger, run).apply(writes, snapshot.models)
        told += [f"{write.slug}: {'; '.join(write.messages) or 'written'}" for write in writes]
    return told


def _ids(records: dict[str, CardRecord], slugs: list[str]) -> list[int]:
    return [id_ for slug in slugs if slug in records and (id_ := records[slug].note_id)]


def _keep(record: CardRecord) -> None:
    """Remember against which of our values Anki's was chosen: it will not be asked again until we change."""
    decision = CardDecision.model_validate(record.decision)
    for change in decision.diff.changes if decision.diff else []:
        record.kept[change.field] = change.ours
    record.decision = {}


def _accepted(record: CardRecord, snapshot: Snapshot, connect: AnkiConnect) -> tuple[Write | None, str]:
    decision = CardDecision.model_validate(record.decision)
    card, note = decision.proposed_card, snapshot.by_slug.get(record.slug)
    if note is None and record.note_id is not None:
        note = snapshot.by_id.get(record.note_id)
    if card is None:
        return None, f"{record.slug}: there is no card to write; edit the note"
    ensure_models(connect, snapshot)
    checked = validate_card(card, snapshot.models)
    if not checked.valid:
        return None, f"{record.slug}: {'; '.join(checked.errors)}; edit the note"
    record.decision = {}
    if note is None:
        return creation(record, card), ""
    shown = {change.field: change.theirs for change in decision.diff.changes} if decision.diff else {}
    moved = [name for name, value in shown.items() if not same_field(note.fields.get(name, ""), value)]
    if moved:
        return None, f"{record.slug}: {', '.join(moved)} changed in Anki since; sync again first"
    fields = {
        name: value
        for name, value in card.fields.items()
        if name in note.fields and not same_field(note.fields[name], value)
    }
    return Write("update", record, card, note, fields), ""


def answer_threads(runner: Runner, thread: str, answer: str) -> dict[str, Any]:
    """Answer a run that stopped at its review: a bare word, or JSON."""
    try:
        value: Any = json.loads(answer)
    except ValueError:
        value = answer
    outcome = runner.resume(GRAPH, thread, value)
    return {"thread": thread, "waits": outcome.waits, **outcome.values}
