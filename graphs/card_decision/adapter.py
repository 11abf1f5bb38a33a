"""A bridge to other note parsers and sync layers: their data in, their cards out."""

from typing import Any

from pydantic import BaseModel, Field

from graphs.card_decision.context import Context
from graphs.card_decision.schemas import Candidate, CardDecision, ExistingNote, NoteContext, Section
from graphs.card_decision.vault.identity import make_slug, slug_base


class Card(BaseModel):
    """A card as a sync layer takes it."""

    slug: str
    model_name: str
    deck_name: str
    fields: dict[str, str]
    tags: list[str] = Field(default_factory=list)
    note_path: str = ""
    action: str = "create"


class AgentSystemAdapter:
    """Converts both ways; it decides nothing."""

    @staticmethod
    def to_note_context(
        metadata: dict[str, Any],
        qa_pairs: list[dict[str, Any]],
        config: Context,
        *,
        note_path: str = "note.md",
        existing: dict[str, ExistingNote] | None = None,
    ) -> list[NoteContext]:
        """One NoteContext for each question and answer that another parser found. A pair holds
        `question`, `answer` and, where known, `language` and `index`."""
        base = slug_base(note_path, metadata)
        contexts = []
        for order, pair in enumerate(qa_pairs):
            index, language = (
                int(pair.get("index", order)),
                str(pair.get("language") or config.default_language),
            )
            candidate = Candidate(
                slug=make_slug(base, index, language),
                index=index,
                language=language,
                syntax="adapter",
                front=str(pair.get("question", "")),
                back=str(pair.get("answer", "")),
                line=int(pair.get("line", 0)),
                end_line=int(pair.get("line", 0)),
            )
            contexts.append(_context(candidate, metadata, config, note_path, existing or {}))
        return contexts

    @staticmethod
    def from_card_decision(decision: CardDecision) -> list[Card]:
        """The cards a sync layer should write: none where nothing is to be written."""
        card = decision.proposed_card
        if card is None or decision.action not in ("create", "update"):
            return []
        return [
            Card(
                slug=decision.slug,
                model_name=card.model_name,
                deck_name=card.deck_name,
                fields=card.fields,
                tags=card.tags,
                note_path=decision.note_path,
                action=decision.action,
            )
        ]


def _context(
    candidate: Candidate,
    metadata: dict[str, Any],
    config: Context,
    note_path: str,
    existing: dict[str, ExistingNote],
) -> NoteContext:
    sections = [
        Section(name="Question", text=candidate.front, line=candidate.line, end_line=candidate.line),
        Section(name="Answer", text=candidate.back, line=candidate.line, end_line=candidate.line),
    ]
    return NoteContext(
        slug=candidate.slug,
        note_path=note_path,
        frontmatter=metadata,
        sections=sections,
        existing_anki_note=existing.get(candidate.slug),
        config_profile=config.config_profile,
        candidate=candidate,
    )
