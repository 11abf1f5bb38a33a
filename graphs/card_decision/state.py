"""What goes in, what comes out, and what the nodes share."""

from typing import Annotated, Any, TypedDict

from pydantic import BaseModel, Field

from common.budget import Spent, add_spent
from common.reducers import add_unique, upsert
from graphs.card_decision.schemas import CardDecision, ExistingNote

by_slug = upsert("slug")


class Input(BaseModel):
    """One note, and what Anki holds of it."""

    note_path: str = Field(
        default="",
        description="The note's path in its vault; read from disk where note_text is empty.",
        examples=["physics/triboelectric.md"],
    )
    note_text: str = Field(
        default="",
        description="The note's Markdown.",
        examples=["# Question (EN)\nWhat is inertia?\n\n## Answer (EN)\nResistance to a change of motion.\n"],
    )
    existing: dict[str, ExistingNote] = Field(
        default_factory=dict, description="What Anki holds now, by slug, with what was last synced."
    )
    models: dict[str, list[str]] = Field(
        default_factory=dict, description="Anki's note types with their fields; empty: the standard ones."
    )
    taken: list[str] = Field(
        default_factory=list, description="Slugs of this note's making that cards of other notes carry."
    )
    attachments: dict[str, str] = Field(
        default_factory=dict, description="Files the note shows: their names in Anki; empty where missing."
    )


class Output(BaseModel):
    """A decision for every card of the note."""

    decisions: list[CardDecision] = Field(default_factory=list, description="One decision for each card.")
    problems: list[str] = Field(default_factory=list, description="What in the note could not become a card.")
    warnings: list[str] = Field(default_factory=list, description="What did not go as configured.")
    spent: dict[str, float] = Field(default_factory=dict, description="Model calls, tokens and money.")


class State(TypedDict, total=False):
    """All keys of a run; plain JSON values."""

    note_path: str
    """The note's path in its vault."""
    note_text: str
    """The note's Markdown."""
    existing: dict[str, dict[str, Any]]
    """What Anki holds, by slug."""
    models: dict[str, list[str]]
    """Note types and their fields."""
    taken: list[str]
    """Slugs that may not be given anew."""
    attachments: dict[str, str]
    """Files the note shows, by the name they have in Anki."""
    text: str
    """The note's text as it was read."""
    held: dict[str, dict[str, Any]]
    """What Anki holds, by slug, for this run."""
    note_types: dict[str, list[str]]
    """Note types and their fields, for this run."""
    files: dict[str, str]
    """Attachments, for this run."""
    notes: list[dict[str, Any]]
    """One NoteContext for each candidate card."""
    feedback: dict[str, str]
    """A reviewer's words for another round, by slug."""
    decisions: Annotated[list[dict[str, Any]], by_slug]
    """CardDecisions so far."""
    problems: list[str]
    """What could not become a card."""
    warnings: Annotated[list[str], add_unique]
    """What did not go as configured."""
    spent: Annotated[Spent, add_spent]
    """What the run has spent."""


class CardState(TypedDict, total=False):
    """One candidate card on its way through decide_card."""

    note: dict[str, Any]
    """The NoteContext."""
    models: dict[str, list[str]]
    """Note types and their fields."""
    attachments: dict[str, str]
    """Files the note shows."""
    siblings: list[str]
    """Fronts of the note's other cards in the same language."""
    existing: dict[str, dict[str, Any]]
    """What Anki holds of this card and of its parts, by slug."""
    feedback: list[str]
    """Errors, issues or a reviewer's words for the next mapping."""
    attempts: int
    """How often the card was mapped."""
    drafts: list[dict[str, Any]]
    """Usually one; several where a long answer was split."""
    polished: bool
    """Whether the style agent has had its turn."""
    degraded: bool
    """A checking model failed: nothing may be accepted on rules alone."""
    auto_fixed: list[str]
    """Issues that a second mapping was asked to mend."""
    failure: str
    """An exception in an agent, in words."""
    decisions: Annotated[list[dict[str, Any]], by_slug]
    """The CardDecision, or several for a split card."""
    warnings: Annotated[list[str], add_unique]
    """What did not go as configured."""
    spent: Annotated[Spent, add_spent]
    """What this card has spent."""


class CardOutput(TypedDict, total=False):
    """What decide_card hands back to the note's run."""

    decisions: Annotated[list[dict[str, Any]], by_slug]
    """CardDecisions."""
    warnings: Annotated[list[str], add_unique]
    """What did not go as configured."""
    spent: Annotated[Spent, add_spent]
    """What this card has spent."""
