"""An `.apkg` file for people without AnkiConnect: the same cards, recognised again on import."""

import hashlib
import html
from pathlib import Path
from typing import Any

import genanki

from graphs.card_decision.anki.normalise import deck_name, tag_list
from graphs.card_decision.anki.note_types import OWN_MODELS, SLUG_FIELD, is_cloze_model, own_model
from graphs.card_decision.schemas import CardDecision

_MODEL_IDS = {name: 1_640_000_000 + number for number, name in enumerate(OWN_MODELS)}


def write_apkg(decisions: list[CardDecision], file: Path, media: list[Path]) -> int:
    """Write every card that is not for review; returns how many. Notes keep their identity by slug, so
    importing a newer file updates and never doubles."""
    decks: dict[str, Any] = {}
    models: dict[str, Any] = {}
    written = 0
    for decision in decisions:
        card = decision.proposed_card
        if card is None or decision.action == "manual_review":
            continue
        name = deck_name(card.deck_name)
        deck = decks.setdefault(name, genanki.Deck(_deck_id(name), name))
        own = _own_name(card.model_name, card.card_type)
        model = models.setdefault(own, _model(own))
        values = [_value(field, card.fields, decision.slug) for field in OWN_MODELS[own]]
        guid = genanki.guid_for("study", decision.slug)
        deck.add_note(genanki.Note(model=model, fields=values, tags=tag_list(card.tags), guid=guid))
        written += 1
    package = genanki.Package(list(decks.values()))
    package.media_files = [str(path) for path in media]
    file.parent.mkdir(parents=True, exist_ok=True)
    package.write_to_file(str(file))
    return written


def _own_name(model_name: str, card_type: str) -> str:
    """Everything goes into our own note types: a package cannot know the user's."""
    basic, reverse, cloze = OWN_MODELS
    if card_type == "Cloze" or is_cloze_model(model_name, []):
        return cloze
    return reverse if "revers" in model_name.casefold() else basic


def _value(name: str, fields: dict[str, str], slug: str) -> str:
    return html.escape(slug, quote=False) if name == SLUG_FIELD else fields.get(name, "")


def _model(name: str) -> Any:
    shape = own_model(name)
    kind = genanki.Model.CLOZE if shape["isCloze"] else genanki.Model.FRONT_BACK
    templates = [
        {"name": template["Name"], "qfmt": template["Front"], "afmt": template["Back"]}
        for template in shape["cardTemplates"]
    ]
    fields = [{"name": field} for field in shape["inOrderFields"]]
    return genanki.Model(
        _MODEL_IDS[name], name, fields=fields, templates=templates, css=shape["css"], model_type=kind
    )


def _deck_id(name: str) -> int:
    """The same deck name gives the same id in every file."""
    return (
        1_500_000_000 + int.from_bytes(hashlib.sha256(name.casefold().encode()).digest()[:4], "big") % 10**9
    )
