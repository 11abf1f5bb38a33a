"""Vaults that others wrote: what must be found, and what must not. Skipped where they are absent."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from anki.collection import Collection

from graphs.card_decision.vault.render import plain_text
from tests.unit.card_decision.conftest import lines

Cards = Callable[..., Any]
HEADING = re.compile(r"^(#{1,2}) (Question|Answer|Вопрос|Ответ|Vopros|Otvet) \((EN|RU)\)\s*$", re.M)


def sections(text: str) -> dict[tuple[str, str], str]:
    """(side, language) → text, by plain regular expressions: another reading than the product's."""
    found = {}
    for match in HEADING.finditer(text):
        rest = text[match.end() :]
        end = re.search(r"^#{1,2} ", rest, re.M)
        side = "q" if match[2] in ("Question", "Вопрос", "Vopros") else "a"
        found[side, match[3].lower()] = rest[: end.start()] if end else rest
    return found


def key(text: str) -> str:
    text = re.sub(r"^\s*(?:```\w*|\d+\. )", "", text, flags=re.M)
    return re.sub(r"[\W_]+", "", text).casefold()


def expected_cards(vault: Path) -> dict[str, tuple[str, str]]:
    found = {}
    for path in vault.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        front = yaml.safe_load(re.split(r"^---$", text, maxsplit=2, flags=re.M)[1]) or {}
        parts = sections(text)
        for language in ("en", "ru"):
            if key(parts.get(("q", language), "")) and key(parts.get(("a", language), "")):
                slug = f"{front.get('id') or path.stem}-0-{language}"
                found[slug] = parts["q", language], parts["a", language]
    return found


def without_listed(vault: Path, folder: Path) -> Path:
    folder.mkdir()
    for path in vault.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(re.sub(r"^anki_cards:\n(?:(?:- | ).*\n)+", "", text, flags=re.M))
    return folder


@pytest.mark.parametrize("listed", [True, False])
def test_a_bilingual_vault(shared_data: Path, tmp_path: Path, cards: Cards, listed: bool) -> None:
    source = shared_data / "vault-kotlin"
    vault = source if listed else without_listed(source, tmp_path / "bare")
    expected = expected_cards(source)
    result = cards("plan", vault, "--json")
    assert result.exit_code == 0, result.output
    planned = {line["slug"]: line for line in lines(result.stdout)}
    right = 0
    for slug, (question, answer) in expected.items():
        fields = planned.get(slug, {}).get("fields", {})
        front, back = key(plain_text(fields.get("Front", ""))), key(plain_text(fields.get("Back", "")))
        right += bool(front) and front in key(question) and key(answer)[:30] == back[:30]
    assert right >= 0.98 * len(expected) > 100
    assert set(planned) <= set(expected)
    assert "has no question in the note" in result.stderr
    refused = add_all(list(planned.values()), tmp_path)
    assert refused == []


def add_all(planned: list[dict[str, Any]], folder: Path) -> list[str]:
    """Add every card to a real collection; names of those it refuses or renders empty."""
    collection = Collection(str(folder / "check.anki2"))
    refused = []
    for line in planned:
        note = collection.new_note(collection.models.by_name(line["model_name"]))
        for name, value in line["fields"].items():
            note[name] = value
        note.tags = line["tags"]
        state = note.fields_check()
        collection.add_note(note, collection.decks.id(line["deck_name"]))
        shown = [card.question() for card in note.cards()]
        if state not in (0, 2) or not shown or not all(key(plain_text(text)) for text in shown):
            refused.append(line["slug"])
    collection.close()
    return refused


def test_another_tool_s_vault(shared_data: Path, cards: Cards) -> None:
    result = cards("plan", shared_data / "vault-sr", "--json")
    found = [(line["fields"]["Front"], line["fields"]["Back"]) for line in lines(result.stdout)]
    assert len(found) == 5
    assert ("This is question 1", "This is answer 1") in found
    assert [back for front, back in found if front == "question"] == ["A", "A"]


def test_the_sample_vault(tmp_path: Path, cards: Cards) -> None:
    vault = Path(__file__).parents[3] / "samples" / "vault"
    result = cards("plan", vault, "--json")
    planned = lines(result.stdout)
    snapshot = Path(__file__).parents[2] / "snapshots" / "card_decision" / "sample_vault.jsonl"
    now = "\n".join(json.dumps(line, ensure_ascii=False, sort_keys=True) for line in planned) + "\n"
    assert snapshot.read_text(encoding="utf-8") == now
    assert add_all(planned, tmp_path) == []
    keys = {"slug", "note_path", "line", "card_type", "model_name", "deck_name", "fields", "tags", "language",
            "action", "origin", "issues", "messages"}  # fmt: skip
    assert all(set(line) == keys for line in planned)
