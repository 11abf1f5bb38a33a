"""The prompts as rendered."""

from pathlib import Path

import pytest

from common.prompts import load

SNAPSHOTS = Path(__file__).resolve().parents[2] / "snapshots" / "tutoring"
VALUES = {
    "strategy": "direct",
    "level": "novice",
    "documents": "[1] A card.",
    "lab": "(no lab)",
    "history": "(nothing yet)",
    "question": "What is a VLAN?",
    "cli": "(no commands yet)",
    "answer": "Type `hostname R1`.",
}


@pytest.mark.parametrize("name", ["teaching", "troubleshooting", "paraphrase"])
def test_rendered_prompt(name: str) -> None:
    prompt = load("tutoring", name)
    messages = prompt.render(**{key: VALUES[key] for key in prompt.placeholders})
    text = "\n\n".join(f"## {message.type}\n{message.content}" for message in messages) + "\n"
    snapshot = SNAPSHOTS / f"{name}.md"
    assert text == snapshot.read_text(encoding="utf-8"), f"write the new text into {snapshot.name}"
