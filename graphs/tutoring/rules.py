"""Answers without a model: diagnosis, fix, hints and the cards' own text put together."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from graphs.tutoring.cleaning import clean_reply, is_internal
from graphs.tutoring.intent import plain
from graphs.tutoring.schemas import Card, ParaphrasedReply

SPANISH = re.compile(
    r"\b(?:que|como|por|para|una|el|la|los|las|es|del|mi|no puedo|cual|cuando|donde|explicame|hola|ayuda|esta"
    r"|entre)\b"
)


@lru_cache(maxsize=1)
def phrases() -> dict[str, dict[str, str]]:
    """The fixed phrases in both languages."""
    text = (Path(__file__).parent / "phrases.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


def speaks_spanish(question: str) -> bool:
    """Whether a question is in Spanish."""
    return bool(re.search(r"[¿¡ñ]", question)) or len(set(SPANISH.findall(plain(question)))) >= 2


def phrase(name: str, spanish: bool) -> str:
    """A fixed phrase in the student's language."""
    return phrases()[name]["es" if spanish else "en"]


def title(card: Card, spanish: bool) -> str:
    """A card's title in the student's language, where it has one."""
    return card.title_es if spanish and card.title_es else card.title


def sentences(text: str, count: int) -> str:
    """The first sentences of a text."""
    return " ".join(re.split(r"(?<=[.!?])\s+", text.strip())[:count])


def explain(cards: Sequence[Card], strategy: str, question: str, quiz: dict[str, Any] | None = None) -> str:
    """A teaching answer from the cards: the best one in full, the others by name."""
    spanish = speaks_spanish(question)
    if not cards:
        return phrase("nothing", spanish)
    best, *others = cards
    parts = [f"**{title(best, spanish)}**\n\n{best.text.strip()}"]
    if best.syntax:
        parts.append(f"`{best.syntax}` ({best.mode})")
    if best.example:
        parts.append(f"{phrase('example', spanish)}:\n```\n" + "\n".join(best.example) + "\n```")
    if others:
        seconds = [f"- **{title(card, spanish)}**: {sentences(card.text, 1)}" for card in others]
        parts.append(f"{phrase('related', spanish)}:\n" + "\n".join(seconds))
    if quiz:
        lead = {"socratic": "ask", "challenge": "challenge"}.get(strategy, "quiz")
        parts.append(f"{phrase(lead, spanish)}: {quiz['question']}")
    return "\n\n".join(parts)


def fix_fault(diagnoses: Sequence[dict[str, Any]], cards: Sequence[Card], question: str) -> str:
    """Help with a detected error: what happened, what to type, why, how to check."""
    spanish = speaks_spanish(question)
    fault = diagnoses[-1]
    parts = [
        f"**{phrase('what', spanish)}:** {fault['diagnosis']}",
        f"**{phrase('do', spanish)}:** {fault['fix']}",
    ]
    own = cards[0] if cards else None
    if own is not None:
        parts.append(f"**{phrase('why', spanish)}:** {sentences(own.text, 3)}")
        if own.verify:
            parts.append(f"{phrase('verify', spanish)}: " + ", ".join(f"`{line}`" for line in own.verify))
    earlier = [f"- `{old['command']}`: {old['fix']}" for old in diagnoses[:-1]]
    return "\n\n".join(parts + (["\n".join(earlier)] if earlier else []))


def help_along(
    cards: Sequence[Card],
    question: str,
    *,
    hint: str = "",
    missing: Sequence[str] = (),
    done: bool = False,
    notes: str = "",
) -> str:
    """Help where no error is visible: what the checks miss, the next hint, and the card that fits."""
    spanish = speaks_spanish(question)
    parts = []
    if notes:
        parts.append(f"{phrase('device', spanish)}: {notes}")
    if missing:
        parts.append(f"**{phrase('missing', spanish)}:**\n" + "\n".join(f"- {says}" for says in missing))
    if done:
        parts.append(phrase("done", spanish))
    if hint:
        parts.append(f"**{phrase('hint', spanish)}:** {hint}")
    if cards and not done:
        best = cards[0]
        parts.append(f"**{title(best, spanish)}**\n\n{best.text.strip()}")
        if best.verify:
            parts.append(f"{phrase('verify', spanish)}: " + ", ".join(f"`{line}`" for line in best.verify))
    return "\n\n".join(parts) or phrase("nothing", spanish)


def quiz_reply(right: bool, quiz: dict[str, Any], question: str) -> str:
    """A word on the answer to a quiz."""
    spanish = speaks_spanish(question)
    return phrase("right", spanish) if right else f"{phrase('wrong', spanish)} → {quiz['accept'][0]}"


def paraphrase(text: str) -> ParaphrasedReply:
    """The rules twin of rewording: lines that still speak of internals are left out."""
    kept = [line for line in clean_reply(text).splitlines() if not is_internal(line)]
    return ParaphrasedReply(message="\n".join(kept).strip())
