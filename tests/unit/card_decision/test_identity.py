"""A card keeps its slug through edits and moves, by what sets it apart from cards of the same pattern."""

import hashlib
import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clients.cards.ledgers import open_ledger
from clients.cards.syncing import CardSync, Options
from clients.runner import open_runner
from graphs.card_decision.anki.connect import AnkiConnect
from graphs.card_decision.schemas import Candidate, ExistingNote
from graphs.card_decision.vault.cards import read_cards
from tests.fakes.card_decision_ankiconnect import FakeAnki
from tests.unit.card_decision.conftest import NOW, pair

Card = tuple[str, str]
HEAD = "---\ntags: [flashcards]\nid: n\n---\n"


def name(number: int) -> str:
    """A word of letters that no other number has."""
    digits = hashlib.sha256(str(number).encode()).hexdigest()[:9]
    return digits.translate(str.maketrans("0123456789", "ghijklmnop")).capitalize()


def capital(number: int) -> Card:
    return f"What is the capital of {name(number)}?", name(number + 10_000)


def inline(cards: list[Card]) -> str:
    return HEAD + "\n".join("::".join(card) for card in cards) + "\n"


def headed(cards: list[Card]) -> str:
    return HEAD + "\n".join(pair(*card) for card in cards)


def held(candidates: list[Candidate]) -> dict[str, ExistingNote]:
    found = {}
    for card in candidates:
        fields = {"Front": card.front, "Back": card.back}
        found[card.slug] = ExistingNote(note_id=1, fields=fields, base=fields, source=card.front)
    return found


@pytest.mark.parametrize("written", [inline, headed])
@pytest.mark.parametrize("edited", ["front", "back", "both"])
def test_500_cards_of_one_pattern_edited_and_shuffled(
    written: Callable[[list[Card]], str], edited: str
) -> None:
    cards = [capital(number) for number in range(500)]
    existing = held(read_cards("n.md", written(cards)).candidates)
    slugs = dict(zip(cards, existing, strict=True))
    order = random.Random(7).sample(cards, len(cards))
    now = [
        (
            f"Quick: {front.replace('What is', 'name')}" if edited != "back" else front,
            f"{back}, of course" if edited != "front" else back,
        )
        for front, back in order
    ]
    found = read_cards("n.md", written(now), existing=existing).candidates
    assert [card.slug for card in found] == [slugs[card] for card in order]


EDITS = st.sampled_from(["none", "front", "back", "gone", "new"])


@settings(max_examples=60)
@given(st.lists(EDITS, min_size=1, max_size=12), st.randoms(use_true_random=False), st.booleans())
def test_an_untouched_side_keeps_the_card(edits: list[str], chance: random.Random, headings: bool) -> None:
    written = headed if headings else inline
    cards = [capital(number) for number, edit in enumerate(edits) if edit != "new"] or [capital(99)]
    existing = held(read_cards("n.md", written(cards)).candidates)
    slugs: dict[str, str] = dict(zip([front for front, _ in cards], existing, strict=True))
    now: list[tuple[Card, str | None]] = []
    for number, edit in enumerate(edits):
        front, back = capital(number)
        if edit == "front":
            now.append(((f"And that of {name(number + 500)}, the new one?", back), slugs[front]))
        elif edit == "back":
            now.append(((front, name(number + 700)), slugs[front]))
        elif edit != "gone":
            now.append(((front, back), slugs.get(front)))
    chance.shuffle(now)
    found = read_cards("n.md", written([card for card, _ in now]), existing=existing).candidates
    assert len({card.slug for card in found}) == len(now)
    assert [card.slug for card, (_, slug) in zip(found, now, strict=True) if slug] == [
        slug for _, slug in now if slug
    ]


@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(st.lists(EDITS, min_size=2, max_size=8), st.sets(st.integers(0, 7)), st.randoms(use_true_random=False))
def test_a_note_turned_over_loses_no_edit_and_doubles_no_card(
    tmp_path_factory: pytest.TempPathFactory, edits: list[str], touched: set[int], chance: random.Random
) -> None:
    """Edited in Anki, and in the note edited, thinned out, filled up and shuffled, all before one sync."""
    folder = tmp_path_factory.mktemp("turned")
    vault = folder / "vault"
    vault.mkdir()
    with FakeAnki(folder / "anki") as anki, open_runner(None) as runner:

        def sync_now(cards: list[Card]) -> None:
            (vault / "n.md").write_text(inline(cards))
            with open_ledger(vault) as ledger:
                options = Options(allow_orphans=True)
                CardSync(vault, runner, AnkiConnect(anki.url), ledger, options).run(NOW)

        old = [capital(number) for number, edit in enumerate(edits) if edit != "new"] or [capital(99)]
        sync_now(old)
        wrote = {}
        for at, note in enumerate(anki.notes()):
            if at in touched:
                wrote[note["noteId"]] = f"mine {at}"
                anki.edit(note["noteId"], "Back", f"mine {at}")
        now = []
        for number, edit in enumerate(edits):
            front, back = capital(number)
            if edit != "gone":
                asked = f"Say, {front}" if edit == "front" else front
                now.append((asked, f"{back}, by the sea" if edit == "back" else back))
        chance.shuffle(now)
        for _ in range(2):
            sync_now(now or [capital(98)])
            notes = {note["noteId"]: note["fields"]["Back"]["value"] for note in anki.notes()}
            assert {id_: notes[id_] for id_ in wrote} == wrote
            new = sum(edit == "new" for edit in edits) if now else 1
            assert len(notes) <= len(old) + new
            assert len(anki.by_slug()) == len(notes)
