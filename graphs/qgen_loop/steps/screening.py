"""What is checked before any model is asked: wording, evidence, exact repetition."""

from typing import Any

from graphs.qgen_loop.checks import check
from graphs.qgen_loop.dedupe import question_key
from graphs.qgen_loop.documents import Document
from graphs.qgen_loop.evidence import verify, verify_visual
from graphs.qgen_loop.schemas import Evidence, Mode, VisualEvidence
from graphs.qgen_loop.state import State
from graphs.qgen_loop.steps import verdicts
from graphs.qgen_loop.wording.language import language

Candidate = dict[str, Any]


def screened(
    candidate: Candidate, document: Document, mode: Mode, viewed: list[int]
) -> tuple[Candidate, dict[str, Any] | None]:
    """The candidate with its evidence put right and its soft faults noted, and a verdict if it fails."""
    tongue = language("\n".join(document.lines[:200]))
    issues = check(candidate["question"], candidate["answer"], mode=mode, document_language=tongue)
    for issue in issues:
        if issue.hard:
            return candidate, verdicts.rejected(issue.reason, str(issue))
    noted = {**candidate, "notes": [str(issue) for issue in issues]}
    if mode == "visual":
        return _visual(noted, document, viewed)
    return _textual(noted, document)


def _textual(candidate: Candidate, document: Document) -> tuple[Candidate, dict[str, Any] | None]:
    checked = verify(document, Evidence.model_validate(candidate["evidence"]), candidate["answer"])
    if checked.evidence is None:
        return candidate, verdicts.rejected("validation_failed", f"{checked.code}: {checked.message}")
    found = {"evidence": checked.evidence.model_dump(), "carries_answer": checked.carries_answer}
    return {**candidate, **found}, None


def _visual(
    candidate: Candidate, document: Document, viewed: list[int]
) -> tuple[Candidate, dict[str, Any] | None]:
    evidence = VisualEvidence.model_validate(candidate["visual_evidence"])
    ok, why = verify_visual(document.list_visual_content(), evidence, viewed)
    return candidate, None if ok else verdicts.rejected("validation_failed", f"visual_evidence: {why}")


def repeated(candidate: Candidate, state: State) -> dict[str, Any] | None:
    """A verdict where the very same question was accepted before."""
    key = question_key(candidate["question"])
    for other in state.get("accepted_questions", []):
        if question_key(other["question"]) == key:
            return verdicts.rejected("duplicate", "the same question in the same words", other["question"])
    return None
