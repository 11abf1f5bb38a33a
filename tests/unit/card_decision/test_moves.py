"""Cards that wander between notes, vanish, or are found again without a ledger."""

from collections.abc import Callable
from pathlib import Path

from clients.cards.ledgers import ledger_path
from tests.fakes.card_decision_ankiconnect import FakeAnki
from tests.unit.card_decision.conftest import Sync

Write = Callable[..., Path]
HEAD = "---\ntags: flashcards\n---\n"


def fronts(anki: FakeAnki) -> dict[int, str]:
    return {note["noteId"]: note["fields"]["Front"] for note in anki.by_slug().values()}


def test_cards_that_change_places_are_made_once(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", f"{HEAD}River banks::Loire\nWinter quarters::Varus\n")
    write("b.md", f"{HEAD}Stone tools::Flint\nGarden walls::Brick\n")
    write("c.md", f"{HEAD}Silver coins::Denarius\n")
    sync()
    before = fronts(anki)
    write("a.md", f"{HEAD}River banks::Loire\nGarden walls::Brick\n")
    write("b.md", f"{HEAD}Stone tools::Flint\n")
    write("c.md", f"{HEAD}Silver coins::Denarius\nWinter quarters::Varus\n")
    report = sync()
    assert fronts(anki) == before
    assert report.waiting == 0


def test_an_edited_card_stays_though_a_new_one_elsewhere_has_its_front(
    write: Write, sync: Sync, anki: FakeAnki
) -> None:
    write("a.md", f"{HEAD}Definition::A set of points\n")
    write("b.md", f"{HEAD}Other::Text\n")
    sync()
    note_id = anki.by_slug()["a-0-en"]["noteId"]
    write("a.md", f"{HEAD}Definition of a line::A set of points\n")
    write("b.md", f"{HEAD}Other::Text\nDefinition::Something new\n")
    sync()
    assert fronts(anki)[note_id] == "Definition of a line"


def test_a_new_card_does_not_take_over_an_orphan(write: Write, sync: Sync, anki: FakeAnki) -> None:
    write("a.md", f"{HEAD}River banks::Loire\nWinter quarters::Varus\n")
    sync()
    write("a.md", f"{HEAD}River banks::Loire\n")
    sync(allow_orphans=True)
    before = fronts(anki)
    write("a.md", f"{HEAD}River banks::Loire\nPhotons have no mass::True\n")
    sync(allow_orphans=True)
    after = fronts(anki)
    assert after.items() >= before.items()
    assert len(after) == 3
    write("a.md", f"{HEAD}River banks::Loire\nWinter quarter::Varus\nPhotons have no mass::True\n")
    sync(allow_orphans=True)
    assert len(fronts(anki)) == 3


def test_without_a_ledger_a_card_rewritten_on_both_sides_is_asked_about(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path
) -> None:
    write("a.md", f"{HEAD}River banks::Loire\nWinter quarters::Varus\nStone tools::Flint\n")
    sync()
    held = anki.by_slug()
    anki.edit(held["a-1-en"]["noteId"], "Front", "My own question")
    anki.edit(held["a-1-en"]["noteId"], "Back", "My own answer")
    ledger_path(vault).unlink()
    write("a.md", f"{HEAD}River banks::Loire\nWinter quarters::Varus\nStone tools::Flint\nNew card::Yes\n")
    report = sync()
    assert "My own question" in fronts(anki).values()
    assert "Winter quarters" not in fronts(anki).values()
    assert report.waiting == 1


def test_a_gap_text_edited_in_another_place_stays_the_same_card(
    write: Write, sync: Sync, anki: FakeAnki
) -> None:
    write("a.md", "The {{c1::sun}} is a star.\n\nWater boils at {{c1::90}} degrees.\n")
    sync()
    ids = {held["noteId"] for held in anki.by_slug().values()}
    write(
        "a.md",
        "A {{c1::comet}} has a tail.\n\n\nThe {{c1::sun}} is a star.\n\nIt boils at {{c1::100}} degrees.\n",
    )
    sync()
    texts = {held["noteId"]: held["fields"]["Text"] for held in anki.by_slug().values()}
    assert len(texts) == 3
    assert {texts[id_] for id_ in ids} == {"The {{c1::sun}} is a star.", "It boils at {{c1::100}} degrees."}


def test_a_renamed_note_with_its_question_asked_anew_keeps_its_card(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path
) -> None:
    path = write("osmosis.md", f"{HEAD}What does osmosis do?::It moves water through a membrane\n")
    sync()
    before = set(fronts(anki))
    path.unlink()
    write("water.md", f"{HEAD}How do cells drink?::It moves water through a membrane\n")
    sync(allow_orphans=True)
    assert set(fronts(anki)) == before
    assert list(fronts(anki).values()) == ["How do cells drink?"]


def test_a_renamed_folder_without_a_ledger_keeps_every_card(
    write: Write, sync: Sync, anki: FakeAnki, vault: Path
) -> None:
    texts = [
        f"{HEAD}What is stone {at}?::It lies at place {at}\nWho set it {at}?::Mason {at}\n" for at in range(8)
    ]
    old = [write(f"old-{at}.md", text) for at, text in enumerate(texts)]
    sync()
    before = fronts(anki)
    for at, (path, text) in enumerate(zip(old, texts, strict=True)):
        path.unlink()
        write(f"new-{at}.md", text)
    ledger_path(vault).unlink()
    sync()
    assert fronts(anki) == before
