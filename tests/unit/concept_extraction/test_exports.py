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


@pytest.mark.parametrize(
    ("meta", "note", "page"),
    [
        ("Votre surlignement sur l'emplacement 51-52 | Ajouté le 1 mai", "Votre note", "pos. 51-52"),
        ("Ihre Markierung auf Seite 8 | bei Position 99-99 | Hinzugefügt am 1. Mai", "Ihre Notiz", "8"),
        ("La tua evidenziazione alla posizione 7-9 | Aggiunto il 1 maggio", "La tua nota", "pos. 7-9"),
        ("Seu destaque ou posição 33-34 | Adicionado: 1 de maio", "Sua nota", "pos. 33-34"),
        ("6ページ|位置No. 70-72のハイライト |作成日: 5月1日", "6ページ|位置No. 72のメモ", "6"),
        ("您在第 6 页（位置 #70-72）的标注 | 添加于 5月1日", "您在位置 #72的笔记", "6"),
        ("Your Highlight on page xiv | Location 60–61 | Added on May 1", "Your Note", "xiv"),
    ],
)
def test_clippings_of_a_device_in_another_language(meta: str, note: str, page: str) -> None:
    text = f"A (B)\n- {meta}\n\nQuoted.\n==========\nA (B)\n- {note} | x\n\nMine.\n==========\n"
    assert read(text) == [("Quoted.", "", page)]


def test_clippings_lose_no_entry() -> None:
    head = "Sal (Ivo Mar)\n- Tu subrayado en la posición "
    text = (
        f"{head}10-12 | Añadido hoy\n\nLa sal recuerda el mar entero.\n==========\n"
        f"{head}900 | Añadido hoy\n\nmar\n==========\n"
        f"{head}950-951 | Añadido hoy\n\n<Has alcanzado el límite de recortes para este libro>\n==========\n"
        "Sal (Ivo Mar)\n- Tu subrayado\n\nSin lugar ni fecha.\n==========\n"
        "una línea suelta\n==========\n"
        f"{head}960-961 | Añadido hoy\n\nEl final sin su raya.\n"
    )
    parsed = parse_quotes(text)
    assert [(q.text, q.page_reference) for q in parsed.quotes] == [
        ("La sal recuerda el mar entero.", "pos. 10-12"),
        ("mar", "pos. 900"),
        ("Sin lugar ni fecha.", None),
        ("El final sin su raya.", "pos. 960-961"),
    ]
    assert [warning.split(": ")[1] for warning in parsed.warnings] == [
        "left out (the device's limit for copies)",
        "left out (an entry that cannot be read)",
    ]


def test_boxed_fields_are_records() -> None:
    text = (
        "BOOX Reading Notes | <<Ríos>>\nEva Luz\nI. La fuente\nTime：2022-01-02 10:00\n"
        "【Original Text】Beber es creer.\n\nY también dudar.\n"
        "【Annotations】mi idea\n\nsigue\n【Page Number】3\n"
        "-------------------\nII. El delta\n"
        "Time：2022-01-02 10:05\n【Original Text】Todo delta es un adiós.\n"
        "【Annotations】\n【Page Number】9\n-------------------\n"
    )
    parsed = parse_quotes(text)
    assert read(text) == [
        ("Beber es creer.\n\nY también dudar.", "I. La fuente", "3"),
        ("Todo delta es un adiós.", "II. El delta", "9"),
    ]
    assert parsed.sections == ["I. La fuente", "II. El delta"]
    assert "line 8: left out (a note of the reader): 【Annotations】mi idea" in parsed.warnings
    assert "line 10: left out (a note of the reader): sigue" in parsed.warnings


