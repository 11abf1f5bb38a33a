"""From a card's Markdown parts to a ProposedCard: rendering, note type, deck, tags, evidence."""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from graphs.card_decision.anki.cloze import holds_cloze
from graphs.card_decision.anki.normalise import deck_name, tag_from_obsidian, tag_list
from graphs.card_decision.anki.note_types import (
    STANDARD_MODELS,
    choose_model,
    content_fields,
    is_cloze_model,
    is_custom,
    place_fields,
)
from graphs.card_decision.schemas import (
    BilingualMode,
    Candidate,
    CardType,
    EvidenceLine,
    ExistingNote,
    MappedCard,
    NoteContext,
    ProposedCard,
)
from graphs.card_decision.vault.render import Resolver, by_name, render

MAX_EVIDENCE = 40


@dataclass
class Target:
    """Where cards go: note types, default deck, names of attachments."""

    models: dict[str, list[str]]
    default_deck: str = "Study"
    attachments: dict[str, str] = field(default_factory=dict)

    def resolver(self) -> Resolver:
        def resolve(reference: str) -> str | None:
            if reference in self.attachments:
                return self.attachments[reference] or None
            return None if self.attachments else by_name(reference)

        return resolve


def build_card(
    parts: MappedCard, note: NoteContext, target: Target, mode: BilingualMode | None = None
) -> tuple[ProposedCard, list[str]]:
    """Render the parts and put them into the fields of a note type; returns warnings too."""
    candidate = note.candidate
    assert candidate is not None, "a card needs its candidate"
    card_type = _card_type(parts, candidate)
    model = _model(card_type, candidate, note.existing_anki_note, target)
    rendered, media = {}, []
    warnings = _told(model, candidate, note.existing_anki_note, target)
    for name in ("front", "back", "extra", "hint"):
        result = render(getattr(parts, name), target.resolver())
        rendered[name] = result.html
        media += result.media
        warnings += result.warnings
    fields = place_fields(rendered, target.models.get(model, ["Front", "Back"]))
    deck = deck_name(candidate.deck or target.default_deck)
    card = ProposedCard(
        card_type="Custom" if card_type == "Basic" and is_custom(model, target.models) else card_type,
        model_name=model,
        deck_name=deck,
        fields=_custom(fields, candidate, target, model),
        tags=tag_list([tag_from_obsidian(tag) for tag in candidate.tags]),
        language=candidate.language,
        bilingual_mode=mode if candidate.linked_slugs or "-" in candidate.language else None,
        media=list(dict.fromkeys(media)),
        linked_slugs=candidate.linked_slugs,
    )
    return card, warnings


def _card_type(parts: MappedCard, candidate: Candidate) -> CardType:
    if parts.card_type == "Cloze" or candidate.card_type == "Cloze":
        return "Cloze"
    return "Cloze" if not parts.back.strip() and holds_cloze(parts.front) else "Basic"


def _model(card_type: CardType, candidate: Candidate, existing: ExistingNote | None, target: Target) -> str:
    """An existing note keeps its note type where the card fits it."""
    if existing is not None and existing.model_name in target.models:
        fields = target.models[existing.model_name]
        if is_cloze_model(existing.model_name, fields) == (card_type == "Cloze"):
            return existing.model_name
    asked = candidate.model_name
    if asked not in target.models and asked not in STANDARD_MODELS and len(candidate.fields) > 2:
        return asked  # its fields have a place in no other note type
    return choose_model(card_type, candidate.reverse, asked, target.models)


def _told(model: str, candidate: Candidate, existing: ExistingNote | None, target: Target) -> list[str]:
    asked = candidate.model_name
    if not asked or existing is not None or asked in target.models or asked in STANDARD_MODELS:
        return []
    return [f"note type “{asked}” does not exist in Anki; “{model}” is used"] if model != asked else []


def _custom(fields: dict[str, str], candidate: Candidate, target: Target, model: str) -> dict[str, str]:
    """Fields a START block names beyond front and back."""
    names = content_fields(target.models.get(model, []))
    for name, text in candidate.fields.items():
        if name in names and not fields.get(name):
            fields[name] = render(text, target.resolver()).html
    return fields


def evidence_lines(note_text: str, candidate: Candidate) -> list[EvidenceLine]:
    """The note's own lines that a card stands on."""
    rows = note_text.split("\n")
    spans = [candidate.front_lines]
    if candidate.back_lines != candidate.front_lines:
        spans.append(candidate.back_lines)
    lines = [
        EvidenceLine(line=number, text=rows[number - 1].strip()[:300])
        for start, end in spans
        for number in range(start, min(end, len(rows)) + 1)
        if 0 < number <= len(rows) and re.search(r"\w", rows[number - 1])
    ]
    return lines[:MAX_EVIDENCE]


def part_slug(slug: str, part: int) -> str:
    """The slug of a split card's later parts: `x-0-en` → `x-0-1-en`."""
    match = re.match(r"^(?P<stem>.+-\d+)-(?P<lang>[a-z]{2,3}(?:-[a-z]{2,3})*)$", slug)
    if part == 0:
        return slug
    return f"{match['stem']}-{part}-{match['lang']}" if match else f"{slug}-{part}"


@functools.lru_cache(maxsize=20_000)
def whole_slug(slug: str) -> str:
    """The slug a part belongs to: `x-0-1-en` → `x-0-en`."""
    match = re.match(r"^(?P<stem>.+-\d+)-\d+-(?P<lang>[a-z]{2,3}(?:-[a-z]{2,3})*)$", slug)
    return f"{match['stem']}-{match['lang']}" if match else slug


def parts_of(slug: str, slugs: Iterable[str]) -> list[str]:
    """This slug and the slugs of its parts among others."""
    return [other for other in slugs if other == slug or whole_slug(other) == slug]
