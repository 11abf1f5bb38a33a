"""Every attempt, call, token and cost, in one SQLite file; the corpus JSON never holds any of it."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from common.errors import BadInput, NotFound
from common.folders import own_part
from common.settings import get_settings

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
  run_id TEXT PRIMARY KEY, document_path TEXT NOT NULL, document_sha256 TEXT NOT NULL, corpus TEXT NOT NULL,
  scenario TEXT NOT NULL, mode TEXT NOT NULL, strategy TEXT NOT NULL, target_count INTEGER NOT NULL,
  generator_model TEXT NOT NULL, validator_model TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
  stats TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS attempts (
  run_id TEXT NOT NULL, attempt_number INTEGER NOT NULL, outcome TEXT NOT NULL, rejection_reason TEXT,
  rejection_detail TEXT, duplicate_of TEXT, question TEXT NOT NULL, answer TEXT NOT NULL,
  origin TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (run_id, attempt_number));
CREATE TABLE IF NOT EXISTS calls (
  run_id TEXT NOT NULL, attempt_number INTEGER NOT NULL, node TEXT NOT NULL, sequence INTEGER NOT NULL,
  role TEXT NOT NULL, model TEXT NOT NULL, calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL, usd REAL NOT NULL, PRIMARY KEY (run_id, attempt_number, node, sequence));
"""


class Statistics:
    """The statistics file. A write replaces what the same attempt wrote before: replays change nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=30)
        try:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(_SCHEMA)
            with connection:
                yield connection
        finally:
            connection.close()

    def record_run(self, run: dict[str, Any]) -> None:
        """The present state of one document's run."""
        self._replace("runs", {**run, "stats": json.dumps(run["stats"])})

    def record_attempt(self, attempt: dict[str, Any], calls: list[dict[str, Any]]) -> None:
        """One attempt with the model calls it took, in one transaction."""
        with self._connection() as connection:
            _insert(connection, "attempts", attempt)
            key = (attempt["run_id"], attempt["attempt_number"])
            connection.execute("DELETE FROM calls WHERE run_id = ? AND attempt_number = ?", key)
            for sequence, call in enumerate(calls, start=1):
                row = {"run_id": key[0], "attempt_number": key[1], "sequence": sequence, **call}
                _insert(connection, "calls", row)

    def _replace(self, table: str, row: dict[str, Any]) -> None:
        with self._connection() as connection:
            _insert(connection, table, row)

    def rows(self, table: str, run_id: str | None = None) -> list[dict[str, Any]]:
        """All rows of `runs`, `attempts` or `calls`, or those of one run."""
        assert table in ("runs", "attempts", "calls")
        where, values = ("WHERE run_id = ?", (run_id,)) if run_id else ("", ())
        with self._connection() as connection:
            found = connection.execute(f"SELECT * FROM {table} {where} ORDER BY rowid", values)  # noqa: S608
            return [dict(row) for row in found]


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    columns = ", ".join(row)
    marks = ", ".join("?" for _ in row)
    # Table and column names are ours, never a model's or a user's.
    connection.execute(f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({marks})", list(row.values()))  # noqa: S608


def own_statistics() -> Statistics:
    """The statistics file of whoever runs or asks."""
    return Statistics(own_part(get_settings().data_dir) / "qgen" / "statistics.sqlite3")


def open_statistics(path: Path) -> Statistics:
    """An existing statistics file, for reading; says clearly when it is none."""
    if not path.is_file():
        raise NotFound(f"There is no statistics file at {path}.", remedy="Run `study qgen document` first.")
    statistics = Statistics(path)
    try:
        statistics.rows("runs")
    except sqlite3.DatabaseError as exc:
        raise BadInput(
            f"{path.name} is not a statistics file: {exc}.", remedy="Give a statistics.sqlite3 file."
        ) from exc
    return statistics
