"""All cards of one note: every syntax in turn, languages, slugs, and what has to be reported."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from graphs.card_decision.schemas import BilingualMode, Candidate, ExistingNote, Section
from graphs.card_decision.vault.blocks import find_blocks, find_callouts, find_ruled
from graphs.card_decision.vault.clozes import find_clozes
from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.frontmatter import read_frontmatter
from graphs.card_decision.vault.identity import (
    Known,
    SlugBook,
    known_slug,
    listed_ids,
    listed_slugs,
    sides_of,
    slug_base,
)
from graphs.card_decision.vault.inline import find_inline, find_multiline
from graphs.card_decision.vault.languages import declared_languages, guess_language
from graphs.card_decision.vault.lettered import find_lettered
from graphs.card_decision.vault.lines import Lines, scan
from graphs.card_decision.vault.pairs import find_pairs
from graphs.card_decision.vault.signals import Signals, read_signals
from graphs.card_decision.vault.tagged import find_tagged

_LONE_MARK = re.compile(r"\n[ \t]*\?\??[ \t]*(?:\n|$)")
_CARD_TAG = re.compile(r"#(?:flash)?card", re.I)
_CURLY = re.compile(r"\{c?\d{1,2}[:|]")
_PLACEHOLDER = re.compile(r"<%.*?%>|\{\{[ \t]*[A-Za-z][\w. -]*(?::[^{}\n]*)?\}\}", re.S)


@dataclass(frozen=True)
class ReadingSettings:
    """How to read notes, from the Context."""

    default_language: str = "en"
    bilingual_mode: BilingualMode = "separate_cards"
    highlight_cloze: bool = False


@dataclass
class NoteCards:
    """What a note holds: its cards with slugs, its frontmatter and sections, and its problems."""

    path: str
    base: str
    frontmatter: dict[str, Any]
    signals: Signals
    lines: Lines
    candidates: list[Candidate] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    foreign_ids: dict[str, int] = field(default_factory=dict)

    @property
    def sections(self) -> list[Section]:
        return read_sections(self.lines)


def read_cards(
    path: str,
    text: str,
    settings: ReadingSettings | None = None,
    existing: dict[str, ExistingNote] | None = None,
    taken: Iterable[str] = (),
) -> NoteCards:
    """Read one note's (normalised) text. Never raises for what a note holds. `taken` are slugs of this
    note's making that cards carried with them into other notes."""
    settings = settings or ReadingSettings()
    lines = scan(text)
    frontmatter, problems = read_frontmatter("\n".join(lines.text[1 : max(lines.body - 1, 0)]))
    signals = read_signals(lines, frontmatter)
    declared = declared_languages(frontmatter)
    found = _find(text, lines, signals, settings, declared)
    note = NoteCards(path, slug_base(path, frontmatter), frontmatter, signals, lines)
    note.problems = [*problems, *lines.problems, *found.problems]
    note.candidates = _candidates(note, found.drafts, declared, settings)
    _give_slugs(note, existing or {}, taken)
    return note


def _find(text: str, lines: Lines, signals: Signals, settings: ReadingSettings, declared: list[str]) -> Found:
    """Try each syntax that the text can hold at all, the most explicit first."""

    def guess(part: str) -> str:
        return guess_language(part, declared, settings.default_language)

    highlights = settings.highlight_cloze or signals.highlight_cloze
    found = find_blocks(lines) if "START" in text else Found()
    found.add(find_pairs(lines, guess))
    found.add(find_lettered(lines, signals.holds_cards))
    if "[!" in text:
        found.add(find_callouts(lines, signals.holds_cards))
    if _LONE_MARK.search(text):
        found.add(find_multiline(lines, signals.holds_cards))
    if _CARD_TAG.search(text):
        found.add(find_tagged(lines))
    if "::" in text:
        found.add(find_inline(lines, signals.holds_cards, alone=not found.drafts))
    if _may_hold_gaps(text, highlights, signals):
        found.add(find_clozes(lines, highlights, signals.holds_cards))
    if not found.drafts and not found.problems and signals.holds_cards:
        found.add(find_ruled(lines))
    found.drafts = [draft for draft in found.drafts if not _is_template(draft)]
    for draft in found.drafts:
        if not draft.language:
            draft.language = guess(f"{draft.front}\n{draft.back}")
    return found


def _may_hold_gaps(text: str, highlights: bool, signals: Signals) -> bool:
    loose = (highlights and "==" in text) or (signals.holds_cards and _CURLY.search(text))
    return "{{c" in text or bool(loose)


