"""The ledger and the journal of one vault, in one SQLite file: what we wrote, and what was there before."""

import json
import sqlite3
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from common.errors import Conflict, NotFound
from graphs.card_decision.anki.records import CardRecord

_SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (path TEXT PRIMARY KEY, hash TEXT NOT NULL, problems TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cards (slug TEXT PRIMARY KEY, note_path TEXT NOT NULL, record TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS cards_by_note ON cards (note_path);
CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, started TEXT NOT NULL, finished TEXT, report TEXT);
CREATE TABLE IF NOT EXISTS journal (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL, slug TEXT NOT NULL, kind TEXT NOT NULL,
    before TEXT NOT NULL, after TEXT NOT NULL, state TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS journal_by_run ON journal (run, state);
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS media (name TEXT PRIMARY KEY, hash TEXT NOT NULL);
"""

VERSION = 1

Kind = Literal["create", "update", "mark"]
EntryState = Literal["intent", "done", "void", "undone"]


@dataclass
class Entry:
    """One write: what the note was before, what we made of it, and how far that got."""

    id: int
    run: str
    slug: str
    kind: str
    before: dict[str, Any]
    after: dict[str, Any]
    state: str


class Ledger:
    """All of a vault's bookkeeping. Every method is one transaction or joins the one under way."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            written_by = int(self._db.execute("PRAGMA user_version").fetchone()[0])
            if written_by <= VERSION:
                self._db.executescript(f"{_SCHEMA}PRAGMA user_version = {VERSION};")
        except sqlite3.DatabaseError as exc:
            raise _unreadable(path, str(exc)) from exc
        if written_by > VERSION:
            self.close()
            raise Conflict(
                f"The ledger {path} was written by a newer version (format {written_by}, this one knows "
                f"{VERSION}).",
                remedy="Update this installation; the ledger was left as it is.",
            )

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, also under a kill."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:  # Ctrl-C must leave no transaction open
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def meta(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def save_meta(self, key: str, value: str) -> None:
        if self.meta(key) != value:
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    # --- notes ---

    def note_hashes(self) -> dict[str, str]:
        return dict(self._db.execute("SELECT path, hash FROM notes"))

    def save_note(self, path: str, note_hash: str, problems: list[str]) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO notes VALUES (?, ?, ?)",
            (path, note_hash, json.dumps(problems, ensure_ascii=False)),
        )

    def forget_notes(self, paths: Iterable[str]) -> None:
        with self.transaction():
            self._db.executemany("DELETE FROM notes WHERE path = ?", [(path,) for path in paths])

    # --- cards ---

    def cards(self) -> dict[str, CardRecord]:
        rows = self._db.execute("SELECT record FROM cards ORDER BY slug")
        try:
            records = [CardRecord.model_validate_json(text) for (text,) in rows]
        except ValidationError as exc:
            raise _unreadable(self.path, exc.errors()[0]["msg"]) from exc
        return {record.slug: record for record in records}

    def save_cards(self, records: Iterable[CardRecord]) -> None:
        with self.transaction():
            self._db.executemany(
                "INSERT OR REPLACE INTO cards VALUES (?, ?, ?)",
                [(record.slug, record.note_path, record.model_dump_json()) for record in records],
            )

    # --- runs and the journal ---

    def begin_run(self, now: str) -> str:
        run = uuid.uuid4().hex[:12]
        self._db.execute("INSERT INTO runs VALUES (?, ?, NULL, NULL)", (run, now))
        return run

    def end_run(self, run: str, now: str, report: dict[str, Any]) -> None:
        self._db.execute(
            "UPDATE runs SET finished = ?, report = ? WHERE id = ?", (now, json.dumps(report), run)
        )

    def runs(self) -> list[tuple[str, str, str | None]]:
        return list(self._db.execute("SELECT id, started, finished FROM runs ORDER BY started"))

    def drop_run(self, run: str) -> None:
        """A run that wrote nothing leaves no trace."""
        self._db.execute(
            "DELETE FROM runs WHERE id = ? AND NOT EXISTS (SELECT 1 FROM journal WHERE run = ?)", (run, run)
        )

    def write_intents(
        self, run: str, intents: list[tuple[str, Kind, dict[str, Any], dict[str, Any]]]
    ) -> list[int]:
        """Before anything is sent: what is there, and what we are about to make of it."""
        ids = []
        with self.transaction():
            for slug, kind, before, after in intents:
                cursor = self._db.execute(
                    "INSERT INTO journal VALUES (NULL, ?, ?, ?, ?, ?, 'intent')",
                    (run, slug, kind, _dump(before), _dump(after)),
                )
                ids.append(int(cursor.lastrowid or 0))
        return ids

    def note_arrivals(self, arrived: dict[int, int]) -> None:
        """Anki answered: these entries are these notes there. Where one is missing after a kill, its owner
        deleted it. Only the latest batch can be unsettled, so only its answer is kept."""
        self.save_meta("arrived", json.dumps(arrived))

    def arrivals(self) -> dict[int, int]:
        return {int(entry): note_id for entry, note_id in json.loads(self.meta("arrived") or "{}").items()}

    def mark_entries(self, ids: Iterable[int], state: EntryState) -> None:
        with self.transaction():
            self._db.executemany("UPDATE journal SET state = ? WHERE id = ?", [(state, id_) for id_ in ids])

    def entries(self, *, run: str | None = None, state: EntryState | None = None) -> list[Entry]:
        query = "SELECT id, run, slug, kind, before, after, state FROM journal WHERE 1=1"
        values: list[Any] = []
        if run is not None:
            query, values = query + " AND run = ?", [*values, run]
        if state is not None:
            query, values = query + " AND state = ?", [*values, state]
        rows = self._db.execute(query + " ORDER BY id", values)
        return [
            Entry(id_, of_run, slug, kind, json.loads(before), json.loads(after), reached)
            for id_, of_run, slug, kind, before, after, reached in rows
        ]

    def find_run(self, prefix: str) -> str:
        """A run by its id or the beginning of it; `last` for the latest that was not taken back."""
        runs = [run for run, _, _ in self.runs() if self.entries(run=run)]
        standing = [run for run in runs if self.entries(run=run, state="done")]
        found = standing[-1:] if prefix == "last" else [run for run in runs if run.startswith(prefix)]
        if len(found) != 1:
            raise NotFound(
                f"There is no single run “{prefix}”.", remedy="`study cards undo` alone lists the runs."
            )
        return found[0]

    # --- media ---

    def media(self) -> dict[str, str]:
        return dict(self._db.execute("SELECT name, hash FROM media"))

    def save_media(self, name: str, digest: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO media VALUES (?, ?)", (name, digest))


def _unreadable(path: Path, why: str) -> Conflict:
    return Conflict(
        f"The ledger {path} cannot be read ({why}).",
        remedy="Move it away and sync again: it is rebuilt from Anki with no duplicate.",
    )


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
