"""Pages whose lines are drawn in every order: columns read one after the other, tables row by row."""

import random
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.qgen_loop.documents import open_document
from graphs.qgen_loop.documents.reading_order import Line, in_reading_order
from tests.fakes import qgen_documents as made

PROSE = (
    "The harbour at Tarvik was dug by hand over eleven summers, and the men who dug it were paid in salt. "
    "When the first boats came in, the keeper of the light counted them from the gallery and wrote "
    "their names in a book that is still kept. Storms took the northern pier twice; each time it was rebuilt "
    "further out, on ground that the divers had tested with iron rods. Fish was landed before dawn and sold "
    "before noon, and what was left went to the smokehouse, where it hung for nine days over alder wood. In "
    "winter the ice closed the inner basin, so that sledges could be driven to the island without a bridge. "
)


def at(x: float, y: float, text: str, size: float = 10) -> Line:
    """A line as a page would hold it; letters are half as wide as high."""
    return Line(x, y, x + 0.5 * size * len(text), y + 1.3 * size, text)


def columns(count: int, rows: int, *, top: float = 100, shift: float = 0) -> list[Line]:
    """Columns of prose in reading order; `shift` lowers each against the one before."""
    chars = 96 // count
    words = textwrap.wrap(PROSE * 6, chars - 4)
    step = 5 * chars + 6
    return [
        at(60 + step * column, top + 13 * row + shift * column, words[column * rows + row])
        for column in range(count)
        for row in range(rows)
    ]


def row_by_row(lines: list[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: (line.top, line.left))


def drawn(lines: list[Line], order: str) -> list[Line]:
    if order == "shuffled":
        return random.Random(5).sample(lines, len(lines))
    return {"rows": row_by_row(lines), "backwards": lines[::-1], "file": lines}[order]


@pytest.mark.parametrize("order", ["file", "rows", "backwards", "shuffled"])
@pytest.mark.parametrize("shift", [0, 5])
@pytest.mark.parametrize("count", [2, 3])
def test_columns_between_title_and_footer(order: str, shift: float, count: int) -> None:
    title, footer = at(150, 50, "A title over all the columns of a page", 16), at(295, 770, "17")
    body = columns(count, 30, shift=shift)
    assert in_reading_order([footer, *drawn([title, *body], order)]) == [title, *body, footer]


def test_a_figure_across_the_page_divides_the_columns() -> None:
    caption = at(60, 300, "Figure 1. The harbour and its three piers before the great storm, seen from above")
    upper, lower = columns(2, 12), columns(2, 12, top=340)
    page = [*upper, caption, *lower]
    assert in_reading_order(row_by_row(page)) == page


def test_a_blank_line_at_one_height_does_not_divide_columns() -> None:
    page = [line._replace(top=line.top + 12, bottom=line.bottom + 12) if line.top > 200 else line
            for line in columns(2, 24)]  # fmt: skip
    assert in_reading_order(row_by_row(page)) == page


def test_a_column_that_ends_early_or_starts_late() -> None:
    whole = columns(2, 30)
    early, late = whole[:32], whole[9:]
    assert in_reading_order(row_by_row(early)) == early
    assert in_reading_order(row_by_row(late)) == late


def test_a_line_that_juts_out_of_its_column() -> None:
    page = columns(2, 20)
    page[7] = page[7]._replace(right=page[7].right + 30)
    page[27] = page[27]._replace(left=page[27].left + 60)
    assert in_reading_order(row_by_row(page)) == page


def test_a_sideways_stamp_is_read_last() -> None:
    stamp, page = Line(10, 200, 24, 600, "stamp 1811.0042 of the harbour"), columns(2, 20)
    assert in_reading_order([stamp, *row_by_row(page)]) == [*page, stamp]
    assert in_reading_order([stamp, *page]) == [stamp, *page]


TABLE = """Harbour|Opened|Depth in metres|Keeper
Tarvik|1811|4.2|Ann Holm
North Quay|1902|7.5|Ida Moe
Skarn|1856|3.1|Ole Berg
Outer Basin|1877|5.4|Eva Lund"""
REPORT = """Feature of the harbour|What the inspectors noted
Stone pier in the north|Cracked along the waterline
Crane on the east quay|Replaced in spring
Dry dock behind the chapel|Pumps failed twice this year
Slipway for small boats|Silted up
Store for nets and rope|The roof leaks badly in autumn storms"""
CODE = """1|def harbour(boats):
2|    total = sum(boat.tons for boat in boats)
3|    if total > LIMIT:
4|        raise Full(total, LIMIT)
5|    return total"""
BULLETS = """-|Fish was landed before dawn and sold before noon, on most days of the year
-|The ice closed the inner basin from December until the end of the month of March
-|Nobody remembers why the third pier was left unfinished after the second storm"""


@pytest.mark.parametrize("cells", [TABLE, REPORT, CODE, BULLETS])
def test_rows_are_not_torn_apart(cells: str) -> None:
    places = (60, 84) if cells in (CODE, BULLETS) else (60, 220, 320, 420)
    rows = [
        at(x, 300 + 14 * number, cell)
        for number, row in enumerate(cells.splitlines())
        for x, cell in zip(places, row.split("|"), strict=False)
    ]
    above = [at(60, 100 + 14 * n, text) for n, text in enumerate(textwrap.wrap(PROSE, 90))]
    footer = at(60, 700, "1 A note at the foot of the page")
    assert in_reading_order([footer, *above, *rows]) == [*above, *rows, footer]


def test_a_wide_table_right_above_columns_stays_whole() -> None:
    table = [
        at(x, 100 + 13 * number, cell)
        for number, row in enumerate(TABLE.splitlines())
        for x, cell in zip((60, 190, 310, 440), row.split("|"), strict=True)
    ]
    caption = at(60, 87, "Table 1. Harbours and their keepers")
    page = [caption, *table, *columns(2, 14, top=100 + 13 * 5)]
    assert in_reading_order(row_by_row(page)) == page


def test_cells_of_several_lines_are_read_as_written() -> None:
    words, page = textwrap.wrap(PROSE * 2, 40), []
    for row in range(5):
        page += [at(60, 100 + 60 * row + 13 * n, words[6 * row + n]) for n in range(3)]
        page += [at(320, 100 + 60 * row + 13 * n, words[6 * row + 3 + n]) for n in range(3)]
    assert in_reading_order(page) == page


def test_right_to_left_pages_stay_as_they_are() -> None:
    page = [line._replace(text="حبيبي " * 5) for line in row_by_row(columns(2, 10))]
    assert in_reading_order(page) == page


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from([2, 3]))
def test_any_order_of_drawing_reads_the_same(dice: random.Random, count: int) -> None:
    page = columns(count, 15)
    assert in_reading_order(dice.sample(page, len(page))) == page


