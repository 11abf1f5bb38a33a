"""Pairs captions with what they belong to, so that one figure is listed once."""

from collections.abc import Iterable
from typing import Any

from graphs.qgen_loop.schemas import VisualElement

Tables = dict[int, list[list[list[str]]]]


def elements(pages: dict[int, dict[str, Any]], tables: Tables) -> list[VisualElement]:
    """The visual content of all pages, in page order, each with a reference of its own."""
    found: list[VisualElement] = []
    for number in sorted(pages):
        if "captions" in pages[number]:
            found.extend(_page_elements(number + 1, pages[number], tables.get(number + 1, [])))
    return _referenced(found)


def _page_elements(
    page: int, content: dict[str, Any], tables: list[list[list[str]]]
) -> Iterable[VisualElement]:
    captions = content["captions"]
    drawn = [("image", image) for image in content["images"]] + [
        ("figure", item) for item in content["figures"]
    ]
    figure_captions = [caption for caption in captions if caption["kind"] == "figure"]
    table_captions = [caption for caption in captions if caption["kind"] == "table"]
    for caption in figure_captions:
        nearest = min(drawn, key=lambda item: _distance(item[1]["box"], caption["box"]), default=None)
        if nearest is not None:
            drawn = [item for item in drawn if item is not nearest and not _inside(item[1], nearest[1])]
        yield VisualElement(type="figure", page=page, label=caption["label"], caption=caption["text"])
    for caption in table_captions:
        yield VisualElement(type="table", page=page, label=caption["label"], caption=caption["text"])
    for cells in tables[len(table_captions) :]:
        yield VisualElement(type="table", page=page, caption=_head(cells), note="no caption")
    if figure_captions or table_captions:
        # What is left on a page with captions is mostly parts of the captioned figures.
        drawn = [item for item in drawn if item[0] == "image"]
    for kind, item in drawn:
        yield _uncaptioned(page, kind, item)


def _uncaptioned(page: int, kind: str, item: dict[str, Any]) -> VisualElement:
    if kind == "figure":
        return VisualElement(
            type="figure", page=page, note=f"no caption; vector drawing of {item['paths']} paths"
        )
    whole = "covers the page" if item["share"] > 0.8 else "no caption"
    return VisualElement(type="image", page=page, note=f"{whole}; {item['size']}")


def _distance(box: list[float], caption: list[float]) -> float:
    """How far a caption is from a region: the gap above or below, then how far they are side by side."""
    above = max(caption[1] - box[3], box[1] - caption[3], 0.0)
    aside = max(caption[0] - box[2], box[0] - caption[2], 0.0)
    return above + 2 * aside


def _inside(item: dict[str, Any], other: dict[str, Any]) -> bool:
    a, b = item["box"], other["box"]
    return bool(a[0] >= b[0] - 12 and a[1] >= b[1] - 12 and a[2] <= b[2] + 12 and a[3] <= b[3] + 12)


def _head(cells: list[list[str]]) -> str:
    first = cells[0] if cells else []
    return " | ".join(" ".join(cell.split()) for cell in first)[:200]


def _referenced(found: list[VisualElement]) -> list[VisualElement]:
    """A label is the reference where it is unique; otherwise the page tells them apart."""
    labels = [element.label for element in found]
    counts: dict[tuple[str, int], int] = {}
    named: list[VisualElement] = []
    for element in found:
        key = (element.type, element.page)
        counts[key] = counts.get(key, 0) + 1
        plain = f"page {element.page} {element.type} {counts[key]}"
        unique = element.label and labels.count(element.label) == 1
        named.append(element.model_copy(update={"ref": element.label if unique else plain}))
    return named
