"""One card under way inside decide_card, and the last word on it."""

from pydantic import BaseModel, Field

from common.origins import Origin
from graphs.card_decision.context import Context
from graphs.card_decision.schemas import (
    Action,
    CardDecision,
    CardDiffResult,
    ExistingNote,
    MappedCard,
    NoteContext,
    ProposedCard,
    QAReport,
    SchemaValidationResult,
)


class CardDraft(BaseModel):
    """A proposed card with everything found out about it so far."""

    slug: str
    parts: MappedCard
    card: ProposedCard
    origin: Origin = "rules"
    before_polish: MappedCard | None = None
    validation: SchemaValidationResult | None = None
    qa: QAReport | None = None
    diff: CardDiffResult | None = None
    messages: list[str] = Field(default_factory=list)


def qa_fails(report: QAReport | None, context: Context) -> bool:
    """Too low a score, or anything of high severity."""
    if report is None:
        return False
    return report.qa_score < context.min_qa_score or any(i.severity == "high" for i in report.issues)


def settle(
    draft: CardDraft, existing: ExistingNote | None, context: Context, degraded: bool
) -> tuple[Action, list[str]]:
    """The action, and why."""
    if draft.validation is None or not draft.validation.valid:
        return "manual_review", list(draft.validation.errors) if draft.validation else ["not validated"]
    if draft.diff is not None and not draft.diff.should_update and not draft.diff.conflicts:
        return "skip", draft.diff.reasons or ["nothing to change"]
    if draft.diff is not None and draft.diff.conflicts:
        return "manual_review", draft.diff.reasons
    if degraded:
        return "manual_review", ["the model that checks cards failed; nothing is accepted unchecked"]
    if qa_fails(draft.qa, context) and draft.qa is not None:
        return "manual_review", [f"QA {draft.qa.qa_score:g}: {_worst(draft.qa)}"]
    if existing is None:
        return "create", []
    return "update", draft.diff.reasons if draft.diff else []


def _worst(report: QAReport) -> str:
    order = {"high": 0, "medium": 1, "low": 2}
    issues = sorted(report.issues, key=lambda issue: order[issue.severity])
    return "; ".join(issue.message for issue in issues[:3]) or "below the least score"


def decision_of(draft: CardDraft, note: NoteContext, action: Action, messages: list[str]) -> CardDecision:
    candidate = note.candidate
    return CardDecision(
        slug=draft.slug,
        action=action,
        proposed_card=draft.card,
        qa_report=draft.qa,
        schema_validation=draft.validation,
        diff=draft.diff,
        messages=list(dict.fromkeys([*messages, *draft.messages])),
        origin=draft.origin,
        note_path=note.note_path,
        line=candidate.line if candidate else 0,
        candidate=candidate,
    )
