"""Finds captions among the lines of a page: a label such as `Figure 3.`, and the lines that go on from it.

A block of text as MuPDF sees it may hold a caption, the table below and the next paragraph, so lines count,
not blocks. It runs in the child process that touches PDFs, so it imports nothing of ours.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

MOST_CHARS = 600
_CAPTION = re.compile(
    r"\s*((?i:(?:(?:supplementary|supplemental|extended data|online|appendix)\s+)?(?:fig(?:ure|ura)?|"
    r"table|tab|tabla|tableau|tabelle|tabella|tabela|cuadro|gr[áa]fico|abb(?:ildung)?|chart|scheme|plate|diagram|map|"
    r"exhibit|graph|illustration|рис(?:унок)?|таблица|табл))\.?\s*(?:(?:[A-Z]\.?)?\d+(?:[.\-]\d+)*[A-Za-z]?|[IVXLC]+)"
    r"|[図图圖表]\s*\d+(?:[.\-–]\d+)*|(?:그림|표)\s*\d+(?:[.\-]\d+)*)"
    r"\s*(?:[.:|)—–．。：-](?![a-z\d])|\n|\s(?=[A-ZÀ-ÞА-Я\"“(])|(?<=\d)\s(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af「])|$)"
)
_TABLE = re.compile(
    r"^(?:supplement\w*\s|extended data\s|online\s|appendix\s)?(?:tab|cuadro|табл|表|표)", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|[·ꞏ‧]{5,}")
_DIVIDED = re.compile(r"[-‐\u00ad]$")


class Row(NamedTuple):
    """Text at one height of a block; upright coordinates even where the page is written sideways."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    size: float
    pieces: int
    box: tuple[float, ...]

    @property
    def width(self) -> float:
        """How far it reaches."""
        return self.right - self.left


def captions(blocks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every caption of a page, given its text blocks with lines and spans."""
    whole = [_rows(block["lines"]) for block in blocks if block.get("lines")]
    for number, rows in enumerate(whole):
        for at, row in enumerate(rows):
            found = _CAPTION.match(row.text)
            if found and not _LEADERS.search(row.text) and not (at and _flows(rows[at - 1], row)):
                alone = found.end() == len(row.text) and at + 1 == len(rows) and _TABLE.match(found.group(1))
                yield _caption(
                    found, rows[at:] + (whole[number + 1] if alone and number + 1 < len(whole) else [])
                )


def _caption(found: "re.Match[str]", rows: list[Row]) -> dict[str, Any]:
    label = " ".join(found.group(1).split())
    kind = "table" if _TABLE.match(label) else "figure"
    said, taken = rows[0].text[found.end() :].strip(), [rows[0]]
    for row in rows[1:]:
        goes_on = _flows(taken[-1]._replace(pieces=1), row) if said else _titles(taken[-1], row)
        if _CAPTION.match(row.text) or not goes_on:
            break
        said = f"{said[:-1]}{row.text}" if _is_divided(said, row.text) else f"{said} {row.text}"
        taken.append(row)
    box = _around([row.box for row in taken])
    return {"kind": kind, "label": label, "text": " ".join(said.split())[:MOST_CHARS], "box": list(box)}


def _is_divided(said: str, following: str) -> bool:
    return bool(_DIVIDED.search(said)) and following[:1].islower()


def _titles(label: Row, row: Row) -> bool:
    """Whether a row is the title of a table whose label stands alone above it."""
    height = max(label.bottom - label.top, 1.0)
    near = -0.5 * height < row.top - label.bottom < 2 * height
    return near and row.pieces == 1 and len(row.text.split()) >= 2 and row.left < label.right + height


def _flows(upper: Row, lower: Row) -> bool:
    """Whether one paragraph goes on from row to row: same size, close below, and the upper row full.

    A row is full where the first word of the next one had no room left in it.
    """
    height = max(upper.bottom - upper.top, 1.0)
    if lower.pieces > 1 or upper.pieces > 1 or abs(upper.size - lower.size) > 0.6:
        return False
    if lower.top - upper.bottom > 0.7 * height or lower.left > upper.right or upper.left > lower.right:
        return False
    first = lower.text.split(" ", 1)[0] if " " in lower.text else lower.text[:1]
    needed = lower.width * (len(first) + 1) / max(len(lower.text), 1)
    return upper.width + needed >= 0.97 * max(upper.width, lower.width)


def _rows(lines: list[dict[str, Any]]) -> list[Row]:
    """Lines of a block that stand at one height together, in the order the block has them."""
    rows: list[Row] = []
    for line in lines:
        placed = _placed(line)
        if placed is None:
            continue
        last = rows[-1] if rows else None
        if (
            last
            and not _CAPTION.match(placed.text)
            and abs(placed.top + placed.bottom - last.top - last.bottom) < last.bottom - last.top
        ):
            rows[-1] = _beside(last, placed)
        else:
            rows.append(placed)
    return rows


def _placed(line: dict[str, Any]) -> Row | None:
    text = "".join(span["text"] for span in line["spans"]).strip()
    if not text:
        return None
    x0, y0, x1, y1 = line["bbox"]
    along, down = line.get("dir", (1.0, 0.0))
    upright = (x0, y0, x1, y1)
    if abs(down) > abs(along):
        upright = (y0, -x1, y1, -x0) if down > 0 else (-y1, x0, -y0, x1)
    return Row(*upright, text, _usual_size(line["spans"]), 1, (x0, y0, x1, y1))


def _usual_size(spans: list[dict[str, Any]]) -> float:
    """The size of most characters: a word of a line may be set larger."""
    counts: dict[float, int] = {}
    for span in spans:
        size = round(span["size"], 1)
        counts[size] = counts.get(size, 0) + len(span["text"])
    return max(counts, key=lambda size: counts[size])


def _beside(row: Row, piece: Row) -> Row:
    """Two pieces at one height: one row, of one piece where only a label is set off from its text."""
    gap = piece.left - row.right
    label = bool(_CAPTION.fullmatch(row.text)) and gap < 4 * row.size
    text = f"{row.text}\n{piece.text}" if label else f"{row.text} {piece.text}"
    pieces = row.pieces + (gap > row.size and not label)
    edges = _around([row[:4], piece[:4]])
    return Row(*edges, text, piece.size, pieces, _around([row.box, piece.box]))


def _around(boxes: "list[tuple[float, ...]]") -> tuple[float, float, float, float]:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
