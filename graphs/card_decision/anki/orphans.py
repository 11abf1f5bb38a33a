"""Cards whose text has vanished from the vault: a tag and a review, never a deletion."""

from dataclasses import dataclass, field

from common.errors import Conflict
from graphs.card_decision.anki.collection import Snapshot
from graphs.card_decision.anki.records import ORPHAN_TAG, CardRecord
from graphs.card_decision.anki.writes import Write

SHARE = 0.1


@dataclass
class Orphans:
    """Cards that lost their text, and cards that got it back."""

    lost: list[CardRecord] = field(default_factory=list)
    found: list[CardRecord] = field(default_factory=list)


def find_orphans(records: dict[str, CardRecord], alive: set[str], snapshot: Snapshot) -> Orphans:
    """Compare what we synced with the slugs that the vault holds now."""
    orphans = Orphans()
    for slug, record in records.items():
        if record.state != "synced" or slug not in snapshot.by_slug:
            continue
        if slug not in alive:
            orphans.lost.append(record)
        elif record.orphaned:
            orphans.found.append(record)
    return orphans


def guard(orphans: Orphans, records: dict[str, CardRecord]) -> None:
    """A run that would orphan more than a tenth of the cards is more likely a wrong folder."""
    fresh = [record for record in orphans.lost if not record.orphaned]
    synced = sum(record.state == "synced" for record in records.values())
    notes = {record.note_path for record in fresh}
    if len(fresh) > SHARE * synced and len(notes) > 1:
        raise Conflict(
            f"{len(fresh)} of {synced} synced cards have vanished from the vault; nothing was written.",
            remedy="Is it the right folder? If you did remove them, run again with --allow-orphans.",
        )


def orphan_writes(orphans: Orphans, snapshot: Snapshot) -> list[Write]:
    """The tag for new orphans, and its removal from cards whose text is back. The ledger learns of a mark
    only when Anki shows it."""
    marks = [(record, True) for record in orphans.lost if not record.orphaned]
    marks += [(record, False) for record in orphans.found]
    writes = []
    for record, lost in marks:
        settled = record.model_copy(deep=True, update={"orphaned": lost})
        write = Write("mark", settled, note=snapshot.by_slug[record.slug])
        if lost:
            write.add_tags = [ORPHAN_TAG]
        else:
            write.remove_tags = [ORPHAN_TAG]
        writes.append(write)
    return writes
