"""What a person may answer about cards in review, and what it makes of them."""

from typing import Any

from common.errors import BadInput
from graphs.card_decision.anki.validation import validate_card
from graphs.card_decision.schemas import Action, CardDecision, CardDiffResult, ProposedCard


def review_item(decision: CardDecision) -> dict[str, Any]:
    """One card as the reviewer sees it."""
    card, diff = decision.proposed_card, decision.diff
    return {
        "slug": decision.slug,
        "line": decision.line,
        "reasons": decision.messages,
        "fields": card.fields if card else {},
        "deck": card.deck_name if card else "",
        "changes": [change.model_dump() for change in diff.changes] if diff else [],
        "issues": [issue.model_dump() for issue in decision.qa_report.issues] if decision.qa_report else [],
    }


def apply_decision(answer: Any, waiting: list[CardDecision], models: dict[str, list[str]]) -> dict[str, Any]:
    """The state's update for an answer; raises BadInput where the answer cannot be used."""
    warnings = list(answer.warnings)
    if answer.kind == "feedback":
        return {"feedback": {decision.slug: answer.message for decision in waiting}, "warnings": warnings}
    if answer.kind == "abort":
        for decision in waiting:
            decision.messages.append("the review was declined; nothing is written")
        return {
            "decisions": [decision.model_dump() for decision in waiting],
            "feedback": {},
            "warnings": warnings,
        }
    edits = answer.args.get("cards") if answer.kind == "edit" else None
    choices = (
        _choices(edits, waiting) if edits is not None else {d.slug: {"action": "accept"} for d in waiting}
    )
    for decision in waiting:
        if decision.slug in choices:
            _choose(decision, choices[decision.slug], models)
    return {
        "decisions": [decision.model_dump() for decision in waiting],
        "feedback": {},
        "warnings": warnings,
    }


def _choices(edits: Any, waiting: list[CardDecision]) -> dict[str, dict[str, Any]]:
    """`{slug: {...}}`, or a list of items that name their slug."""
    if isinstance(edits, list):
        edits = {str(item.get("slug", "")): item for item in edits if isinstance(item, dict)}
    if not isinstance(edits, dict) or not all(isinstance(item, dict) for item in edits.values()):
        raise BadInput(
            "`cards` must map slugs to decisions.", remedy='{"cards": {"<slug>": {"action": "skip"}}}'
        )
    unknown = set(edits) - {decision.slug for decision in waiting}
    if unknown:
        raise BadInput(f"{', '.join(sorted(unknown))}: not in this review.")
    return edits


def _choose(decision: CardDecision, choice: dict[str, Any], models: dict[str, list[str]]) -> None:
    """accept: as proposed. keep: Anki's version stays. skip: nothing now. New fields are validated."""
    word = str(choice.get("action", "accept")).casefold()
    if word in ("skip", "keep", "theirs", "reject"):
        decision.action = "skip"
        decision.messages.append(
            "kept as it is in Anki by a person" if word != "skip" else "skipped by a person"
        )
        if word in ("keep", "theirs"):
            decision.messages.append("keep")
        return
    if word not in ("accept", "approve", "create", "update", "edit", "ours"):
        raise BadInput(f"{decision.slug}: “{word}” is no action.", remedy="Use accept, keep or skip.")
    card = decision.proposed_card
    if card is None:
        raise BadInput(f"{decision.slug}: there is no card to accept.", remedy="Use skip.")
    edited = _edited(card, choice, decision.slug)
    result = validate_card(edited, models)
    if not result.valid:
        raise BadInput(
            f"{decision.slug}: {'; '.join(result.errors)}.", remedy="Correct the fields or skip it."
        )
    decision.proposed_card, decision.schema_validation = edited, result
    decision.action = _action(decision)
    decision.messages.append("accepted by a person")
    if decision.diff is not None:
        decision.diff = _forced(decision.diff, edited, set(choice.get("fields") or {}))


def _edited(card: ProposedCard, choice: dict[str, Any], slug: str) -> ProposedCard:
    fields = choice.get("fields") or {}
    if not isinstance(fields, dict) or not all(isinstance(value, str) for value in fields.values()):
        raise BadInput(f"{slug}: `fields` must map field names to text.")
    deck = str(choice.get("deck") or choice.get("deck_name") or card.deck_name)
    return card.model_copy(update={"fields": {**card.fields, **fields}, "deck_name": deck})


def _action(decision: CardDecision) -> Action:
    return "update" if decision.diff is not None else "create"


def _forced(diff: CardDiffResult, card: ProposedCard, edited: set[str]) -> CardDiffResult:
    """A person chose the note's version, or their own: every field that differs or that they edited is
    written."""
    changed = {
        change.field: card.fields[change.field] for change in diff.changes if change.field in card.fields
    }
    conflicts = [change.field for change in diff.changes if change.outcome == "conflict"]
    writes = {
        name: value for name, value in changed.items() if name in conflicts or name in diff.write_fields
    }
    writes |= {change.field: card.fields[change.field] for change in diff.changes if change.outcome == "ours"}
    writes |= {name: card.fields[name] for name in edited}
    return diff.model_copy(update={"write_fields": writes or changed, "conflicts": [], "should_update": True})
