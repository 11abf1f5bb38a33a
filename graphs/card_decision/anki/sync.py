"""Writing to Anki so that a kill at any step loses nothing and doubles nothing.

Each batch: journal what is there and what we intend, send, read back, then settle ledger and journal
in one transaction. What a kill leaves behind is found by slug in the next run (`recover`)."""

from collections.abc import Callable
from typing import Any

from common.logs import get_logger
from graphs.card_decision.anki.collection import QUERY, Snapshot, place_decks
from graphs.card_decision.anki.connect import AnkiClosed, AnkiConnect, AnkiTimeout, Reply
from graphs.card_decision.anki.ledger import Ledger
from graphs.card_decision.anki.normalise import same_deck, same_field, tag_list
from graphs.card_decision.anki.note_types import OWN_MODELS, SLUG_FIELD, own_model
from graphs.card_decision.anki.records import AnkiNote, CardRecord, anki_note
from graphs.card_decision.anki.writes import Write, actions, settle

BATCH = 500
Step = Callable[[str], None]
_log = get_logger(__name__)


def _quiet(_: str) -> None:
    return None


class Writer:
    """Applies writes in batches. `on_step` hears the name of every step before it is taken."""

    def __init__(self, connect: AnkiConnect, ledger: Ledger, run: str, on_step: Step = _quiet) -> None:
        self.connect, self.ledger, self.run, self.step = connect, ledger, run, on_step
        self.models: dict[str, list[str]] = {}

    def apply(self, writes: list[Write], models: dict[str, list[str]]) -> None:
        """Send everything. Each write ends `done`, marked `retry` (Anki changed meanwhile), or with
        messages that say what went wrong. Raises AnkiClosed where Anki goes away."""
        self.models = models
        self._create_decks(writes)
        for start in range(0, len(writes), BATCH):
            self._batch(writes[start : start + BATCH])

    def _create_decks(self, writes: list[Write]) -> None:
        wanted = dict.fromkeys(write.deck for write in writes if write.deck)
        if not wanted:
            return
        self.step("create_decks")
        held = {deck.casefold() for deck in self.connect.invoke("deckNames")}
        missing = [deck for deck in wanted if deck.casefold() not in held]
        self.connect.multi([("createDeck", {"deck": deck}) for deck in missing])

    def _batch(self, batch: list[Write]) -> None:
        self.step("look_again")
        batch = self._unchanged(batch)
        if not batch:
            return
        self.step("write_intents")
        intents = [(write.slug, write.kind, write.before(), write.after()) for write in batch]
        for write, entry in zip(batch, self.ledger.write_intents(self.run, intents), strict=True):
            write.entry = entry
        self.step("send")
        try:
            self._send(batch)
        except AnkiTimeout:
            self.step("look_after_timeout")
            self._mend_timeout(batch)
        self.step("read_back")
        self._read_back(batch)
        self.step("settle")
        self._settle(batch)
        self.step("settled")

    def _unchanged(self, batch: list[Write]) -> list[Write]:
        """Leave out notes that were edited since we decided: they are decided again."""
        ids = [write.note.note_id for write in batch if write.note]
        now = {raw["noteId"]: anki_note(raw) for raw in self.connect.notes_by_id(ids)}
        kept = []
        for write in batch:
            if write.note is None or _same_note(write.note, now.get(write.note.note_id)):
                kept.append(write)
            else:
                write.retry = True
                write.messages.append("changed in Anki meanwhile, decided again")
        return kept

    def _send(self, batch: list[Write]) -> None:
        sent = [(write, action) for write in batch for action in actions(write, self.models)]
        replies = self.connect.multi([action for _, action in sent])
        for (write, (name, _)), reply in zip(sent, replies, strict=True):
            self._take_reply(write, name, reply)

    def _take_reply(self, write: Write, action: str, reply: Reply) -> None:
        if reply.error:
            write.messages.append(f"Anki refused {action}: {reply.error}")
        elif action == "addNote":
            if isinstance(reply.result, int):
                write.record.note_id = reply.result
            else:
                write.messages.append("Anki answered success and made no note")

    def _mend_timeout(self, batch: list[Write]) -> None:
        """Nobody knows what arrived: look up by slug, and send only what is not there."""
        found = {note.slug: note for note in self._ours()}
        for write in batch:
            if write.kind == "create" and write.slug in found:
                write.record.note_id = found[write.slug].note_id
        missing = [write for write in batch if write.kind != "create" or write.slug not in found]
        self._send(missing)

    def _ours(self) -> list[AnkiNote]:
        return [anki_note(raw) for raw in self.connect.notes(QUERY)]

    def _read_back(self, batch: list[Write]) -> None:
        ids = [id_ for write in batch if (id_ := self._id_of(write)) is not None]
        notes = [anki_note(raw) for raw in self.connect.notes_by_id(ids)]
        place_decks(self.connect, notes)
        by_id = {note.note_id: note for note in notes}
        strays = []
        for write in batch:
            id_ = self._id_of(write)
            write.note = by_id.get(id_) if id_ is not None else None
            strays += self._stray_cards(write)
        if strays:
            self.connect.multi(strays)
            place_decks(self.connect, notes)

    @staticmethod
    def _id_of(write: Write) -> int | None:
        return write.record.note_id if write.kind == "create" else write.note.note_id if write.note else None

    @staticmethod
    def _stray_cards(write: Write) -> list[tuple[str, dict[str, Any]]]:
        """New notes sometimes land in the Default deck: put their cards where they belong."""
        if write.kind != "create" or write.note is None:
            return []
        stray = [card for card, deck in write.note.decks.items() if not same_deck(deck, write.deck)]
        if not stray:
            return []
        write.messages.append(f"Anki put the card into “{write.note.deck}”; moved to “{write.deck}”")
        return [("changeDeck", {"cards": stray, "deck": write.deck})]

    def _settle(self, batch: list[Write]) -> None:
        with self.ledger.transaction():
            for write in batch:
                if write.note is None:
                    write.messages.append("the note is not in Anki after the write")
                    self.ledger.mark_entries([write.entry], "void")
                    continue
                told = settle_write(write, write.note)
                write.messages += told
                write.done = not told
                self.ledger.save_cards([write.record])
                self.ledger.mark_entries([write.entry], "done")
                _log.debug("card_written", slug=write.slug, kind=write.kind, told=told)


