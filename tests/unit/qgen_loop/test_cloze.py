"""Gap questions written by rules: honest, readable, in the document's language."""

from pathlib import Path

import pytest

from graphs.qgen_loop.cloze.sentences import sentences
from graphs.qgen_loop.cloze.writing import GAP, Cloze, clozes, spread
from graphs.qgen_loop.documents import open_document
from tests.fakes import qgen_documents as made


def written(folder: Path, text: str, name: str = "a.txt") -> list[Cloze]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return list(clozes(open_document(path)))


def test_sentences_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "# T\n\nDr. Who came. The light-\nhouse stood. It burned\n\n- a point here.\n```\ncode. X.\n```\n"
    )
    found = [(s.text, s.start_line, s.end_line) for s in sentences(open_document(path))]
    assert found == [
        ("Dr. Who came.", 3, 3),
        ("The lighthouse stood.", 3, 4),
        ("It burned", 4, 4),
        ("a point here.", 6, 6),
    ]


def test_abbreviations_end_no_sentence_far_into_a_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    said = "The crew of Dr. Holm left on time. "
    path.write_text(said * 800)
    assert {sentence.text for sentence in sentences(open_document(path))} == {said.strip()}


def test_gap_questions_are_exact_and_honest(tmp_path: Path) -> None:
    document = open_document(made.text_file(tmp_path))
    made_by_rules = list(clozes(document))
    assert len(made_by_rules) >= 8
    for cloze in made_by_rules:
        assert GAP in cloze.question
        assert cloze.answer in document.lines[cloze.evidence.start_line - 1]
        assert cloze.evidence.quote in document.text
    assert len({cloze.evidence.start_line for cloze in made_by_rules}) == len(made_by_rules)
    assert spread([]) == []


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "El faro de la isla se terminó en 1811 después de los cuatro inviernos de trabajo en la roca.",
            "¿Qué año completa esta frase: “El faro de la isla se terminó en ____ después",
            "1811",
        ),
        (
            "Das Museum in der Stadt zeigt 1.200 Gläser aus drei Jahrhunderten, z. B. die Pokale der Küste.",
            "Welche Zahl ergänzt diesen Satz: „Das Museum in der Stadt zeigt ____ Gläser aus drei "
            "Jahrhunderten, z. B. die Pokale der Küste“?",
            "1.200",
        ),
        (
            "霧島村の水車は1873年に建てられた。",
            "次の文の空欄に入る年は何ですか：「霧島村の水車は____年に",
            "1873",
        ),
        (
            "村里的水车建于1873年，至今仍在使用。",
            "下面这句话的空白处应填什么年份：“村里的水车建于____年",
            "1873",
        ),
        (
            "Die Seilbahn auf den Kranzberg wurde am 14. Mai 1929 für die Gäste der Stadt eröffnet.",
            "Welches Datum ergänzt diesen Satz: „Die Seilbahn auf den Kranzberg wurde am ____ für die Gäste",
            "14. Mai 1929",
        ),
        (
            "Radio signals were first recorded at Marlow on 14 May 1952.",
            "Which date completes this statement: “Radio signals were first recorded at Marlow on ____”?",
            "14 May 1952",
        ),
        (
            "The whole fleet was sold to Acme Corp. before the winter came.",
            "Which name completes this statement: “The whole fleet was sold to ____ before the winter came”?",
            "Acme Corp.",
        ),
        (
            "The bridge opened in 1932.",
            "Which year completes this statement: “The bridge opened in ____”?",
            "1932",
        ),
    ],
)
def test_wording(tmp_path: Path, text: str, question: str, answer: str) -> None:
    (cloze,) = written(tmp_path, text)
    assert cloze.question.startswith(question)
    assert cloze.answer == answer


@pytest.mark.parametrize(
    "text",
    [
        "Su rueda mide 6 metros de diámetro y mueve dos piedras de granito en el molino.",
        "Danach arbeiteten in der Hütte noch 64 Glasbläser und ihre Gehilfen für das Land.",
        "それは毎年5月に祭りの中心となる。",
        "Der Bau von Kirchen begann im Land der Wälder und der Seen erst viel später.",
        "See the 25 most common errors in table 4 of the handbook for keepers.",
        "At 10:30 the train left the station with all the passengers on board.",
        "The price rose from $5 to $7 within a week of the news.",
        "Hello.",
    ],
)
def test_nothing_is_asked_where_the_gap_would_be_unclear(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, text) == []


def test_clear_sentences_come_first(tmp_path: Path) -> None:
    text = "The lens came in 1926. The keepers say that it weighs 41 kilograms without the frame.\n"
    text += "The tower of Skarn stands 312 metres above the river in the valley."
    assert [cloze.answer for cloze in written(tmp_path, text)] == ["312", "1926", "41"]


def test_markdown_is_asked_as_it_is_shown(tmp_path: Path) -> None:
    text = "# Dome\n\nThe **dome** of [Marlow](https://m.example/a_b) weighs `41` tonnes in all.\n\n"
    text += "    The value is 12 in this block of code and nothing else.\n"
    (cloze,) = written(tmp_path, text, "a.md")
    assert cloze.question.endswith("“The dome of Marlow weighs ____ tonnes in all”?")
    assert cloze.evidence.quote in text


