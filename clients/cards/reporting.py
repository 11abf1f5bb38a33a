"""Cards as JSON lines for programs and as a short report for people."""

import json
from collections import Counter
from collections.abc import Collection
from typing import Any

import typer
from rich.markup import escape
from rich.table import Table

from clients.options import console
from graphs.card_decision.anki.diff import field_diff
from graphs.card_decision.schemas import CardDecision
from graphs.card_decision.vault.render import plain_text

COLOURS = {"create": "green", "update": "cyan", "skip": "dim", "manual_review": "yellow"}


def card_line(decision: CardDecision) -> dict[str, Any]:
    """One card for a program: the keys of the JSON lines."""
    card, report = decision.proposed_card, decision.qa_report
    return {
        "slug": decision.slug,
        "note_path": decision.note_path,
        "line": decision.line,
        "card_type": card.card_type if card else None,
        "model_name": card.model_name if card else None,
        "deck_name": card.deck_name if card else None,
        "fields": card.fields if card else {},
        "tags": card.tags if card else [],
        "language": card.language if card else None,
        "action": decision.action,
        "origin": decision.origin,
        "issues": [issue.model_dump() for issue in report.issues] if report else [],
        "messages": [*decision.messages, *conflicts(decision)],
    }


def conflicts(decision: CardDecision) -> list[str]:
    """What stands in Anki against what stands in the note, a line for each field in dispute."""
    changes = decision.diff.changes if decision.diff and decision.action == "manual_review" else []
    return [field_diff(change) for change in changes if change.outcome in ("conflict", "ours")]


def counted(number: int, noun: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def print_lines(decisions: list[CardDecision]) -> None:
    for decision in decisions:
        typer.echo(json.dumps(card_line(decision), ensure_ascii=False))


def print_table(decisions: list[CardDecision], limit: int = 200) -> None:
    """Every card with what happens to it and why."""
    if not decisions:
        return
    table = Table("action", "card", "front", "why", box=None, pad_edge=False)
    for decision in decisions[:limit]:
        fields = decision.proposed_card.fields if decision.proposed_card else {}
        asked = decision.candidate.front if decision.candidate else ""
        front = plain_text(next(iter(fields.values()), asked)).replace("\n", " ")
        colour = COLOURS[decision.action]
        why = "\n".join(["; ".join(decision.messages)[:240], *conflicts(decision)])
        row = (decision.slug, front[:60], why)
        table.add_row(f"[{colour}]{decision.action}[/]", *(escape(text) for text in row))
    console.print(table)
    if len(decisions) > limit:
        console.print(f"… and {len(decisions) - limit} more; --json shows all")


def print_problems(problems: dict[str, list[str]]) -> None:
    """What is wrong in a note, a line each, on standard error."""
    for path, lines in sorted(problems.items()):
        for line in lines:
            typer.secho(f"{path}: {line}", fg="yellow", err=True)


def counts(decisions: list[CardDecision]) -> dict[str, int]:
    found = Counter(decision.action for decision in decisions)
    return {name: found.get(name, 0) for name in ("create", "update", "skip", "manual_review")}


def summary(decisions: list[CardDecision], written: bool = False, failed: Collection[str] = ()) -> str:
    """How many cards of each kind; those that Anki did not take are told apart."""
    missed = {"create": 0, "update": 0} | Counter(d.action for d in decisions if d.slug in failed)
    found = counts(decisions)
    create, update = ("created", "updated") if written else ("to create", "to update")
    lost = missed["create"] + missed["update"]
    return (
        f"{found['create'] - missed['create']} {create}, {found['update'] - missed['update']} {update}, "
        f"{found['skip']} unchanged, {found['manual_review']} for review"
    ) + (f", {lost} failed" if lost else "")
