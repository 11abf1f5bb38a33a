"""Answers without a model: diagnosis, fix, hints and the cards' own text put together."""

import re
from collections.abc import Sequence
from typing import Any

from graphs.tutoring.cleaning import clean_reply, is_internal
from graphs.tutoring.language import COMMAND, Language, cause_in, labelled, phrase, title
from graphs.tutoring.retrieval import card_for_command
from graphs.tutoring.schemas import Card, ParaphrasedReply

PARSER = ("INVALID_INPUT", "AMBIGUOUS", "INCOMPLETE", "UNKNOWN_COMMAND")


def sentences(text: str, count: int) -> str:
    """The first sentences of a text."""
    return " ".join(re.split(r"(?<=[.!?])\s+", text.strip())[:count])


def checked_with(lines: Sequence[str], language: Language) -> list[str]:
    """The line that says how to verify, if there is anything to say."""
    listed = ", ".join(f"`{line}`" for line in lines)
    return [f"**{phrase('verify', language)}:** {listed}"] if listed else []


def explain(
    cards: Sequence[Card], strategy: str, language: Language, quiz: dict[str, Any] | None = None
) -> str:
    """A teaching answer from the cards: the best one in full, the others by name."""
    if not cards:
        return phrase("nothing", language)
    best, *others = cards
    parts = [f"**{title(best, language)}**{phrase('english', language)}\n\n{best.text.strip()}"]
    if best.syntax:
        parts.append(f"`{best.syntax}` ({best.mode})")
    if best.example:
        parts.append(f"**{phrase('example', language)}:**\n```\n" + "\n".join(best.example) + "\n```")
    parts += checked_with(best.verify, language)
    if others:
        seconds = [f"- **{title(card, language)}**: {sentences(card.text, 1)}" for card in others]
        parts.append(f"**{phrase('related', language)}:**\n" + "\n".join(seconds))
    if quiz:
        lead = {"socratic": "ask", "challenge": "challenge"}.get(strategy, "quiz")
        parts.append(f"**{labelled(lead, language)}:** {quiz['question']}")
    return "\n\n".join(parts)


def verify_lines(fault: dict[str, Any], own: Card | None) -> list[str]:
    """How to see that the fix worked: by the corrected command's card, else by the error's own."""
    typed = COMMAND.findall(fault["fix"])
    right = (fault.get("correction") or {}).get("command") or (typed[-1] if typed else "")
    if fault["is_symptom"] or fault["family"] not in PARSER:
        return list(own.verify) if own else []
    card = card_for_command(right)
    return [line for line in card.verify if line not in typed] if card else []


def fix_fault(
    diagnoses: Sequence[dict[str, Any]], cards: Sequence[Card], language: Language, *, ahead: str = ""
) -> str:
    """Help with a detected error: what happened, what to type, why, how to check, what comes next."""
    fault = diagnoses[-1]
    happened, do, details = cause_in(fault, language)
    parts = [f"**{phrase('what', language)}:** {happened}"]
    parts += [f"**{phrase('do', language)}:** {do}"] if do else []
    parts += [f"**{labelled('details', language)}:** {details}"] if details else []
    own = cards[0] if cards else None
    if own is not None:
        parts.append(f"**{labelled('why', language)}:** {sentences(own.text, 3)}")
    parts += checked_with(verify_lines(fault, own), language)
    earlier = [f"- `{old['command']}`: {cause_in(old, language)[1] or old['fix']}" for old in diagnoses[:-1]]
    parts += ["\n".join(earlier)] if earlier else []
    parts += [f"**{phrase('ahead', language)}:** {ahead}"] if ahead else []
    return "\n\n".join(parts)


def help_along(
    cards: Sequence[Card],
    language: Language,
    *,
    hint: str = "",
    missing: Sequence[str] = (),
    done: bool = False,
    notes: str = "",
) -> str:
    """Help where no error is visible: what the checks miss, the card that fits, and the next hint."""
    parts = []
    if notes:
        parts.append(f"{phrase('device', language)}: {notes}")
    if missing:
        listed = "\n".join(f"- {says}" for says in missing)
        parts.append(f"**{labelled('missing', language)}:**\n{listed}")
    if done:
        parts.append(phrase("done", language))
    if cards:
        best = cards[0]
        parts.append(f"**{title(best, language)}**{phrase('english', language)}\n\n{best.text.strip()}")
        parts += checked_with(best.verify, language)
    parts += [hint] if hint else []
    return "\n\n".join(parts) or phrase("nothing", language)


def hint_text(step: str, rung: int, of: int, hint: str, language: Language) -> str:
    """A hint with the step it belongs to; after the last rung, how to go on."""
    heading = f"**{phrase('step', language)} {step}**"
    said = f"**{labelled('hint', language)} {rung}/{of}:** {hint}"
    return "\n\n".join([heading, said] + ([phrase("last_rung", language)] if rung == of else []))


def quiz_reply(right: bool, quiz: dict[str, Any], language: Language) -> str:
    """A word on the answer to a quiz."""
    return phrase("right", language) if right else f"{phrase('wrong', language)} → {quiz['accept'][0]}"


def paraphrase(text: str) -> ParaphrasedReply:
    """The rules twin of rewording: lines that still speak of internals are left out."""
    kept = [line for line in clean_reply(text).splitlines() if not is_internal(line)]
    return ParaphrasedReply(message="\n".join(kept).strip())