def test_page_furniture_and_headings_stay_out(tmp_path: Path) -> None:
    body = [
        "The stones for the pier were brought from the quarry of the next",
        "village by 14 sledges in winter.",
    ]
    over = ["Nobody had seen so many of them before the year was over, and in the"]
    pages = [
        made.show(["The Harbour Review 1911", "Work on the pier", *body, *over, f"{page}"])
        for page in (17, 18)
    ]
    path = tmp_path / "a.pdf"
    path.write_bytes(made.pages_pdf(pages))
    asked = [cloze.question for cloze in clozes(open_document(path))]
    assert len(asked) == 2
    assert all("statement: “The stones for the pier" in question for question in asked)


@pytest.mark.parametrize(
    "text",
    [
        "No programs of the harbour may be kept in the store. 3 To be clear, the store holds ropes.",
        "Boats of the harbour board that carry no passengers 7 Small boats are kept in the outer basin.",
        "Version Control System fields of the register of boats . . . . . . . . . . . 14",
        "The keepers of the light read the GNU General Public License before the lamp was lit.",
        "The Name of the Title Is Hope and Glory.",
        "See the Harbour Master Handbook for the fees of all the boats.",
        "The indicator of the factor is the square x^2 of the level of the lamp.",
    ],
)
def test_marks_titles_and_parts_of_names_are_left_alone(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, text) == []


def test_the_mark_of_a_note_in_a_pdf(tmp_path: Path) -> None:
    path = tmp_path / "noted.pdf"
    lines = [
        "The lamp of the tower was lit by the keeper",
        "9",
        "and by the boys of the village of the reef.",
    ]
    path.write_bytes(made.pages_pdf([made.show(lines)]))
    assert list(clozes(open_document(path))) == []


@pytest.mark.parametrize(
    "text",
    [
        "Last updated on 4 March 2021 by the parish clerk of the village.",
        "Published by the Orchard Society, registered charity number 304112.",
        "Received 12 January 2018, and after a revision accepted on the next day.",
        "Permission is hereby granted to copy this software for 99 years.",
        "Please open issue #12 before anything else is done.",
        "The date of the next meeting of all members: 13 September 2022.",
        "A: I came to the canal in 1962, straight from the army.",
    ],
)
def test_boilerplate_and_forms_are_not_asked_about(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, text) == []


def test_only_the_book_itself_is_asked_about(tmp_path: Path) -> None:
    text = (
        "The licence was signed in 2009 by all the volunteers.\n"
        "*** START OF THE PROJECT GUTENBERG EBOOK NOTES ***\n\nThe barque Hope left Dundee in 1867.\n\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK NOTES ***\n\nRoyalties are paid within 60 days of it.\n"
    )
    assert [cloze.answer for cloze in written(tmp_path, text)] == ["1867"]


@pytest.mark.parametrize(
    ("text", "begins", "answer"),
    [
        ("1.1 The term of the lease begins on 25 March 2020.", "“The term", "25 March 2020"),
        ("(b) Hotel costs in London are capped at £165 a night.", "“Hotel", "£165"),
        ("WARDEN: The old bell of the gate weighs 840 pounds.", "“The old", "840"),
        ("The shelter in Mill Lane was hit by a lorry on 3 June.", "“The shelter", "3 June"),
        ("Of the ten horses in the yard 5 may be sold at once.", "“Of the ten", "5"),
    ],
)
def test_clauses_speakers_and_days(tmp_path: Path, text: str, begins: str, answer: str) -> None:
    (cloze,) = written(tmp_path, text)
    assert (begins in cloze.question, cloze.answer) == (True, answer)


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "מגדל השעון ביפו נבנה בשנת 1903 לכבוד הסולטאן. גובהו של המגדל גדול מאוד ויפה.",
            "איזו שנה משלימה את המשפט: „מגדל השעון ביפו נבנה בשנת ____ לכבוד הסולטאן”?",
            "1903",
        ),
        (
            "بلغت كلفة بناء المنارة 4,500 دينار. يعمل الحراس في الليل والنهار دائما.",
            "ما العدد الذي يكمل هذه الجملة: «بلغت كلفة بناء المنارة ____ دينار»؟",
            "4,500",
        ),
    ],
)
def test_right_to_left(tmp_path: Path, text: str, question: str, answer: str) -> None:
    assert [(cloze.question, cloze.answer) for cloze in written(tmp_path, text)] == [(question, answer)]


def test_a_longer_french_text_is_asked_about_in_french(tmp_path: Path) -> None:
    text = (
        "Le phare se dresse sur un écueil entre les deux îles. Sa construction commença en 1907 et dura "
        "neuf ans. Le don de la veuve du marin permit de finir les travaux. Les lambris sont en chêne et le "
        "parquet compte 5 essences de bois. Le dernier gardien quitta la tour avec sa femme. La lanterne "
        "brûlait chaque nuit des litres de pétrole que les bateaux apportaient."
    )
    (cloze,) = written(tmp_path, text)
    assert cloze.question.startswith("Quel nombre complète cette phrase")
