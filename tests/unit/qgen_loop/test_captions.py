"""Captions among the lines of a page: where they begin, where they end, and what only looks like one."""

from typing import Any

import pytest

from graphs.qgen_loop.documents.pdf_captions import captions

WIDTH = 5.0


def line(text: str, *, x: float = 60, y: float = 100, size: float = 10, way: tuple[int, int] = (1, 0)) -> Any:
    width = WIDTH * len(text) * size / 10
    box = (x, y, x + width, y + size) if way == (1, 0) else (x, y - width, x + size, y)
    return {"bbox": box, "dir": way, "spans": [{"text": text, "size": size}]}


def block(*lines: Any) -> dict[str, Any]:
    return {"lines": list(lines)}


def found(*blocks: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(item["kind"], item["label"], item["text"]) for item in captions(list(blocks))]


def rows(*texts: str, x: float = 60, top: float = 100) -> list[Any]:
    return [line(text, x=x, y=top + 12 * number) for number, text in enumerate(texts)]


def test_a_caption_does_not_swallow_the_table_below_or_the_text_after_it() -> None:
    cells = [line(text, x=60 + 120 * column, y=112) for column, text in enumerate(("Plot", "Trees", "Soil"))]
    text = rows("The stand was thinned in the second year of the survey,", "then left alone.", top=124)
    page = block(line("Table 1: Mean height by plot"), *cells, *text)
    assert found(page) == [("table", "Table 1", "Mean height by plot")]


def test_a_caption_below_its_table_is_found_within_the_block() -> None:
    cells = [line(text, x=60 + 120 * column, y=88) for column, text in enumerate(("West", "87", "peat"))]
    page = block(*cells, *rows("Table 2. Trees of the four plots by soil and by", "year of planting"))
    assert found(page) == [("table", "Table 2", "Trees of the four plots by soil and by year of planting")]


def test_a_caption_ends_where_the_next_word_had_room() -> None:
    page = block(
        *rows("Figure 3. The lamp in use", "The tower was finished after four winters of work on the")
    )
    assert found(page) == [("figure", "Figure 3", "The lamp in use")]


def test_a_word_divided_at_the_line_end_is_put_together() -> None:
    page = block(*rows("Fig. 4a Growth of the pine stand between the two sur-", "veys"))
    assert found(page) == [("figure", "Fig. 4a", "Growth of the pine stand between the two surveys")]


@pytest.mark.parametrize(
    "text",
    [
        "Table 2 shows the costs of all four variants.",
        "Table 1.1 is modified from an older one.",
        "Figure 4.1. Example Title Page . . . . . . . . . . . . 16",
        "figure1.pdf",
        "Map of the harbour",
    ],
)
def test_what_only_looks_like_a_caption(text: str) -> None:
    assert found(block(line(text))) == []


def test_a_label_at_the_start_of_a_line_of_running_text() -> None:
    page = block(
        *rows("The depth of every basin of the harbour is given in", "Table 2. The second basin is deeper.")
    )
    assert found(page) == []


def test_a_label_on_a_line_of_its_own() -> None:
    assert found(block(line("Table 1")), block(line("Sample of the first survey", y=124))) == [
        ("table", "Table 1", "Sample of the first survey")
    ]
    assert found(block(line("Figure 1")), block(line("The text goes on below the figure", y=124))) == [
        ("figure", "Figure 1", "")
    ]


def test_a_label_set_off_from_its_text_and_captions_side_by_side() -> None:
    page = block(line("Table 1"), line("keepers and their pay", x=120))
    assert found(page) == [("table", "Table 1", "keepers and their pay")]
    pair = block(line("Figure 1. The lamp"), line("Figure 2. The bell", x=300))
    assert [label for _, label, _ in found(pair)] == ["Figure 1", "Figure 2"]


@pytest.mark.parametrize(
    ("text", "kind", "label"),
    [
        ("図1 湖の水位の変化", "figure", "図1"),
        ("图2-1 水位的变化", "figure", "图2-1"),
        ("表 3：各站的物种", "table", "表 3"),
        ("그림 2. 호수의 수위", "figure", "그림 2"),
        ("Tabela 2 – Custos", "table", "Tabela 2"),
        ("Supplementary Table S3. Doses", "table", "Supplementary Table S3"),
        ("Рисунок 4 – Схема", "figure", "Рисунок 4"),
    ],
)
def test_labels_of_many_languages(text: str, kind: str, label: str) -> None:
    assert [item[:2] for item in found(block(line(text)))] == [(kind, label)]


def test_sideways_captions_are_read_in_their_own_direction() -> None:
    upper = line("Table 5. Wages by trade and by year in the four", x=100, y=600, way=(0, -1))
    lower = line("parishes", x=112, y=600, way=(0, -1))
    assert found(block(upper, lower)) == [
        ("table", "Table 5", "Wages by trade and by year in the four parishes")
    ]
