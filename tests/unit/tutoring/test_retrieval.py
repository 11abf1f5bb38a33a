"""The cards and the search in them."""

import time
from pathlib import Path
from typing import Any

import pytest

from common.embeddings import get_embedder
from common.errors import ModelUnavailable
from graphs.tutoring.diagnosis import diagnose, get_default_detector
from graphs.tutoring.diagnosis.transcript import PROMPT, mode_of
from graphs.tutoring.diagnosis.tree import get_tree
from graphs.tutoring.retrieval import Library, card_for_pattern, get_library, load_cards, shelf
from graphs.tutoring.retrieval.definitions import subject_of
from graphs.tutoring.retrieval.evaluation import evaluate, evaluation_questions
from graphs.tutoring.retrieval.selection import (
    REFUSALS,
    advice_card,
    teaching_cards,
    trouble_cards,
    trouble_query,
)
from graphs.tutoring.retrieval.shelf import build_library, index_folder, read_index
from graphs.tutoring.retrieval.words import words
from tests.unit.tutoring.conftest import TYPO

CAUSES = {
    "typo", "wrong-mode", "cidr-mask", "split-keyword", "merged-words", "extra-argument", "bad-argument",
    "unsupported-command", "invalid-input", "ambiguous-command", "incomplete-command", "unknown-command",
}  # fmt: skip


def test_about_150_cards_no_two_alike() -> None:
    cards = load_cards()
    assert 140 <= len(cards) <= 200
    assert len({card.text for card in cards.values()}) == len(cards)
    assert len({card.title for card in cards.values()}) == len(cards)


@pytest.mark.parametrize("card_id", list(load_cards()))
def test_every_example_command_resolves(card_id: str) -> None:
    card, tree = load_cards()[card_id], get_tree()
    for line in card.example:
        found = PROMPT.match(line)
        assert found, line
        assert tree.resolve(found["command"], mode_of(found["prompt"]) or "").ok, line
    for line in card.verify:
        assert tree.resolve(line, "exec").ok, line
    for short in card.abbreviations:
        assert any(tree.resolve(short, mode).status != "invalid" for mode in tree.modes), short


def test_every_pattern_has_exactly_one_card() -> None:
    ids = {pattern.id for pattern in get_default_detector().registry} | CAUSES
    named = [pattern for card in load_cards().values() for pattern in card.patterns]
    assert sorted(named) == sorted(ids)
    assert card_for_pattern("learned-something") is None


def test_own_card_is_always_first(library: Library) -> None:
    fault = diagnose(TYPO["command"], TYPO["output"])
    assert fault is not None
    for pattern in sorted({pattern.id for pattern in get_default_detector().registry} | CAUSES):
        faults = [fault.model_copy(update={"pattern_id": pattern})]
        cards = trouble_cards(library, "it does not work", faults, "x", "01-basic-routing")
        own = card_for_pattern(pattern)
        assert own is not None
        assert cards[0].id == own.id
        assert [card.kind for card in cards].count("error") <= 2
    learned = [fault.model_copy(update={"pattern_id": "learned-x"})]
    assert trouble_cards(library, "", learned, "", "")[0].kind == "error"


def test_places_by_kind(library: Library) -> None:
    fault = diagnose(TYPO["command"], TYPO["output"])
    assert fault is not None
    kinds = [card.kind for card in trouble_cards(library, "why?", [fault], "", "01-basic-routing")]
    assert (kinds.count("error"), kinds.count("command"), kinds.count("lab")) == (2, 2, 1)
    cards = trouble_cards(library, "trunk does not pass vlan 20", [], "", "02-vlans-trunks")
    kinds = [card.kind for card in cards]
    assert (kinds.count("command"), kinds.count("lab")) == (3, 2)
    assert "lab-02-vlans-trunks" in [card.id for card in cards]


def test_queries() -> None:
    fault = diagnose(TYPO["command"], TYPO["output"])
    assert fault is not None
    assert trouble_query("why", [fault], "") == "Invalid input detected hostname R1 error pattern"
    overlap = fault.model_copy(
        update={"family": "OVERLAP", "error_type": "OVERLAPPING_SUBNET", "correction": None}
    )
    assert trouble_query("why", [overlap], "") == "overlapping subnet hostnane R1 Cisco IOS"
    assert trouble_query("trunk broken", [], "") == "Cisco IOS trunk broken command syntax"
    assert trouble_query("", [], "show ip route 10.0.0.0") == "Cisco IOS show ip route command syntax"


def test_three_cards_to_explain_with(library: Library) -> None:
    cards = teaching_cards(library, "What is a VLAN?")
    assert len(cards) == 3
    assert cards[0].id == "con-vlan"
    assert advice_card(library, "ping fails between PC1 and PC2") is not None


def test_filter_by_kind(library: Library) -> None:
    hits = library.search("vlan", 20, kinds=("lab",), method="vectors")
    assert {hit.card.kind for hit in hits} == {"lab"}
    assert library.search("vlan", 0) == []
    assert library.search("vlan", 3, kinds=()) == []


def test_words_fold_languages() -> None:
    assert words("¿Qué es el enrutamiento?") == ["rout"]
    assert "trunk" in words("troncales")
    assert words("") == []


