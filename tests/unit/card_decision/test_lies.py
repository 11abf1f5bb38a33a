"""AnkiConnect's lies, Anki's absences: each is said on the card it hit, and mended where it can be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from common.errors import BadInput
from graphs.card_decision.anki.connect import AnkiClosed, AnkiConnect, AnkiRefused, AnkiTimeout, Reply
from tests.fakes.card_decision_ankiconnect import Dropped, FakeAnki
from tests.unit.card_decision.conftest import Sync, pair

Write = Callable[..., Path]


def ask(anki: FakeAnki, action: str, **params: Any) -> Any:
    body = {"action": action, "version": 6, "params": params}
    return httpx.post(anki.url, json=body, timeout=120).json()


def note(**fields: str) -> dict[str, Any]:
    return {"deckName": "Default", "modelName": "Basic", "fields": fields, "tags": []}


def test_the_fake_lies_as_the_add_on_does(anki: FakeAnki) -> None:
    made = ask(anki, "addNote", note=note(Front="q", Back="a", Nonsense="x"))["result"]
    assert isinstance(made, int)
    assert ask(anki, "updateNoteFields", note={"id": made, "fields": {"Nope": "x"}})["error"] is None
    assert ask(anki, "updateNoteFields", note={"id": made, "fields": {"Front": ""}})["error"] is None
    assert ask(anki, "addNotes", notes=[note(Front="one", Back="1"), note(Front="", Back="2")])["error"]
    assert not [info for info in anki.notes() if info["fields"]["Front"]["value"] == "one"]
    cloze = {"deckName": "Default", "modelName": "Cloze", "fields": {"Text": "{{c501::x}}"}, "tags": []}
    assert ask(anki, "addNote", note=cloze)["error"] is None
    assert ask(anki, "multi", actions=[{"action": "version"}])["result"] == [6]
    assert AnkiConnect._read(6) == Reply(6)


def test_the_default_deck_is_mended_and_told(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", "---\ndeck_hint: Physics\n---\n" + pair("What is light?", "A wave."))
    report = sync()
    assert anki.by_slug()["a-0-en"]["deck"] == "Physics"
    assert "Anki put the card into “Default”; moved to “Physics”" in report.decisions[0].messages


def test_a_field_that_vanishes_is_told(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", pair("What is light?", "A wave."))

    def rename(action: str, params: dict[str, Any], moment: str) -> None:
        inner = [item["action"] for item in params.get("actions", [])]
        if "addNote" in inner and moment == "before":
            model = anki.col.models.by_name("Study Basic")
            anki.col.models.rename_field(model, model["flds"][1], "Rear")
            anki.col.models.update_dict(model)

    anki.hook = rename
    report = sync()
    assert any("dropped the field “Back”" in line for line in report.decisions[0].messages)
    assert report.failed == ["a-0-en"]


def test_a_success_without_a_note_is_told(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", pair("What is light?", "A wave."))
    anki.do_addNote = lambda note: None  # type: ignore[method-assign,assignment]
    report = sync()
    assert any("made no note" in line for line in report.decisions[0].messages)
    del anki.do_addNote  # type: ignore[method-assign]
    assert sync().writes == 1
    assert len(anki.notes()) == 1


def test_one_refused_note_does_not_stop_the_others(write: Write, sync: Sync, anki: FakeAnki) -> None:
    real = anki.do_addNote

    def moody(note: dict[str, Any]) -> int:
        if "two" in note["fields"]["Front"]:
            raise RuntimeError("no")
        return real(note)

    anki.do_addNote = moody  # type: ignore[method-assign]
    write("w.md", "#flashcards\n\none::1\ntwo::2\nthree::3\n")
    report = sync()
    assert len(anki.notes()) == 2
    assert report.failed == ["w-1-en"]
    anki.do_addNote = real  # type: ignore[method-assign]
    sync()
    assert len(anki.notes()) == len(anki.by_slug()) == 3


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_dropped_connection_makes_no_duplicate(
    write: Write, sync: Sync, anki: FakeAnki, moment: str
) -> None:
    """Anki goes away in the middle of a batch: done or not, the same cards stand at the end."""
    write("w.md", "#flashcards\n\none::1\ntwo::2\nthree::3\n")
    dropped = []

    def drop(action: str, params: dict[str, Any], when: str) -> None:
        inner = [item["action"] for item in params.get("actions", [])]
        if "addNote" in inner and when == moment and not dropped:
            dropped.append(1)
            raise Dropped

    anki.hook = drop
    report = sync()
    assert dropped
    assert not report.failed
    assert len(anki.notes()) == len(anki.by_slug()) == 3
    assert sync().runs == 0


def test_anki_closing_in_the_middle(write: Write, sync: Sync, anki: FakeAnki) -> None:
    for number in range(4):
        write(f"n{number}.md", pair(f"Question number {number}?", f"Answer {number}."))

    def close(action: str, params: dict[str, Any], when: str) -> None:
        inner = [item["action"] for item in params.get("actions", [])]
        if "addNote" in inner and when == "after":
            anki.profile_open = False

    anki.hook = close
    with pytest.raises(AnkiClosed, match="no profile"):
        sync()
    anki.hook, anki.profile_open = None, True
    sync()
    assert len(anki.notes()) == len(anki.by_slug()) == 4
    assert sync().runs == 0


def test_an_edit_between_looking_and_writing_is_decided_again(
    write: Write, sync: Sync, anki: FakeAnki
) -> None:
    write("a.md", pair("What is light?", "A wave."))
    sync()
    write("a.md", pair("What is light?", "A wave and a particle."))
    note_id = anki.by_slug()["a-0-en"]["noteId"]
    edited = []

    def step(name: str) -> None:
        if name == "look_again" and not edited:
            edited.append(1)
            anki.edit(note_id, "Back", "my words")

    report = sync(step)
    assert anki.by_slug()["a-0-en"]["fields"]["Back"] == "my words"
    assert [d.action for d in report.decisions] == ["manual_review"]


def test_anki_closed_key_and_profile(anki: FakeAnki, tmp_path: Path) -> None:
    with pytest.raises(AnkiClosed, match="does not answer"):
        AnkiConnect("http://127.0.0.1:1").invoke("version")
    with FakeAnki(tmp_path / "locked", key="secret") as locked:
        with pytest.raises(BadInput, match="key"):
            AnkiConnect(locked.url).models()
        assert "Basic" in AnkiConnect(locked.url, "secret").models()
    anki.profile_open = False
    with pytest.raises(AnkiClosed, match="no profile"):
        AnkiConnect(anki.url).models()
    with pytest.raises(AnkiRefused, match="unsupported"):
        AnkiConnect(anki.url).invoke("nonsense")
    anki.profile_open = True
    anki.poll = 600
    with pytest.raises(AnkiTimeout):
        AnkiConnect(anki.url, timeout=0.1).invoke("version")


def test_a_renamed_note_type_is_recognised(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", pair("What is light?", "A wave."))
    sync()
    model = anki.col.models.by_name("Study Basic")
    model["name"] = "My own name"
    anki.col.models.update_dict(model)
    write("a.md", pair("What is light?", "Still a wave."))
    write("b.md", pair("What is sound?", "A wave too."))
    report = sync()
    assert anki.by_slug()["a-0-en"]["fields"]["Back"] == "Still a wave."
    assert anki.by_slug()["b-0-en"]["modelName"] == "My own name"
    assert any("called “My own name”" in line for line in report.warnings)


def test_without_our_note_types_the_standard_ones_serve(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path
) -> None:
    def refuse(**_: Any) -> None:
        raise RuntimeError("not allowed")

    anki.do_createModel = refuse  # type: ignore[method-assign,assignment]
    write("my note.md", pair("What is light?", "A wave."))
    sync()
    held = next(iter(anki.notes()))
    assert held["modelName"] == "Basic"
    assert held["tags"] == ["study::slug::my%20note-0-en"]
    assert sync().runs == 0
    write("my note.md", pair("What is light?", "Changed."))
    sync()
    assert len(anki.notes()) == 1
    assert anki.notes()[0]["fields"]["Back"]["value"] == "Changed."


def test_old_add_ons_without_a_query(anki: FakeAnki) -> None:
    real = anki.do_notesInfo

    def old(notes: list[int]) -> list[dict[str, Any]]:
        return real(notes)

    anki.do_notesInfo = old  # type: ignore[method-assign,assignment]
    ask(anki, "addNote", note=note(Front="q", Back="a"))
    assert len(AnkiConnect(anki.url).notes("deck:*")) == 1


def test_a_slug_copied_in_anki_is_left_alone(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", pair("What is light?", "A wave."))
    sync()
    copied = anki.col.new_note(anki.col.models.by_name("Study Basic"))
    copied["Front"], copied["Back"], copied["Study ID"] = "copy", "copy", "a-0-en"
    anki.col.add_note(copied, 1)
    write("a.md", pair("What is light?", "Changed."))
    report = sync()
    assert anki.col.get_note(copied.id)["Back"] == "copy"
    assert any("same slug" in line for line in report.warnings)
    backs = {info["fields"]["Back"]["value"] for info in anki.notes()}
    assert backs == {"copy", "Changed."}
