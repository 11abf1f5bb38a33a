"""What was found before, in one SQLite file: lyrics with their source, and verified words only."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from common.errors import Unavailable
from graphs.vocab_react.lyrics.found import plain_name
from graphs.vocab_react.schemas import VocabularyItem

_VERSION = 1
_TABLE = """CREATE TABLE IF NOT EXISTS entries (
    song_key TEXT NOT NULL, artist_key TEXT NOT NULL, variant TEXT NOT NULL,
    song TEXT NOT NULL, artist TEXT NOT NULL, lyrics TEXT NOT NULL, source TEXT NOT NULL,
    provider TEXT NOT NULL, vocabulary TEXT NOT NULL, versions TEXT NOT NULL, created TEXT NOT NULL,
    PRIMARY KEY (song_key, artist_key, variant))"""
_setting_aside = threading.Lock()
_COLUMNS = "song, artist, variant, lyrics, source, provider, vocabulary, versions, created"


@dataclass(frozen=True)
class Cached:
    """One song as it was answered: `variant` names the model and the supplied lyrics, if any."""

    song: str
    artist: str
    variant: str
    lyrics: str
    source: str
    provider: str
    vocabulary: list[dict[str, Any]]
    created: str
    versions: dict[str, str] = field(default_factory=dict)


class Cache:
    """The cache file. Every method blocks: call it through `asyncio.to_thread`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.moved_aside: str | None = None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection to a usable file; a corrupt one is set aside, not deleted."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            inode = self._inode()
            connection = self._usable(inode)
        except (sqlite3.Error, OSError) as exc:
            raise self._fault(exc) from exc
        try:
            yield connection
            connection.commit()
        except sqlite3.Error as exc:
            connection.close()
            if "malformed" in str(exc) or "not a database" in str(exc):
                self._set_aside(inode)
            raise self._fault(exc) from exc
        finally:
            connection.close()

    def _usable(self, inode: int | None) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            self._set_aside(inode)
            return self._connect()

    def _inode(self) -> int | None:
        try:
            return self.path.stat().st_ino
        except FileNotFoundError:
            return None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=5)
        try:
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found == 0:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA user_version={_VERSION}")
            connection.execute("SELECT 1 FROM entries LIMIT 1")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _set_aside(self, inode: int | None) -> None:
        """Rename the corrupt file, unless somebody else has already put a new one in its place."""
        with _setting_aside:
            if inode is None or self._inode() != inode:
                return
            number = 1
            while (aside := self.path.with_name(f"{self.path.name}.corrupt-{number}")).exists():
                number += 1
            try:
                for suffix in ("-wal", "-shm"):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
                self.path.rename(aside)
            except FileNotFoundError:
                return
            except OSError as exc:
                raise self._fault(exc) from exc
            self.moved_aside = aside.name

    def _fault(self, exc: Exception) -> Unavailable:
        return Unavailable(
            f"The vocabulary cache {self.path.name} cannot be used: {exc}.",
            remedy="Make it and its folder writable, or delete the file; it only saves time.",
        )

    def get(self, song: str, artist: str, variant: str) -> Cached | None:
        """The stored answer for the song, artist and variant."""
        query = f"SELECT {_COLUMNS} FROM entries WHERE song_key = ? AND artist_key = ? AND variant = ?"  # noqa: S608 - fixed names
        if not self.path.exists():
            return None
        with self._open() as connection:
            row = connection.execute(query, (plain_name(song), plain_name(artist), variant)).fetchone()
        return _cached(row) if row else None

    def lyrics(self, song: str, artist: str) -> Cached | None:
        """Any stored lyrics of the song that were found, not supplied."""
        query = (
            f"SELECT {_COLUMNS} FROM entries WHERE song_key = ? AND artist_key = ? "  # noqa: S608 - fixed names
            "AND provider != 'supplied' ORDER BY created DESC LIMIT 1"
        )
        if not self.path.exists():
            return None
        with self._open() as connection:
            row = connection.execute(query, (plain_name(song), plain_name(artist))).fetchone()
        return _cached(row) if row else None

    def put(self, entry: Cached) -> None:
        """Keep an answer; words that were not verified are left out."""
        words = [word for word in entry.vocabulary if word.get("status") in ("verified", "repaired")]
        values = (
            plain_name(entry.song),
            plain_name(entry.artist),
            entry.variant,
            entry.song,
            entry.artist,
            entry.lyrics,
            entry.source,
            entry.provider,
            json.dumps(words, ensure_ascii=False),
            json.dumps(entry.versions),
            entry.created or datetime.min.isoformat(),
        )
        with self._open() as connection:
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT OR REPLACE INTO entries VALUES ({marks})", values)  # noqa: S608 - only marks

    def page(self, limit: int, offset: int) -> tuple[int, list[Cached]]:
        """How many entries there are, and one page of them, newest first."""
        if not self.path.exists():
            return 0, []
        query = f"SELECT {_COLUMNS} FROM entries ORDER BY created DESC, song LIMIT ? OFFSET ?"  # noqa: S608 - fixed names
        with self._open() as connection:
            total = connection.execute("SELECT COUNT(*) FROM entries").fetchone()[0]
            rows = connection.execute(query, (limit, offset)).fetchall()
        return int(total), [kept for row in rows if (kept := _cached(row))]

    def delete(self, song: str, artist: str) -> int:
        """Forget a song; how many entries that were."""
        if not self.path.exists():
            return 0
        with self._open() as connection:
            done = connection.execute(
                "DELETE FROM entries WHERE song_key = ? AND artist_key = ?",
                (plain_name(song), plain_name(artist)),
            )
            return done.rowcount


def _cached(row: tuple[Any, ...]) -> Cached | None:
    """The row as an answer; a damaged one counts as absent, and the next answer replaces it."""
    song, artist, variant, lyrics, source, provider, vocabulary, versions, created = row
    try:
        words = [VocabularyItem.model_validate(word).model_dump() for word in json.loads(vocabulary)]
        kept = {str(key): str(value) for key, value in json.loads(versions).items()}
    except (ValueError, TypeError, AttributeError):
        return None
    return Cached(song, artist, variant, lyrics, source, provider, words, created, kept)
