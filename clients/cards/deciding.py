"""Letting the graph decide: one run per changed note, many at once, in this process or on a server."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from clients.cards.work import NoteWork
from clients.runner import Runner
from clients.runs import Done, Job
from common.models import role_for
from common.prompts import ROOT
from common.threads import thread_id
from graphs.card_decision.schemas import CardDecision

GRAPH = "card_decision"
_ROLES = ("mapper", "style", "qa", "diff")


@dataclass
class NoteResult:
    """What a note's run came to."""

    note: NoteWork
    decisions: list[CardDecision] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    calls: int = 0
    failed: str = ""


def fingerprint(context: dict[str, Any], url: str | None) -> str:
    """Settings, prompts and models: a note decided under others must be decided again."""
    parts = [repr(sorted((key, value) for key, value in context.items() if key != "review"))]
    parts += [f"{role}={role_for(GRAPH, role, context.get(f'{role}_model')).spec}" for role in _ROLES]
    parts += [path.read_text(encoding="utf-8") for path in sorted((ROOT / GRAPH).glob("*.md"))]
    return "\0".join([*parts, url or ""])


def decide_notes(
    runner: Runner,
    notes: list[NoteWork],
    *,
    vault_id: str,
    context: dict[str, Any],
    models: dict[str, list[str]],
    concurrency: int = 4,
    on_note: Callable[[str], None] | None = None,
) -> list[NoteResult]:
    """Decide these notes; a note whose run fails is reported, the others go on."""
    threads = {thread_id(GRAPH, vault_id, note.path): note for note in notes}
    finished: list[NoteResult] = []

    def done(result: Done) -> None:
        note = threads[result.job.thread_id]
        finished.append(_result(note, result))
        if on_note:
            on_note(note.path)

    # A sync that was killed decides its notes anew: nobody reads the steps in between.
    jobs = (Job(thread, _input(note, models), context, "exit") for thread, note in threads.items())
    runner.run_many(GRAPH, jobs, concurrency=concurrency, on_done=done)
    return sorted(finished, key=lambda result: result.note.path)


def _input(note: NoteWork, models: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "note_path": note.path,
        "note_text": note.text,
        "existing": {slug: held.model_dump() for slug, held in note.existing.items()},
        "models": models,
        "taken": note.taken,
        "attachments": note.attachments,
    }


def contested_line(slug: str, owner: str, path: str) -> str:
    """What is said of the second note with one slug: both notes, and what to do."""
    name = re.sub(r"[\s/]+", "-", path.rsplit(".", 1)[0])
    remedy = f"give {path} an `id` of its own in the frontmatter, as in `id: {name}`"
    return f"{owner} and {path} both make the slug {slug}, which is {owner}'s; {remedy}"


def _result(note: NoteWork, done: Done) -> NoteResult:
    if done.outcome is None:
        return NoteResult(note, failed=f"could not be decided: {done.error}")
    if done.outcome.waits:
        return NoteResult(note, failed="waits for an answer: see `study cards review`")
    values = done.outcome.values
    decisions = [CardDecision.model_validate(raw) for raw in values.get("decisions", [])]
    for decision in decisions:
        if owner := note.contested.get(decision.slug):
            decision.action = "manual_review"
            decision.messages.insert(0, contested_line(decision.slug, owner, note.path))
    spent = values.get("spent") or {}
    return NoteResult(
        note,
        decisions,
        list(values.get("problems", [])),
        list(values.get("warnings", [])),
        int(spent.get("calls", 0)),
    )