def settle_write(write: Write, note: AnkiNote) -> list[str]:
    told = settle(write.record, write.after(), note)
    if write.deck and write.kind in ("create", "update"):
        if any(same_deck(deck, write.deck) for deck in note.decks.values()):
            write.record.base_deck = write.deck
        else:
            told.append(f"Anki keeps the card in “{note.deck}”")
    return told


def _same_note(then: AnkiNote, now: AnkiNote | None) -> bool:
    return (
        now is not None
        and now.model_name == then.model_name
        and now.fields.keys() == then.fields.keys()
        and all(same_field(value, now.fields[name]) for name, value in then.fields.items())
        and tag_list(now.tags) == tag_list(then.tags)
    )


def ensure_models(connect: AnkiConnect, snapshot: Snapshot) -> list[str]:
    """Create our note types where they are missing; a renamed one is recognised by its slug field."""
    told = []
    for name, fields in OWN_MODELS.items():
        held = snapshot.models.get(name)
        if held is not None:
            lacking = [field for field in fields if field not in held]
            if lacking:
                told.append(f"note type “{name}” has lost the fields {', '.join(lacking)}")
            continue
        renamed = [other for other, own in snapshot.models.items() if _is_renamed(name, other, own)]
        if renamed:
            told.append(f"note type “{name}” is called “{renamed[0]}” in Anki; that one is used")
            continue
        try:
            connect.invoke("createModel", **own_model(name))
            snapshot.models[name] = list(fields)
        except AnkiClosed:
            raise
        except Exception as exc:  # noqa: BLE001 - without our note types the standard ones still serve
            told.append(f"note type “{name}” could not be made ({exc}); the standard one is used, with a tag")
    return told


def _is_renamed(name: str, other: str, fields: list[str]) -> bool:
    ours = SLUG_FIELD in fields and other not in OWN_MODELS
    return (
        ours
        and ("Text" in fields) == ("Text" in OWN_MODELS[name])
        and (("revers" in other.casefold()) == ("revers" in name.casefold()))
    )


def recover(ledger: Ledger, snapshot: Snapshot) -> list[str]:
    """Finish the bookkeeping of a run that was killed: what arrived is settled, the rest is void."""
    entries = ledger.entries(state="intent")
    if not entries:
        return []
    records = ledger.cards()
    told = []
    with ledger.transaction():
        for entry in entries:
            note = snapshot.by_slug.get(entry.slug)
            record = records.get(entry.slug)
            if note is None or (entry.kind != "create" and record is None):
                ledger.mark_entries([entry.id], "void")
                continue
            record = record or CardRecord(slug=entry.slug, note_path=entry.after["note_path"])
            record.source = record.source or entry.after["source"]
            settle(record, entry.after, note)
            if entry.after["deck"] and any(
                same_deck(deck, entry.after["deck"]) for deck in note.decks.values()
            ):
                record.base_deck = entry.after["deck"]
            records[entry.slug] = record
            ledger.save_cards([record])
            ledger.mark_entries([entry.id], "done")
            told.append(f"{entry.slug}: an interrupted {entry.kind} was found in Anki and finished")
    return told
