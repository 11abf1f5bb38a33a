"""`study cards`: options, output, exit codes, packages, reviews, audits."""

import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anki.collection import Collection, ImportAnkiPackageRequest
from typer.testing import CliRunner

from clients import cli
from clients.cards.ledgers import ledger_path, open_ledger
from clients.runner import open_runner
from common.errors import BadInput, Conflict, Unavailable
from common.threads import thread_id
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.anki.ledger import Ledger
from tests.fakes.card_decision_ankiconnect import FakeAnki
from tests.unit.card_decision.conftest import lines, pair

Write = Callable[..., Path]
Cards = Callable[..., Any]


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Cards:
    monkeypatch.setattr("common.logs.configure", lambda _level: None)
    return lambda *args: CliRunner().invoke(cli.app, ["cards", *[str(arg) for arg in args]])


def test_plan_touches_nothing(write: Write, vault: Path, study: Cards) -> None:
    write("a.md", pair("What is light?", "A wave."))
    write("b.md", "## Answer (EN)\nAlone.\n")
    before = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    result = study("plan", vault, "--json")
    assert result.exit_code == 0
    (line,) = lines(result.stdout)
    assert (line["slug"], line["action"], line["model_name"]) == ("a-0-en", "create", "Basic")
    assert "b.md: line 1: “Answer (EN)” has no question in the note" in result.stderr
    assert before == {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    assert "1 card: 1 to create" in study("plan", vault).stdout


def test_sync_and_its_report(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    write("a.md", pair("What is light?", "A wave."))
    result = study("sync", vault, "--anki", anki.url, "--dry-run")
    assert result.exit_code == 0, result.output
    assert anki.notes() == []
    assert anki.writes == []
    assert "1 to create, 0 to update" in result.stdout
    assert "nothing was written." in result.stdout
    result = study("sync", vault, "--anki", anki.url, "--yes")
    assert "1 created, 0 updated, 0 unchanged, 0 for review; 0 notes unchanged; 1 written." in result.stdout
    assert "takes it back" in result.stdout
    assert len(anki.notes()) == 1
    result = study("plan", vault, "--anki", anki.url, "--json")
    assert lines(result.stdout) == []


def test_exit_codes(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    write("a.md", pair("What is light?", "A wave."))
    assert study("plan", vault / "nowhere").exit_code == 2
    closed = study("sync", vault, "--anki", "http://127.0.0.1:1")
    assert closed.exit_code == 5
    assert "Start Anki" in closed.stderr
    assert study("undo", "nothing").exit_code == 3
    study("sync", vault, "--anki", anki.url)
    anki.edit(anki.notes()[0]["noteId"], "Back", "mine")
    write("a.md", pair("What is light?", "Changed."))
    result = study("sync", vault, "--anki", anki.url, "--fail-on-review")
    assert result.exit_code == 6
    bad = vault.parent / "agents.yaml"
    bad.write_text("agents:\n  min_qa_score: 7\n")
    assert study("plan", vault, "--agents-config", bad).exit_code == 2


def test_review_keeps_or_accepts(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    for name in "ab":
        write(f"{name}.md", pair(f"What is {name}?", "Old."))
    study("sync", vault, "--anki", anki.url)
    held = anki.by_slug()
    for name in "ab":
        anki.edit(held[f"{name}-0-en"]["noteId"], "Back", f"mine {name}")
        write(f"{name}.md", pair(f"What is {name}?", f"new {name}"))
    study("sync", vault, "--anki", anki.url)
    shown = lines(study("review", vault, "--json").stdout)
    assert [line["slug"] for line in shown] == ["a-0-en", "b-0-en"]
    assert shown[0]["messages"] == ["Back: changed on both sides", "Back: Anki “mine a” · note “new a”"]
    listed = study("review").stdout
    assert "Anki “mine b”" in listed
    assert "2 cards wait." in listed
    result = study("review", "--accept", "a-0-en", "--keep", "b-0-en", "--anki", anki.url)
    assert "a-0-en: written" in result.stdout
    assert "b-0-en: Anki's version stays" in result.stdout
    now = anki.by_slug()
    assert now["a-0-en"]["fields"]["Back"] == "new a"
    assert now["b-0-en"]["fields"]["Back"] == "mine b"
    write("b.md", "---\ntags: [t]\n---\n" + pair("What is b?", "new b"))
    result = study("sync", vault, "--anki", anki.url, "--json")
    assert all(line.startswith("{") for line in result.stdout.splitlines()), "one line per card, no other"
    assert [line["action"] for line in lines(result.stdout)] == ["update"]
    assert anki.by_slug()["b-0-en"]["fields"]["Back"] == "mine b"
    write("b.md", pair("What is b?", "newer b"))
    result = study("sync", vault, "--anki", anki.url, "--json")
    assert [line["action"] for line in lines(result.stdout)] == ["manual_review"]
    anki.edit(held["b-0-en"]["noteId"], "Back", "mine again")
    result = study("review", vault, "--accept", "b-0-en", "--accept", "zzz", "--anki", anki.url)
    assert "changed in Anki since" in result.stdout
    assert "zzz: no such card waits" in result.stderr
    assert result.exit_code == 3
    assert anki.by_slug()["b-0-en"]["fields"]["Back"] == "mine again"


def test_a_run_that_waits_is_answered_from_the_command_line(study: Cards, vault: Path) -> None:
    thread = thread_id("card_decision", "v", "n.md")
    held = {
        "fields": {"Front": "Q?", "Back": "theirs"},
        "base": {"Front": "Q?", "Back": "old"},
        "model_name": "Basic",
    }
    given = {"note_path": "n.md", "note_text": pair("Q?", "ours"), "existing": {"n-0-en": held}}
    with open_runner(None) as runner:
        assert runner.run("card_decision", given, thread_id=thread, context={"review": "interrupt"}).waits
    assert study("review", "--thread", thread).exit_code == 2
    result = study("review", "--thread", thread, "--answer", "approve")
    assert json.loads(result.stdout)["decisions"][0]["action"] == "update"


def test_undo_leaves_what_changed_since(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    for name in "abc":
        write(f"{name}.md", pair(f"What is {name}?", "old"))
    study("sync", vault, "--anki", anki.url)
    for name in "ab":
        write(f"{name}.md", "---\ntags: [new]\n---\n" + pair(f"What is {name}?", "new"))
    study("sync", vault, "--anki", anki.url)
    anki.edit(anki.by_slug()["b-0-en"]["noteId"], "Back", "newer")
    runs = study("undo").stdout.splitlines()
    assert [line.split("  ")[-2].strip() for line in runs] == ["3 writes", "2 writes"]
    result = study("undo", "last", "--anki", anki.url)
    assert "1 restored, 1 left, 0 marked" in result.stdout
    now = anki.by_slug()
    assert (now["a-0-en"]["fields"]["Back"], now["a-0-en"]["tags"]) == ("old", [])
    assert now["b-0-en"]["fields"]["Back"] == "newer"
    study("sync", vault, "--anki", anki.url)
    first = study("undo").stdout.split()[0]
    result = study("undo", first, "--vault", vault, "--anki", anki.url)
    assert len(anki.notes()) == 3
    assert "study::undone" in anki.by_slug()["c-0-en"]["tags"]


def test_a_package_imports_twice_without_doubling(
    write: Write, vault: Path, tmp_path: Path, study: Cards
) -> None:
    write("pic.png", b"\x89PNG")
    write("a.md", "---\ndeck_hint: D::E\n---\n" + pair("What?", "![[pic.png]] This."))
    write("b.md", "---\ndeck_hint: D::E\n---\nThe {{c1::gap}} here.\n")
    file = tmp_path / "out.apkg"
    told = study("sync", vault, "--apkg", tmp_path / "other.apkg", "--json").stdout.splitlines()
    assert all("slug" in json.loads(line) for line in told)
    result = study("sync", vault, "--apkg", file)
    assert "2 cards and 1 file are in" in result.stdout
    assert any(name.isdigit() for name in zipfile.ZipFile(file).namelist())
    collection = Collection(str(tmp_path / "import.anki2"))
    for _ in range(2):
        collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(file)))
    assert collection.note_count() == 2
    deck = collection.decks.id_for_name("D::E")
    assert collection.decks.card_count(deck, include_subdecks=False) == 2
    collection.close()


def test_audit(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    write("a.md", pair("What is the capital of France?", "Paris."))
    write("b.md", "#flashcards\n\nThe {{c1::gap}} is here.\n")
    write(
        "d.md",
        "#flashcards\n\nWhat was decided in the year 1814?::One\nWhat was decided in the year 1815?::Two\n",
    )
    write("c.md", pair("What goes away in the end?", "This card."))
    study("sync", vault, "--anki", anki.url)
    held = anki.by_slug()
    anki.edit(held["b-0-en"]["noteId"], "Text", "The {{c1:gap}} is here.")
    anki.edit(held["c-0-en"]["noteId"], "Front", "What is the capital of France?")
    anki.edit(held["c-0-en"]["noteId"], "Back", "capital of France")
    write("a.md", pair("What is the capital of France?", "Paris, since 508."))
    result = study("audit", vault, "--anki", anki.url, "--json")
    found = {(line["kind"], line["slug"]) for line in lines(result.stdout)}
    assert {
        ("stale", "a-0-en"),
        ("invalid_cloze", "b-0-en"),
        ("duplicate", "c-0-en"),
        ("leak", "c-0-en"),
    } <= found
    assert not {slug for kind, slug in found if slug.startswith("d-")}
    assert "findings." in study("audit", "--anki", anki.url).stdout


def test_a_card_that_moved_is_not_stale(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    write("a.md", "#flashcards\n\nhund::dog\nkatze::cat\n")
    write("b.md", "#flashcards\n\nmaus::mouse\n")
    study("sync", vault, "--anki", anki.url)
    write("a.md", "#flashcards\n\nhund::dog\n")
    write("b.md", "#flashcards\n\nmaus::mouse\nkatze::cat\n")
    study("sync", vault, "--anki", anki.url)
    assert study("audit", vault, "--anki", anki.url).stdout == "0 findings.\n"
    write("b.md", "#flashcards\n\nmaus::mouse\n")
    told = study("audit", vault, "--anki", anki.url).stdout
    assert "a-1-en  no note of the vault holds its text" in told
    assert "1 finding." in told


def test_a_missing_picture_is_not_stale(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    write("a.md", pair("What does it show?", "![[lost.png]] A dot."))
    study("sync", vault, "--anki", anki.url)
    assert study("audit", vault, "--anki", anki.url).stdout == "0 findings.\n"


def test_two_syncs_of_one_vault_do_not_run_together(
    vault: Path, write: Write, anki: FakeAnki, study: Cards
) -> None:
    from clients.cards.ledgers import open_ledger

    write("a.md", pair("What?", "This."))
    with open_ledger(vault):
        assert study("sync", vault, "--anki", anki.url).exit_code == 4


def test_ledgers_that_cannot_be_used(
    write: Write, vault: Path, anki: FakeAnki, study: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.md", pair("What is light?", "A wave."))
    assert study("sync", vault, "--anki", anki.url).exit_code == 0
    with sqlite3.connect(ledger_path(vault)) as ledger:
        ledger.execute("UPDATE cards SET record = '{broken'")
    with pytest.raises(Conflict, match=r"cannot be read .*rebuilt from Anki"), open_ledger(vault) as broken:
        broken.cards()
    ledger.execute("PRAGMA user_version = 99")
    ledger.close()
    with pytest.raises(Conflict, match="newer version"), open_ledger(vault):
        pass
    ledger_path(vault).unlink()

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Ledger, "save_note", full)
    with pytest.raises(Unavailable, match="disk is full"), open_ledger(vault) as ledger_of_vault:
        ledger_of_vault.save_note("a.md", "x", [])


def test_undo_last_steps_back_run_by_run(write: Write, vault: Path, anki: FakeAnki, study: Cards) -> None:
    assert "No sync has written anything yet" in study("undo").stdout
    for answer in ("One.", "Two.", "Three."):
        write("a.md", pair("What is light?", answer))
        assert study("sync", vault, "--anki", anki.url).exit_code == 0
    for answer in ("Two.", "One."):
        assert study("undo", "last", "--anki", anki.url).exit_code == 0
        assert anki.by_slug()["a-0-en"]["fields"]["Back"] == answer
    assert study("undo").stdout.count("taken back") == 2


def test_an_address_that_is_none(vault: Path) -> None:
    with pytest.raises(BadInput, match="not an address"):
        AnkiConnect("notaurl").invoke("version")