def test_blend_beats_words(library: Library) -> None:
    assert len(evaluation_questions()) >= 80
    known = set(load_cards())
    assert all(cards <= known for _, cards in evaluation_questions())
    by_words = evaluate(library, "bm25")
    assert by_words.recall_at_5 >= 0.9
    assert by_words.mrr >= 0.8


def test_index_on_disk(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = get_embedder("ngram")
    built = build_library(embedder)
    cards = list(load_cards().values())
    again = read_index(embedder, cards)
    assert again is not None
    assert again.method == built.method
    assert [hit.card.id for hit in again.search("vlan", 5)] == [
        hit.card.id for hit in built.search("vlan", 5)
    ]
    assert read_index(embedder, cards[:-1]) is None
    (index_folder(embedder) / "cards.faiss").write_bytes(b"not an index")
    assert read_index(embedder, cards) is None
    assert get_library("ngram").search("vlan", 1)


def test_no_embedder_means_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(spec: Any) -> Any:
        raise ModelUnavailable("no embedder")

    monkeypatch.setattr(shelf, "get_embedder", missing)
    found = get_library()
    assert found.method == "bm25"
    assert "con-vlan" in [hit.card.id for hit in found.search("¿Qué es una VLAN?", 3)]
    assert found.search("zzzz", 1)


def test_search_is_quick(library: Library) -> None:
    library.search("warm up", 3)
    start = time.process_time()
    for question, _ in evaluation_questions():
        library.search(question, 12)
    assert (time.process_time() - start) / len(evaluation_questions()) < 0.2


def test_cards_are_made_ready_once(data_dir: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that comes while the server makes the cards ready waits for them."""
    built: list[str] = []

    def slow(embedder: Any) -> Library:
        built.append(embedder.name)
        time.sleep(0.2)
        return Library(list(load_cards().values())[:3], embedder)

    monkeypatch.setattr(shelf, "build_library", slow)
    settings(warm_up=True)
    shelf.make_ready_soon()
    assert get_library().search("hostname", 1)
    shelf.make_ready()
    assert built == ["use"]


def test_cards_of_other_embedders_wait(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider is not asked before there is a question; a bad name is said when it is."""
    monkeypatch.setattr(shelf, "get_library", lambda: pytest.fail("asked too soon"))
    for spec in ("ngram", "nonsense", "openai:text-embedding-3-small"):
        settings(embeddings=spec)
        shelf.make_ready()
    settings(warm_up=False, embeddings="use")
    shelf.make_ready_soon()


def test_what_no_card_is_about() -> None:
    """The sentence encoder's own floor: questions off the subject get no card."""
    found = Library(list(load_cards().values()), get_embedder("use"))
    assert not [q for q in ("what is the capital of France?", "tell me a joke", "thanks") if found.knows(q)]
    known = [found.knows(question) for question, _ in evaluation_questions()]
    assert sum(known) / len(known) >= 0.97


@pytest.mark.parametrize(
    ("complaint", "right"),
    [
        ("my pc gets 169.254.10.7", "con-dhcp"),
        ("vlan 10 hosts can't talk to vlan 20", "con-inter-vlan"),
        ("the configuration is gone after a reload", "con-running-startup"),
        ("two devices have the same ip", "error-duplicate-address"),
        ("everything is slow after a second cable between the switches", "con-stp"),
    ],
)
def test_a_complaint_in_words_finds_the_card_on_its_symptom(
    library: Library, complaint: str, right: str
) -> None:
    card = advice_card(library, complaint)
    assert card is not None
    assert card.id == right


def test_a_complaint_without_a_message_is_no_refused_command(library: Library) -> None:
    card = advice_card(library, "pc 2 is in vlan 7 and sees nobody")
    assert card is not None
    assert card.id not in REFUSALS


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("What is a trunk?", "con-access-trunk"),
        ("what's a router", "con-hub-switch-router"),
        ("qué es un trunk", "con-access-trunk"),
        ("qué es una ruta estática", "con-static-vs-dynamic"),
        ("was ist ein Trunk?", "con-access-trunk"),
        ("VLANとは何ですか", "con-vlan"),
        ("define LACP", "con-etherchannel"),
        ("what is HSRP", "cmd-hsrp"),
        ("explain router on a stick", "con-inter-vlan"),
        ("what is an acl", "con-acl"),
        ("What does NVRAM mean?", "con-running-startup"),
        ("what is a MAC address table", "cmd-show-mac"),
        ("トランクとは？", "con-access-trunk"),
        ("デフォルトゲートウェイって何？", "con-default-gateway"),
    ],
)
def test_what_is_asked_for_is_defined_first(library: Library, question: str, card: str) -> None:
    assert teaching_cards(library, question)[0].id == card


@pytest.mark.parametrize("question", ["what is love", "explain python"])
def test_what_no_card_defines_stays_unknown(library: Library, question: str) -> None:
    assert teaching_cards(library, question) == []


def test_long_questions_ask_for_more_than_a_definition() -> None:
    assert subject_of("what is the difference between a trunk and an access port on old switches") == set()
    assert subject_of("how do I set a trunk") == set()


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("¿Cómo configuro SSH?", "cmd-ssh"),
        ("how do I enable port security", "cmd-port-security"),
        ("which command shows the mac table", "cmd-show-mac"),
        ("SSHの設定方法", "cmd-ssh"),
    ],
)
def test_how_to_leads_with_a_command(library: Library, question: str, card: str) -> None:
    assert teaching_cards(library, question)[0].id == card
