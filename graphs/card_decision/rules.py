"""The rules twin of every model call: honest, modest, never inventing."""

from graphs.card_decision.anki.diff import change_severity
from graphs.card_decision.checks import CheckedCard, run_checks, score
from graphs.card_decision.schemas import (
    Candidate,
    DiffJudgement,
    FieldChange,
    MappedCard,
    MappedCards,
    PolishedCard,
    QAJudgement,
    QAReport,
    ReportedIssue,
    SelfAnswer,
)


def map_card(candidate: Candidate) -> MappedCards:
    """The note's own words, as they stand; a note that marks no card gives none."""
    if not candidate.front.strip():
        return MappedCards(cards=[], confidence=0.0, notes="the note marks no card")
    card = MappedCard(
        card_type="Cloze" if candidate.card_type == "Cloze" else "Basic",
        front=candidate.front,
        back=candidate.back,
        extra=candidate.extra,
        hint=candidate.hint,
    )
    return MappedCards(cards=[card], confidence=1.0, notes=f"as written in the note ({candidate.syntax})")


def polish_card(parts: MappedCard) -> PolishedCard:
    """Rules cannot shorten without losing meaning: they leave the card as it is."""
    return PolishedCard(front=parts.front, back=parts.back, hint=parts.hint, changed="")


def answer_question(back: str) -> SelfAnswer:
    """Rules have no answer of their own: the card's stands for it."""
    return SelfAnswer(answer=back, answerable=bool(back.strip()))


def qa_report(checked: CheckedCard) -> QAReport:
    """The checks' issues and the score they add up to."""
    issues = run_checks(checked)
    return QAReport(qa_score=score(issues), issues=issues, checked_by="rules")


def judge_card(report: QAReport) -> QAJudgement:
    """The same report in the shape a model answers in."""
    issues = [ReportedIssue(type=i.type, severity=i.severity, message=i.message) for i in report.issues]
    return QAJudgement(qa_score=report.qa_score, issues=issues)


def judge_change(change: FieldChange) -> DiffJudgement:
    """How heavy a change is, by its words alone."""
    severity = change_severity(change.theirs, change.ours)
    return DiffJudgement(severity=severity, reason="by comparing the words")
