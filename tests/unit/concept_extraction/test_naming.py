"""Titles that rules give: whole, standing alone, or honest topics."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.concept_extraction.naming import name_of, topics_of
from graphs.concept_extraction.quotes.sentences import sentences
from graphs.concept_extraction.schemas import Language


def test_abbreviations_addresses_and_numbers_end_no_sentence() -> None:
    text = "Dr. Hale paid 3.50 at example.org in the U. S. of old. “You cannot erase.” She drew, e.g. maps."
    assert sentences(text) == [
        "Dr. Hale paid 3.50 at example.org in the U. S. of old.",
        "“You cannot erase.”",
        "She drew, e.g. maps.",
    ]
    assert sentences("¿Qué es? ¡Nada!\nñandú… Óyelo. 3 son.") == [
        "¿Qué es?",
        "¡Nada!\nñandú…",
        "Óyelo.",
        "3 son.",
    ]


@settings(max_examples=80)
@given(st.text(alphabet="aB ñÁ.!?…»”\"') \n1", max_size=80))
def test_sentences_lose_nothing(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("language", "text", "title"),
    [
        (
            "en",
            "Rest is not the opposite of work. It is its unseen part.",
            "Rest is not the opposite of work",
        ),
        ("en", "And so it went. The tide keeps no promises.", "The tide keeps no promises"),
        ("es", "¿Qué es el tiempo? El tiempo es lo que nos falta.", "El tiempo es lo que nos falta"),
        ("es", "Recordar es podar. Olvidar, a veces, también.", "Recordar es podar"),
        ("es", "«Nadie es libre si teme.»", "Nadie es libre si teme"),
        ("es", "—La **prisa** es _no mirar_ [el camino](x).", "La prisa es no mirar el camino"),
        ("es", "la prisa es no mirar", "La prisa es no mirar"),
        ("es", "Pero nadie manda en el mar.", "Pero nadie manda en el mar"),
        ("en", '"You cannot erase," she said.', '"You cannot erase," she said'),
        (
            "en",
            "The traveller who knows where he is going sees only the road; the one who is lost and has time "
            "sees the whole country.",
            "The traveller who knows where he is going sees only the road",
        ),
    ],
)
def test_a_title_stands_alone(language: Language, text: str, title: str) -> None:
    assert name_of(text, language) == title


def test_where_no_sentence_is_short_the_topics_are_named_in_order() -> None:
    text = (
        "un silencio que no era ausencia de ruido sino presencia de atención, como el de quien escucha caer "
        "la nieve sobre un tejado que conoce"
    )
    assert name_of(text, "es") == "Sobre silencio, nieve y tejado"
    assert topics_of(["whether ourselves always"], "en", 3) == []
    assert name_of(" ".join(["whether"] * 30), "en") == "On whether"


def test_a_sentence_that_leans_is_no_title_where_another_stands_alone() -> None:
    first = "En primer lugar, el método experimental exige que el observador se olvide de sí mismo"
    assert name_of(f"{first}. En segundo lugar, exige que repita.", "es") == first
    assert (
        name_of("Por eso callan. El silencio pesa más que la queja.", "es")
        == "El silencio pesa más que la queja"
    )
    assert name_of("For example, bees dance. Animals speak with their bodies.", "en") == (
        "Animals speak with their bodies"
    )


def test_what_only_qualifies_is_a_topic_last() -> None:
    assert topics_of(["the endless immensity of the ship"], "en", 2) == ["immensity", "ship"]