def test_a_date_with_a_page_heads_a_record() -> None:
    text = (
        "BOOX Reading Notes | <<Rivers>>Eva Luz\nThe spring\n2023-01-31 20:50  |  Page No.: 20\nTo drink\n"
        "is to trust.\n【Annotation】mine\n-------------------\n"
        "2023-02-01 20:50  |  Page No.: 31\nBanks lean in.\n"
        "-------------------\n"
    )
    assert read(text) == [
        ("To drink\nis to trust.", "The spring", "20"),
        ("Banks lean in.", "The spring", "31"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "On Rivers\nhttps://example.org\nTotal annotations: 1\n\nAnnotation 1:\nMay 1, 2025\nComment: my\n"
        'thought\nme\nQuote: "To drink is to trust."\nTags: a, b\nPage: 20\n',
        "# On Rivers\n\n## Annotation 1\n\n* **Author:** me\n* **Page:** 20\n"
        "* **Quote:** To drink is to trust.\n"
        "* **Comment:** my thought\n",
    ],
)
def test_numbered_annotations_are_records(text: str) -> None:
    assert read(text) == [("To drink is to trust.", "", "20")]
    assert any("a note of the reader" in warning for warning in parse_quotes(text).warnings)


def test_a_web_page_is_read_by_its_tags_with_the_lines_of_the_file() -> None:
    text = (
        "<?xml version='1.0'?>\n<!DOCTYPE html>\n"
        "<html><head><title>x</title><style>p { top: 1 }</style></head>\n"
        "<body><div class='bookTitle'>Rivers</div>\n<div class='sectionHeading'>1 &amp; 2</div>\n"
        "<h3 class='noteHeading'>Highlight (<span>yellow</span>) - Page 20 &middot; Location 98</div>\n"
        "<div class='noteText'>To drink\n is to <i>trust</i>.</h3>\n"
        "<div class='noteHeading'>Note - Page 21</div>\n<div class='noteText'>mine</div></body></html>\n"
    )
    parsed = parse_quotes(text)
    assert [(q.text, q.section, q.page_reference, q.line) for q in parsed.quotes] == [
        ("To drink is to trust.", "1 & 2", "20", 7)
    ]
    assert [warning for warning in parsed.warnings if "note of the reader" in warning] == [
        "line 9: left out (a note of the reader): Note - Page 21",
        "line 10: left out (a note of the reader): mine",
    ]


def test_marks_in_one_paragraph_with_their_texts() -> None:
    text = (
        "Rivers\nEva Luz\n2 Highlight(s) | 1 Note(s)\nYellow highlight | Page: 20\n"
        "Options\nTo drink is to trust.\n"
        "Note: mine\nBlue highlight | Location: 1,204\nOptions\nBanks lean in.\n"
    )
    assert read(text) == [("To drink is to trust.", "", "20"), ("Banks lean in.", "", "pos. 1204")]


def test_mailed_notes_stand_below_their_chapter_and_date() -> None:
    text = (
        "Notes from\nRivers\nEva Luz\n\nThe spring\nMarch 4, 2025\n\nTo drink is to trust\n\n"
        "March 5, 2025\n\n"
        "Banks lean in.\nNotes: mine\n\nAll Excerpts From\n\nEva Luz. “Rivers.” Apple Books.\n"
    )
    assert read(text) == [
        ("To drink is to trust", "The spring", None),
        ("Banks lean in.", "The spring", None),
    ]


def test_what_stands_behind_or_below_a_highlight_is_the_reader_s() -> None:
    assert read("# Citas\n\n«Beber es creer.» (Luz, 2019, p. 3) Me recuerda a mi abuela.\n") == [
        ("«Beber es creer.»", "", "3")
    ]
    outline = (
        "- # Highlights\n\t- Banks lean in.\n\t  hl-page:: 4\n\t\t- mine\n\t- Deltas part.\n\t  hl-page:: 9\n"
    )
    assert read(outline) == [("Banks lean in.", "", "4"), ("Deltas part.", "", "9")]
    callouts = "> [!quote] Luz, p. 9\n> Beber es creer.\n\n> [!quote] Luz (2019)\n> Dudar también.\n"
    assert read(callouts) == [("Beber es creer.", "", "9"), ("Dudar también.", "", None)]


