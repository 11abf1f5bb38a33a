"""Anki's standard note types, our own with a hidden slug field, and which one a card takes."""

from typing import Any

from graphs.card_decision.schemas import CardType

SLUG_FIELD = "Study ID"
BASIC, REVERSED, CLOZE = "Study Basic", "Study Basic (and reversed card)", "Study Cloze"

STANDARD_MODELS: dict[str, list[str]] = {
    "Basic": ["Front", "Back"],
    "Basic (and reversed card)": ["Front", "Back"],
    "Basic (optional reversed card)": ["Front", "Back", "Add Reverse"],
    "Basic (type in the answer)": ["Front", "Back"],
    "Cloze": ["Text", "Back Extra"],
}
OWN_MODELS: dict[str, list[str]] = {
    BASIC: ["Front", "Back", "Extra", "Hint", SLUG_FIELD],
    REVERSED: ["Front", "Back", "Extra", "Hint", SLUG_FIELD],
    CLOZE: ["Text", "Back Extra", "Hint", SLUG_FIELD],
}
_CSS = (
    ".card { font-family: sans-serif; font-size: 18px; text-align: left; max-width: 46em; margin: auto; }\n"
    "pre { background: #f4f4f4; padding: .6em; overflow-x: auto; } .nightMode pre { background: #333; }\n"
    ".hint { color: #888; font-size: 14px; } .cloze { font-weight: bold; color: #06c; }\n"
)
_HINT = '{{#Hint}}<div class="hint">{{hint:Hint}}</div>{{/Hint}}'
_EXTRA = "{{#Extra}}<hr>{{Extra}}{{/Extra}}"
_FORWARD = {
    "Name": "Card 1",
    "Front": "{{Front}}" + _HINT,
    "Back": "{{Front}}<hr id=answer>{{Back}}" + _EXTRA,
}
_BACKWARD = {"Name": "Card 2", "Front": "{{Back}}", "Back": "{{Back}}<hr id=answer>{{Front}}" + _EXTRA}
_GAPS = {
    "Name": "Cloze",
    "Front": "{{cloze:Text}}" + _HINT,
    "Back": "{{cloze:Text}}{{#Back Extra}}<hr>{{Back Extra}}{{/Back Extra}}",
}


def own_model(name: str) -> dict[str, Any]:
    """The parameters of AnkiConnect's `createModel` for one of our note types."""
    templates = {BASIC: [_FORWARD], REVERSED: [_FORWARD, _BACKWARD], CLOZE: [_GAPS]}[name]
    return {
        "modelName": name,
        "inOrderFields": OWN_MODELS[name],
        "css": _CSS,
        "isCloze": name == CLOZE,
        "cardTemplates": templates,
    }


def is_cloze_model(name: str, fields: list[str]) -> bool:
    """AnkiConnect does not say which note types are cloze: by name, or by the standard first field."""
    return "cloze" in name.casefold() or fields[:2] == ["Text", "Back Extra"]


def is_custom(name: str, models: dict[str, list[str]]) -> bool:
    """A note type that the user made, neither Anki's own nor ours under whatever name."""
    return name in models and name not in STANDARD_MODELS and SLUG_FIELD not in models[name]


def choose_model(card_type: CardType, reverse: bool, asked: str, models: dict[str, list[str]]) -> str:
    """The note type for a card: the one asked for, ours, the standard one, or one that looks alike."""
    wanted = {"Basic": [BASIC, "Basic"], "Cloze": [CLOZE, "Cloze"], "Custom": []}[card_type]
    if card_type == "Basic" and reverse:
        wanted = [REVERSED, "Basic (and reversed card)"]
    if asked in models and asked not in STANDARD_MODELS:
        return asked
    ours = [name for name in wanted if name in OWN_MODELS and name in models]
    standard = [name for name in wanted if name in STANDARD_MODELS and name in models]
    found = [*ours, *_renamed(card_type == "Cloze", reverse, models), *standard]
    return found[0] if found else asked or (wanted[-1] if wanted else "Basic")


def _renamed(cloze: bool, reverse: bool, models: dict[str, list[str]]) -> list[str]:
    """Note types of ours that go by another name now: they still have the slug field."""
    return [
        name
        for name, fields in models.items()
        if name not in OWN_MODELS
        and SLUG_FIELD in fields
        and is_cloze_model(name, fields) == cloze
        and ("revers" in name.casefold()) == reverse
    ]


def content_fields(fields: list[str]) -> list[str]:
    """The fields a person sees: all but our hidden one."""
    return [name for name in fields if name != SLUG_FIELD]


def place_fields(parts: dict[str, str], fields: list[str]) -> dict[str, str]:
    """Put front, back, extra and hint into the fields the note type has; extra joins the back
    where it has no field of its own."""
    names = content_fields(fields)
    placed = dict.fromkeys(names, "")
    first = names[0] if names else "Front"
    second = names[1] if len(names) > 1 else ""
    front = next((name for name in ("Front", "Text") if name in names), first)
    back = next((name for name in ("Back", "Back Extra") if name in names), second)
    placed[front] = parts.get("front", "")
    body = [parts.get("back", "")]
    if parts.get("extra"):
        if "Extra" in names:
            placed["Extra"] = parts["extra"]
        else:
            body.append(parts["extra"])
    if back:
        placed[back] = "<hr>".join(part for part in body if part)
    if "Hint" in names:
        placed["Hint"] = parts.get("hint", "")
    return placed
