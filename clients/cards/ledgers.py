"""Where each vault's ledger lies, and the lock that keeps two syncs of one vault apart."""

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from common.errors import Conflict, NotFound, Unavailable
from common.files import content_hash
from common.settings import get_settings
from graphs.card_decision.anki.ledger import Ledger


def vault_id(vault: Path) -> str:
    """A vault is its folder: the same path gives the same ledger and the same threads."""
    return content_hash(str(vault.resolve()))[:16]


def folder() -> Path:
    return get_settings().data_dir / "cards"


def ledger_path(vault: Path) -> Path:
    return folder() / f"{vault_id(vault)}.sqlite"


@contextmanager
def open_ledger(vault: Path) -> Iterator[Ledger]:
    """The vault's ledger, for one process at a time."""
    path = ledger_path(vault)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            raise Conflict(f"Another sync of {vault} is running.", remedy="Wait until it ends.") from exc
        with Ledger(path) as ledger, _said_plainly(path):
            ledger.save_meta("vault", str(vault.resolve()))
            yield ledger


@contextmanager
def _said_plainly(path: Path) -> Iterator[None]:
    """A full disk is the user's to mend, not a traceback."""
    try:
        yield
    except sqlite3.Error as exc:
        raise Unavailable(
            f"The ledger {path} cannot be used ({exc}).",
            remedy="Look at the disk and run again: what has reached Anki is found by its slug, not doubled.",
        ) from exc


def known_vaults() -> list[Path]:
    """The vaults that have a ledger here."""
    found = []
    for path in sorted(folder().glob("*.sqlite")):
        with Ledger(path) as ledger:
            if ledger.meta("vault"):
                found.append(Path(ledger.meta("vault")))
    return found


def vault_of_run(run: str) -> Path:
    """The vault in whose ledger a run is."""
    found = []
    for vault in known_vaults():
        with Ledger(ledger_path(vault)) as ledger:
            runs = [id_ for id_, _, _ in ledger.runs() if ledger.entries(run=id_)]
            standing = any(ledger.entries(run=id_, state="done") for id_ in runs)
            if (run == "last" and standing) or any(id_.startswith(run) for id_ in runs):
                found.append(vault)
    if len(found) != 1:
        raise NotFound(
            f"{len(found) or 'No'} vault{'s have' if found else ' has'} a run “{run}”.",
            remedy="Name the vault with --vault, or list the runs: `study cards undo`.",
        )
    return found[0]
