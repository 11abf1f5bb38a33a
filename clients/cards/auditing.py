"""A review of what is in Anki already: stale against the note, leaking, doubled, broken gaps."""

import json
import re
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from rapidfuzz import fuzz

from clients.cards.ledgers import ledger_path, open_ledger
from clients.cards.work import NoteWork, SlugDesk, read_work
from graphs.card_decision.anki.cloze import check_clozes
from graphs.card_decision.anki.collection import Snapshot, look
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.note_types import SLUG_FIELD, is_cloze_model
from graphs.card_decision.anki.records import AnkiNote, CardRecord
from graphs.card_decision.anki.validation import is_blank
from graphs.card_decision.checks import CheckedCard, leaks, same_numbers
from graphs.card_decision.mapping import whole_slug
from graphs.card_decision.schemas import Candidate, ProposedCard
from graphs.card_decision.vault.cards import ReadingSettings
from graphs.card_decision.vault.files import open_vault
from graphs.card_decision.vault.identity import text_key
from graphs.card_decision.vault.render import plain_text, render

_NEAR = 95.0
# A file has another name in Anki than in the vault.
_SOUND = re.compile(r"\[sound:[^\]]*\]")


@dataclass
class Finding:
    """One thing about one note in Anki that its owner should look at."""

    kind: str
    slug: str
    note_id: int
    message: str

    def line(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)


def audit_cards(connect: AnkiConnect, vault: Path | None) -> list[Finding]:
    """All findings, in the order of the notes in Anki."""
    snapshot = look(connect, {}, [])
    findings = [finding for note in snapshot.by_id.values() for finding in _note(note)]
    findings += _doubles(snapshot)
    if vault is not None:
        findings += _stale(snapshot, vault)
    return sorted(findings, key=lambda finding: (finding.note_id, finding.kind))


def _content(note: AnkiNote) -> list[str]:
    return [value for name, value in note.fields.items() if name != SLUG_FIELD]


def _note(note: AnkiNote) -> list[Finding]:
    content = _content(note)
    names = list(note.fields)
    found = []
    if not content or is_blank(content[0]):
        found.append(Finding("empty", note.slug, note.note_id, "the front is empty"))
    cloze = is_cloze_model(note.model_name, names)
    if cloze and content:
        errors, warnings = check_clozes(content[0])
        found += [Finding("invalid_cloze", note.slug, note.note_id, line) for line in [*errors, *warnings]]
    if len(content) > 1 and (not cloze and is_blank(content[1])):
        found.append(Finding("empty", note.slug, note.note_id, "the back is empty"))
    return found + [
        Finding("leak", note.slug, note.note_id, issue.message) for issue in leaks(_checked(note, cloze))
    ]


def _checked(note: AnkiNote, cloze: bool) -> CheckedCard:
    content = [*_content(note), "", ""]
    fields = {"Text": content[0]} if cloze else {"Front": content[0], "Back": content[1]}
    card = ProposedCard(
        card_type="Cloze" if cloze else "Basic", model_name=note.model_name, deck_name="", fields=fields
    )
    candidate = Candidate(
        slug=note.slug, index=0, language="", syntax="anki", front="", back="", line=0, end_line=0
    )
    return CheckedCard(card, candidate, "")


def _doubles(snapshot: Snapshot) -> list[Finding]:
    """Fronts that are the same, or nearly so among those of like length."""
    fronts = sorted(
        (
            (plain_text(_content(note)[0]).casefold(), note)
            for note in snapshot.by_id.values()
            if _content(note)
        ),
        key=lambda item: (item[0], item[1].note_id),
    )
    found = []
    for (front, note), (other, twin) in pairwise(fronts):
        near = len(front) > 20 and same_numbers(front, other) and fuzz.ratio(front, other) >= _NEAR
        if front and (front == other or near):
            name = note.slug or str(note.note_id)
            found.append(Finding("duplicate", twin.slug, twin.note_id, f"asks the same as {name}"))
    return found


def _stale(snapshot: Snapshot, folder: Path) -> list[Finding]:
    """Cards whose note says something else now, or says nothing of them any more."""
    records = _remembered(folder)
    work = read_work(open_vault(folder), "", {}, set())
    SlugDesk(work, records, snapshot, ReadingSettings()).assign()
    unread = {note.path for note in work if note.problem}
    seen = {slug for slug, record in records.items() if record.note_path in unread}
    found = []
    for note in work:
        seen |= {slug for slug in note.existing if whole_slug(slug) in note.slugs}
        for candidate in note.cards.candidates if note.cards else []:
            held = snapshot.by_slug.get(candidate.slug)
            if held is not None and candidate.slug not in note.contested:
                seen.add(candidate.slug)
                found += _compared(note, candidate, held)
    found += [
        Finding("stale", slug, held.note_id, "no note of the vault holds its text")
        for slug, held in snapshot.by_slug.items()
        if slug not in seen
    ]
    return found


def _remembered(folder: Path) -> dict[str, CardRecord]:
    """What the vault's ledger knows, where it has one: cards that moved are found by it."""
    if not ledger_path(folder).exists():
        return {}
    with open_ledger(folder) as ledger:
        return ledger.cards()


def _compared(note: NoteWork, candidate: Candidate, held: AnkiNote) -> list[Finding]:
    def stored(name: str) -> str | None:
        return note.attachments.get(name) or None

    ours = [render(side, stored).html for side in (candidate.front, candidate.back)]
    differs = [
        name
        for name, mine, theirs in zip(("front", "back"), ours, [*_content(held), ""], strict=False)
        if mine and text_key(_SOUND.sub("", mine)) != text_key(_SOUND.sub("", theirs))
    ]
    if not differs:
        return []
    verb = "differs" if len(differs) == 1 else "differ"
    message = f"the {' and the '.join(differs)} {verb} from {note.path} line {candidate.line}"
    return [Finding("stale", candidate.slug, held.note_id, message)]
