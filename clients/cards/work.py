"""The notes of a vault as work: what changed, which slugs are whose, what Anki holds for each."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from common.files import content_hash
from graphs.card_decision.anki.collection import Snapshot
from graphs.card_decision.anki.records import ORPHAN_TAG, CardRecord, existing_note
from graphs.card_decision.context import Context
from graphs.card_decision.mapping import whole_slug
from graphs.card_decision.schemas import Candidate, ExistingNote
from graphs.card_decision.vault.cards import NoteCards, ReadingSettings, read_cards
from graphs.card_decision.vault.files import Vault
from graphs.card_decision.vault.frontmatter import read_frontmatter
from graphs.card_decision.vault.identity import (
    TELLING,
    alike,
    answer_key,
    base_of,
    sides_of,
    slug_base,
    text_key,
)
from graphs.card_decision.vault.lines import frontmatter_end
from graphs.card_decision.vault.media import attachments_of, references

_FORMAT = "1"


@dataclass
class NoteWork:
    """One note of the vault in this run."""

    path: str
    text: str = ""
    hash: str = ""
    problem: str = ""
    changed: bool = False
    attachments: dict[str, str] = field(default_factory=dict)
    cards: NoteCards | None = None
    existing: dict[str, ExistingNote] = field(default_factory=dict)
    contested: dict[str, str] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)

    @property
    def slugs(self) -> list[str]:
        return [candidate.slug for candidate in self.cards.candidates] if self.cards else []


def read_work(vault: Vault, fingerprint: str, hashes: dict[str, str], force: set[str]) -> list[NoteWork]:
    """Read every note; one whose text, files and settings are as they were needs no run."""
    work = []
    for file in vault.files():
        note = NoteWork(file.path, file.text, problem=file.problem)
        if not file.problem:
            if "![" in file.text and references(file.text):
                note.attachments = attachments_of(vault, file.path, file.text)
            shown = "".join(f"{name}={stored};" for name, stored in sorted(note.attachments.items()))
            note.hash = content_hash(f"{_FORMAT}\0{fingerprint}\0{shown}\0{file.text}")
            note.changed = hashes.get(file.path) != note.hash or file.path in force
        work.append(note)
    return work


def reading_settings(context: dict[str, Any]) -> ReadingSettings:
    settings = Context.model_validate(context)
    return ReadingSettings(settings.default_language, settings.bilingual_mode, settings.highlight_cloze)


class SlugDesk:
    """Says which slugs belong to which note, through renames, moves and a lost ledger."""

    def __init__(
        self,
        work: list[NoteWork],
        records: dict[str, CardRecord],
        snapshot: Snapshot,
        settings: ReadingSettings,
        recreate: bool = False,
    ) -> None:
        self.work, self.records, self.snapshot, self.settings = work, records, snapshot, settings
        self.recreate = recreate
        self.texts = {note.path: note.text for note in work}
        self.paths = set(self.texts)
        self.by_path: dict[str, list[str]] = {}
        self.by_base: dict[str, list[str]] = {}
        for slug, record in records.items():
            self.by_path.setdefault(record.note_path, []).append(slug)
        for slug in {**records, **snapshot.by_slug}:
            self.by_base.setdefault(base_of(slug), []).append(slug)

    def assign(self) -> None:
        """Read all changed notes and give each what Anki and the ledger hold for it."""
        changed = [note for note in self.work if note.changed]
        for note in changed:
            note.cards = read_cards(note.path, note.text, self.settings)
            note.existing = self._own(note, note.cards.base)
        departed = self._departed(changed)
        for note in changed:
            assert note.cards is not None, "read above"
            away = [slug for slug in note.existing if slug in departed or self._is_past(slug, note)]
            note.existing = {slug: held for slug, held in note.existing.items() if slug not in away}
            note.taken = self._carried(note, note.cards.base) + away
            if note.existing or note.taken:
                self._reread(note)
        self._adopt_moved(changed)
        for note in changed:
            self._add_foreign(note)
        self._settle_contests()

    def _own(self, note: NoteWork, base: str) -> dict[str, ExistingNote]:
        """By the ledger, or by the slug's base where the ledger knows nothing (or the note was moved)."""
        slugs = list(self.by_path.get(note.path, []))
        for slug in self.by_base.get(base, []):
            record = self.records.get(slug)
            if record is None or record.note_path not in self.paths:
                slugs.append(slug)
        return {slug: held for slug in dict.fromkeys(slugs) if (held := self._held(slug))}

    def _departed(self, changed: list[NoteWork]) -> set[str]:
        """Cards whose very front now stands in one other note, which has no such card yet: they were moved
        there, and no likeness to what stayed behind may hold them back."""
        fronts = {note.path: {text_key(card.front) for card in _cards(note)} for note in changed}
        backs = {note.path: {text_key(card.back) for card in _cards(note)} for note in changed}
        arrived: Counter[str] = Counter()
        for note in changed:
            arrived.update(
                fronts[note.path] - {text_key(sides_of(held)[0]) for held in note.existing.values()}
            )
        departed = set()
        for note in changed:
            for slug, held in note.existing.items():
                front, back = (text_key(side) for side in sides_of(held))
                stays = front in fronts[note.path] or (back and back in backs[note.path])
                if front and arrived[front] == 1 and not stays:
                    departed.add(slug)
        return departed

    def _is_past(self, slug: str, note: NoteWork) -> bool:
        """A card whose text vanished in an earlier run takes up nothing but its own text again."""
        record, held = self.records.get(slug), self.snapshot.by_slug.get(slug)
        orphaned = record.orphaned if record else held is not None and ORPHAN_TAG in held.tags
        if not orphaned or whole_slug(slug) != slug:
            return False
        front, back = sides_of(note.existing[slug])
        return not any(alike(card, front, back) for card in _cards(note))

    def _reread(self, note: NoteWork) -> None:
        note.cards = read_cards(note.path, note.text, self.settings, note.existing, note.taken)

    def _carried(self, note: NoteWork, base: str) -> list[str]:
        """Slugs made by this note that moved with their cards into notes of another base."""
        owners = {
            slug: self.records[slug].note_path for slug in self.by_base.get(base, []) if slug in self.records
        }
        return [
            slug
            for slug, path in owners.items()
            if path != note.path and path in self.texts and _base(path, self.texts[path]) != base
        ]

    def _held(self, slug: str) -> ExistingNote | None:
        held = existing_note(self.records.get(slug), self.snapshot.by_slug.get(slug))
        if held is not None and held.deleted and self.recreate:
            return None
        return held

    def _adopt_moved(self, changed: list[NoteWork]) -> None:
        """A card whose text now stands in another note (renamed, or cut and pasted) keeps its slug."""
        pool = self._homeless(changed)
        if not pool:
            return
        answers = self._answers(pool.values(), changed)
        claimed = Counter(slug for note in changed for slug in note.slugs)
        adopted: set[str] = set()
        for note in changed:
            taken = {}
            for candidate in _cards(note):
                if candidate.slug in note.existing:
                    continue
                answer = answer_key(candidate.front, candidate.back)
                fitting = (pool.get(text_key(candidate.front)), answers.get(answer))
                slug = next((slug for slug in fitting if slug and slug not in adopted), "")
                if slug and slug not in note.existing:
                    taken[slug] = slug
                    adopted.add(slug)
            if taken:
                taken |= {slug: slug for slug in self._siblings(taken) if not claimed[slug]}
            found = {slug: held for slug in taken if (held := self._held(slug))}
            if found:
                note.existing |= found
                claimed.subtract(note.slugs)
                self._reread(note)
                claimed.update(note.slugs)

    def _answers(self, homeless: Iterable[str], changed: list[NoteWork]) -> dict[str, str]:
        """Answers of cards whose note is gone or forgotten, each one of a kind on both sides: where a note
        was renamed and its question asked anew, the answer tells whose card it is."""
        strange = Counter(
            answer_key(card.front, card.back)
            for note in changed
            for card in _cards(note)
            if card.slug not in note.existing
        )
        gone: dict[str, list[str]] = {}
        for slug in homeless:
            held, record = self._held(slug), self.records.get(slug)
            if held is not None and (record is None or record.note_path not in self.paths):
                gone.setdefault(answer_key(*sides_of(held)), []).append(slug)
        return {
            key: slugs[0]
            for key, slugs in gone.items()
            if len(key) >= TELLING and len(slugs) == 1 and strange[key] == 1
        }

    def _siblings(self, taken: Iterable[str]) -> list[str]:
        """The other cards of a note that is gone: where one of them went, they went too."""
        moved = {self.records[slug].note_path for slug in taken if slug in self.records} - self.paths
        found = [slug for path in sorted(moved) for slug in self.by_path[path]]
        bases = {base_of(slug) for slug in taken if slug not in self.records} - {""}
        if bases:
            bases -= self._bases
        return found + [slug for base in bases for slug in self.by_base[base] if slug not in self.records]

    @cached_property
    def _bases(self) -> set[str]:
        return {_base(path, text) for path, text in self.texts.items()}

    def _homeless(self, changed: list[NoteWork]) -> dict[str, str]:
        """Fronts of cards that no note holds now, where the front is one of a kind."""
        claimed = {slug for note in changed for slug in note.slugs}
        reread = {note.path for note in changed}
        pool: dict[str, list[str]] = {}
        for slug in {**self.records, **self.snapshot.by_slug}:
            record = self.records.get(slug)
            at_home = record is not None and record.note_path in self.paths - reread
            if slug in claimed or at_home:
                continue
            held = self.snapshot.by_slug.get(slug)
            front = (record.source if record else "") or next(iter(held.fields.values()), "") if held else ""
            front = front or (record.source if record else "")
            if text_key(front):
                pool.setdefault(text_key(front), []).append(slug)
        return {key: slugs[0] for key, slugs in pool.items() if len(slugs) == 1}

    def _add_foreign(self, note: NoteWork) -> None:
        """Notes that another tool made and the vault points at by Anki's id."""
        assert note.cards is not None, "changed notes were read"
        for candidate in note.cards.candidates:
            if candidate.slug in note.existing or candidate.foreign_id is None:
                continue
            held = self.snapshot.by_id.get(candidate.foreign_id)
            if held is not None and held.slug in ("", candidate.slug):
                found = existing_note(None, held)
                assert found is not None, "a note that is there"
                note.existing[candidate.slug] = found

    def _settle_contests(self) -> None:
        """One slug in two notes: the ledger's owner keeps it, else the first path; the other is told."""
        owners: dict[str, str] = {}
        unchanged = {note.path for note in self.work if not note.changed}
        for slug, record in self.records.items():
            if record.note_path in unchanged:
                owners[slug] = record.note_path
        ordered = sorted(
            (note for note in self.work if note.changed),
            key=lambda note: (not self._owns(note), note.path),
        )
        for note in ordered:
            for slug in note.slugs:
                owner = owners.setdefault(slug, note.path)
                if owner != note.path:
                    note.contested[slug] = owner

    def _owns(self, note: NoteWork) -> bool:
        return any(slug in self.records and self.records[slug].note_path == note.path for slug in note.slugs)


def _cards(note: NoteWork) -> list[Candidate]:
    return note.cards.candidates if note.cards else []


def _base(path: str, text: str) -> str:
    lines = text.split("\n", 400)
    end = frontmatter_end(lines)
    return slug_base(path, read_frontmatter("\n".join(lines[1 : max(end - 1, 0)]))[0])


def foreign_ids(work: list[NoteWork], settings: ReadingSettings) -> list[int]:
    """Anki's ids that changed notes mention, for the one look at Anki."""
    ids: list[int] = []
    for note in work:
        if note.changed and ("anki_id" in note.text or "ID:" in note.text or "\n^" in note.text):
            cards = read_cards(note.path, note.text, settings)
            ids += [c.foreign_id for c in cards.candidates if c.foreign_id is not None]
    return ids