@settings(max_examples=80)
@given(
    st.lists(
        st.tuples(
            *[st.integers(-50, 700)] * 2, *[st.integers(0, 400)] * 2, st.sampled_from(PROSE.split(". "))
        ),
        max_size=40,
    )
)
def test_no_line_is_lost_or_doubled(boxes: list[tuple[int, int, int, int, str]]) -> None:
    page = [Line(x, y, x + width, y + height, text) for x, y, width, height, text in boxes]
    assert sorted(in_reading_order(page)) == sorted(page)


def test_through_the_file(tmp_path: Path) -> None:
    page = columns(2, 30)
    shown = b"".join(
        made.show([line.text], x=int(line.left), y=int(792 - line.bottom), size=9)
        for line in row_by_row(page)
    )
    path = tmp_path / "columns.pdf"
    path.write_bytes(made.pages_pdf([made.show(["17"], x=300, y=20) + shown]))
    assert open_document(path).lines == [*(line.text for line in page), "17"]


def test_a_line_stretched_to_its_column_comes_whole() -> None:
    above, below = at(60, 100, "a line of the left column"), at(60, 126, "goes on with the next one")
    words = [at(60, 113, "against"), at(110, 113, "the"), at(140, 113, "other"), at(175, 113, "side")]
    words[-1] = words[-1]._replace(left=above.right - 20, right=above.right)
    gap = (words[-1].left - words[0].right - 40) / 3
    words[1] = words[1]._replace(left=words[0].right + gap, right=words[0].right + gap + 15)
    words[2] = words[2]._replace(left=words[1].right + gap, right=words[1].right + gap + 25)
    ordered = in_reading_order([above, *words, below])
    assert [line.text for line in ordered] == [above.text, "against the other side", below.text]
    apart = [words[0], words[1], words[3]]
    assert in_reading_order([above, *apart, below]) == [above, *apart, below]
    cells = [[cell._replace(top=13.0 * row, bottom=13.0 * row + 13) for cell in words] for row in range(8)]
    table = [cell for row in cells for cell in row]
    assert in_reading_order(table) == table
