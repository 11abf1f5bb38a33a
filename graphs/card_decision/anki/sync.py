"""Writing to Anki so that a kill at any step loses nothing and doubles nothing.

Each batch: journal what is there and what we intend, send, read back, then settle ledger and journal
in one transaction. What a kill leaves behind is found by slug in the next run (`recover`)."""

from collections.abc import Callable

from common.logs import get_logger
from graphs.card_decision.anki.collection import QUERY, Snapshot
from graphs.card_decision.anki.connect import AnkiClosed, AnkiConnect, AnkiTimeout, Reply
from graphs.card_decision.anki.ledger import Entry, Ledger
from graphs.card_decision.anki.normalise import same_deck, same_field, tag_list
from graphs.card_decision.anki.note_types import OWN_MODELS, SLUG_FIELD, own_model
from graphs.card_decision.anki.records import AnkiNote, CardRecord, anki_note
from graphs.card_decision.anki.writes import Write, actions, settle

BATCH = 1000
DEFAULT_DECK = "Default"
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
        for start in range(0, len(writes), BATCH):
            self._batch(writes[start : start + BATCH])

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
        self.step("note_arrivals")
        made = {write.entry: write.record.note_id for write in batch if write.kind == "create"}
        self.ledger.note_arrivals({entry: note_id for entry, note_id in made.items() if note_id is not None})
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
        """One request: the decks (making one that exists changes nothing), then every write."""
        decks = dict.fromkeys(write.deck for write in batch if write.deck)
        made = [("createDeck", {"deck": deck}) for deck in decks]
        sent = [(write, action) for write in batch for action in actions(write, self.models)]
        replies = self.connect.multi([*made, *(action for _, action in sent)])
        for (write, (name, _)), reply in zip(sent, replies[len(made) :], strict=True):
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
        """See what Anki holds now. New notes sometimes land in the Default deck: their cards are put where
        they belong in the same request that asks where they were and where they are."""
        ids = [id_ for write in batch if (id_ := self._id_of(write)) is not None]
        by_id = {note.note_id: note for note in map(anki_note, self.connect.notes_by_id(ids))}
        wanted: dict[str, list[int]] = {}
        for write in batch:
            id_ = self._id_of(write)
            write.note = by_id.get(id_) if id_ is not None else None
            if write.kind == "create" and write.note:
                wanted.setdefault(write.deck, []).extend(write.note.cards)
        cards = [card for note in by_id.values() for card in note.cards]
        if not cards:
            return
        moves = [("changeDeck", {"cards": held, "deck": deck}) for deck, held in wanted.items()]
        look = ("getDecks", {"cards": cards})
        first, *_, last = self.connect.multi([look, *moves, look] if moves else [look, look])
        before, after = _decks(first), _decks(last)
        for write in batch:
            if write.note is not None:
                write.note.decks = {card: after[card] for card in write.note.cards if card in after}
                self._tell_deck(write, before)

    @staticmethod
    def _id_of(write: Write) -> int | None:
        return write.record.note_id if write.kind == "create" else write.note.note_id if write.note else None

    @staticmethod
    def _tell_deck(write: Write, before: dict[int, str]) -> None:
        strays = [before[card] for card in write.note.cards if card in before] if write.note else []
        strays = [deck for deck in strays if not same_deck(deck, write.deck)]
        if write.kind == "create" and strays:
            write.messages.append(f"Anki put the card into “{strays[0]}”; moved to “{write.deck}”")

    def _settle(self, batch: list[Write]) -> None:
        """Ledger and journal learn together what Anki shows."""
        arrived = [write for write in batch if write.note is not None]
        missing = [write for write in batch if write.note is None]
        for write in arrived:
            assert write.note is not None, "filtered above"
            told = settle_write(write, write.note)
            write.messages += told
            write.done = not told
        for write in missing:
            write.messages.append("the note is not in Anki after the write")
        with self.ledger.transaction():
            self.ledger.save_cards([write.record for write in arrived])
            self.ledger.mark_entries([write.entry for write in arrived], "done")
            self.ledger.mark_entries([write.entry for write in missing], "void")
        _log.debug("batch_written", cards=len(arrived), missing=len(missing))


def _decks(reply: Reply) -> dict[int, str]:
    return {card: deck for deck, held in (reply.result or {}).items() for card in held}


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


def recover(connect: AnkiConnect, ledger: Ledger, snapshot: Snapshot) -> list[str]:
    """Finish a run that was killed: what arrived is settled, the rest is void."""
    entries = ledger.entries(state="intent")
    if not entries:
        return []
    _unstray(connect, entries, snapshot)
    records = ledger.cards()
    arrived = ledger.arrivals()
    deleted = _deleted(entries, arrived, snapshot)
    told = []
    with ledger.transaction():
        for entry in entries:
            note = snapshot.by_slug.get(entry.slug)
            record = records.get(entry.slug)
            if entry.id in deleted:
                ledger.save_cards([_gone(entry, arrived.get(entry.id))])
                ledger.mark_entries([entry.id], "done")
                told.append(
                    f"{entry.slug}: made by an interrupted run and deleted in Anki since; it stays so"
                )
                continue
            if note is None or (entry.kind != "create" and record is None):
                ledger.mark_entries([entry.id], "void")
                continue
            record = record or CardRecord(slug=entry.slug, note_path="")
            # Whether or not it arrived: this is the note, and these the words, that it came from.
            record.note_path, record.source = entry.after["note_path"], entry.after["source"]
            settle(record, entry.after, note)
            deck = entry.after["deck"]
            if deck and any(same_deck(held, deck) for held in note.decks.values()):
                record.base_deck = deck
            records[entry.slug] = record
            ledger.save_cards([record])
            ledger.mark_entries([entry.id], "done")
            told.append(f"{entry.slug}: an interrupted {entry.kind} was found in Anki and finished")
    return told


def _deleted(entries: list[Entry], arrived: dict[int, int], snapshot: Snapshot) -> set[int]:
    """Creations that did reach Anki and are not there now. Anki said so before the kill; or it made a later
    note of the same batch, which it works off in order."""
    gone, later = set(), set()
    for entry in reversed(entries):
        if entry.kind != "create":
            continue
        if entry.slug in snapshot.by_slug:
            later.add(entry.run)
        elif entry.id in arrived or entry.run in later:
            gone.add(entry.id)
    return gone


def _gone(entry: Entry, note_id: int | None) -> CardRecord:
    after = entry.after
    record = CardRecord(
        slug=entry.slug, note_path=after["note_path"], state="deleted", source=after["source"]
    )
    record.base, record.base_tags, record.base_deck = after["fields"], after["tags"], after["deck"]
    record.note_id, record.model_name = note_id, after["model_name"]
    return record


def _unstray(connect: AnkiConnect, entries: list[Entry], snapshot: Snapshot) -> None:
    """New notes that the kill left in the Default deck go where they were meant to be."""
    moves = []
    for entry in entries:
        note = snapshot.by_slug.get(entry.slug)
        if entry.kind == "create" and note is not None and not same_deck(DEFAULT_DECK, entry.after["deck"]):
            strays = [card for card, deck in note.decks.items() if same_deck(deck, DEFAULT_DECK)]
            if strays:
                moves.append((entry.after["deck"], note, strays))
    decks = dict.fromkeys(deck for deck, _, _ in moves)
    made = [("createDeck", {"deck": deck}) for deck in decks]
    moved = [("changeDeck", {"cards": strays, "deck": deck}) for deck, _, strays in moves]
    connect.multi([*made, *moved])
    for deck, note, strays in moves:
        note.decks |= dict.fromkeys(strays, deck)