@pytest.mark.parametrize(
    "text",
    [
        "# Citas\n\np. 3\n\nBeber es creer.\n\np. 9\n\nDudar también.\n",
        "pág. 3\n\nBeber es creer.\n\npág. 9\n\nDudar también.\n",
        "Ríos\n\np. 3\nBeber es creer.\n\np. 9\nDudar también.\n",
    ],
)
def test_a_labelled_page_above_its_quote(text: str) -> None:
    assert read(text) == [("Beber es creer.", "", "3"), ("Dudar también.", "", "9")]


def test_a_page_above_nothing_is_named() -> None:
    parsed = parse_quotes("# Citas\n\np. 3\n\nBeber es creer.\n\np. 9\n")
    assert [(q.text, q.page_reference) for q in parsed.quotes] == [("Beber es creer.", "3")]
    assert parsed.warnings == ["line 7: left out (a page reference without a quote): p. 9"]


def test_numbers_as_chapters_are_no_pages() -> None:
    assert read("# Ríos\n\nUna introducción.\n\n## 1\n\n“Beber es creer.”\n") == [
        ("“Beber es creer.”", "1", None)
    ]


def test_records_of_a_web_page_and_pages_by_their_class() -> None:
    page = (
        "<html><body><h1>Annotations</h1><article><h2>Annotation 1:</h2><p>Comment: mine</p><p>me</p>"
        "<p>Quote: <blockquote>Banks lean in.</blockquote></p><p>Page: 4</p></article></body></html>"
    )
    assert read(page) == [("Banks lean in.", "", "4")]
    marks = (
        "<!DOCTYPE html><html><body><h1>Rivers</h1><p class='bm-page'>4</p><p>Banks lean in.</p>"
        "<p class='bm-page'>9</p><p>Deltas<br>part.</p></body></html>"
    )
    assert read(marks) == [("Banks lean in.", "Rivers", "4"), ("Deltas\npart.", "Rivers", "9")]


def test_colours_tags_and_what_follows_a_link_are_no_part_of_a_quote() -> None:
    text = (
        '# Highlights\n\n<mark style="background: #ff0">Banks lean in.</mark> ([p. 4](app://x)) mine\n\n'
        "Deltas part. ([Page 9](https://example.org/9)) #rivers #ends\n\n"
        "Mills turn. ([View Highlight](https://example.org/10)) [[work]]\n\n"
        "> Springs rise.\n>\n> [(p. 2)](app://open?page=2)\n>> my thought\n"
    )
    assert read(text) == [
        ("Banks lean in.", "", "4"),
        ("Deltas part.", "", "9"),
        ("Mills turn.", "", None),
        ("Springs rise.", "", "2"),
    ]


def test_lines_that_each_end_with_their_page_are_quotes_of_their_own() -> None:
    assert read("# Citas\n\nBeber es creer. (p. 3)\nDudar también, pp. 8-9\nVolver, no (12)\n") == [
        ("Beber es creer.", "", "3"),
        ("Dudar también", "", "8-9"),
        ("Volver, no", "", "12"),
    ]
    wrapped = "Beber es creer (p. 3)\ny dudar, también\nvolver."
    assert read(f"# Citas\n\n{wrapped}\n") == [(wrapped, "", None)]


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_note_that_speaks_of_a_page_marks_nothing(gap: str) -> None:
    text = f"# Citas\n\nBeber es creer.{gap}Nota: comparar con la página 14\n\nDudar también.\n"
    assert [quote for quote, _, _ in read(text)] == ["Beber es creer.", "Dudar también."]
    assert read("# Quotes\n\nHighlight: The map ends on page 14 of the log.\n\nNext.\n") == [
        ("The map ends on page 14 of the log.", "", None),
        ("Next.", "", None),
    ]


def test_a_device_s_line_below_a_text() -> None:
    text = "Banks lean in.\nYellow highlight | Location 12-13\n\nDeltas part.\nHighlight - Page 9"
    assert read(f"# Highlights\n\n{text}") == [
        ("Banks lean in.", "", "pos. 12-13"),
        ("Deltas part.", "", "9"),
    ]
