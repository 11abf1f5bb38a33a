"""A vault and an Anki: what a sync writes, and what it must never write."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clients.cards.ledgers import ledger_path, open_ledger
from clients.cards.syncing import CardSync, Options
from clients.runner import open_runner
from common.errors import Conflict
from graphs.card_decision.anki.connect import AnkiConnect
from tests.fakes.card_decision_ankiconnect import FakeAnki
from tests.unit.card_decision.conftest import NOW, Sync, pair

Write = Callable[..., Path]


def many(write: Write, count: int, answer: str = "Answer") -> None:
    for number in range(count):
        write(f"n{number:03}.md", pair(f"Question number {number}?", f"{answer} {number}."))


def test_first_sync_creates_every_card_in_its_deck(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write(
        "a.md",
        "---\ndeck_hint: Physics::Waves\ntags: [topic/light]\n---\n" + pair("What is light?", "A wave."),
    )
    report = sync()
    held = anki.by_slug()["a-0-en"]
    assert held["fields"]["Front"] == "What is light?"
    assert held["fields"]["Back"] == "A wave."
    assert held["deck"] == "Physics::Waves"
    assert held["tags"] == ["topic::light"]
    assert held["modelName"] == "Study Basic"
    assert report.writes == 1
    assert not report.failed


def test_second_sync_does_nothing(write: Write, sync: Sync, anki: FakeAnki) -> None:
    many(write, 5)
    sync()
    anki.writes.clear()
    report = sync()
    assert (report.runs, report.model_calls, report.writes, anki.writes) == (0, 0, 0, [])


def test_only_ours_changed_is_updated(write: Write, sync: Sync, anki: FakeAnki) -> None:
    many(write, 3)
    sync()
    write("n001.md", pair("Question number 1?", "A better answer."))
    report = sync()
    assert anki.by_slug()["n001-0-en"]["fields"]["Back"] == "A better answer."
    assert [d.action for d in report.decisions] == ["update"]


def test_only_theirs_changed_is_kept(write: Write, sync: Sync, anki: FakeAnki) -> None:
    many(write, 2)
    sync()
    anki.edit(anki.by_slug()["n000-0-en"]["noteId"], "Back", "My own words")
    write("n000.md", pair("Question number zero?", "Answer 0."))
    sync()
    held = anki.by_slug()["n000-0-en"]["fields"]
    assert held["Back"] == "My own words"
    assert held["Front"] == "Question number zero?"


def test_both_changed_waits_for_a_person(write: Write, sync: Sync, anki: FakeAnki) -> None:
    many(write, 1)
    sync()
    anki.edit(anki.by_slug()["n000-0-en"]["noteId"], "Back", "Mine")
    write("n000.md", pair("Question number 0?", "Yours"))
    report = sync()
    (decision,) = report.decisions
    assert decision.action == "manual_review"
    assert decision.diff is not None
    assert [(c.field, c.theirs, c.ours) for c in decision.diff.changes] == [("Back", "Mine", "Yours")]
    assert anki.by_slug()["n000-0-en"]["fields"]["Back"] == "Mine"
    assert report.waiting == 1


def test_both_changed_to_the_same_is_adopted(write: Write, sync: Sync, anki: FakeAnki) -> None:
    many(write, 1)
    sync()
    anki.edit(anki.by_slug()["n000-0-en"]["noteId"], "Back", "Agreed")
    write("n000.md", pair("Question number 0?", "Agreed"))
    assert [d.action for d in sync().decisions] == ["skip"]
    write("n000.md", pair("Question number 0?", "Agreed and more"))
    sync()
    assert anki.by_slug()["n000-0-en"]["fields"]["Back"] == "Agreed and more"


def block(note: int, answers: dict[int, str]) -> str:
    """Ten numbered pairs in one note."""
    rows = []
    for n in range(10):
        answer = answers.get(n, f"Answer {note * 10 + n}.")
        rows.append(f"## Question {n + 1}\nWhat is {note * 10 + n}?\n\n### Answer {n + 1}\n{answer}\n")
    return "\n".join(rows)


def test_two_hundred_edits_on_both_sides(
    write: Write, sync: Sync, anki: FakeAnki, cards: Callable[..., Any], vault: Path
) -> None:
    for note in range(36):
        write(f"n{note}.md", block(note, {}))
    sync()
    held = anki.by_slug()
    slugs = [f"n{number // 10}-{number % 10}-en" for number in range(360)]
    for number in range(200):
        anki.edit(held[slugs[number]]["noteId"], "Back", f"user {number}")
    for note in range(15, 35):
        write(f"n{note}.md", block(note, {n: f"vault {note * 10 + n}" for n in range(10)}))
    report = sync()
    now = anki.by_slug()
    assert [n for n in range(200) if now[slugs[n]]["fields"]["Back"] != f"user {n}"] == []
    assert all(now[slugs[n]]["fields"]["Back"] == f"vault {n}" for n in range(200, 350))
    waiting = [d for d in report.decisions if d.action == "manual_review"]
    assert len(waiting) == 50
    assert all(d.diff and d.diff.changes[0].theirs.startswith("user") for d in waiting)
    assert len(now) == 360
    result = cards("undo", report.run, "--anki", anki.url)
    assert result.exit_code == 0, result.output
    back = anki.by_slug()
    assert all(back[slugs[n]]["fields"]["Back"] == f"Answer {n}." for n in range(200, 350))
    assert all(back[slugs[n]]["fields"]["Back"] == f"user {n}" for n in range(200))


def test_a_lost_ledger_makes_no_duplicate(write: Write, sync: Sync, anki: FakeAnki, vault: Path) -> None:
    many(write, 10)
    sync()
    anki.edit(anki.by_slug()["n003-0-en"]["noteId"], "Back", "edited")
    ledger_path(vault).unlink()
    anki.writes.clear()
    report = sync()
    assert anki.writes == []
    assert len(anki.by_slug()) == 10
    assert [d.slug for d in report.decisions if d.action == "manual_review"] == ["n003-0-en"]
    assert anki.by_slug()["n003-0-en"]["fields"]["Back"] == "edited"


def test_a_deleted_card_stays_deleted_until_asked_for(write: Write, sync: Sync, anki: FakeAnki) -> None:
    many(write, 3)
    sync()
    anki.delete(anki.by_slug()["n001-0-en"]["noteId"])
    sync()
    write("n001.md", pair("Question number 1?", "Changed."))
    report = sync()
    assert "n001-0-en" not in anki.by_slug()
    assert [d.action for d in report.decisions] == ["skip"]
    sync()
    assert "n001-0-en" not in anki.by_slug()
    sync(recreate=True)
    assert anki.by_slug()["n001-0-en"]["fields"]["Back"] == "Changed."


def test_tags_and_decks_of_the_user_are_left_alone(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", "---\ntags: [one, two]\ndeck_hint: D1\n---\n" + pair("Q one two three?", "A."))
    sync()
    note = anki.by_slug()["a-0-en"]
    anki.col.tags.bulk_add([note["noteId"]], "mine")
    anki.col.tags.bulk_remove([note["noteId"]], "one")
    write("a.md", "---\ntags: [one, three]\ndeck_hint: D2\n---\n" + pair("Q one two three?", "A."))
    sync()
    now = anki.by_slug()["a-0-en"]
    assert now["tags"] == ["mine", "three"]
    assert now["deck"] == "D2"
    anki.do_createDeck("Elsewhere")
    anki.do_changeDeck(now["cards"], "Elsewhere")
    write("a.md", "---\ntags: [one, three]\ndeck_hint: D3\n---\n" + pair("Q one two three?", "A."))
    sync()
    assert anki.by_slug()["a-0-en"]["deck"] == "Elsewhere"


def test_a_vanished_note_is_tagged_and_never_deleted(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path
) -> None:
    many(write, 20)
    sync()
    (vault / "n004.md").unlink()
    report = sync()
    assert "study::orphan" in anki.by_slug()["n004-0-en"]["tags"]
    assert [d.slug for d in report.decisions] == ["n004-0-en"]
    anki.writes.clear()
    sync()
    assert anki.writes == []
    write("n004.md", pair("Question number 4?", "Answer 4."))
    sync()
    assert "study::orphan" not in anki.by_slug()["n004-0-en"]["tags"]


def test_the_guard_stops_a_run_that_would_orphan_many(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path
) -> None:
    many(write, 20)
    sync()
    for number in range(3):
        (vault / f"n{number:03}.md").unlink()
    write("n010.md", pair("Question number 10?", "New."))
    anki.writes.clear()
    with pytest.raises(Conflict, match="3 of 20"):
        sync()
    assert anki.writes == []
    sync(allow_orphans=True)
    assert "study::orphan" in anki.by_slug()["n001-0-en"]["tags"]


def test_a_renamed_note_keeps_its_cards(write: Write, sync: Sync, anki: FakeAnki, vault: Path) -> None:
    many(write, 3)
    write("words.md", "#flashcards\n\nhund::dog\nkatze::cat\n")
    sync()
    before = {info["noteId"] for info in anki.by_slug().values()}
    (vault / "words.md").rename(vault / "vocabulary.md")
    (vault / "n001.md").rename(vault / "first.md")
    report = sync(allow_orphans=True)
    assert {info["noteId"] for info in anki.by_slug().values()} == before
    assert all(d.action == "skip" for d in report.decisions)


def test_inserting_a_card_keeps_the_others(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("w.md", "#flashcards\n\nhund::dog\nkatze::cat\n")
    sync()
    ids = {info["fields"]["Front"]: info["noteId"] for info in anki.by_slug().values()}
    write("w.md", "#flashcards\n\nvogel::bird\nhund::dog\nkatze::cat\n")
    sync()
    now = {info["fields"]["Front"]: info["noteId"] for info in anki.by_slug().values()}
    assert now.keys() == {"vogel", "hund", "katze"}
    assert now["hund"] == ids["hund"]
    assert now["katze"] == ids["katze"]


def test_two_notes_with_one_slug(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a/same.md", pair("First question?", "One."))
    sync()
    write("0/same.md", pair("Second question?", "Two."))
    report = sync()
    assert anki.by_slug()["same-0-en"]["fields"]["Front"] == "First question?"
    (decision,) = report.decisions
    assert decision.action == "manual_review"
    assert "a/same.md" in decision.messages[0]


def test_notes_of_another_tool_are_adopted_by_id(write: Write, sync: Sync, anki: FakeAnki) -> None:
    model = anki.col.models.by_name("Basic")
    ids = []
    for front, back in (("Same?", "Yes."), ("Other?", "Edited in Anki")):
        note = anki.col.new_note(model)
        note["Front"], note["Back"] = front, back
        anki.col.add_note(note, 1)
        ids.append(note.id)
    write(
        "a.md",
        f"Same? #card\nYes.\n<!--ID: {ids[0]}-->\n\nOther? #card\nFrom the note\n<!--ID: {ids[1]}-->\n",
    )
    report = sync()
    assert len(anki.notes()) == 2
    actions = {d.slug: d.action for d in report.decisions}
    assert actions == {"a-0-en": "skip", "a-1-en": "manual_review"}
    assert anki.by_slug()["a-0-en"]["noteId"] == ids[0]
    write(
        "a.md",
        f"Same? #card\nYes indeed.\n<!--ID: {ids[0]}-->\n\nOther? #card\nMore\n<!--ID: {ids[1]}-->\n",
    )
    sync()
    assert anki.by_slug()["a-0-en"]["fields"]["Back"] == "Yes indeed."
    assert anki.col.get_note(ids[1])["Back"] == "Edited in Anki"


def test_inserting_a_pair_keeps_the_others(write: Write, sync: Sync, anki: FakeAnki) -> None:
    body = "## Question\nWhat is one?\n### Answer\n1\n## Question\nWhat is two?\n### Answer\n2\n"
    write("w.md", body)
    sync()
    ids = {info["fields"]["Front"]: info["noteId"] for info in anki.by_slug().values()}
    anki.edit(ids["What is one?"], "Back", "mine")
    write("w.md", "## Question\nWhat is zero?\n### Answer\n0\n" + body)
    report = sync()
    now = {info["fields"]["Front"]: info for info in anki.by_slug().values()}
    assert {front: now[front]["noteId"] for front in ids} == ids
    assert now["What is one?"]["fields"]["Back"] == "mine"
    assert now["What is zero?"]["fields"]["Back"] == "0"
    assert [d.action for d in report.decisions] == ["create", "skip", "skip"]


def test_a_note_whose_type_was_changed_in_anki(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", pair("What is light?", "A wave."))
    sync()
    held = anki.by_slug()["a-0-en"]["noteId"]
    anki.col.db.execute(
        "update notes set mid = ?, flds = ? where id = ?",
        anki.col.models.by_name("Basic")["id"],
        "What is light?\x1fA wave.",
        held,
    )
    anki.col.save()
    write("a.md", pair("What is light?", "A wave and more."))
    sync()
    assert len(anki.notes()) == 1
    assert anki.notes()[0]["fields"]["Back"]["value"] == "A wave and more."
    assert anki.by_slug()["a-0-en"]["noteId"] == held


def test_an_id_added_later_keeps_the_card(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", pair("What is light?", "A wave."))
    sync()
    write("a.md", "---\nid: phys-1\n---\n" + pair("What is light?", "A wave."))
    sync()
    assert len(anki.notes()) == 1


def test_a_settled_orphan_is_not_reported_again(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path, cards: Callable[..., Any]
) -> None:
    many(write, 3)
    sync()
    (vault / "n001.md").unlink()
    assert sync().waiting == 1
    cards("review", vault, "--keep", "n001-0-en", "--anki", anki.url)
    report = sync()
    assert (report.waiting, report.decisions) == (0, [])


def test_a_card_moved_to_another_note_keeps_its_slug_for_good(
    write: Write, sync: Sync, anki: FakeAnki
) -> None:
    write("a.md", "#flashcards\n\nhund::dog\nkatze::cat\n")
    write("b.md", "#flashcards\n\nvogel::bird\n")
    sync()
    ids = {info["fields"]["Front"]: info["noteId"] for info in anki.by_slug().values()}
    write("a.md", "#flashcards\n\nhund::dog\n")
    write("b.md", "#flashcards\n\nvogel::bird\nkatze::cat\n")
    sync()
    write("a.md", "#flashcards\n\nhund::dog\nmaus::mouse\n")
    report = sync()
    now = {info["fields"]["Front"]: info["noteId"] for info in anki.by_slug().values()}
    assert now.keys() == {"hund", "katze", "vogel", "maus"}
    assert all(now[front] == id_ for front, id_ in ids.items())
    assert not any(decision.action == "manual_review" for decision in report.decisions)
    assert not any(info["tags"] for info in anki.by_slug().values())


def test_a_removed_card_is_tagged_once(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", "#flashcards\n\nhund::dog\nkatze::cat\n")
    sync()
    write("a.md", "#flashcards\n\nhund::dog\n")
    sync()
    anki.writes.clear()
    for _ in range(2):
        assert sync().runs == 0
    assert anki.writes == []
    assert "study::orphan" in anki.by_slug()["a-1-en"]["tags"]


SIDES = st.sampled_from(["anki", "note", "insert", "remove", "swap", "ledger"])


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(SIDES, st.integers(0, 9)), max_size=8))
def test_no_history_of_edits_loses_one(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, int]]
) -> None:
    """Whole syncs with a real collection: whatever happens on both sides, a user's words stay."""
    folder = tmp_path_factory.mktemp("history")
    (folder / "vault").mkdir()
    cards, wrote = [(f"front {n} word", f"back {n}") for n in range(4)], {}
    with FakeAnki(folder / "anki") as anki, open_runner(None) as runner:

        def sync_now() -> None:
            text = "#flashcards\n\n" + "\n".join("::".join(card) for card in cards) + "\n"
            (folder / "vault" / "n.md").write_text(text)
            with open_ledger(folder / "vault") as ledger:
                CardSync(folder / "vault", runner, AnkiConnect(anki.url), ledger, Options()).run(NOW)

        sync_now()
        for number, (side, at) in enumerate(history):
            if side == "anki":
                note = anki.notes()[at % len(anki.notes())]["noteId"]
                wrote[note] = f"user {number}"
                anki.edit(note, "Back", wrote[note])
            elif side == "ledger":
                for path in ledger_path(folder / "vault").parent.glob("*.sqlite*"):
                    path.unlink()
            else:
                _edit(cards, side, at, number)
            sync_now()
            held = {info["noteId"]: info["fields"]["Back"]["value"] for info in anki.notes()}
            assert {note: held[note] for note in wrote} == wrote
            assert len(anki.by_slug()) == len(held)


