"""The nodes of decide_card. An exception in any of them becomes a card for review, never a failed note."""

import functools
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from common.budget import Budget
from common.logs import get_logger
from common.origins import weakest
from graphs.card_decision import rules
from graphs.card_decision.anki import diff as three_way
from graphs.card_decision.anki.validation import validate_card
from graphs.card_decision.checks import CheckedCard
from graphs.card_decision.context import Context
from graphs.card_decision.mapping import Target, build_card, part_slug
from graphs.card_decision.schemas import (
    CardDecision,
    ExistingNote,
    MappedCard,
    NoteContext,
    QAIssue,
    QAReport,
)
from graphs.card_decision.state import CardState
from graphs.card_decision.subgraphs.agents import ask_diff, ask_mapper, ask_qa, ask_style, note_text, roles_of
from graphs.card_decision.subgraphs.drafts import CardDraft, decision_of, qa_fails, settle
from graphs.card_decision.vault.languages import declared_languages

Update = dict[str, Any]
Node = TypeVar("Node", bound=Callable[..., Awaitable[dict[str, Any]]])
_log = get_logger(__name__)


def guarded(node: Node) -> Node:
    """An exception in one card's agent must not take the note's other cards with it."""

    @functools.wraps(node)
    async def run(state: CardState, runtime: Runtime[Context]) -> Update:
        if state.get("failure"):
            return {}
        try:
            return await node(state, runtime)
        except GraphBubbleUp:
            raise
        except Exception as exc:  # noqa: BLE001 - whatever it was, the card goes to a person with the reason
            _log.error("card_step_failed", step=node.__name__, slug=state["note"]["slug"], error=str(exc))
            return {"failure": f"{node.__name__}: {type(exc).__name__}: {exc}"}

    return cast(Node, run)


def _budget(state: CardState, context: Context) -> Budget:
    parts = max(1, len(state.get("drafts") or []))
    return Budget(state.get("spent"), max_calls=context.max_llm_calls_per_card * parts)


def _target(state: CardState, context: Context) -> Target:
    return Target(state["models"], context.default_deck, state.get("attachments", {}))


@guarded
async def map_card(state: CardState, runtime: Runtime[Context]) -> Update:
    """Ask the mapper (or take the note's own words) and render the fields."""
    context = runtime.context or Context()
    note = NoteContext.model_validate(state["note"])
    budget = _budget(state, context)
    feedback = _feedback(state, context)
    if feedback:
        _log.warning("card_mapped_again", slug=note.slug, feedback=feedback)
    answer = await ask_mapper(note, feedback, context, budget)
    cards = answer.value.cards if _may_split(note, context) else answer.value.cards[:1]
    drafts = []
    for part, parts in enumerate(cards[:20]):
        slug = part_slug(note.slug, part)
        own = _for_part(note, state, slug)
        card, warnings = build_card(parts, own, _target(state, context), context.bilingual_mode)
        card.confidence, card.notes = answer.value.confidence, answer.value.notes
        drafts.append(CardDraft(slug=slug, parts=parts, card=card, origin=answer.origin, messages=warnings))
    _log.debug("card_mapped", slug=note.slug, origin=answer.origin, cards=len(drafts))
    return {
        "drafts": [draft.model_dump() for draft in drafts],
        "attempts": state.get("attempts", 0) + 1,
        "polished": False,
        "feedback": [],
        "auto_fixed": [*state.get("auto_fixed", []), *feedback],
        "warnings": answer.warnings,
        "spent": budget.delta,
    }


def _may_split(note: NoteContext, context: Context) -> bool:
    candidate = note.candidate
    return candidate is not None and (not candidate.front or len(candidate.back) > context.max_back_chars)


