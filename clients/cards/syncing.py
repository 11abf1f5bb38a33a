"""One sync of one vault with one Anki: look, decide, look again, write, remember."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clients.cards.applying import Plan, plan_writes, upload_media
from clients.cards.deciding import NoteResult, decide_notes, fingerprint
from clients.cards.ledgers import vault_id
from clients.cards.work import NoteWork, SlugDesk, foreign_ids, read_work, reading_settings
from clients.runner import Runner
from graphs.card_decision.anki.collection import Snapshot, look
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.ledger import Ledger
from graphs.card_decision.anki.note_types import OWN_MODELS
from graphs.card_decision.anki.orphans import Orphans, find_orphans, guard, orphan_writes
from graphs.card_decision.anki.records import CardRecord
from graphs.card_decision.anki.sync import Writer, ensure_models, recover
from graphs.card_decision.anki.writes import Write
from graphs.card_decision.mapping import whole_slug
from graphs.card_decision.schemas import CardDecision
from graphs.card_decision.vault.files import Vault, open_vault

ROUNDS = 3
Hook = Callable[[str], None]


@dataclass
class Options:
    """How to sync."""

    context: dict[str, Any] = field(default_factory=dict)
    url: str | None = None
    dry_run: bool = False
    recreate: bool = False
    allow_orphans: bool = False
    concurrency: int = 4


@dataclass
class Report:
    """What a sync came to."""

    run: str = ""
    decisions: list[CardDecision] = field(default_factory=list)
    problems: dict[str, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    runs: int = 0
    model_calls: int = 0
    writes: int = 0
    failed: list[str] = field(default_factory=list)
    unchanged_notes: int = 0
    waiting: int = 0


def _quiet(_: str) -> None:
    return None


class CardSync:
    """Holds what the steps of a sync share."""

    def __init__(
        self,
        vault: Path,
        runner: Runner,
        connect: AnkiConnect,
        ledger: Ledger,
        options: Options,
        on_step: Hook = _quiet,
    ) -> None:
        self.vault: Vault = open_vault(vault)
        self.runner, self.connect, self.ledger, self.options = runner, connect, ledger, options
        self.step = on_step
        self.settings = reading_settings(options.context)
        self.fingerprint = fingerprint(options.context, options.url)
        self.report = Report()
        self.records: dict[str, CardRecord] = {}
        self.snapshot = Snapshot()

    def run(
        self, now: datetime.datetime, confirm: Callable[[list[CardDecision]], bool] | None = None
    ) -> Report:
        """Sync; `confirm` may look at the decisions and say no before anything is written."""
        force: set[str] | None = None
        for attempt in range(ROUNDS):
            results, orphans = self._decide(force)
            if attempt == 0:
                self._take(results)
            else:
                self._replace(results)
            if self.options.dry_run or (attempt == 0 and confirm and not confirm(self.report.decisions)):
                break
            again = self._write(results, orphans, now)
            if not again:
                break
            force = again
        self.report.waiting = sum(bool(record.decision) for record in self.ledger.cards().values())
        return self.report

    # --- deciding ---

    def _decide(self, only: set[str] | None) -> tuple[list[NoteResult], Orphans]:
        self.step("read_vault")
        self.records = self.ledger.cards()
        work = read_work(self.vault, self.fingerprint, self.ledger.note_hashes(), only or set())
        if only is not None:
            for note in work:
                note.changed = note.path in only
        self.step("look_at_anki")
        self._look(work)
        if self.options.recreate and only is None:
            self._recreate(work)
        SlugDesk(work, self.records, self.snapshot, self.settings, self.options.recreate).assign()
        orphans = self._orphans(work)
        self.step("decide")
        changed = [note for note in work if note.changed and not note.problem and self._matters(note)]
        quiet = [note for note in work if note.changed and not note.problem and not self._matters(note)]
        results = self._ask_graph(changed) + [_nothing(note) for note in quiet]
        self.report.unchanged_notes = sum(not note.changed and not note.problem for note in work)
        self.report.problems |= {note.path: [note.problem] for note in work if note.problem}
        return results, orphans

    def _matters(self, note: NoteWork) -> bool:
        """A note that marks no card needs a run only where a model may find some in it."""
        assert note.cards is not None, "changed notes were read"
        return bool(note.cards.candidates) or "mapper=rules" not in self.fingerprint

    def _look(self, work: list[NoteWork]) -> None:
        self.snapshot = look(self.connect, self.records, foreign_ids(work, self.settings))
        self.report.warnings += [line for line in self.snapshot.problems if line not in self.report.warnings]
        if self.options.dry_run:
            self.snapshot.models = {**OWN_MODELS, **self.snapshot.models}
            return
        self.step("recover")
        recovered = recover(self.connect, self.ledger, self.snapshot)
        self.report.warnings += recovered
        if recovered:
            self.records = self.ledger.cards()

    def _recreate(self, work: list[NoteWork]) -> None:
        gone = {
            record.note_path
            for slug, record in self.records.items()
            if record.state != "pending" and slug not in self.snapshot.by_slug
        }
        for note in work:
            note.changed = note.changed or (note.path in gone and not note.problem)

    def _orphans(self, work: list[NoteWork]) -> Orphans:
        """What lost its text; unreadable and unchanged notes still hold theirs."""
        steady = {note.path for note in work if not note.changed or note.problem}
        alive = {
            slug
            for slug, record in self.records.items()
            if record.note_path in steady and not record.orphaned
        }
        for note in work:
            alive |= set(note.slugs)
            alive |= {slug for slug in note.existing if whole_slug(slug) in note.slugs}
        orphans = find_orphans(self.records, alive, self.snapshot)
        if not self.options.allow_orphans:
            guard(orphans, self.records)
        return orphans

    def _ask_graph(self, notes: list[NoteWork]) -> list[NoteResult]:
        if not notes:
            return []
        if not self.options.dry_run:
            self.step("ensure_models")
            told = ensure_models(self.connect, self.snapshot)
            self.report.warnings += [line for line in told if line not in self.report.warnings]
        self.report.runs += len(notes)
        return decide_notes(
            self.runner,
            notes,
            vault_id=vault_id(self.vault.root),
            context=self.options.context,
            models=self.snapshot.models,
            concurrency=self.options.concurrency,
            on_note=lambda path: self.step(f"decided {path}"),
        )

    def _take(self, results: list[NoteResult]) -> None:
        for result in results:
            self.report.decisions += result.decisions
            lines = [*result.problems, *([result.failed] if result.failed else [])]
            if lines:
                self.report.problems[result.note.path] = lines
            self.report.warnings += [f"{result.note.path}: {line}" for line in result.warnings]
            self.report.model_calls += result.calls
            if result.failed:
                self.report.failed.append(result.note.path)

    def _replace(self, results: list[NoteResult]) -> None:
        """A second round's decisions stand in for the first's."""
        paths = {result.note.path for result in results}
        self.report.decisions = [d for d in self.report.decisions if d.note_path not in paths]
        self._take(results)

    # --- writing ---

    def _write(self, results: list[NoteResult], orphans: Orphans, now: datetime.datetime) -> set[str]:
        """Write everything; returns the notes to decide again."""
        plan = plan_writes(results, self.records, self.snapshot)
        self._report_orphans(orphans)
        marks = orphan_writes(orphans, self.snapshot)
        writes = plan.writes + marks
        with self.ledger.transaction():
            self.ledger.save_cards([*plan.learned, *orphans.lost])
        if writes:
            self.step("begin_run")
            self.report.run = self.report.run or self.ledger.begin_run(now.isoformat())
            self._send(writes, results)
            self.ledger.end_run(self.report.run, now.isoformat(), {"writes": len(writes)})
            self.ledger.drop_run(self.report.run)
        self._tell(writes, plan)
        return self._remember(results, writes)

    def _send(self, writes: list[Write], results: list[NoteResult]) -> None:
        self.step("media")
        names = {result.note.path: result.note.attachments for result in results}
        for slug, lines in upload_media(self.connect, self.ledger, self.vault, writes, names).items():
            for write in writes:
                if write.slug == slug:
                    write.messages += lines
        Writer(self.connect, self.ledger, self.report.run, self.step).apply(writes, self.snapshot.models)
        self.report.writes += sum(write.done for write in writes)

    def _tell(self, writes: list[Write], plan: Plan) -> None:
        """What happened to a card is said on the card."""
        for write in writes:
            decision = plan.by_slug.get(write.slug)
            if decision is not None:
                decision.messages += [line for line in write.messages if line not in decision.messages]
            if not write.done and not write.retry:
                self.report.failed.append(write.slug)

    def _remember(self, results: list[NoteResult], writes: list[Write]) -> set[str]:
        """A note is done with only when all of its writes are: else the next run takes it up again."""
        open_ = {write.record.note_path for write in writes if not write.done}
        self.step("remember_notes")
        with self.ledger.transaction():
            for result in results:
                done = not result.failed and not result.note.contested and result.note.path not in open_
                if done:
                    self.ledger.save_note(result.note.path, result.note.hash, result.problems)
            gone = set(self.ledger.note_hashes()) - set(self.vault.notes)
            self.ledger.forget_notes(gone)
        return {write.record.note_path for write in writes if write.retry}

    def _report_orphans(self, orphans: Orphans) -> None:
        for record in orphans.lost:
            if record.orphaned and not record.decision:
                continue  # a person has settled it
            text = f"“{record.source[:60]}”" if record.source else "its text"
            message = f"{text} has vanished from the vault; the card stays in Anki, tagged study::orphan"
            decision = CardDecision(
                slug=record.slug, action="manual_review", note_path=record.note_path, messages=[message]
            )
            record.decision = decision.model_dump(exclude={"evidence"})
            self.report.decisions.append(decision)
        for record in orphans.found:
            record.decision = {}


def _nothing(note: NoteWork) -> NoteResult:
    assert note.cards is not None, "changed notes were read"
    return NoteResult(note, problems=note.cards.problems)
