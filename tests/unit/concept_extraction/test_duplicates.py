"""Telling one idea from two, above all from its contradiction."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.embeddings import get_embedder
from graphs.concept_extraction import rules
from graphs.concept_extraction.duplicates import (
    Idea,
    contrast,
    differing_words,
    judge,
    judge_ideas,
    thresholds_for,
)
from graphs.concept_extraction.knowledge.relations import (
    INVERSES,
    SYMMETRIC,
    canonical,
    inverse,
    relation_type,
    with_inverses,
)
from graphs.concept_extraction.schemas import RelationType
from graphs.concept_extraction.titles import title_key

SETS = Path(__file__).resolve().parents[3] / "samples" / "quotes" / "duplicates"
LIMITS = thresholds_for("use")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("La Razón", "la razon"),
        ("  Café  con   leche ", "CAFE CON LECHE"),
        ("Straße", "STRASSE"),
        ("ﬁn", "fin"),
        ("«Ser» y tiempo.", "Ser y tiempo"),
        ("Ёлка", "елка"),
        ("An\u0303o", "año"),
    ],
)
def test_titles_that_are_one_name(one: str, two: str) -> None:
    assert title_key(one) == title_key(two)


@pytest.mark.parametrize(
    ("one", "two"), [("Año", "Ano"), ("が", "か"), ("й", "и"), ("???", "!!!"), ("🙂", "🙃")]
)
def test_titles_that_are_two(one: str, two: str) -> None:
    assert title_key(one) != title_key(two)


@settings(max_examples=100)
@given(st.text())
def test_a_key_is_its_own_key(title: str) -> None:
    assert title_key(title_key(title)) == title_key(title)


@pytest.mark.parametrize(
    ("one", "two", "why"),
    [
        ("Hay tres virtudes", "Hay 4 virtudes", "numbers"),
        ("Parte II", "Parte III", "numbers"),
        ("La fe mueve montañas", "La fe no mueve montañas", "denies"),
        ("Money buys happiness", "Money doesn't buy happiness", "denies"),
        ("Con esfuerzo se aprende", "Sin esfuerzo se aprende", "denies"),
        ("El orden es justo", "El orden es injusto", "opposites"),
        ("El año acaba", "El ano acaba", "two letters"),
        ("Prices rise", "Prices fall", "opposites"),
        ("Debt binds people together", "Debt tears people apart", "opposites"),
        ("Cuanto más se tiene, más se desea", "Cuanto más se tiene, menos se desea", "opposites"),
        ("The more we have, the more we want", "The more we have, the less we want", "opposites"),
        ("Anyone can learn music", "Only a few can learn music", "opposites"),
        ("El lobo caza al ciervo", "El ciervo caza al lobo", "swapped"),
        ("Cats chase dogs", "Dogs chase cats", "swapped"),
    ],
)
def test_contrasts(one: str, two: str, why: str) -> None:
    for pair in ((one, two), (two, one)):
        assert why in (contrast(*pair) or "")
        assert judge(*pair, 0.999, LIMITS, 1.0).sameness == "different"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Razón y pasión", "Pasión y razón"),
        ("No hay progreso sin conflicto", "El progreso nace del conflicto"),
        ("Nada vale tanto como el tiempo", "El tiempo vale mucho"),
        ("El hábito forma el carácter", "El carácter es formado por el hábito"),
        ("We do not remember the past", "We forget the past"),
        ("Hay tres virtudes", "Las virtudes"),
        ("igual", "igual"),
    ],
)
def test_no_contrast(one: str, two: str) -> None:
    assert contrast(one, two) is None


def test_a_score_proposes_and_words_decide() -> None:
    assert judge("A precede a B", "A precede a B", 0.1, LIMITS).sameness == "same"
    assert judge("Un gato", "La democracia", 0.5, LIMITS).sameness == "different"
    assert judge("Un gato", "La democracia", 0.71, LIMITS).sameness == "unsure"
    assert (
        judge("El hábito forma el carácter", "El carácter lo moldea el hábito", 0.95, LIMITS, 0.9).sameness
        == "same"
    )
    assert judge("El azar rige la vida", "La fe rige la vida", 0.95, LIMITS, 0.6).sameness == "unsure"


def test_what_words_leave_open_goes_to_a_person() -> None:
    for one, two, words in (
        ("La duda lleva a la verdad", "La duda lleva lejos de la verdad", None),
        ("La muerte del autor", "La muerte del sol", 0.72),
        ("Todo imperio termina por caer", "Ningún imperio dura para siempre", 0.8),
    ):
        assert judge(one, two, 0.95, LIMITS, words).sameness == "unsure", one


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("El dolor ennoblece al hombre", "El dolor envilece al hombre"),
        ("The soul outlives the body", "The soul dies with the body"),
        ("Doubt speeds up decisions", "Doubt delays decisions"),
        ("Success attracts friends", "Success drives friends away"),
    ],
)
def test_a_word_in_the_place_of_another_goes_to_a_person_unless_they_are_twins(one: str, two: str) -> None:
    assert judge(one, two, 0.97, LIMITS, 0.9).sameness == "unsure"
    assert judge(one, two, 0.97, LIMITS, 0.96).sameness == "same"


def test_the_same_title_for_another_thing_goes_to_a_person() -> None:
    here, there = (
        Idea("1", "La memoria", "Guarda lo vivido."),
        Idea("2", "La Memoria", "Pieza de un ordenador."),
    )
    assert judge_ideas(here, there, 0.55, LIMITS, None).sameness == "unsure"
    assert judge_ideas(here, there, 0.8, LIMITS, None).sameness == "same"
    denied = Idea("3", "La memoria", "No guarda lo vivido.")
    assert judge_ideas(here, denied, 0.97, LIMITS, None).sameness == "different"


def measured(name: str) -> tuple[float, float, float]:
    """Precision and recall of the cascade's rules, and the best F1 that any cosine threshold reaches."""
    pairs = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    embedder = get_embedder("use")
    first = embedder.embed_sync([pair["a"] for pair in pairs])
    second = embedder.embed_sync([pair["b"] for pair in pairs])
    scores = [float((1 + a @ b) / 2) for a, b in zip(first, second, strict=True)]
    said = []
    for pair, score in zip(pairs, scores, strict=True):
        differing = differing_words(pair["a"], pair["b"])
        words = None
        if differing is not None:
            a, b = embedder.embed_sync([differing.first, differing.second])
            words = float((1 + a @ b) / 2)
        said.append(judge(pair["a"], pair["b"], score, LIMITS, words).sameness == "same")
    truth = [pair["same"] for pair in pairs]
    hits = sum(a and b for a, b in zip(said, truth, strict=True))
    best = max(
        2
        * sum(t and s >= at for t, s in zip(truth, scores, strict=True))
        / (sum(truth) + sum(s >= at for s in scores))
        for at in scores
    )
    return hits / sum(said), hits / sum(truth), best


