"""Quotes files as readers write them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.errors import BadInput
from graphs.concept_extraction.quotes import decode, language_of, parse_quotes
from graphs.concept_extraction.quotes.pages import page_alone, split_page
from tests.speed import growth


def read(markdown: str) -> list[tuple[str, str, str | None]]:
    return [(q.text, q.section, q.page_reference) for q in parse_quotes(markdown).quotes]


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("45", "45"),
        ("45-46", "45-46"),
        ("45–46", "45-46"),
        ("45 - 46", "45-46"),
        ("p. 45", "45"),
        ("p.45", "45"),
        ("pp. 45-46", "45-46"),
        ("(pág. 45)", "45"),
        ("(Pág. 45).", "45"),
        ("página 45", "45"),
        ("page 45", "45"),
        ("[45]", "45"),
        ("*45*", "45"),
        ("— 45", "45"),
        ("págs. 45 y 47", "45 y 47"),
        ("p. xiv", "xiv"),
        ("pos. 252-253", "pos. 252-253"),
        ("Posición 252", "pos. 252"),
        ("loc. 252", "pos. 252"),
    ],
)
def test_page_forms_in_every_place(written: str, page: str) -> None:
    assert page_alone(written) == page
    expected = [("Una cita cualquiera.", "Uno", page)]
    for markdown in (
        f"# Citas\n## Uno\nUna cita cualquiera.\n{written}\n",
        f"# Citas\n\n## Uno\n\nUna cita cualquiera.\n\n{written}\n",
        f"# Citas\n\n## Uno\n\nUna cita cualquiera. {written}\n",
        f"# Citas\n\n## Uno\n\n> Una cita cualquiera.\n> {written}\n",
        f"# Citas\n\n## Uno\n\n> Una cita cualquiera.\n\n{written}\n",
        f"# Citas\n\n## Uno\n\n- Una cita cualquiera. {written}\n",
        f"# Citas\n\n## Uno\n\n- Una cita cualquiera.\n  - {written}\n",
    ):
        assert read(markdown) == expected, markdown


@pytest.mark.parametrize(
    "text",
    [
        "Nació en 1945",
        "Hay 3 cosas",
        "Leí 1984",
        "Vive en el número 45",
        "a pop. 12x",
        "Está en la página 47",
        "Look on page 12.",
        "De 1939 – 1945",
    ],
)
def test_a_number_in_the_text_is_no_page(text: str) -> None:
    assert split_page(text) == (text, None)
    assert read(f"# Citas\n\n{text}\n\nOtra.") == [(text, "", None), ("Otra.", "", None)]


def test_a_label_in_front_is_a_page() -> None:
    assert read("# Quotes\n\n- p. 12: Be brief.") == [("Be brief.", "", "12")]
    assert read("# Quotes\n\n(pp. 49-50) Be brief.") == [("Be brief.", "", "49-50")]


@pytest.mark.parametrize(
    "heading",
    [
        "# Citas",
        "# CITAS",
        "## Mis citas",
        "# Quotes",
        "# Highlights",
        "# Notas",
        "# 📚 Citas y notas (12)",
        "# Citas:",
        "Citas\n=====",
        "# Highlights & Notes",
        "#\tQuotes ##",
    ],
)
def test_headings_that_open_the_quotes(heading: str) -> None:
    assert read(f"# Libro\n\nPrólogo.\n\n{heading}\n\nUna cita.\n") == [("Una cita.", "", None)]


def test_other_headings_do_not() -> None:
    parsed = parse_quotes("# Notas sobre el autor\n\nNació lejos.\n\n# Citas\n\nUna cita.\n")
    assert [quote.text for quote in parsed.quotes] == ["Una cita."]
    assert parsed.warnings == ["line 3: left out (outside the quotes): Nació lejos."]


def test_it_stops_at_the_next_h1_and_goes_on_at_the_next_quotes_heading() -> None:
    text = "# Citas\n\n## A\n\nuna\n\n# Opinión\n\nfuera\n\n# Notas\n\notra\n"
    parsed = parse_quotes(text)
    assert [(quote.text, quote.section) for quote in parsed.quotes] == [("una", "A"), ("otra", "")]
    assert parsed.warnings == ["line 9: left out (outside the quotes): fuera"]


def test_sections_keep_their_order_and_lines_are_those_of_the_file() -> None:
    parsed = parse_quotes("# Citas\n\n## B\n\nuna\n\n### A\n\ndos\n\n## B\n\ntres\n")
    assert parsed.sections == ["B", "A"]
    assert [quote.line for quote in parsed.quotes] == [5, 9, 13]


def test_chapters_on_the_level_of_the_heading() -> None:
    text = "# Libro\n\n## Highlights\n\n## Uno\n\na\n\n## Dos\n\nb\n\n# Fin\n\nc\n"
    assert [(quote.text, quote.section) for quote in parse_quotes(text).quotes] == [
        ("a", "Uno"),
        ("b", "Dos"),
    ]


def test_crlf_bom_and_old_mac_lines() -> None:
    plain = "# Citas\n\n## I\n\nuna cita\n45\n\notra\n"
    assert read("\ufeff" + plain.replace("\n", "\r\n")) == read(plain) == read(plain.replace("\n", "\r"))


def test_several_paragraphs_make_one_quote() -> None:
    one = [("Primero.\n\nSegundo.", "", "7")]
    assert read("# Citas\n\n> Primero.\n>\n> Segundo.\n> 7\n") == one
    assert read("# Citas\n\nPrimero.\n\nSegundo.\n\n7\n") == one
    assert read("# Citas\n\n- Primero.\n\n  Segundo.\n  7\n") == one
    assert read("# Citas\n\n«Primero.\n\nSegundo.» (p. 7)\n\nOtra.\n") == [
        ("«Primero.\n\nSegundo.»", "", "7"),
        ("Otra.", "", None),
    ]


def test_paragraphs_without_such_signs_are_quotes_of_their_own() -> None:
    assert read("# Citas\n\nPrimera.\n\nSegunda.\n\n7\n\nTercera.\n") == [
        ("Primera.", "", None),
        ("Segunda.", "", "7"),
        ("Tercera.", "", None),
    ]


def test_short_quotes_count() -> None:
    assert read("# Citas\n\nSé.\n\n> No.\n\n- Ama\n") == [
        ("Sé.", "", None),
        ("No.", "", None),
        ("Ama", "", None),
    ]


def test_neighbouring_blockquotes_are_two_and_line_breaks_stay() -> None:
    assert read("# Citas\n\n> verso uno\n> verso dos\n\n> otra\n") == [
        ("verso uno\nverso dos", "", None),
        ("otra", "", None),
    ]


def test_callouts_attributions_block_ids_and_notes_of_the_reader() -> None:
    text = (
        "# Citas\n\n> [!quote] Capítulo 2\n> Una cita.\n> — Séneca, p. 9\n\n"
        "Otra cita. ^abc123\n\n- Tercera\n  - Nota: me gusta\n"
    )
    parsed = parse_quotes(text)
    assert [(q.text, q.page_reference) for q in parsed.quotes] == [
        ("Una cita.", "9"),
        ("Otra cita.", None),
        ("Tercera", None),
    ]
    assert [warning.split(":")[0] for warning in parsed.warnings] == ["line 3", "line 5", "line 10"]


def test_what_is_no_text_is_named() -> None:
    text = "---\na: b\n---\n# Citas\n\n---\n\n![x](y.png)\n\n#tag #otro\n\n"
    text += "```\ncode\n```\n\n%% nota %%\n\nuna\n\n9\n\n10\n"
    parsed = parse_quotes(text)
    assert [(q.text, q.page_reference) for q in parsed.quotes] == [("una", "9")]
    lines = [int(re.match(r"line (\d+):", warning).group(1)) for warning in parsed.warnings]  # type: ignore[union-attr]
    assert lines == [1, 2, 3, 6, 8, 10, 12, 13, 14, 16, 22]


def test_without_the_heading_only_blockquotes_count_and_it_says_so() -> None:
    parsed = parse_quotes("# Libro\n\nTexto.\n\n> Una cita.\n\np. 3\n")
    assert [(q.text, q.page_reference) for q in parsed.quotes] == [("Una cita.", "3")]
    assert "no heading" in parsed.warnings[0]
    assert parse_quotes("Nada de nada.").quotes == []


def test_an_empty_file_and_a_heading_alone() -> None:
    assert parse_quotes("").quotes == []
    assert parse_quotes("# Citas\n").quotes == []


@pytest.mark.parametrize("run", [" ", "\t", "_", "*"])
def test_blanks_and_marks_without_end_are_read_once(run: str) -> None:
    endless = run * 50_000  # begun anew at each of them, it would take hours
    assert read(f"# Citas\n\nUna cita que está entera.{endless}\n\nOtra cita, entera también.\n7")[-1] == (
        "Otra cita, entera también.", "", "7",
    )  # fmt: skip


def many(count: int) -> str:
    return "# Citas\n\n" + "\n\n".join(f"Cita número {at} de muchas.\n{at}" for at in range(count))


def test_ten_thousand_quotes_and_one_of_twenty_kilobytes() -> None:
    quotes = parse_quotes(many(10_000)).quotes
    assert len(quotes) == 10_000
    assert (quotes[-1].text, quotes[-1].page_reference) == ("Cita número 9999 de muchas.", "9999")
    long = "palabra " * 2_500
    assert read(f"# Citas\n\n{long}\n\n3") == [(long.strip(), "", "3")]


def test_eight_times_as_many_quotes_are_no_square_of_work() -> None:
    assert growth(lambda count: parse_quotes(many(count)), 1_000, times=8) < 24


@settings(max_examples=80)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=400))
def test_every_line_is_in_a_quote_a_heading_a_page_or_a_warning(body: str) -> None:
    text = f"# Citas\n\n{body}"
    parsed = parse_quotes(text)
    named = {int(warning.split(":")[0][5:]) for warning in parsed.warnings}
    kept = re.sub(r"\W+", "", "".join(q.text + (q.page_reference or "") for q in parsed.quotes))
    kept += re.sub(r"\W+", "", "".join(parsed.sections))
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        words = re.sub(r"\W+|\^\S+$", "", line)
        if number > 2 and words and number not in named:
            assert re.sub(r"_", "", words)[:3] in kept.replace("_", "") or page_alone(line), (number, line)


def test_latin_1_is_read_and_named() -> None:
    text, warnings = decode("# Citas\n\nLa razón — “ñ”".encode("cp1252"), "libro.md")
    assert "razón" in text
    assert "libro.md" in warnings[0]
    assert warnings[0].startswith("line 3")
    assert decode(b"\x81\xf1", "x")[0].endswith("ñ")
    assert decode("ñ".encode(), "x") == ("ñ", [])
    assert decode("ñ".encode("utf-16"), "x") == ("ñ", [])
    assert decode(b"\xef\xbb\xbfa", "x") == ("a", [])


def test_what_is_no_text_file_is_refused() -> None:
    for data in (b"\x00\x01", b"\xff\xfe\x00", b"x" * 50_000_001):
        with pytest.raises(BadInput, match=r"foto\.png"):
            decode(data, "foto.png")


def test_languages() -> None:
    assert language_of("El tiempo es lo único que es nuestro") == "es"
    assert language_of("Time is the only thing that is ours") == "en"
    assert language_of("") == "es"


@pytest.mark.parametrize(
    ("written", "quotes"),
    [
        ("- Be brief. ([View Highlight](https://x.y/1))", [("Be brief.", "", None)]),
        ("- Be [brief](https://x.y/1)", [("Be [brief](https://x.y/1)", "", None)]),
        ("Be brief. — location: [120](kindle://book?location=120) ^ref-1", [("Be brief.", "", "pos. 120")]),
        (
            "“Be brief.” ([Mill, 1859, p. 23](zotero://a/b)) ([pdf](zotero://c/d?page=23)) my comment",
            [("“Be brief.”", "", "23")],
        ),
        ("“Be brief.” (Mill & Mill, 1859, pp. 23–24)", [("“Be brief.”", "", "23-24")]),
        ("Be brief (Mill 1859: 23).", [("Be brief", "", "23")]),
        ("Be brief. (ch. 3, p. 101)", [("Be brief.", "", "101")]),
        ("Be brief. (pp. 45 ss.)", [("Be brief.", "", "45 ss.")]),
        ("Be brief. (Kindle Locations 120-123).", [("Be brief.", "", "pos. 120-123")]),
        ("Be brief. (Page: 12)", [("Be brief.", "", "12")]),
        (
            "*Be brief.* (p. 4)\n\n==Be brief again.==",
            [("Be brief.", "", "4"), ("Be brief again.", "", None)],
        ),
        ("Yellow highlight | Page: 23\nBe brief.", [("Be brief.", "", "23")]),
        ("Resaltado en azul | Posición: 250\nSé breve.", [("Sé breve.", "", "pos. 250")]),
        ("### Page 12 @ 14 March 2024 10:11:12 PM\n*Be brief.*", [("Be brief.", "", "12")]),
        ("  -- Page: 12, added on Mon Mar 14 22:11:12 2024\n\nBe brief.\n-=-=-=-", [("Be brief.", "", "12")]),
        ("- Be brief.\n  hl-page:: 12\n  hl-color:: yellow", [("Be brief.", "", "12")]),
        ("- 📖 Chapter:: One\n- 🎯 Highlight:: Be brief.\n- 📝 Note:: N/A", [("Be brief.", "One", None)]),
        ("*Created: 2024-03-14*\nBe brief.", [("Be brief.", "", None)]),
        ("“Be brief.”\n― Mary Poe, *Letters*", [("“Be brief.”", "", None)]),
        ("“Be brief.” — Mary Poe, Letters, p. 188", [("“Be brief.”", "", "188")]),
        ("Sé breve. — Séneca, p. 7", [("Sé breve.", "", "7")]),
        ("Be brief.\n\nPoe, M. Letters (p. 42). Press. Kindle Edition.", [("Be brief.", "", "42")]),
        ("“Be brief.”\n\nExcerpt From\nLetters\nMary Poe\nhttps://x.y", [("“Be brief.”", "", None)]),
        ("- «Sé breve» (p. 27).\n  Comentario: ojo", [("«Sé breve»", "", "27")]),
        ("- **Chapter 1**\n  - Be brief. (p. 16)", [("Be brief.", "Chapter 1", "16")]),
        (
            "“One.\n\nTwo.\n\nThree.” (p. 8)\n\nFour.",
            [("“One.\n\nTwo.\n\nThree.”", "", "8"), ("Four.", "", None)],
        ),
        (
            "> [!quote|#ffd400] Highlight\n> Be brief.\n> [(p. 23)](zotero://x)\n\n> [!note] Mine\n> My own.",
            [("Be brief.", "", "23")],
        ),
        ("| Page | Quote |\n|---|---|\n| 12 | Be brief. |", [("Be brief.", "", "12")]),
        ("1.- «Sé breve.» Pág. 10.", [("«Sé breve.»", "", "10")]),
        ("- Be brief.\n- [Open in Reader](https://x.y/1)", [("Be brief.", "", None)]),
        ("(14/3/2024, 10:11:12)\n\nBe brief.", [("Be brief.", "", None)]),
    ],
)
def test_what_tools_leave_around_a_quote_is_no_part_of_it(
    written: str, quotes: list[tuple[str, str, str | None]]
) -> None:
    assert [(q[0], q[1].strip("*"), q[2]) for q in read(f"# Highlights\n\n{written}\n")] == quotes


@pytest.mark.parametrize(
    "text",
    [
        "—¿Vienes?\n—Claro.\n—Entonces vámonos —dijo ella.",
        "—Adiós",
        "Amor: palabra que todos usan y nadie define.",
        "Fecha memorable aquella en que aprendí a callar.",
        "Page after page, the same story.",
        "Todo fluye (Heráclito)",
        "The war of 1914-1918 changed everything.",
        "It began in 1969 ([ARPANET](https://example.com/arpa))",
    ],
)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert read(f"# Citas\n\n{text}\n\nOtra.") == [(text, "", None), ("Otra.", "", None)]


def test_a_heading_that_says_when_quotes_were_added_opens_them_again() -> None:
    text = "# T\n\n## Highlights\n- One.\n## New highlights added May 2, 2023 at 9:12 AM\n- Two.\n"
    assert [quote.text for quote in parse_quotes(text).quotes] == ["One.", "Two."]


def test_an_outline_with_headings_in_its_items_and_pages_above_texts_without_a_heading() -> None:
    assert read("- ## Highlights\n\t- Be brief.\n") == [("Be brief.", "", None)]
    assert read("# T\n\n## One\n### Page 12 @ 14 March 2024\n*Be brief.*\n\n---\nmine\n") == [
        ("Be brief.", "One", "12")
    ]
