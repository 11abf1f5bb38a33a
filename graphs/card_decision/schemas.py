"""The values that pass between notes, agents and Anki, and the shapes a model must return."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from common.origins import Origin

CardType = Literal["Basic", "Cloze", "Custom"]
BilingualMode = Literal["front_back", "separate_cards"]
IssueType = Literal["answer_mismatch", "front_leaks_answer", "language_mismatch", "style_issue"]
Severity = Literal["low", "medium", "high"]
ChangeSeverity = Literal["cosmetic", "content", "structural"]
RiskLevel = Literal["low", "medium", "high"]
Action = Literal["create", "update", "skip", "manual_review"]
Outcome = Literal["same", "ours", "theirs", "both", "conflict"]


class Section(BaseModel):
    """A heading of the note and the text under it, with its lines in the file (from 1)."""

    name: str
    text: str
    line: int
    end_line: int


class Candidate(BaseModel):
    """What a note says about one card, in the note's own Markdown, before any mapping."""

    slug: str
    index: int
    language: str
    syntax: str
    front: str
    back: str
    line: int
    end_line: int
    front_lines: tuple[int, int] = (0, 0)
    back_lines: tuple[int, int] = (0, 0)
    card_type: CardType = "Basic"
    reverse: bool = False
    extra: str = ""
    hint: str = ""
    tags: list[str] = Field(default_factory=list)
    deck: str = ""
    model_name: str = ""
    fields: dict[str, str] = Field(default_factory=dict)
    foreign_id: int | None = None
    linked_slugs: list[str] = Field(default_factory=list)
    context: str = ""


class ExistingNote(BaseModel):
    """What Anki holds for a slug now, and what was last synced (`base`), if that is known."""

    note_id: int | None = None
    fields: dict[str, str] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)
    deck: str = ""
    model_name: str = ""
    base: dict[str, str] | None = Field(default=None, description="Fields as last synced; null: unknown.")
    kept: dict[str, str] = Field(
        default_factory=dict, description="Our values against which a person chose to keep Anki's."
    )
    base_tags: list[str] = Field(default_factory=list, description="Tags that we wrote.")
    base_deck: str = Field(default="", description="The deck we put the card in.")
    source: str = Field(default="", description="The front in the note's words, as last synced.")
    deleted: bool = Field(default=False, description="Synced once, then deleted in Anki by the user.")


class NoteContext(BaseModel):
    """The canonical view of one note (and one card of it) that the agents work on."""

    slug: str
    note_path: str
    frontmatter: dict[str, Any] = Field(default_factory=dict)
    sections: list[Section] = Field(default_factory=list)
    existing_anki_note: ExistingNote | None = None
    config_profile: str = "default"
    candidate: Candidate | None = None


class ProposedCard(BaseModel):
    """One Anki note as we would write it."""

    card_type: CardType = "Basic"
    model_name: str
    deck_name: str
    fields: dict[str, str]
    tags: list[str] = Field(default_factory=list)
    language: str = "en"
    bilingual_mode: BilingualMode | None = None
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    notes: str = ""
    media: list[str] = Field(default_factory=list, description="Vault files the fields show.")
    linked_slugs: list[str] = Field(default_factory=list, description="The same card in other languages.")


class QAIssue(BaseModel):
    """One thing wrong with a card."""

    type: IssueType
    severity: Severity
    message: str


class QAReport(BaseModel):
    """How well the Back answers the Front: 0 to 1, with the reasons."""

    qa_score: float = Field(ge=0.0, le=1.0)
    issues: list[QAIssue] = Field(default_factory=list)
    auto_fixed: list[str] = Field(default_factory=list)
    self_answer: str = ""
    checked_by: Origin = "rules"


class SchemaValidationResult(BaseModel):
    """Whether Anki could take the card as it is."""

    valid: bool
    errors: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)


class FieldChange(BaseModel):
    """One field on three sides: last synced, in Anki now, from the note now."""

    field: str
    base: str | None
    theirs: str
    ours: str
    outcome: Outcome
    severity: ChangeSeverity


class CardDiffResult(BaseModel):
    """The three-way comparison of an existing note with the proposed card."""

    changes: list[FieldChange] = Field(default_factory=list)
    should_update: bool = False
    risk_level: RiskLevel = "low"
    write_fields: dict[str, str] = Field(default_factory=dict)
    add_tags: list[str] = Field(default_factory=list)
    remove_tags: list[str] = Field(default_factory=list)
    move_to: str = ""
    conflicts: list[str] = Field(default_factory=list)
    reasons: list[str] = Field(default_factory=list)


class EvidenceLine(BaseModel):
    """A line of the note that supports the card."""

    line: int
    text: str


class CardDecision(BaseModel):
    """The final word on one card, for the sync layer."""

    slug: str
    action: Action
    proposed_card: ProposedCard | None = None
    qa_report: QAReport | None = None
    schema_validation: SchemaValidationResult | None = None
    diff: CardDiffResult | None = None
    messages: list[str] = Field(default_factory=list)
    origin: Origin = "rules"
    note_path: str = ""
    line: int = 0
    evidence: list[EvidenceLine] = Field(default_factory=list)
    candidate: Candidate | None = None


# --- shapes that a model must return: flat, nothing in them that code can compute ---


class MappedCard(BaseModel):
    """One card in the model's words, as Markdown."""

    card_type: Literal["Basic", "Cloze"] = Field(description="Cloze only where the front holds {{c1::…}}.")
    front: str = Field(description="The question, or the whole text with clozes.")
    back: str = Field(description="The answer, from the note alone. May be empty for Cloze.")
    extra: str = Field(default="", description="Anything worth showing after the answer.")
    hint: str = Field(default="", description="A short nudge that does not give the answer away.")


class MappedCards(BaseModel):
    """What the card mapper answers: usually one card, several where a long answer is split."""

    cards: list[MappedCard] = Field(description="One card, or several where one answer holds several facts.")
    confidence: float = Field(ge=0.0, le=1.0, description="How sure you are, 0 to 1.")
    notes: str = Field(default="", description="Anything the reviewer should know.")


class PolishedCard(BaseModel):
    """What the style agent answers."""

    front: str = Field(description="The front, shortened where it was too long, same meaning.")
    back: str = Field(description="The back, clear and standing on its own, same facts.")
    hint: str = Field(default="", description="A short hint, or empty.")
    changed: str = Field(default="", description="What was changed and why, in one line; empty if nothing.")


class SelfAnswer(BaseModel):
    """The QA agent's own answer, written before it sees the card's."""

    answer: str = Field(description="Your answer to the question, from the note alone.")
    answerable: bool = Field(description="Whether the note answers the question at all.")


class ReportedIssue(BaseModel):
    """One issue in the QA agent's words."""

    type: IssueType
    severity: Severity
    message: str = Field(description="What is wrong and where.")


class QAJudgement(BaseModel):
    """The QA agent's comparison of its own answer with the card's."""

    qa_score: float = Field(ge=0.0, le=1.0, description="1: the Back fully answers the Front.")
    issues: list[ReportedIssue] = Field(default_factory=list, description="Empty where nothing is wrong.")


class DiffJudgement(BaseModel):
    """The diff agent's view of one changed field."""

    severity: ChangeSeverity = Field(description="cosmetic: same meaning. content: facts. structural: shape.")
    reason: str = Field(description="One line.")
