"""One waiting thread of each graph that asks a person, and what its answer leads to."""

from dataclasses import dataclass, field
from typing import Any
from uuid import NAMESPACE_URL, uuid5

NOTE = "---\nid: phys-9\n---\n# Question (EN)\nWhat is inertia?\n\n## Answer (EN)\nResistance to change.\n"
EDITED_IN_ANKI = {
    "note_id": 1,
    "fields": {"Front": "What is inertia?", "Back": "What a student wrote in Anki."},
    "base": {"Front": "What is inertia?", "Back": "What was synced before."},
    "model_name": "Basic",
}
QUOTES = "# Citas\n\nSólo el tiempo es nuestro.\n12\n\nNadie es libre si teme.\n13\n"
BOOK = {"text": QUOTES, "title": "Cartas", "author": "Anónimo"}


@dataclass(frozen=True)
class Case:
    """What the thread was given, and what must be there before its answer comes."""

    graph: str
    asks: str
    given: dict[str, Any]
    context: dict[str, Any] = field(default_factory=dict)
    before: dict[str, Any] | None = None

    @property
    def thread(self) -> str:
        return str(uuid5(NAMESPACE_URL, f"stored/{self.graph}"))


CASES = (
    Case(
        "card_decision",
        "review_cards",
        {"note_path": "inertia.md", "note_text": NOTE, "existing": {"phys-9-0-en": EDITED_IN_ANKI}},
        {"review": "interrupt"},
    ),
    # The quotes are in the knowledge base, which is no checkpoint: they are stored anew.
    Case("concept_extraction", "review_concepts", BOOK, before={**BOOK, "ingest_only": True}),
)
