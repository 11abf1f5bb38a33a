"""What a decision means for Anki: the actions to send, and the images for the journal."""

from dataclasses import dataclass, field
from typing import Any

from graphs.card_decision.anki.ledger import Kind
from graphs.card_decision.anki.normalise import same_deck, same_field, tag_key, tag_list
from graphs.card_decision.anki.note_types import SLUG_FIELD
from graphs.card_decision.anki.records import AnkiNote, CardRecord, is_our_mark, slug_tag
from graphs.card_decision.schemas import ProposedCard

Action = tuple[str, dict[str, Any]]


@dataclass
class Write:
    """One change to one note, idempotent: sent twice, the end is the same."""

    kind: Kind
    record: CardRecord
    card: ProposedCard | None = None
    note: AnkiNote | None = None
    fields: dict[str, str] = field(default_factory=dict)
    add_tags: list[str] = field(default_factory=list)
    remove_tags: list[str] = field(default_factory=list)
    deck: str = ""
    adopt: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    entry: int = 0
    done: bool = False
    retry: bool = False

    @property
    def slug(self) -> str:
        return self.record.slug

    def before(self) -> dict[str, Any]:
        image: dict[str, Any] = self.note.image() if self.note else {}
        known = self.record
        return {
            **image,
            "base": known.base,
            "base_tags": known.base_tags,
            "base_deck": known.base_deck,
            "kept": known.kept,
            "state": known.state,
        }

    def after(self) -> dict[str, Any]:
        return {
            "fields": self.fields,
            "tags": self.add_tags,
            "removed_tags": self.remove_tags,
            "deck": self.deck,
            "adopt": self.adopt,
            "note_path": self.record.note_path,
            "source": self.record.source,
            "model_name": self.card.model_name if self.card else self.record.model_name,
        }


def creation(record: CardRecord, card: ProposedCard) -> Write:
    tags = tag_list(card.tags)
    return Write("create", record, card, fields=dict(card.fields), add_tags=tags, deck=card.deck_name)


def actions(write: Write, models: dict[str, list[str]]) -> list[Action]:
    """AnkiConnect's actions for one write."""
    if write.kind == "create":
        return [("addNote", {"note": _new_note(write, models)})]
    note = write.note
    assert note is not None, "an update needs the note it updates"
    sent: list[Action] = []
    if write.fields:
        sent.append(("updateNoteFields", {"note": {"id": note.note_id, "fields": write.fields}}))
    if write.add_tags:
        sent.append(("addTags", {"notes": [note.note_id], "tags": " ".join(write.add_tags)}))
    if write.remove_tags:
        sent.append(("removeTags", {"notes": [note.note_id], "tags": " ".join(write.remove_tags)}))
    if write.deck:
        moving = [card for card, deck in note.decks.items() if same_deck(deck, write.record.base_deck)]
        if moving:
            sent.append(("changeDeck", {"cards": moving, "deck": write.deck}))
    return sent


def _new_note(write: Write, models: dict[str, list[str]]) -> dict[str, Any]:
    assert write.card is not None, "a new note needs its card"
    fields, tags = dict(write.fields), list(write.add_tags)
    if SLUG_FIELD in models.get(write.card.model_name, []):
        fields[SLUG_FIELD] = write.slug
    else:
        tags.append(slug_tag(write.slug))
    return {
        "deckName": write.deck,
        "modelName": write.card.model_name,
        "fields": fields,
        "tags": tags,
        # Identity is the slug: another note with the same front must not stop this one.
        "options": {"allowDuplicate": True, "duplicateScope": "deck"},
    }


def settle(record: CardRecord, after: dict[str, Any], note: AnkiNote) -> list[str]:
    """Bring a record up to what Anki now shows of a write; returns what Anki did not do as told.

    A field counts as synced only where Anki shows what we sent: so an edit made meanwhile stays an
    edit, and a write that never arrived is simply tried again."""
    told = []
    base = dict(record.base or {})
    for name, value in after["fields"].items():
        if name not in note.fields:
            told.append(f"Anki dropped the field “{name}”: the note type has none of that name")
        elif same_field(note.fields[name], value):
            base[name] = value
        else:
            told.append(f"Anki does not show what was written to “{name}”")
    base.update(after.get("adopt", {}))
    record.base = base
    record.kept = {name: value for name, value in record.kept.items() if name not in after["fields"]}
    present = {tag_key(tag) for tag in note.tags}
    removed = {tag_key(tag) for tag in after.get("removed_tags", [])}
    arrived = [tag for tag in after["tags"] if tag_key(tag) in present and not is_our_mark(tag)]
    written = [*record.base_tags, *arrived]
    record.base_tags = [tag for tag in tag_list(written) if tag_key(tag) not in removed]
    missing = [tag for tag in after["tags"] if tag_key(tag) not in present]
    told += [f"Anki did not keep the tag “{tag}”" for tag in missing]
    record.note_id, record.model_name, record.state = note.note_id, note.model_name, "synced"
    return told
