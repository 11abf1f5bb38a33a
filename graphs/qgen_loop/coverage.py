"""How much of a document has been looked at, and where to look next."""

from bisect import bisect_left

from graphs.qgen_loop.documents.document import Document

Span = list[int]


def merged(spans: list[Span], start: int, end: int) -> list[Span]:
    """Line ranges with one more, sorted and without overlaps."""
    ordered = sorted([*spans, [start, end]])
    result: list[Span] = []
    for low, high in ordered:
        if result and low <= result[-1][1] + 1:
            result[-1] = [result[-1][0], max(result[-1][1], high)]
        else:
            result.append([low, high])
    return result


def with_spans(spans: list[Span], more: list[Span]) -> list[Span]:
    """Two lists of line ranges as one."""
    for low, high in more:
        spans = merged(spans, low, high)
    return spans


def share(document: Document, spans: list[Span]) -> float:
    """The share of lines with text that lies in the ranges, 0 to 1."""
    filled = [number for number, line in enumerate(document.lines, start=1) if line.strip()]
    if not filled:
        return 1.0
    seen = sum(bisect_left(filled, high + 1) - bisect_left(filled, low) for low, high in spans)
    return min(1.0, seen / len(filled))


def next_window(document: Document, spans: list[Span], size: int) -> tuple[int, int]:
    """The largest stretch not looked at yet, cut to `size` lines; from the start once all was seen."""
    total = document.total_lines
    gaps: list[tuple[int, int]] = []
    position = 1
    for low, high in sorted(spans):
        if low > position:
            gaps.append((position, low - 1))
        position = max(position, high + 1)
    if position <= total:
        gaps.append((position, total))
    if not gaps:
        return 1, min(size, total)
    low, high = max(gaps, key=lambda gap: (gap[1] - gap[0], -gap[0]))
    return low, min(high, low + size - 1)
