"""Quotes are found, put right, or refused; answers are compared without a model only where that is safe."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.qgen_loop.answers import compare, is_no_answer
from graphs.qgen_loop.documents import Document, open_document
from graphs.qgen_loop.evidence import carries, verify, verify_visual
from graphs.qgen_loop.schemas import Evidence, VisualElement, VisualEvidence
from tests.fakes import qgen_documents as made


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return open_document(made.text_file(tmp_path))


def cite(quote: str, start: int = 1, end: int | None = None) -> Evidence:
    return Evidence(start_line=start, end_line=end or start, quote=quote)


def test_an_exact_quote(document: Document) -> None:
    checked = verify(document, cite(made.FACTS[0]), "1811")
    assert checked.ok
    assert checked.carries_answer
    assert checked.evidence is not None
    assert checked.evidence.quote == made.FACTS[0]


def test_a_near_quote_becomes_the_documents_own_words(document: Document) -> None:
    checked = verify(
        document, cite("the lighthouse on Skarn rock was finishd in 1811 after four winters", 3), "1811"
    )
    assert checked.evidence is not None
    assert checked.evidence.start_line == 1
    assert checked.evidence.quote in made.FACTS[0]


def test_a_quote_over_a_divided_word(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The keepers of the light-\nhouse were paid in silver coins.\n")
    checked = verify(
        open_document(path), cite("The keepers of the lighthouse were paid in silver", 1, 2), "silver"
    )
    assert checked.ok
    assert checked.evidence is not None
    assert (checked.evidence.start_line, checked.evidence.end_line) == (1, 2)


def test_a_quote_found_once_is_found_again_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Rain. The keepers of the light-\nhouse at Skar-\nholm were paid 40 coins. Wages.\n")
    document = open_document(path)
    quote = "The keepers of the lighthouse at Skarholm were paid 40 coins."
    first = verify(document, cite(quote, 1, 3), "Skarholm").evidence
    assert first is not None
    again = verify(document, first, "Skarholm")
    assert again.evidence == first
    assert again.carries_answer
    assert first.quote == "The keepers of the light- house at Skar- holm were paid 40 coins."
    near = verify(
        document, cite("The keepers of the ligthhhouse at Skarholmm were paid 40 coin.", 1, 3), "40"
    )
    assert near.evidence == first


@pytest.mark.parametrize(
    ("evidence", "code"),
    [
        (cite("was finished in 1811"), "quote_too_short"),
        (cite("The moon is made of green cheese and honey"), "quote_not_found"),
        (cite(made.FACTS[11], 1), "quote_not_found"),
        (cite(made.FACTS[0], 900), "lines_out_of_range"),
        (cite(made.FACTS[0], 5, 2), "lines_out_of_range"),
        (cite(made.FACTS[0], 1, 40), "span_too_long"),
        (cite(made.FACTS[0].replace("1811", "1821")), "quote_altered"),
        (cite(made.FACTS[0].replace("was finished", "was not finished")), "quote_altered"),
        (cite(" ".join(made.FACTS) + " and much more that is nowhere", 1, 3), "quote_not_found"),
    ],
)
def test_bad_evidence(document: Document, evidence: Evidence, code: str) -> None:
    checked = verify(document, evidence, "1811")
    assert (checked.code, checked.ok) == (code, False)
    assert checked.message


def test_what_a_quote_carries() -> None:
    quote = "The first boat was Grey Heron, which lit 27 lamps with whale oil."
    assert carries(quote, "Grey Heron")
    assert carries(quote, "twenty-seven lamps") is False
    assert carries(quote, "27")
    assert carries(quote, "28") is False
    assert carries(quote, "the village of Tarvik") is False
    assert carries(quote, "whale oil")
    assert carries(quote, "paraffin from the mainland") is False


@settings(max_examples=60)
@given(st.integers(1, 16), st.integers(1, 16), st.text(max_size=120))
def test_what_is_verified_stands_in_the_document(start: int, end: int, quote: str) -> None:
    lines = [line for fact in made.FACTS for line in (fact, "")]
    document = Document(Path("a.txt"), "text", "0", lines, [1] * len(lines), 1)
    checked = verify(document, Evidence(start_line=start, end_line=end, quote=quote), "x")
    if checked.evidence:
        window = " ".join(
            " ".join(lines[checked.evidence.start_line - 1 : checked.evidence.end_line]).split()
        )
        assert checked.evidence.quote in window


def test_visual_evidence() -> None:
    listed = [VisualElement(type="figure", page=2, ref="Figure 1", label="Figure 1")]
    assert verify_visual(listed, VisualEvidence(page=2, ref="figure 1"), [1, 2]) == (True, "")
    assert "never viewed" in verify_visual(listed, VisualEvidence(page=2, ref="Figure 1"), [1])[1]
    assert "not on page 3" in verify_visual(listed, VisualEvidence(page=3, ref="Figure 1"), [3])[1]
    assert "Figure 1" in verify_visual(listed, VisualEvidence(page=2, ref="Figure 9"), [2])[1]


@pytest.mark.parametrize(
    ("expected", "given_answer", "verdict"),
    [
        ("1811", "It was finished in 1811.", "same"),
        ("Grey Heron", "The first boat was Grey Heron", "same"),
        ("four winters", "4 winters", "same"),
        ("27 litres", "27 litres of whale oil", "same"),
        ("1,200", "1200", "same"),
        ("5 mg", "5 g", "unsure"),
        ("5", "5 mg", "unsure"),
        ("$5", "5 dollars", "unsure"),
        ("12 %", "12 percent", "same"),
        ("1811", "1812", "unsure"),
        ("1811", "1811 or 1812", "unsure"),
        ("Heron", "Heron and Gull", "unsure"),
        ("granite", "not granite", "unsure"),
        ("not granite", "not granite", "same"),
        ("art", "the start", "unsure"),
        ("a red lamp", "a crimson light", "unsure"),
        ("1811", "UNANSWERABLE", "no_answer"),
        ("1811", "The document does not say.", "no_answer"),
        ("1811", "  ", "no_answer"),
        ("the", "the", "unsure"),
        ("30 tonnes", "more than 30 tonnes", "unsure"),
        ("before 1840", "1840", "unsure"),
        ("5 °C", "-5 °C", "unsure"),
        ("at least forty shoots", "forty shoots", "unsure"),
        ("before 1840", "No later than that: before 1840", "unsure"),
        ("up to 5 bar", "It takes up to 5 bar", "same"),
    ],
)
def test_comparing_answers(expected: str, given_answer: str, verdict: str) -> None:
    assert compare(expected, given_answer) == verdict


def test_no_answer_is_not_any_sentence_with_not() -> None:
    assert not is_no_answer("Nothing but salt")
    assert is_no_answer("Not found in the text")


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("zinc", "zinc sulphate"),
        ("Mexico", "New Mexico"),
        ("Lincoln", "the Lincoln Memorial"),
        ("the farmer", "the farmer's daughter"),
        ("director", "deputy director"),
        ("mother", "mother-in-law"),
    ],
)
def test_a_part_of_another_name_is_left_to_the_judge(short: str, long: str) -> None:
    assert (compare(short, long), compare(long, short)) == ("unsure", "unsure")


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Newton", "Sir Isaac Newton"),
        ("granite", "blocks of granite"),
        ("Peterhead", "Peterhead, Scotland"),
        ("the Eiffel Tower", "Eiffel Tower in Paris"),
        ("St. Paul's Cathedral", "at St. Paul's Cathedral"),
        ("in winter", "winter"),
    ],
)
def test_an_answer_told_at_more_length_is_the_same(short: str, long: str) -> None:
    assert (compare(short, long), compare(long, short)) == ("same", "same")
