"""Quotes as reading devices and services export them, and as untidy readers keep them."""

import pytest

from common.errors import BadInput
from graphs.concept_extraction.quotes import parse_quotes
from graphs.concept_extraction.subgraphs.quote_parse import read_source

SPANISH = """\ufeffLa montaña inmóvil (Ferrer, Aurelia)
- Tu subrayado en la página 12 | posición 170-172 | Añadido el martes, 4 de marzo de 2025 22:14:09

La paciencia no es esperar.
==========
La montaña inmóvil (Ferrer, Aurelia)
- Tu subrayado en la página 12 | posición 170-173 | Añadido el martes, 4 de marzo de 2025 22:14:30

La paciencia no es esperar. Es saber qué hacer mientras se espera.
==========
La montaña inmóvil (Ferrer, Aurelia)
- Tu nota en la página 12 | posición 172 | Añadido el martes, 4 de marzo de 2025 22:15:00

Comparar con otros
==========
La montaña inmóvil (Ferrer, Aurelia)
- Tu marcador en la página 30 | posición 402 | Añadido el miércoles, 5 de marzo de 2025 8:01:00


==========
"""
ENGLISH = """Tools of the Quiet Mind: A Handbook (Hartwell, June)
- Your Highlight on page 7 | Location 98-100 | Added on Monday, January 6, 2025 9:14:02 PM

Habits are promises that the body keeps.
==========
Another Book (Someone (Editor))
- Your Highlight on Location 88-89 | Added on Tuesday, January 7, 2025 7:32:00 AM

It does not belong here.
==========
"""


def read(text: str, title: str = "") -> list[tuple[str, str, str | None]]:
    return [(q.text, q.section, q.page_reference) for q in parse_quotes(text, title).quotes]


def test_kindle_clippings_a_widened_highlight_counts_once() -> None:
    parsed = parse_quotes(SPANISH, "La montaña inmóvil")
    assert [(q.text, q.page_reference, q.line) for q in parsed.quotes] == [
        ("La paciencia no es esperar. Es saber qué hacer mientras se espera.", "12", 9)
    ]
    reasons = [warning.split("(")[1].split(")")[0] for warning in parsed.warnings]
    assert reasons == ["part of the quote in line 9", "a note of the reader", "a bookmark"]


def test_clippings_of_many_books_give_those_of_the_title() -> None:
    assert read(ENGLISH, "Tools of the quiet mind") == [("Habits are promises that the body keeps.", "", "7")]
    assert read(ENGLISH.replace("\n", "\r\n"), "Another Book") == [
        ("It does not belong here.", "", "pos. 88-89")
    ]
    assert "of another book" in parse_quotes(ENGLISH, "Another Book").warnings[0]


def test_clippings_without_the_book_say_which_there_are() -> None:
    given = {"text": ENGLISH, "title": "Un libro", "author": "Nadie", "file_path": ""}
    with pytest.raises(BadInput, match="Another Book, Tools of the Quiet Mind"):
        read_source(given)


def test_readwise_links_are_places_and_its_tags_are_no_quotes() -> None:
    text = (
        "# The Slow Harvest\n\n## Metadata\n- Author: [[Miriam Oakes]]\n\n## Highlights\n"
        "- A tradition is an old answer. ([Location 120](https://example.org/to?x=1&location=120))\n"
        "    - Note: a fence\n    - Tags: [[favorite]]\n"
        "- Skills walk with you. ([Page 45](https://example.org/x)) ^ref-12\n"
        "- See [the page](https://example.org) of the map.\n"
    )
    assert read(text) == [
        ("A tradition is an old answer.", "", "pos. 120"),
        ("Skills walk with you.", "", "45"),
        ("See [the page](https://example.org) of the map.", "", None),
    ]


def test_dates_and_chapter_lines_are_no_quotes() -> None:
    text = (
        "# Libro\n\n## Resaltados y notas\n\n**Capítulo 1 — El taller**\n\n15 de marzo de 2025\n\n"
        "Recordar es podar.\n\nCAPÍTULO DOS\nMarch 16, 2025\n\nOtra cita.\n\nParte de la verdad es tuya.\n"
    )
    parsed = parse_quotes(text)
    assert [(q.text, q.section) for q in parsed.quotes] == [
        ("Recordar es podar.", "Capítulo 1 — El taller"),
        ("Otra cita.", "CAPÍTULO DOS"),
        ("Parte de la verdad es tuya.", "CAPÍTULO DOS"),
    ]
    assert [warning.split(":")[0] for warning in parsed.warnings] == ["line 7", "line 12"]


@pytest.mark.parametrize("heading", ["#Citas del libro", "#Citas", "**Citas**", "CITAS:", "Quotes"])
def test_a_heading_without_its_mark_or_blank(heading: str) -> None:
    assert read(f"Un libro\n\n{heading}\n\nUna cita.\n") == [("Una cita.", "", None)]


def test_a_reader_s_notes_under_a_real_heading_open_nothing() -> None:
    text = "# Quotes\n\nBe brief.\n\nNotes: too short?\n\n#idea Be long.\n"
    assert [text for text, _, _ in read(text)] == ["Be brief.", "#idea Be long."]


def test_without_a_heading_marks_and_pages_show_what_is_quoted() -> None:
    text = (
        '# On Maps\n\nBought in 2019.\n\n"A map is an argument." (14)\n\n“It leaves things out.”\n\n'
        "- Every border was fatigue. p. 31\n- buy bread\n\nBe wrong by known amounts.\n\np. 40\n"
    )
    assert [(text, page) for text, _, page in read(text)] == [
        ('"A map is an argument."', "14"),
        ("“It leaves things out.”", None),
        ("Every border was fatigue.", "31"),
        ("Be wrong by known amounts.", "40"),
    ]


def test_a_device_s_line_above_a_text_gives_it_its_page() -> None:
    text = (
        "# Cuaderno\n\n## Subrayados\n\nResaltado (amarillo) - Página 14 · Posición 201\n\n"
        "Llover es recordar.\n\n"
        "Nota - Página 19 · Posición 280\n\n¡Importante!\n\nMarcador - Página 20\n\n"
        "Highlight (blue) - Location 33-34\nThe sky recalls.\n\nOtra, sin marca.\n"
    )
    parsed = parse_quotes(text)
    assert [(q.text, q.page_reference) for q in parsed.quotes] == [
        ("Llover es recordar.", "14"),
        ("The sky recalls.", "pos. 33-34"),
        ("Otra, sin marca.", None),
    ]
    reasons = [warning.split(": ")[:2] for warning in parsed.warnings]
    assert reasons == [
        ["line 9", "left out (a note of the reader)"],
        ["line 11", "left out (a note of the reader)"],
        ["line 13", "left out (a bookmark)"],
    ]
    alone = parse_quotes("# Citas\n\nUna.\n\nResaltado - Página 3\n\nResaltado - Página 4\n")
    assert [warning.split(": ")[1] for warning in alone.warnings] == ["left out (a mark without a text)"] * 2


def test_bold_numbers_are_no_part_of_a_quote() -> None:
    assert read("# Citas\n\n**1.** Contar es rezar. _(pág. 8)_\n\n**2.** Otra.\n") == [
        ("Contar es rezar.", "", "8"),
        ("Otra.", "", None),
    ]
