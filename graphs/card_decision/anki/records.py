"""What we remember of a card between runs, and what Anki holds of it."""

from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote

from pydantic import BaseModel, Field

from graphs.card_decision.anki.note_types import SLUG_FIELD
from graphs.card_decision.schemas import ExistingNote

SLUG_TAG = "study::slug::"
ORPHAN_TAG = "study::orphan"
UNDONE_TAG = "study::undone"
_OURS = ("study::slug::", ORPHAN_TAG, UNDONE_TAG)

State = Literal["synced", "pending", "deleted"]


class CardRecord(BaseModel):
    """The ledger's row for one slug. `base` is what was last synced: nothing else may be compared with."""

    slug: str
    note_path: str
    state: State = "pending"
    note_id: int | None = None
    model_name: str = ""
    base: dict[str, str] | None = None
    base_tags: list[str] = Field(default_factory=list)
    base_deck: str = ""
    kept: dict[str, str] = Field(default_factory=dict)
    source: str = ""
    orphaned: bool = False
    decision: dict[str, Any] = Field(default_factory=dict)


@dataclass
class AnkiNote:
    """A note as Anki shows it now."""

    note_id: int
    model_name: str
    fields: dict[str, str]
    tags: list[str]
    cards: list[int] = field(default_factory=list)
    decks: dict[int, str] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        """Our name for it: from the hidden field, else from the tag."""
        if self.fields.get(SLUG_FIELD, "").strip():
            return self.fields[SLUG_FIELD].strip()
        for tag in self.tags:
            if tag.casefold().startswith(SLUG_TAG):
                return slug_from_tag(tag)
        return ""

    @property
    def deck(self) -> str:
        return next((self.decks[card] for card in self.cards if card in self.decks), "")

    def image(self) -> dict[str, Any]:
        """What the journal keeps of it."""
        return {"fields": self.fields, "tags": self.tags, "deck": self.deck, "model_name": self.model_name}


def slug_tag(slug: str) -> str:
    """The slug as a tag: spaces and colons written so that Anki keeps them."""
    escaped = slug.replace("%", "%25").replace(" ", "%20").replace("::", "%3A%3A").replace('"', "%22")
    return SLUG_TAG + escaped.replace("*", "%2A").replace("\u3000", "%E3%80%80")


def slug_from_tag(tag: str) -> str:
    return unquote(tag[len(SLUG_TAG) :])


def is_our_mark(tag: str) -> bool:
    """Tags that carry our bookkeeping, not the note's meaning."""
    return tag.casefold().startswith(_OURS)


def anki_note(raw: dict[str, Any]) -> AnkiNote:
    """From AnkiConnect's notesInfo."""
    fields = sorted(raw.get("fields", {}).items(), key=lambda item: item[1].get("order", 0))
    return AnkiNote(
        note_id=int(raw["noteId"]),
        model_name=str(raw.get("modelName", "")),
        fields={name: str(value.get("value", "")) for name, value in fields},
        tags=[str(tag) for tag in raw.get("tags", [])],
        cards=[int(card) for card in raw.get("cards", [])],
    )


def existing_note(record: CardRecord | None, note: AnkiNote | None) -> ExistingNote | None:
    """The two together, as the graph takes them; None where Anki never had the card."""
    if note is None:
        if record is None or record.state == "pending":
            return None
        return ExistingNote(note_id=record.note_id, base=record.base, source=record.source, deleted=True)
    known = record if record is not None and record.base is not None else None
    return ExistingNote(
        note_id=note.note_id,
        fields={name: value for name, value in note.fields.items() if name != SLUG_FIELD},
        tags=[tag for tag in note.tags if not is_our_mark(tag)],
        deck=note.deck,
        model_name=note.model_name,
        base=known.base if known else None,
        base_tags=known.base_tags if known else [],
        base_deck=known.base_deck if known else "",
        kept=record.kept if record else {},
        source=record.source if record else "",
    )
