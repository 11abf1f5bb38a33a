"""Hebrew and Arabic lines come out as they were typed, whatever a file draws first."""

import random
from pathlib import Path

import pytest

from graphs.qgen_loop.documents import open_document
from graphs.qgen_loop.documents.right_to_left import Char, Piece, as_typed, rows, runs_left

WIDTH = 10.0


def seen(visual: str, left: float = 0.0, *, top: float = 0.0, shuffled: int = 0) -> Piece:
    """A line of which every character is ten wide, as the eye sees it from the left."""
    chars = [Char(letter, left + WIDTH * at, left + WIDTH * (at + 1)) for at, letter in enumerate(visual)]
    random.Random(shuffled).shuffle(chars)
    text = "".join(char.text for char in chars)
    return Piece(left, top, left + WIDTH * len(visual), top + 12, 12.0, text, chars)


@pytest.mark.parametrize(
    ("visual", "typed"),
    [
        ("שלום", "םולש"),
        ("plain English", "any order, as it is"),
        (".םירטמ 15 אוה והבוג", "גובהו הוא 15 מטרים."),
        ("2,350-ל העיגה", "הגיעה ל-2,350"),
        ("ןוילימ $40.5 ,95% ךס", "סך 95%, $40.5 מיליון"),
        ("1935–1920 םינשב", "בשנים 1920–1935"),
        ("18-65 םיליג", "גילים 18-65"),
        ("20:00 דע", "עד 20:00"),
        ("הלע Herzog & de Meuron ידי לע", "על ידי Herzog & de Meuron עלה"),
        ("הנש Aleph 500 תכרעמ", "מערכת Aleph 500 שנה"),
        ("(Cohen et al., 2019) רקחמה", "המחקר (Cohen et al., 2019)"),
        ("(םיגח טעמל) חותפ", "פתוח (למעט חגים)"),
        (")םיגח טעמל( חותפ", "פתוח (למעט חגים)"),
        ("ةنيدملا %35 ةبسن", "نسبة 35% المدينة"),
        ("1935-1920 ماوعأ", "أعوام 1920-1935"),
        ("٢٥٠٠ ددع", "عدد ٢٥٠٠"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("shuffled", [0, 1])
def test_a_line_as_it_was_typed(visual: str, typed: str, shuffled: int) -> None:
    line = seen(visual, shuffled=shuffled)
    assert as_typed(line) == (typed if runs_left(visual) else line.text)


def test_vowel_signs_stand_behind_their_letters() -> None:
    before = [Char("ب", 90, 100), Char("ُ", 80, 80), Char("ك", 80, 80), Char("ت", 60, 70)]
    behind = [Char("ب", 90, 100), Char("ك", 80, 90), Char("ُ", 80, 80), Char("ت", 70, 80)]
    for chars in (before, behind):
        assert as_typed(Piece(60, 0, 100, 12, 12.0, "بكت", chars)) == "بكُت"


def test_words_without_spaces_between_are_told_apart_by_the_gap() -> None:
    chars = [Char("א", 90, 100), Char("ב", 80, 90), Char("ג", 65, 75), Char("ד", 55, 65)]
    assert as_typed(Piece(55, 0, 100, 12, 12.0, "אבגד", chars)) == "אב גד"


def test_parts_of_a_row_are_put_together() -> None:
    parts = [seen(" תנשב", 100), seen("1903", 60), seen("הנבנ ", 10), seen("תחא דוע", 0, top=20)]
    assert [as_typed(row) for row in rows(parts)] == ["בשנת 1903 נבנה", "עוד אחת"]
    cells = [seen("דחא", 100), seen("םיינש", 10)]
    assert [as_typed(row) for row in rows(cells)] == ["אחד", "שניים"]
    english = [seen("left", 0), seen("right", 40)]
    assert rows(english) == english


def test_a_line_without_places_stays() -> None:
    assert as_typed(Piece(0, 0, 10, 10, 12.0, "אבג", [])) == "אבג"


def test_a_pdf_that_runs_from_right_to_left(tmp_path: Path) -> None:
    """Letters A to D stand for Hebrew ones by the font's own map, as in files of real programs."""
    pairs = "".join(f"<{65 + at:02x}> <{0x5D0 + at:04x}>\n" for at in range(4))
    rest = "".join(f"<{code:02x}> <{code:04x}>\n" for code in map(ord, " .0139"))
    told = f"1 begincodespacerange <00> <ff> endcodespacerange 10 beginbfchar {pairs}{rest}endbfchar"
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R"
        " /Resources << /Font << /F 5 0 R >> >> >>",
        stream("BT /F 12 Tf 50 150 Td (.DC 1903 BA) Tj ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        stream(f"/CMapType 2 def {told}"),
    ]
    body = "".join(f"{at} 0 obj\n{part}\nendobj\n" for at, part in enumerate(parts, start=1))
    path = tmp_path / "hebrew.pdf"
    path.write_text(f"%PDF-1.4\n{body}trailer << /Root 1 0 R /Size 7 >>\n%%EOF\n")
    assert open_document(path).lines == ["אב 1903 גד."]


def stream(text: str) -> str:
    return f"<< /Length {len(text)} >>\nstream\n{text}\nendstream"