def _feedback(state: CardState, context: Context) -> list[str]:
    """What the last round found wrong: schema errors, or the QA's issues."""
    said = list(state.get("feedback") or [])
    for draft in (CardDraft.model_validate(draft) for draft in state.get("drafts") or []):
        if draft.validation and not draft.validation.valid:
            said += draft.validation.errors
        elif draft.qa and qa_fails(draft.qa, context):
            said += [f"{issue.type} ({issue.severity}): {issue.message}" for issue in draft.qa.issues]
    return said


def _for_part(note: NoteContext, state: CardState, slug: str) -> NoteContext:
    held = state.get("existing", {}).get(slug)
    existing = ExistingNote.model_validate(held) if held else None
    return note.model_copy(update={"slug": slug, "existing_anki_note": existing})


@guarded
async def validate_schema(state: CardState, runtime: Runtime[Context]) -> Update:
    """Pure Python. A polish that broke a card is taken back."""
    context = runtime.context or Context()
    note = NoteContext.model_validate(state["note"])
    drafts, warnings = [], []
    for draft in (CardDraft.model_validate(draft) for draft in state.get("drafts") or []):
        limits = (context.max_front_chars, context.max_back_chars)
        draft.validation = validate_card(draft.card, state["models"], *limits)
        if not draft.validation.valid and draft.before_polish is not None:
            warnings.append(f"{draft.slug}: the style agent broke the card, its version was dropped")
            own = _for_part(note, state, draft.slug)
            _rebuild(draft, draft.before_polish, own, _target(state, context), context)
            draft.validation = validate_card(draft.card, state["models"], *limits)
        if not draft.validation.valid:
            _log.error("card_invalid", slug=draft.slug, errors=draft.validation.errors)
        drafts.append(draft.model_dump())
    return {"drafts": drafts, "warnings": warnings}


def _rebuild(
    draft: CardDraft, parts: MappedCard, note: NoteContext, target: Target, context: Context
) -> None:
    kept = (draft.card.confidence, draft.card.notes)
    draft.parts = parts
    draft.card, _ = build_card(parts, note, target, context.bilingual_mode)
    draft.card.confidence, draft.card.notes = kept


@guarded
async def polish_style(state: CardState, runtime: Runtime[Context]) -> Update:
    """Let the style agent shorten and clear up; what it breaks is noticed next."""
    context = runtime.context or Context()
    note = NoteContext.model_validate(state["note"])
    budget = _budget(state, context)
    drafts, warnings = [], []
    for draft in (CardDraft.model_validate(draft) for draft in state["drafts"]):
        answer = await ask_style(draft.parts, draft.card.language, context, budget)
        warnings += answer.warnings
        polished = draft.parts.model_copy(
            update={"front": answer.value.front, "back": answer.value.back, "hint": answer.value.hint}
        )
        if answer.origin != "rules" and polished != draft.parts and polished.front.strip():
            draft.before_polish = draft.parts
            _rebuild(draft, polished, _for_part(note, state, draft.slug), _target(state, context), context)
            draft.origin = weakest(draft.origin, answer.origin)
            if draft.origin == "rules":
                draft.origin = answer.origin
            if answer.value.changed:
                draft.messages.append(f"style: {answer.value.changed}")
        drafts.append(draft.model_dump())
    return {"drafts": drafts, "polished": True, "warnings": warnings, "spent": budget.delta}


@guarded
async def qa_check(state: CardState, runtime: Runtime[Context]) -> Update:
    """Rules first; a model only where they found nothing grave. A failed checker accepts nothing."""
    context = runtime.context or Context()
    note = NoteContext.model_validate(state["note"])
    budget = _budget(state, context)
    drafts, warnings, degraded = [], [], False
    for draft in (CardDraft.model_validate(draft) for draft in state["drafts"]):
        checked = _checked(draft, note, state, context)
        report = rules.qa_report(checked)
        grave = any(issue.severity == "high" for issue in report.issues)
        if not grave and not roles_of(context).qa.is_rules:
            answer, own = await ask_qa(note, checked.front, checked.back, report, context, budget)
            warnings += answer.warnings
            degraded = degraded or answer.degraded
            if not answer.degraded:
                judged = [QAIssue(**issue.model_dump()) for issue in answer.value.issues]
                report = QAReport(
                    qa_score=min(report.qa_score, answer.value.qa_score),
                    issues=[*report.issues, *judged],
                    self_answer=own,
                    checked_by=answer.origin,
                )
        report.auto_fixed = state.get("auto_fixed", [])
        draft.qa = report
        if any(issue.severity != "low" for issue in report.issues):
            _log.warning("card_issues", slug=draft.slug, score=report.qa_score, issues=len(report.issues))
        drafts.append(draft.model_dump())
    return {"drafts": drafts, "degraded": degraded, "warnings": warnings, "spent": budget.delta}


