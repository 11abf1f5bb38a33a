"""The free checks: each fault is seen, and sound questions pass."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.qgen_loop.checks import check
from tests.fakes import qgen_questions as asked
from tests.speed import growth

ANSWER = "Fleming's mould of 1928"


def hard(question: str, answer: str = ANSWER, **options: str) -> set[str]:
    return {issue.code for issue in check(question, answer, **options) if issue.hard}  # type: ignore[arg-type]


@pytest.mark.parametrize("question", asked.COMPOUND)
def test_two_questions_in_one(question: str) -> None:
    assert "compound" in hard(question)


@pytest.mark.parametrize("question", [*asked.SOUND, *asked.NOT_STRUCTURAL])
def test_sound_questions_pass(question: str) -> None:
    assert hard(question) == set()


@pytest.mark.parametrize("question", asked.YES_NO)
def test_yes_no(question: str) -> None:
    assert "yes_no" in hard(question)


@pytest.mark.parametrize("answer", ["Yes", "No.", "Yes, it does", "true", "Nein", "да", "はい"])
def test_an_answer_of_yes_or_no(answer: str) -> None:
    assert "yes_no" in hard("What did the council decide about it?", answer)


@pytest.mark.parametrize(
    "answer", ["No. 7 Squadron", "No evidence of fraud", "Nothing but salt", "Yesterday's paper"]
)
def test_answers_that_only_begin_like_it(answer: str) -> None:
    assert "yes_no" not in hard("What did the council look for in 1928?", answer)


def test_a_choice_is_not_yes_no() -> None:
    assert "yes_no" not in hard("Was the tower built of granite or sandstone?", "Granite")
    assert "yes_no" in hard("Was the tower built of granite or not?", "Granite")


@pytest.mark.parametrize(("question", "answer"), asked.LEAKING)
def test_leaks(question: str, answer: str) -> None:
    assert "answer_leak" in hard(question, answer)


@pytest.mark.parametrize(("question", "answer"), asked.NOT_LEAKING)
def test_no_leak(question: str, answer: str) -> None:
    assert "answer_leak" not in hard(question, answer)


@pytest.mark.parametrize("question", asked.STRUCTURAL)
def test_references_to_the_document(question: str) -> None:
    assert "structure_reference" in hard(question)


def test_figures_may_be_named_in_visual_mode() -> None:
    assert "structure_reference" not in hard(
        "Which month has the tallest bar in Figure 2?", "June", mode="visual"
    )


def test_length() -> None:
    assert "length" in hard("Who?")
    assert "length" in hard("What is " + "very " * 60 + "long?")
    assert "length" in hard("What happened in the end?", "word " * 41)
    assert "length" in hard("", "x")
    assert "length" in hard("What is it called?", " … ")
    soft = {str(issue)[:6] for issue in check("What happened in the end?", "word " * 30) if not issue.hard}
    assert "length" in soft
    assert any(not issue.hard for issue in check("What " + "very " * 40 + "long thing?", ANSWER))


def test_language() -> None:
    assert "language" in hard("What did the keeper of the lamp do at night?", "Он зажигал лампу каждую ночь")
    assert "language" in hard(
        "What is the lamp of the tower for in winter?", "El faro de la torre es para los barcos de la costa"
    )
    assert "language" not in hard("What is the Russian word for lamp?", "лампа")
    issues = check("What is the name of the lamp?", ANSWER, document_language="es")
    assert any(issue.code == "language" and not issue.hard for issue in issues)


def test_soft_issues_travel_and_reasons_fit() -> None:
    issues = check("What did the study find about sodium?", ANSWER)
    assert [(issue.code, issue.severity) for issue in issues] == [("structure_reference", "soft")]
    assert check("Is it so?", "Yes")[0].reason == "trivial"
    assert check("What is it and why is it so?", ANSWER)[0].reason == "validation_failed"
    assert any(issue.code == "form" for issue in check("The tower of Skarn Rock.", ANSWER))
    assert any(
        not issue.hard for issue in check("What were the masses of iron and zinc, respectively?", ANSWER)
    )
    assert any(
        issue.code == "answer_leak"
        for issue in check("How is photosynthesizing called in plants?", "photosynthesis")
    )
    assert any(issue.code == "answer_leak" for issue in check("Which of the 4 rivers is longest here?", "4"))


@settings(max_examples=80)
@given(st.text(max_size=200), st.text(max_size=80))
def test_never_fails_on_any_text(question: str, answer: str) -> None:
    issues = check(question, answer)
    assert issues == sorted(issues, key=lambda issue: not issue.hard)


def test_no_text_makes_it_slow() -> None:
    assert (
        growth(lambda size: check("what is the " + "name and " * size + "?", "x " * size), 50, times=8) < 24
    )
    assert growth(lambda size: check("In a, " * 2 * size + "what and who?", "a, " * size), 50, times=8) < 24


@pytest.mark.parametrize(
    ("question", "answer", "code"),
    [
        ("Laut dem Text, wie hoch ist der Turm?", "41 m", "structure_reference"),
        ("Según el texto, ¿cuál es la altura de la torre?", "41 m", "structure_reference"),
        ("D'après le document, quelle est la hauteur de la tour ?", "41 m", "structure_reference"),
        ("Согласно тексту, кто построил мост?", "Вик", "structure_reference"),
        ("根据文章，灯塔建于哪一年？", "1893年", "structure_reference"),
        ("What reason is given in the final paragraph for the closure?", "Cost", "structure_reference"),
        ("Using the following data, what is the mean height?", "13.4", "structure_reference"),
        ("Quel peintre a décoré la salle et qui l'a payé ?", "Holm; la guilde", "compound"),
        ("How many people worked in the section of the mine that flooded?", "Sixteen", ""),
        ("What did Darwin describe in the fourth chapter of On the Origin of Species?", "Selection", ""),
        ("What is stored in text form on the punched tape?", "The weaving pattern", ""),
        ("En 1811, quel navire a transporté la cloche ?", "La Clara", ""),
        ("Dopo l'incendio, quale edificio fu ricostruito?", "Il mulino", ""),
        ("What limits the growth of the meadow in summer?", "Density falls as salinity rises", ""),
        ("Was that the east or the west tower which collapsed?", "The west tower", ""),
        ("Was regelt Artikel 5 des Grundgesetzes?", "Die Meinungsfreiheit", ""),
        ("Was the lamp of the old tower lit in the den?", "In the den", "yes_no"),
    ],
)
def test_wordings_of_several_languages(question: str, answer: str, code: str) -> None:
    assert [issue.code for issue in check(question, answer) if issue.hard][:1] == ([code] if code else [])
