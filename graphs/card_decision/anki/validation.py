"""Whether Anki can take a card: pure Python, no model, no Anki."""

import html
import re

from graphs.card_decision.anki.cloze import check_clozes, holds_cloze
from graphs.card_decision.anki.normalise import deck_name
from graphs.card_decision.anki.note_types import SLUG_FIELD, content_fields, is_cloze_model
from graphs.card_decision.schemas import ProposedCard, SchemaValidationResult

_REQUIRED = ("Front", "Back", "Text")


def validate_card(
    card: ProposedCard, models: dict[str, list[str]], max_front_chars: int = 200, max_back_chars: int = 1200
) -> SchemaValidationResult:
    """Check a proposed card against the fields of its real note type."""
    if card.model_name not in models:
        known = ", ".join(sorted(models)) or "none"
        error = f"note type “{card.model_name}” does not exist in Anki (it has: {known})"
        return SchemaValidationResult(valid=False, errors=[error])
    fields = models[card.model_name]
    errors = _field_errors(card, fields)
    warnings = _length_warnings(card, max_front_chars, max_back_chars)
    cloze = is_cloze_model(card.model_name, fields)
    if (card.card_type == "Cloze") != cloze and card.card_type != "Custom":
        errors.append(f"a {card.card_type} card cannot use the note type “{card.model_name}”")
    elif cloze:
        cloze_errors, cloze_warnings = check_clozes(_first(card, fields))
        errors += cloze_errors
        warnings += cloze_warnings
    else:
        errors += [
            f"{name}: cloze text in a note type without cloze"
            for name, value in card.fields.items()
            if "{{c" in value and holds_cloze(value)
        ]
    if deck_name(card.deck_name) in ("", "blank"):
        errors.append("the card has no deck")
    errors += [f"tag “{tag}” holds a space" for tag in card.tags if re.search(r"\s", tag)]
    return SchemaValidationResult(valid=not errors, errors=errors, warnings=warnings)


def _first(card: ProposedCard, fields: list[str]) -> str:
    return card.fields.get(fields[0], "") if fields else ""


def _field_errors(card: ProposedCard, fields: list[str]) -> list[str]:
    names = content_fields(fields)
    unknown = [name for name in card.fields if name not in fields]
    errors = [f"field “{name}” does not exist in “{card.model_name}”" for name in unknown]
    required = [name for name in names if name in _REQUIRED] or names[:1]
    if names and names[0] not in required:
        required.insert(0, names[0])
    errors += [f"field “{name}” is empty" for name in required if is_blank(card.fields.get(name, ""))]
    if SLUG_FIELD in card.fields:
        errors.append(f"field “{SLUG_FIELD}” is not the card's to set")
    return errors


def is_blank(value: str) -> bool:
    """Nothing a person could see: media counts as something."""
    if re.search(r"<img\b|\[sound:|<audio|<video", value, re.I):
        return False
    return not re.sub(r"\s|\xa0", "", html.unescape(re.sub(r"<[^>]*>", "", value)))


def _length_warnings(card: ProposedCard, max_front: int, max_back: int) -> list[str]:
    warnings = []
    for name, limit in (("Front", max_front), ("Text", max_back), ("Back", max_back)):
        length = len(html.unescape(re.sub(r"<[^>]*>", "", card.fields.get(name, ""))))
        if length > limit:
            warnings.append(f"{name} has {length} characters, more than {limit}")
    return warnings