def _is_template(draft: Draft) -> bool:
    """A side that is only `<% … %>` or `{{title}}` will be filled by Obsidian one day; it is no card yet."""
    return any(
        _PLACEHOLDER.search(side) and not re.search(r"[\w`]", _PLACEHOLDER.sub("", side))
        for side in (draft.front, draft.back)
    )


def _candidates(
    note: NoteCards, drafts: list[Draft], declared: list[str], settings: ReadingSettings
) -> list[Candidate]:
    pairs = sorted((draft for draft in drafts if draft.group is not None), key=lambda draft: draft.at)
    others = sorted((draft for draft in drafts if draft.group is None), key=lambda draft: draft.at)
    groups: dict[int, list[Draft]] = {}
    for draft in pairs:
        groups.setdefault(draft.group or 0, []).append(draft)
    first = max(groups, default=-1) + 1
    for order, draft in enumerate(others, first):
        groups[order] = [draft]
    candidates = []
    for index, group in sorted(groups.items()):
        if settings.bilingual_mode == "front_back" and len(group) > 1:
            group = [_merged(group, declared)]
        candidates += [_candidate(note, draft, index) for draft in group]
    return sorted(candidates, key=lambda candidate: candidate.line)


def _merged(group: list[Draft], declared: list[str]) -> Draft:
    """Both languages on one card: the note's first language first."""
    order = {code: rank for rank, code in enumerate(declared)}
    ordered = sorted(group, key=lambda draft: (order.get(draft.language, 99), draft.language))
    merged = Draft(
        syntax="heading_pair",
        front="\n\n---\n\n".join(draft.front for draft in ordered),
        back="\n\n---\n\n".join(draft.back for draft in ordered),
        at=min(draft.at for draft in group),
        end=max(draft.end for draft in group),
        language="-".join(sorted(draft.language for draft in group)),
        group=ordered[0].group,
    )
    merged.front_at, merged.back_at = ordered[0].front_at, ordered[0].back_at
    return merged


def _candidate(note: NoteCards, draft: Draft, index: int) -> Candidate:
    hint = note.signals.card_type_hint.casefold()
    card_type = "Cloze" if hint == "cloze" and "{{c" in draft.front else draft.card_type
    return Candidate(
        slug="",
        index=index,
        language=draft.language,
        syntax=draft.syntax,
        front=draft.front,
        back=draft.back,
        line=draft.at + 1,
        end_line=draft.end,
        front_lines=(draft.front_at[0] + 1, draft.front_at[1]),
        back_lines=(draft.back_at[0] + 1, draft.back_at[1]),
        card_type=card_type,
        reverse=draft.reverse or (card_type == "Basic" and "revers" in hint),
        tags=[*note.signals.tags, *draft.tags],
        deck=draft.deck or note.signals.deck,
        model_name=draft.model_name or note.signals.note_type,
        fields=draft.fields,
        foreign_id=draft.foreign_id,
    )


def _give_slugs(note: NoteCards, existing: dict[str, ExistingNote], taken: Iterable[str]) -> None:
    known = [_known(slug, held) for slug, held in existing.items()]
    listed = listed_slugs(note.frontmatter)
    note.foreign_ids = listed_ids(note.frontmatter)
    unmatched = SlugBook(note.base, known, listed, taken).assign(note.candidates)
    note.unmatched = [slug for slug in unmatched if slug in existing]
    for slug in unmatched:
        if slug not in existing:
            note.problems.append(f"{slug}: listed in anki_cards, but the note holds no text for it")
    by_index: dict[int, list[Candidate]] = {}
    for candidate in note.candidates:
        by_index.setdefault(candidate.index, []).append(candidate)
        candidate.foreign_id = candidate.foreign_id or note.foreign_ids.get(candidate.slug)
    for group in by_index.values():
        for candidate in group:
            candidate.linked_slugs = [other.slug for other in group if other is not candidate]


def _known(slug: str, held: ExistingNote) -> Known:
    return replace(known_slug(slug, *sides_of(held)), synced=held.base is not None)


def read_sections(lines: Lines) -> list[Section]:
    """The note cut at its headings; text before the first one is a section without a name."""
    starts = [(lines.body - 1, "")] + [(heading.at, heading.title) for heading in lines.headings]
    sections = []
    for (at, name), (end, _) in zip(starts, [*starts[1:], (len(lines), "")], strict=True):
        text = lines.join(at + 1, end).strip()
        if name or text:
            sections.append(Section(name=name, text=text, line=max(at, 0) + 1, end_line=end))
    return sections
