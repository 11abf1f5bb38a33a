"""Three sides of a card: last synced, in Anki now, from the note now. A person's edit always stays."""

import re

from rapidfuzz import fuzz

from graphs.card_decision.anki.cloze import cloze_numbers
from graphs.card_decision.anki.normalise import comparable, same_deck, same_field, tag_key, tag_list
from graphs.card_decision.anki.validation import is_blank
from graphs.card_decision.schemas import (
    CardDiffResult,
    ChangeSeverity,
    ExistingNote,
    FieldChange,
    Outcome,
    ProposedCard,
    RiskLevel,
)
from graphs.card_decision.vault.render import plain_text

_COSMETIC_RATIO = 97.0


def outcome_of(base: str | None, theirs: str, ours: str, kept: str | None = None) -> Outcome:
    """Who changed a field: `same`, `ours`, `theirs`, `both` (to the same), or `conflict`."""
    if same_field(theirs, ours):
        return "same" if base is None or same_field(base, ours) else "both"
    if kept is not None and same_field(kept, ours):
        return "theirs"
    if base is None:
        return "conflict"
    ours_changed, theirs_changed = not same_field(base, ours), not same_field(base, theirs)
    if ours_changed and theirs_changed:
        return "conflict"
    return "ours" if ours_changed else "theirs"


def change_severity(before: str, after: str) -> ChangeSeverity:
    """cosmetic: the words stay. structural: a field emptied or filled, other clozes. content: the rest."""
    if is_blank(before) != is_blank(after) or cloze_numbers(before) != cloze_numbers(after):
        return "structural"
    one, other = _words(before), _words(after)
    if one == other or (
        len(one) > 40 and fuzz.ratio(one, other) >= _COSMETIC_RATIO and _facts(one) == _facts(other)
    ):
        return "cosmetic"
    return "content"


def _words(value: str) -> str:
    return re.sub(r"[\W_]+", " ", plain_text(value)).casefold().strip()


def _facts(words: str) -> list[str]:
    """Numbers and negations: a letter's difference in these is never cosmetic."""
    return re.findall(r"\d+|\b(?:not?|nie|не|ни|sin|kein\w*|nunca|never)\b", words)


def diff_card(
    card: ProposedCard,
    existing: ExistingNote,
    *,
    allow_content_updates: bool = True,
    judged: dict[str, ChangeSeverity] | None = None,
) -> CardDiffResult:
    """Compare field by field; what may be written is in `write_fields`, and nothing else may.

    `judged` holds a model's view of how heavy a field's change is."""
    result = CardDiffResult()
    for name, ours in card.fields.items():
        if name not in existing.fields:
            continue
        theirs = existing.fields[name]
        base = existing.base.get(name) if existing.base is not None else None
        if existing.base is not None and base is None:
            base = "" if not theirs.strip() else None
        outcome = outcome_of(base, theirs, ours, existing.kept.get(name))
        if outcome != "same":
            result.changes.append(_change(name, base, theirs, ours, outcome))
    for change in result.changes:
        change.severity = _weighed(change, (judged or {}).get(change.field))
    _settle_fields(result, existing)
    _settle_tags(result, card, existing)
    _settle_deck(result, card, existing)
    _settle_model(result, card, existing)
    _decide(result, allow_content_updates)
    return result


def _change(name: str, base: str | None, theirs: str, ours: str, outcome: Outcome) -> FieldChange:
    severity = change_severity(theirs, ours)
    return FieldChange(field=name, base=base, theirs=theirs, ours=ours, outcome=outcome, severity=severity)


def _weighed(change: FieldChange, judged: ChangeSeverity | None) -> ChangeSeverity:
    """A model may call a change heavier, or a rewording cosmetic; never a changed number or negation."""
    order = ("cosmetic", "content", "structural")
    if judged is None or change.severity == "structural":
        return change.severity
    if order.index(judged) < order.index(change.severity):
        same = _facts(_words(change.theirs)) == _facts(_words(change.ours))
        return judged if same else change.severity
    return judged


def _settle_fields(result: CardDiffResult, existing: ExistingNote) -> None:
    for change in result.changes:
        if change.outcome == "ours":
            result.write_fields[change.field] = change.ours
        elif change.outcome == "theirs":
            result.reasons.append(f"{change.field}: edited in Anki, kept")
        elif change.outcome == "conflict":
            result.conflicts.append(change.field)
            why = (
                "never synced by us and different in Anki (the card of another note? give this one an `id`)"
                if existing.base is None
                else "changed on both sides"
            )
            result.reasons.append(f"{change.field}: {why}")


def _settle_tags(result: CardDiffResult, card: ProposedCard, existing: ExistingNote) -> None:
    """We add what is new to us and remove only what we once wrote; a tag the user removed stays away."""
    theirs = {tag_key(tag) for tag in existing.tags}
    written = {tag_key(tag) for tag in existing.base_tags}
    ours = tag_list(card.tags)
    result.add_tags = [tag for tag in ours if tag_key(tag) not in theirs and tag_key(tag) not in written]
    wanted = {tag_key(tag) for tag in ours}
    result.remove_tags = [
        tag for tag in existing.base_tags if tag_key(tag) not in wanted and tag_key(tag) in theirs
    ]


def _settle_deck(result: CardDiffResult, card: ProposedCard, existing: ExistingNote) -> None:
    """Move a card only where the note asks for another deck and the card is still where we put it."""
    if not existing.base_deck or same_deck(card.deck_name, existing.deck):
        return
    if same_deck(card.deck_name, existing.base_deck):
        result.reasons.append(f"moved in Anki to “{existing.deck}”, left there")
    elif same_deck(existing.deck, existing.base_deck):
        result.move_to = card.deck_name
    else:
        result.reasons.append(f"moved in Anki to “{existing.deck}”; the note asks for “{card.deck_name}”")


def _settle_model(result: CardDiffResult, card: ProposedCard, existing: ExistingNote) -> None:
    if not existing.model_name or existing.model_name == card.model_name:
        return
    if set(card.fields) - set(existing.fields):
        result.conflicts.append("note type")
        result.reasons.append(
            f"the note type in Anki is “{existing.model_name}”, the note needs “{card.model_name}”"
        )


def _decide(result: CardDiffResult, allow_content_updates: bool) -> None:
    written = [change for change in result.changes if change.outcome == "ours"]
    heavy = [change for change in written if change.severity != "cosmetic"]
    result.risk_level = _risk(result, written)
    if result.conflicts:
        result.write_fields = {}
    elif heavy and not allow_content_updates:
        result.reasons.append("content updates are switched off (allow_content_updates)")
        result.conflicts = [change.field for change in heavy]
        result.write_fields = {}
    result.should_update = not result.conflicts and bool(
        result.write_fields or result.add_tags or result.remove_tags or result.move_to
    )


def _risk(result: CardDiffResult, written: list[FieldChange]) -> RiskLevel:
    if result.conflicts or any(change.severity == "structural" for change in written):
        return "high"
    return "medium" if any(change.severity == "content" for change in written) else "low"


def unchanged(result: CardDiffResult) -> bool:
    """Nothing to write and nothing to ask."""
    return not result.should_update and not result.conflicts


def field_diff(change: FieldChange) -> str:
    """One line that shows a person what stands against what."""
    return f"{change.field}: Anki “{_short(change.theirs)}” · note “{_short(change.ours)}”"


def _short(value: str) -> str:
    text = plain_text(comparable(value)).replace("\n", " ")
    return text if len(text) <= 80 else text[:77] + "…"
