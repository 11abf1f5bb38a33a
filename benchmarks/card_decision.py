"""Cards: reading, planning, a second run over nothing new, and writing beside AnkiConnect's own time."""

import datetime
import gc
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import Measure
from clients.cards.ledgers import open_ledger
from clients.cards.syncing import CardSync, Options, Report
from clients.runner import open_runner
from common.settings import get_settings
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.ledger import Ledger
from graphs.card_decision.anki.note_types import STANDARD_MODELS
from graphs.card_decision.anki.records import CardRecord
from graphs.card_decision.anki.sync import Writer
from graphs.card_decision.anki.writes import Write, creation
from graphs.card_decision.schemas import ProposedCard
from graphs.card_decision.vault.cards import read_cards
from graphs.card_decision.vault.files import open_vault
from tests.fakes.card_decision_ankiconnect import FakeAnki

NOTES = 1000
NOW = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
_PARAGRAPH = "A body keeps its state of motion unless a force acts: **inertia**. `F = ma` says how much.\n"


def note(number: int, size: int, answer: str = "") -> str:
    body = answer or f"Answer {number}. " + _PARAGRAPH * (size // len(_PARAGRAPH))
    return (
        f"---\nid: bench-{number}\ntags: [physics]\n---\n# Question (EN)\n> What is fact number {number}?\n\n"
        f"## Answer (EN)\n{body}\n\n```kotlin\nval x = List<Int>::class\n```\n\n## References\n- [[other]]\n"
    )


@contextmanager
def data_dir(folder: Path) -> Iterator[None]:
    before = os.environ.get("STUDY_DATA_DIR")
    os.environ["STUDY_DATA_DIR"] = str(folder)
    get_settings.cache_clear()
    yield
    if before is None:
        del os.environ["STUDY_DATA_DIR"]
    else:
        os.environ["STUDY_DATA_DIR"] = before
    get_settings.cache_clear()


def reading(folder: Path) -> Measure:
    folder.mkdir()
    for number in range(NOTES):
        (folder / f"n{number}.md").write_text(note(number, 12_000))
    start = time.process_time()
    found = sum(len(read_cards(file.path, file.text).candidates) for file in open_vault(folder).files())
    spent = time.process_time() - start
    assert found == NOTES
    return Measure("1,000 notes of 12 MB read", spent, "s of CPU", 1.0, "under 1 s")


def sync(vault: Path, anki: FakeAnki) -> Report:
    with open_ledger(vault) as ledger, open_runner(None) as runner:
        return CardSync(vault, runner, AnkiConnect(anki.url), ledger, Options(concurrency=8)).run(NOW)


def syncing(folder: Path) -> Iterator[Measure]:
    vault = folder / "vault"
    vault.mkdir()
    for number in range(NOTES):
        (vault / f"n{number:04}.md").write_text(note(number, 300))
    with data_dir(folder / "data"), FakeAnki(folder / "anki") as anki:
        start = time.perf_counter()
        first = sync(vault, anki)
        spent = time.perf_counter() - start
        assert first.writes == NOTES
        yield Measure(
            "1,000 notes planned and created", spent, "s", 90.0, "under 90 s", note="one run per note"
        )
        anki.writes.clear()
        start = time.thread_time()
        second = sync(vault, anki)
        spent = time.thread_time() - start
        assert (second.runs, second.model_calls, second.writes, anki.writes) == (0, 0, 0, [])
        yield Measure(
            "1,000 unchanged notes", spent, "s of CPU", 2.0, "under 2 s",
            peer="yanki (published, wall)", theirs=38.9, note="0 runs, 0 model calls, 0 writes",
        )  # fmt: skip
        yield edits(vault, anki)


def edits(vault: Path, anki: FakeAnki) -> Measure:
    """200 edits in Anki, 200 in the vault, 50 of them on the same cards."""
    held = anki.by_slug()
    for number in range(200):
        anki.edit(held[f"bench-{number}-0-en"]["noteId"], "Back", f"mine {number}")
    for number in range(150, 350):
        (vault / f"n{number:04}.md").write_text(note(number, 300, f"Changed {number}."))
    report = sync(vault, anki)
    now = anki.by_slug()
    lost = sum(now[f"bench-{n}-0-en"]["fields"]["Back"] != f"mine {n}" for n in range(200))
    waiting = sum(decision.action == "manual_review" for decision in report.decisions)
    return Measure(
        "user's edits overwritten, of 200",
        float(lost),
        "edits",
        0.0,
        "none",
        note=f"{waiting} conflicts wait",
    )


def creating(folder: Path) -> Measure:
    """The same notes written by us (journal, read-back, ledger) and by bare AnkiConnect calls, in turns;
    the best of five each, because a disk's mood is not what is measured."""
    cards = [
        ProposedCard(
            model_name="Basic", deck_name="Bench", fields={"Front": f"Q {n}", "Back": f"A {n} " * 20}
        )
        for n in range(NOTES)
    ]
    theirs, ours = [], []
    for turn in range(5):
        theirs.append(bare_calls(cards, folder / f"bare{turn}"))
        ours.append(our_writes(cards, folder / f"ours{turn}"))
    return Measure(
        "1,000 creations", min(ours), "s", 1.3 * min(theirs), "within 1.3 × of the bare calls",
        peer="the same AnkiConnect calls, bare", theirs=min(theirs),
    )  # fmt: skip


def bare_calls(cards: list[ProposedCard], folder: Path) -> float:
    with FakeAnki(folder, poll=0.025) as anki:
        connect = AnkiConnect(anki.url)
        start = time.perf_counter()
        connect.invoke("createDeck", deck="Bench")
        replies = connect.multi([("addNote", {"note": bare(card)}) for card in cards])
        found = connect.notes_by_id([reply.result for reply in replies])
        connect.invoke("changeDeck", cards=[card for info in found for card in info["cards"]], deck="Bench")
        return time.perf_counter() - start


def our_writes(cards: list[ProposedCard], folder: Path) -> float:
    with FakeAnki(folder, poll=0.025) as anki, Ledger(folder / "ledger.sqlite") as ledger:
        writes: list[Write] = [
            creation(CardRecord(slug=f"bench-{n}-0-en", note_path=f"n{n}.md"), card)
            for n, card in enumerate(cards)
        ]
        connect = AnkiConnect(anki.url)
        start = time.perf_counter()
        Writer(connect, ledger, ledger.begin_run("now")).apply(writes, STANDARD_MODELS)
        spent = time.perf_counter() - start
        assert all(write.done for write in writes)
        return spent


def bare(card: ProposedCard) -> dict[str, object]:
    return {"deckName": "Bench", "modelName": "Basic", "fields": card.fields, "tags": [], "options": {}}


def measures() -> list[Measure]:
    """All of the room's numbers."""
    gc.collect()
    gc.freeze()  # the collector's walks over imported libraries are no part of either side
    memory = Path("/dev/shm")  # the disk is shared with whatever else runs; memory is not
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        folder = Path(name)
        return [reading(folder / "read"), *syncing(folder), creating(folder)]