@pytest.mark.parametrize(
    ("pairs", "least"),
    [("es", (0.9, 0.7)), ("en", (0.9, 0.7)), ("held_out_es", (0.9, 0.6)), ("held_out_en", (0.9, 0.6))],
)
def test_the_cascade_beats_every_single_threshold(pairs: str, least: tuple[float, float]) -> None:
    precision, recall, best = measured(pairs)
    assert (precision >= least[0], recall >= least[1]) == (True, True)
    assert 2 * precision * recall / (precision + recall) > best + 0.1


def test_relations_and_their_inverses() -> None:
    assert len(RelationType) == 9
    for kind in RelationType:
        assert INVERSES[INVERSES[kind]] is kind
        assert inverse(inverse(("a", kind, "b"))) == ("a", kind, "b")
        assert canonical(("a", kind, "b")) == canonical(inverse(("a", kind, "b")))
    assert {"OPPOSES", "SIMILAR_TO", "RELATES_TO"} == SYMMETRIC
    assert with_inverses([("a", RelationType.OPPOSES, "a")]) == []
    assert relation_type("specific of") is RelationType.SPECIFIC_OF
    assert relation_type("is friends with") is None


def test_rules_oppose_what_denies_and_not_what_is_only_said_in_another_order() -> None:
    def relation(one: str, two: str) -> str:
        pair = ("C1", {"title": one}, "C2", {"title": two}, 0.95)
        return rules.relate([pair], "en").relations[0].relation

    assert relation("Waiting is useless", "Waiting is never useless") == "OPPOSES"
    assert relation("Weather is the only local news", "The only local news is weather") == "RELATES_TO"
