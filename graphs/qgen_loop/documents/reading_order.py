"""Puts the lines of a page in the order people read them: column after column, but a table row by row.

The order in which a file draws its lines is kept wherever it reads downwards; columns are taken apart only
where both sides of an empty strip look like running text. It runs in the child process that touches PDFs, so
it imports nothing of ours.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import NamedTuple

MOST_LINES = 2000
MOST_DEPTH = 6
MOST_RUNS = 60
LEAST_ROWS = 3
LEAST_CHARS = 18
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Line(NamedTuple):
    """A line of text and the box it fills; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


class Band(NamedTuple):
    """Neighbouring lines from top to bottom, and how they lie about a gutter."""

    lines: list[Line]
    kind: str


Strip = tuple[float, float]


def in_reading_order(lines: list[Line]) -> list[Line]:
    """The same lines as a person reads them; sideways and right-to-left pages stay as the file has them."""
    if _stacked(lines) or len(lines) > MOST_LINES:
        return lines
    level = [line for line in lines if not _sideways(line)]
    foreign = sum(bool(_RIGHT_TO_LEFT.search(line.text)) for line in lines)
    if len(level) < 0.75 * len(lines) or foreign > 0.2 * len(lines):
        return lines
    ordered = _arranged(level, MOST_DEPTH)
    return _unstretched(lines if ordered == level else ordered + [line for line in lines if _sideways(line)])


