"""SIGKILL to a separate process at every step of a sync: the next run ends in the same state."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.card_decision_ankiconnect import FakeAnki
from tests.unit.card_decision.conftest import Sync, pair

Write = Callable[..., Path]
Texts = dict[str, tuple[dict[str, str], list[str], str]]


def first(write: Write) -> None:
    write("pic.png", b"\x89PNG\r\n")
    write("a.md", pair("What does the picture show?", "![[pic.png]] A dot."))
    write("b.md", pair("What is kept?", "Everything."))
    write("gone.md", pair("What goes?", "This."))
    for number in range(12):
        write(f"c{number}.md", f"#flashcards\n\nnumber {number}::word {number}\n")


def second(write: Write, vault: Path, anki: FakeAnki) -> None:
    """Edits on both sides, a new card, a vanished one, one moved to another deck."""
    held = anki.by_slug()
    anki.edit(held["c1-0-en"]["noteId"], "Back", "mine")
    anki.edit(held["c2-0-en"]["noteId"], "Back", "mine too")
    anki.delete(held["c3-0-en"]["noteId"])
    write("b.md", "---\ntags: [new]\ndeck_hint: Other\n---\n" + pair("What is kept?", "All of it."))
    write("c2.md", "#flashcards\n\nnumber 2::word two\n")
    write("c3.md", "#flashcards\n\nnumber 3::word three\n")
    write("new.md", pair("What is new?", "This card."))
    (vault / "gone.md").unlink()


def state(anki: FakeAnki) -> Texts:
    return {
        slug: (info["fields"], sorted(info["tags"]), info["deck"]) for slug, info in anki.by_slug().items()
    }


def killed_at(number: int, sync: Sync) -> bool:
    """Sync in a child that kills itself before its step `number`; whether it got that far."""
    child = os.fork()
    if child == 0:
        steps = 0

        def step(name: str) -> None:
            nonlocal steps
            steps += not name.startswith("decided") or name == "decided b.md"
            if steps == number:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sync(step)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def test_first_sync_killed_at_every_step(write: Write, sync: Sync, anki: FakeAnki) -> None:
    first(write)
    number = 1
    while killed_at(number, sync):
        number += 1
    report = sync()
    assert number > 12, "the sync has more steps than that"
    assert not report.failed
    assert len(anki.by_slug()) == 15
    assert len(anki.notes()) == 15
    assert len(anki.do_getMediaFilesNames("pic-*.png")) == 1
    assert (report.runs, report.writes) == (0, 0)


@pytest.mark.parametrize("offset", [0, 1])
def test_second_sync_killed_at_every_step(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path, offset: int
) -> None:
    """Every other step in each of two rounds, so that most steps are reached with work still to do."""
    first(write)
    sync()
    second(write, vault, anki)
    number = 1 + offset
    while killed_at(number, sync):
        number += 2
    sync()
    now = state(anki)
    assert len(anki.notes()) == len(now) == 15
    assert now["c1-0-en"][0]["Back"] == "mine"
    assert now["c2-0-en"][0]["Back"] == "mine too"
    assert "c3-0-en" not in now
    assert now["b-0-en"][0]["Back"] == "All of it."
    assert now["b-0-en"][1:] == (["new"], "Other")
    assert now["new-0-en"][0]["Back"] == "This card."
    assert now["gone-0-en"][1] == ["study::orphan"]
    anki.writes.clear()
    report = sync()
    assert anki.writes == []
    assert {d.slug for d in report.decisions} == {"gone-0-en"}
    assert report.waiting == 2


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("action", ["createModel", "createDeck", "storeMediaFile", "multi"])
def test_killed_while_anki_works(write: Write, sync: Sync, anki: FakeAnki, action: str, moment: str) -> None:
    """The process dies while its request is with Anki: done or not done there, the end is the same."""
    first(write)
    writes, known, child = 0, threading.Event(), 0

    def hook(name: str, params: dict[str, Any], when: str) -> None:
        nonlocal writes
        inner = [item["action"] for item in params.get("actions", [])]
        wanted = name == action and (action != "multi" or "addNote" in inner or "createDeck" in inner)
        if (wanted or (action == "createDeck" and "createDeck" in inner)) and when == moment and not writes:
            writes = 1
            known.wait()
            os.kill(child, signal.SIGKILL)

    anki.hook = hook
    child = os.fork()
    if child == 0:
        try:
            sync()
        finally:
            os._exit(0)
    known.set()
    _, status = os.waitpid(child, 0)
    anki.hook = None
    assert os.WIFSIGNALED(status)
    report = sync()
    assert not report.failed
    assert len(anki.notes()) == len(anki.by_slug()) == 15
    assert all(info["deck"] == "Study" for info in anki.by_slug().values())
    assert sync().runs == 0


@pytest.mark.parametrize("moment", ["after_answer", "before_answer"])
def test_deleted_between_a_kill_and_the_next_run(
    write: Write, sync: Sync, anki: FakeAnki, moment: str
) -> None:
    """A person deletes cards of a run that was killed: that is an edit, and they stay deleted."""
    write("n.md", "#flashcards\n\nhund::dog\nkatze::cat\nmaus::mouse\n")
    child = os.fork()
    if child == 0:

        def step(name: str) -> None:
            if name == "read_back" and moment == "after_answer":
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            sync(step)
        finally:
            os._exit(0)

    def hook(name: str, params: dict[str, Any], when: str) -> None:
        inner = [item["action"] for item in params.get("actions", [])]
        if moment == "before_answer" and "addNote" in inner and when == "after":
            os.kill(child, signal.SIGKILL)

    anki.hook = hook
    _, status = os.waitpid(child, 0)
    anki.hook = None
    assert os.WIFSIGNALED(status)
    made = anki.by_slug()
    assert len(made) == 3
    # Where Anki's answer was never read, a later card of the batch is what tells.
    gone = ["n-0-en", "n-2-en"] if moment == "after_answer" else ["n-0-en", "n-1-en"]
    for slug in gone:
        anki.delete(made[slug]["noteId"])
    for _ in range(2):
        assert not sync().failed
        assert set(anki.by_slug()) == set(made) - set(gone)
    sync(recreate=True)
    assert set(anki.by_slug()) == set(made)
