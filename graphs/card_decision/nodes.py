"""The nodes around decide_card: read the note, gather the decisions, ask a person."""

import asyncio
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from common.budget import RESET
from common.errors import BadInput, NotFound
from common.folders import check_readable
from common.inputs import checked_input
from common.interrupts import Decision, ask_person
from common.logs import get_logger
from graphs.card_decision.anki.diff import field_diff
from graphs.card_decision.anki.note_types import STANDARD_MODELS
from graphs.card_decision.context import Context
from graphs.card_decision.mapping import evidence_lines
from graphs.card_decision.reviewing import apply_decision, review_item
from graphs.card_decision.schemas import Candidate, CardDecision, ExistingNote, NoteContext, Section
from graphs.card_decision.state import Input, State
from graphs.card_decision.subgraphs.agents import roles_of
from graphs.card_decision.vault.cards import NoteCards, ReadingSettings, read_cards
from graphs.card_decision.vault.files import read_note
from graphs.card_decision.vault.identity import make_slug
from graphs.card_decision.vault.languages import declared_languages, guess_language
from graphs.card_decision.vault.lines import normalised

Update = dict[str, Any]
_MANY = 2_000_000
_THIN = 80
_log = get_logger(__name__)


async def parse_note(state: State, runtime: Runtime[Context]) -> Update:
    """Read the note and find its candidate cards. Everything of an earlier run on this thread is reset."""
    context = runtime.context or Context()
    given = checked_input(Input, state)
    if not given.note_text and not given.note_path:
        raise BadInput("Neither note_text nor note_path is given.", remedy="Give one of them.")
    path = given.note_path or "note.md"
    text = normalised(given.note_text) or await asyncio.to_thread(_from_disk, path)
    existing = given.existing
    settings = ReadingSettings(context.default_language, context.bilingual_mode, context.highlight_cloze)
    note = read_cards(path, text, settings, existing, state.get("taken") or [])
    if not note.candidates and not note.problems and not roles_of(context).mapper.is_rules:
        note.candidates = _whole_note(note, text, context)
    _log.info("note_parsed", note=path, cards=len(note.candidates), problems=len(note.problems))
    return {
        # Input that a later run on this thread leaves out must not come from this one.
        "note_text": "",
        "existing": {},
        "models": {},
        "taken": [],
        "attachments": {},
        "text": text,
        "held": {slug: held.model_dump() for slug, held in existing.items()},
        "note_types": state.get("models") or STANDARD_MODELS,
        "files": state.get("attachments") or {},
        "notes": [item.model_dump() for item in _contexts(note, existing, context)],
        "feedback": {},
        "problems": note.problems,
        "decisions": {"replace": []},
        "warnings": {"replace": []},
        "spent": RESET,
    }


def _from_disk(path: str) -> str:
    file = Path(path)
    if "\0" in path:
        raise BadInput("note_path holds a NUL character.", remedy="Send a plain path.")
    if file.suffix.lower() not in (".md", ".markdown"):
        raise BadInput(f"{path} is not a note.", remedy="Give a .md file, or the text as note_text.")
    check_readable(file)
    read = read_note(file, path)
    if read.problem:
        raise NotFound(f"{path}: {read.problem}.", remedy="Give the note's text as note_text.")
    return read.text


def _whole_note(note: NoteCards, text: str, context: Context) -> list[Candidate]:
    """A note that marks no card: the mapper may find some in it."""
    body = note.lines.join(note.lines.body, len(note.lines)).strip()
    if len(body) < _THIN:
        return []
    declared = declared_languages(note.frontmatter)
    language = guess_language(body, declared, context.default_language)
    slug = make_slug(note.base, 0, language)
    span = (note.lines.body + 1, len(note.lines))
    return [
        Candidate(
            slug=slug, index=0, language=language, syntax="whole_note", front="", back="", line=span[0],
            end_line=span[1], front_lines=span, back_lines=span, tags=note.signals.tags,
            deck=note.signals.deck,
        )
    ]  # fmt: skip


def _contexts(note: NoteCards, existing: dict[str, ExistingNote], context: Context) -> list[NoteContext]:
    sections = note.sections
    roles = roles_of(context)
    size = sum(len(section.text) for section in sections) * max(1, len(note.candidates))
    whole = size < _MANY and not (roles.mapper.is_rules and roles.qa.is_rules)
    return [
        NoteContext(
            slug=candidate.slug,
            note_path=note.path,
            frontmatter=note.frontmatter,
            sections=sections if whole else _near(sections, candidate),
            existing_anki_note=existing.get(candidate.slug),
            config_profile=context.config_profile,
            candidate=candidate,
        )
        for candidate in note.candidates
    ]


def _near(sections: list[Section], candidate: Candidate) -> list[Section]:
    """Where no model reads them, or the note is huge: only the sections a card begins in."""
    starts = (candidate.front_lines[0], candidate.back_lines[0])
    return [section for section in sections if any(section.line <= at <= section.end_line for at in starts)]


async def collect(state: State, runtime: Runtime[Context]) -> Update:
    """Put the decisions in the note's order and add the lines they stand on."""
    text = state.get("text", "")
    decisions = []
    for decision in (CardDecision.model_validate(raw) for raw in state.get("decisions") or []):
        if decision.candidate is not None and not decision.evidence:
            decision.evidence = evidence_lines(text, decision.candidate)
        decisions.append(decision)
    decisions.sort(key=lambda decision: decision.line)
    counts = {name: sum(d.action == name for d in decisions) for name in ("create", "update", "skip")}
    _log.info("note_decided", note=state.get("note_path", ""), cards=len(decisions), **counts)
    return {"decisions": {"replace": [decision.model_dump() for decision in decisions]}, "feedback": {}}


async def review(state: State, runtime: Runtime[Context]) -> Update:
    """One question about all cards that wait for a person; nothing else happens here."""
    waiting = [
        decision
        for raw in state.get("decisions") or []
        if (decision := CardDecision.model_validate(raw)).action == "manual_review"
    ]
    lines = [f"- **{decision.slug}**: {'; '.join(decision.messages)}" for decision in waiting]
    lines += [
        f"    - {field_diff(c)}" for d in waiting if d.diff for c in d.diff.changes if c.outcome == "conflict"
    ]
    models = state.get("note_types") or STANDARD_MODELS

    def accept(answer: Decision) -> Update:
        return apply_decision(answer, waiting, models)

    return ask_person(
        "review_cards",
        {"note_path": state.get("note_path", ""), "cards": [review_item(decision) for decision in waiting]},
        f"{len(waiting)} card(s) of {state.get('note_path', 'the note')} need a decision.\n"
        + "\n".join(lines),
        accept,
    )