def _unstretched(lines: list[Line]) -> list[Line]:
    """The same lines, with the words of a justified line that stand so far apart that each came alone put
    together: they fill exactly the width of the line above or below, which came whole."""
    if not any(_beside(*pair) for pair in pairwise(lines)):
        return lines
    rows: list[list[Line]] = []
    for line in lines:
        if rows and _beside(rows[-1][-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    kept: list[Line] = []
    for at, row in enumerate(rows):
        near = [other[0] for other in (*rows[max(at - 2, 0) : at], *rows[at + 1 : at + 3]) if len(other) == 1]
        kept.extend([_whole(row)] if len(row) > 1 and any(_fills(row, other) for other in near) else row)
    return kept


def _beside(one: Line, other: Line) -> bool:
    return other.left > one.right and other.top < (one.top + one.bottom) / 2 < other.bottom


def _fills(row: list[Line], line: Line) -> bool:
    """Whether the words of a row stretch evenly over the very width of a line of the same column."""
    height = line.bottom - line.top
    gaps = [after.left - before.right for before, after in pairwise(row)]
    even = max(gaps) < 1.5 * min(gaps) + 1 and max(gaps) < 4 * height
    edges = abs(row[0].left - line.left) < 1.5 and abs(row[-1].right - line.right) < 1.5
    near = min(abs(row[0].top - line.bottom), abs(line.top - row[0].bottom)) < 2 * height
    return even and edges and near and all(len(word.text.split()) == 1 for word in row)


def _whole(row: list[Line]) -> Line:
    tops, bottoms = [line.top for line in row], [line.bottom for line in row]
    text = " ".join(line.text.strip() for line in row)
    return Line(row[0].left, min(tops), row[-1].right, max(bottoms), text)


def _stacked(lines: list[Line]) -> bool:
    """Whether every line stands wholly below the one before, as on most pages: nothing to do."""
    return all(after.top + after.bottom >= 2 * before.bottom for before, after in pairwise(lines))


def _sideways(line: Line) -> bool:
    tall = line.bottom - line.top > 2 * (line.right - line.left)
    return tall and len(line.text.strip()) > 2


def _height(lines: list[Line]) -> float:
    return max(median(line.bottom - line.top for line in lines), 1.0)


def _arranged(lines: list[Line], depth: int) -> list[Line]:
    """Columns one after the other where there are any, each arranged in turn."""
    if depth and len(lines) >= 2 * LEAST_ROWS:
        for strip in _gutters(lines):
            bands = _bands(lines, strip)
            if any(band.kind == "columns" for band in bands):
                return [line for band in bands for line in _read(band, strip, depth - 1)]
    return _settled(lines)


def _read(band: Band, strip: Strip, depth: int) -> list[Line]:
    if band.kind != "columns":
        return _arranged(band.lines, depth)
    left, right = _sides(band.lines, strip)
    return _arranged(left, depth) + _arranged(right, depth)


def _sides(lines: list[Line], strip: Strip) -> tuple[list[Line], list[Line]]:
    """Lines that begin left of the gutter, and the others."""
    middle = sum(strip) / 2
    return [line for line in lines if line.left < middle], [line for line in lines if line.left >= middle]


def _gutters(lines: list[Line]) -> Iterator[Strip]:
    """The few upright strips that most rows leave empty between two of their lines, best first."""
    least = 0.4 * _height(lines)
    gaps = _gaps(lines, least)
    for _ in range(4):
        edges = sorted([(gap[0], 1) for gap in gaps] + [(gap[1], -1) for gap in gaps])
        depth, best, strip = 0, 0, (0.0, 0.0)
        for (at, step), (following, _) in pairwise(edges):
            depth += step
            if depth > best and following - at >= least:
                best, strip = depth, (at, following)
        if best < 2:
            return
        yield strip
        gaps = [gap for gap in gaps if gap[1] <= strip[0] or gap[0] >= strip[1]]


def _gaps(lines: list[Line], least: float) -> list[Strip]:
    """The empty stretch right of every line, up to the next line at the same height."""
    falling = sorted(lines, key=lambda line: line.top)
    nearest: dict[int, float] = {}
    for at, line in enumerate(falling):
        for beside in range(at + 1, len(falling)):
            other = falling[beside]
            if other.top >= (line.top + line.bottom) / 2:
                break
            first, second = (at, beside) if line.left <= other.left else (beside, at)
            start = falling[second].left
            if start - falling[first].right >= least:
                nearest[first] = min(nearest.get(first, start), start)
    return [(falling[at].right, start) for at, start in nearest.items()]


def _bands(lines: list[Line], strip: Strip) -> list[Band]:
    """The page from top to bottom, cut at lines that span the gutter and at white space right across."""
    falling = sorted(lines, key=lambda line: line.top)
    least = _white(falling)
    groups: list[tuple[bool, list[Line]]] = []
    bottom = 0.0
    for line in falling:
        spans = _spans(line, falling, strip)
        if not groups or groups[-1][0] != spans or line.top - bottom > least:
            groups.append((spans, []))
            bottom = line.bottom
        groups[-1][1].append(line)
        bottom = max(bottom, line.bottom)
    groups = [
        (spans, part)
        for spans, group in groups
        for part in ([group] if spans else _tables_apart(group, strip))
    ]
    order = {id(line): at for at, line in enumerate(lines)}
    found = [sorted(group, key=lambda line: order[id(line)]) for _, group in groups]
    bands = [
        Band(part, "span" if spans else _kind(part, strip))
        for (spans, _), part in zip(groups, found, strict=True)
    ]
    return _joined(bands, 2 * _height(lines), strip, order)


def _tables_apart(lines: list[Line], strip: Strip) -> list[list[Line]]:
    """Rows of short cells right above columns of text, taken off them."""
    rows = _rows(lines)
    usual = [
        sorted(line.right - line.left for line in side)[int(0.9 * (len(side) - 1))] if side else 0.0
        for side in _sides(lines, strip)
    ]
    above = _cells(rows, strip, usual)
    if not above or len(rows) - above < LEAST_ROWS:
        return [lines]
    return [[line for row in part for line in row] for part in (rows[:above], rows[above:])]


def _cells(rows: list[list[Line]], strip: Strip, usual: list[float]) -> int:
    """How many rows, a caption first, hold only short lines; none unless two hold three cells or more."""
    last, wide = 0, 0
    for number, row in enumerate(rows, start=1):
        sides = _sides(row, strip)
        short = all(
            line.right - line.left < 0.6 * width
            for side, width in zip(sides, usual, strict=True)
            for line in side
        )
        caption = not wide and len(row) == 1 and number <= LEAST_ROWS
        if not (short or caption):
            break
        if short and all(sides) and len(row) > 2:
            last, wide = number, wide + 1
    return last if wide >= 2 else 0


def _white(lines: list[Line]) -> float:
    """How much empty height divides two bands: clearly more than the space between lines."""
    gaps = [below[0].top - above[0].bottom for above, below in pairwise(_rows(lines))]
    return max(0.6 * _height(lines), 1.3 * median(gaps) if gaps else 0.0)


def _spans(line: Line, lines: list[Line], strip: Strip) -> bool:
    """Whether a line lies across the gutter with nothing beside it; one that merely juts out has company."""
    if line.left >= strip[0] or line.right <= strip[1]:
        return False
    middle = (line.top + line.bottom) / 2
    beside = (other for other in lines if other is not line and other.top < middle < other.bottom)
    return not any(other.left >= strip[0] or other.right <= strip[1] for other in beside)


def _kind(lines: list[Line], strip: Strip) -> str:
    left, right = _sides(lines, strip)
    if not left or not right:
        return "side"
    if sum(line.left < strip[0] and line.right > strip[1] for line in lines) > 0.1 * len(lines):
        return "other"
    rows = [_rows(left), _rows(right)]
    if not all(map(_is_wordy, rows)):
        return "other"
    proven = [*map(_is_prose, rows)]
    return "columns" if all(proven) or (any(proven) and _alike(left, right)) else "short"


def _alike(left: list[Line], right: list[Line]) -> bool:
    """Whether two sides are equally wide, as where the last column of a text ends after a line or two."""
    one, other = (
        max(line.right for line in side) - min(line.left for line in side) for side in (left, right)
    )
    return min(len(left), len(right)) < LEAST_ROWS and min(one, other) >= 0.75 * max(one, other)


def _joined(bands: list[Band], reach: float, strip: Strip, order: dict[int, int]) -> list[Band]:
    """Bands that only a blank line divides are one: text goes on below it in the same column."""
    joined: list[Band] = []
    for band in bands:
        last = joined[-1] if joined else None
        if last and _belong(last, band, reach) and not _written_apart(last, band, strip, order):
            together = sorted(last.lines + band.lines, key=lambda line: order[id(line)])
            columns = "columns" in (last.kind, band.kind)
            joined[-1] = Band(together, "columns" if columns else band.kind)
        else:
            joined.append(band)
    return joined


def _belong(upper: Band, lower: Band, reach: float) -> bool:
    kinds = {upper.kind, lower.kind}
    if "columns" not in kinds or not kinds <= {"columns", "short", "side"}:
        return False
    near = min(line.top for line in lower.lines) - max(line.bottom for line in upper.lines) <= reach
    small = next((band for band in (upper, lower) if band.kind == "side"), None)
    return kinds == {"columns"} or (near and (small is None or _is_wordy(_rows(small.lines))))


def _written_apart(upper: Band, lower: Band, strip: Strip, order: dict[int, int]) -> bool:
    """Whether the file writes the upper band to its end, left then right, and only then the lower one."""
    for band in (upper, lower):
        left, right = ([order[id(line)] for line in side] for side in _sides(band.lines, strip))
        if not left or not right or max(left) > min(right) or max(len(left), len(right)) < 2:
            return False
    return max(order[id(line)] for line in upper.lines) < min(order[id(line)] for line in lower.lines)


def _rows(lines: list[Line]) -> list[list[Line]]:
    """Lines at one height together, from the top, each row from the left."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.top + line.bottom):
        if rows and (line.top + line.bottom) / 2 < rows[-1][0].bottom - 1:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.left) for row in rows]


def _is_wordy(rows: list[list[Line]]) -> bool:
    """Whether rows read like running text: several words, mostly letters."""
    texts = [" ".join(line.text.strip() for line in row) for row in rows]
    whole = "".join("".join(texts).split())
    wide = len(_WIDE.findall(whole)) > 0.5 * len(whole)
    letters = sum(map(str.isalpha, whole))
    if letters < 0.6 * len(whole):
        return False
    if wide:
        return median(map(len, texts)) >= LEAST_CHARS / 2
    return median(map(len, texts)) >= LEAST_CHARS and median(len(text.split()) for text in texts) >= 3


def _is_prose(rows: list[list[Line]]) -> bool:
    """Whether rows fill their column and go on in the middle of sentences, unlike the cells of a table."""
    if len(rows) < LEAST_ROWS:
        return False
    widths = [max(line.right for line in row) - row[0].left for row in rows]
    usual = sorted(widths)[int(0.8 * (len(widths) - 1))]
    full = sum(width >= 0.75 * usual for width in widths) / len(rows)
    even = sum(width >= 0.85 * usual for width in widths) / len(rows)
    opening = [row[0].text.lstrip()[:1] for row in rows]
    going_on = sum(not (letter.isupper() or letter.isdigit()) for letter in opening) / len(rows)
    return (full >= 0.5 and going_on >= 0.35) or even >= 0.8


def _settled(lines: list[Line]) -> list[Line]:
    """The file's order where it reads downwards; otherwise its stretches by height, or row by row."""
    runs: list[list[Line]] = [[]]
    for line in lines:
        if runs[-1] and (line.top + line.bottom) / 2 < runs[-1][-1].top and line.left < runs[-1][-1].right:
            runs.append([])
        runs[-1].append(line)
    if len(runs) == 1:
        return lines
    boxes = [_box(run) for run in runs]
    if len(runs) > MOST_RUNS or any(
        _meet(one, other) for at, one in enumerate(boxes) for other in boxes[:at]
    ):
        return [line for row in _rows(lines) for line in row]
    ranked = sorted(range(len(runs)), key=lambda at: (boxes[at][1], boxes[at][0]))
    return [line for at in ranked for line in runs[at]]


def _box(lines: list[Line]) -> tuple[float, float, float, float]:
    tops, bottoms = (line.top for line in lines), (line.bottom for line in lines)
    return min(line.left for line in lines), min(tops), max(line.right for line in lines), max(bottoms)


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two boxes share more than their edges, a little overlap of line heights allowed."""
    slack = 4.0
    return (
        one[0] < other[2] - slack
        and other[0] < one[2] - slack
        and one[1] < other[3] - slack
        and other[1] < one[3] - slack
    )