def _edit(cards: list[tuple[str, str]], side: str, at: int, number: int) -> None:
    at %= len(cards)
    if side == "note":
        cards[at] = (cards[at][0], f"vault {number}")
    elif side == "insert":
        cards.insert(at, (f"new front {number}", f"new back {number}"))
    elif side == "remove" and len(cards) > 1:
        del cards[at]
    else:
        cards.append(cards.pop(at))


def test_a_question_asked_anew_in_another_place_keeps_its_card(
    write: Write, sync: Sync, anki: FakeAnki
) -> None:
    write("a.md", "#flashcards\n\nfirst front::alpha beta\nsecond front::gamma delta\n")
    sync()
    write("a.md", "#flashcards\n\nnew one::epsilon\nsecond front::gamma delta\nfirst front::alpha beta\n")
    sync()
    ids = {slug: held["noteId"] for slug, held in anki.by_slug().items()}
    write(
        "a.md",
        "#flashcards\n\nnew one::epsilon\nutterly other words?::gamma delta\nfirst front::alpha beta\n",
    )
    sync()
    now = anki.by_slug()
    assert {slug: held["noteId"] for slug, held in now.items()} == ids
    assert now["a-1-en"]["fields"]["Front"] == "utterly other words?"


def test_a_lost_ledger_a_renamed_note_and_an_edited_front_make_no_duplicate(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path
) -> None:
    path = write("a.md", "#flashcards\n\nfirst front::alpha beta\nsecond front::gamma delta\n")
    sync()
    path.rename(vault / "renamed.md")
    anki.edit(anki.by_slug()["a-1-en"]["noteId"], "Front", "my own words")
    ledger_path(vault).unlink()
    sync()
    now = anki.by_slug()
    assert sorted(now) == ["a-0-en", "a-1-en"]
    assert now["a-1-en"]["fields"]["Front"] == "my own words"


def test_what_is_told_of_a_card_is_told_on_no_other(write: Write, sync: Sync) -> None:
    write("a/n.md", pair("One?", "First."))
    write("b/n.md", pair("Two?", "Second."))
    told = {decision.note_path: decision.messages for decision in sync().decisions}
    (line,) = told["b/n.md"]
    assert line == (
        "a/n.md and b/n.md both make the slug n-0-en, which is a/n.md's; "
        "give b/n.md an `id` of its own in the frontmatter, as in `id: b-n`"
    )
