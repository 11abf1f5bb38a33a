"""Reads the cards: written ones from their data files, one more for each lab."""

import re
from functools import lru_cache
from pathlib import Path
from typing import get_args

import yaml

from graphs.tutoring.labs import Lab, load_labs
from graphs.tutoring.schemas import Card, CardKind

DATA = Path(__file__).parent / "cards"
FILES: dict[str, CardKind] = {"errors": "error", "commands": "command", "concepts": "concept"}
KINDS: tuple[CardKind, ...] = get_args(CardKind)


@lru_cache(maxsize=1)
def load_cards() -> dict[str, Card]:
    """All cards by id."""
    cards = [
        Card.model_validate({"kind": kind, **item})
        for name, kind in FILES.items()
        for item in yaml.safe_load((DATA / f"{name}.yaml").read_text(encoding="utf-8"))
    ]
    cards += [lab_card(lab) for lab in load_labs().values()]
    return {card.id: card for card in cards}


def lab_card(lab: Lab) -> Card:
    """A lab as a card."""
    return Card(
        id=f"lab-{lab.id}",
        kind="lab",
        title=f"Lab {lab.id}: {lab.title}",
        title_es=lab.title_es,
        text=lab.instructions().split("\n", 1)[1],
        skills=sorted({step.skill for step in lab.steps}),
        lab=lab.id,
    )


@lru_cache(maxsize=1)
def _by_pattern() -> dict[str, str]:
    return {pattern: card.id for card in load_cards().values() for pattern in card.patterns}


def card_for_pattern(pattern_id: str) -> Card | None:
    """The card that explains a detected error; learned patterns share the general one."""
    card_id = _by_pattern().get(pattern_id)
    return load_cards()[card_id] if card_id else None


def card_for_command(command: str) -> Card | None:
    """The card of a command, by the keywords its syntax begins with; the longest of them counts."""
    typed = [word for word in command.lower().split() if word not in ("no", "do")]
    best: tuple[int, Card] | None = None
    for card in load_cards().values():
        lead = leading_keywords(card.syntax) if card.kind == "command" else []
        fits = len(lead) <= len(typed) and all(
            full.startswith(word) for full, word in zip(lead, typed, strict=False)
        )
        if lead and fits and (best is None or len(lead) > best[0]):
            best = len(lead), card
    return best[1] if best else None


def leading_keywords(syntax: str) -> list[str]:
    """The words of a syntax line before its first value or choice."""
    words = []
    for word in syntax.split():
        if not re.fullmatch(r"[a-z][a-z0-9-]*", word):
            break
        words.append(word)
    return words
