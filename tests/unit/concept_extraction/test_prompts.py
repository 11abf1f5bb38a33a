"""Prompts as they are sent: in both languages, with the things themselves in them."""

from pathlib import Path

import pytest

from common.prompts import ROOT, fence, load
from tests.snapshot import same_as_snapshot

VALUES = {
    "title": "Cartas",
    "author": "Anónimo",
    "name": "Anónimo",
    "quotes": fence("Q1 (I, 12): Sólo el tiempo es nuestro.", "quotes"),
    "results": fence("Anónimo: escritor.", "results"),
    "concepts": "C1: El tiempo — Sólo el tiempo es nuestro. (quotes: Q1)",
    "existing": "E1: La vida — Es breve.",
    "relations": "R1: El tiempo RELATES_TO La vida",
    "uncovered": "Q2",
    "wishes": fence("Más concreto.", "wishes"),
    "first_title": "El tiempo",
    "first_text": "Es nuestro.",
    "second_title": "La vida",
    "second_text": "Es breve.",
}
NAMES = sorted(path.stem for path in (ROOT / "concept_extraction").glob("*.md"))


def test_every_prompt_is_written_in_both_languages() -> None:
    assert {name.rsplit("_", 1)[0] for name in NAMES if name.endswith("_es")} == {
        name.rsplit("_", 1)[0] for name in NAMES if name.endswith("_en")
    }
    assert len(NAMES) == 18
    assert isinstance(ROOT, Path)


@pytest.mark.parametrize("name", NAMES)
def test_prompts_as_rendered(name: str) -> None:
    prompt = load("concept_extraction", name)
    messages = prompt.render(**{key: VALUES[key] for key in prompt.placeholders})
    shown = "\n\n".join(f"[{message.type}]\n{message.text}" for message in messages) + "\n"
    same_as_snapshot(f"concept_extraction/prompt_{name}.txt", shown)