def _checked(draft: CardDraft, note: NoteContext, state: CardState, context: Context) -> CheckedCard:
    held = state.get("existing", {}).get(draft.slug)
    assert note.candidate is not None, "a card needs its candidate"
    return CheckedCard(
        card=draft.card,
        candidate=note.candidate,
        note_text=note_text(note),
        existing=ExistingNote.model_validate(held) if held else None,
        siblings=state.get("siblings", []),
        declared=declared_languages(note.frontmatter),
        written_by_model=draft.origin != "rules",
        max_front_chars=context.max_front_chars,
        max_back_chars=context.max_back_chars,
        enforce_short_front=context.enforce_short_front,
    )


@guarded
async def diff_card(state: CardState, runtime: Runtime[Context]) -> Update:
    """Three-way comparison; the model only weighs changes, it never decides who wins."""
    context = runtime.context or Context()
    budget = _budget(state, context)
    drafts, warnings = [], []
    for draft in (CardDraft.model_validate(draft) for draft in state["drafts"]):
        held = state.get("existing", {}).get(draft.slug)
        if held:
            existing = ExistingNote.model_validate(held)
            judged = {}
            result = three_way.diff_card(draft.card, existing)
            for change in result.changes:
                if (
                    change.outcome == "ours"
                    and change.severity == "content"
                    and not roles_of(context).diff.is_rules
                ):
                    answer = await ask_diff(change, context, budget)
                    warnings += answer.warnings
                    judged[change.field] = answer.value.severity
            draft.diff = three_way.diff_card(
                draft.card, existing, allow_content_updates=context.allow_content_updates, judged=judged
            )
        drafts.append(draft.model_dump())
    return {"drafts": drafts, "warnings": warnings, "spent": budget.delta}


async def decide(state: CardState, runtime: Runtime[Context]) -> Update:
    """The CardDecision, whatever happened before."""
    context = runtime.context or Context()
    note = NoteContext.model_validate(state["note"])
    decisions = _decisions(state, note, context)
    for decision in decisions:
        _log.info("card_decided", slug=decision.slug, action=decision.action, origin=decision.origin)
    return {"decisions": [decision.model_dump() for decision in decisions]}


def _decisions(state: CardState, note: NoteContext, context: Context) -> list[CardDecision]:
    existing, line = note.existing_anki_note, note.candidate.line if note.candidate else 0
    plain = CardDecision(
        slug=note.slug, action="skip", note_path=note.note_path, line=line, candidate=note.candidate
    )
    if existing and existing.deleted:
        plain.messages = ["deleted in Anki; it stays deleted until --recreate"]
        return [plain]
    drafts = [CardDraft.model_validate(draft) for draft in state.get("drafts") or []]
    if failure := state.get("failure"):
        decided = [decision_of(draft, note, "manual_review", [failure]) for draft in drafts]
        return decided or [plain.model_copy(update={"action": "manual_review", "messages": [failure]})]
    decisions = []
    for draft in drafts:
        held = state.get("existing", {}).get(draft.slug)
        own = ExistingNote.model_validate(held) if held else None
        action, messages = settle(draft, own, context, bool(state.get("degraded")))
        decisions.append(decision_of(draft, note, action, messages))
    return decisions
