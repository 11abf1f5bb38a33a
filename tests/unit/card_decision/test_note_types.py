"""Note types of the user's own: named in a START block or by `card_type_hint`, with fields of any name."""

from typing import Any

from graphs.card_decision.anki.note_types import STANDARD_MODELS
from graphs.card_decision.context import Context
from graphs.card_decision.graph import graph

BLOCK = (
    "START\nVokabel\nWort: das Haus\nBedeutung: house\nBeispiel: Das Haus: groß\nund alt.\nTags: de\nEND\n"
)
OWN = {**STANDARD_MODELS, "Vokabel": ["Wort", "Bedeutung", "Beispiel", "Ton"]}


async def only(text: str, models: dict[str, list[str]] | None = None) -> dict[str, Any]:
    given = {"note_path": "n.md", "note_text": text, "models": models or {}}
    (decision,) = (await graph.ainvoke(given, context=Context()))["decisions"]
    return dict(decision)


async def test_a_block_fills_the_fields_it_names() -> None:
    decision = await only(BLOCK, OWN)
    card = decision["proposed_card"]
    assert (decision["action"], card["card_type"], card["model_name"]) == ("create", "Custom", "Vokabel")
    assert card["fields"] == {
        "Wort": "das Haus",
        "Bedeutung": "house",
        "Beispiel": "Das Haus: groß<br>\nund alt.",
        "Ton": "",
    }
    assert card["tags"] == ["de"]


async def test_fields_that_have_no_place_are_asked_about() -> None:
    decision = await only(BLOCK)
    assert decision["action"] == "manual_review"
    assert "note type “Vokabel” does not exist in Anki" in decision["messages"][0]


async def test_two_fields_have_a_place_in_a_standard_card() -> None:
    decision = await only("START\nEinfach\nVorderseite: Haus\nRückseite: house\nEND\n")
    assert decision["proposed_card"]["fields"] == {"Front": "Haus", "Back": "house"}
    assert decision["messages"] == ["note type “Einfach” does not exist in Anki; “Basic” is used"]


async def test_the_frontmatter_hints_at_a_note_type() -> None:
    text = "---\ncard_type_hint: Vokabel\n---\ndas Haus::house\n"
    card = (await only(text, OWN))["proposed_card"]
    assert (card["model_name"], card["fields"]["Bedeutung"]) == ("Vokabel", "house")
    decision = await only(text)
    assert decision["messages"] == ["note type “Vokabel” does not exist in Anki; “Basic” is used"]
    card = (await only(text.replace("Vokabel", "reversed")))["proposed_card"]
    assert card["model_name"] == "Basic (and reversed card)"
