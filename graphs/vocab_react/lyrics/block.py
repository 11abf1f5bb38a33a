"""Takes the lyrics out of a page: the element with most short lines of text and fewest links."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

_NOISE = (
    "script, style, noscript, nav, header, footer, aside, form, button, iframe, svg, template, select, rp, "
    "[hidden], [style*='display:none'], [style*='display: none'], #comments, .comments, .comment"
)
_BLOCKS = "div, p, pre, li, tr, dt, dd, h1, h2, h3, h4, article, section, blockquote"
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30faー]+")
_HOLDERS = "div, p, pre, article, section, td, main, span, blockquote, ul, ol, dd"
_LONGEST_LINE = 90
_FEWEST_LINES = 4
_DEEPEST = 60
_MOST_OPEN = 400
_MOST_READ = 3_000_000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# what is never closed, or closes itself where the next one begins
_UNCLOSED = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "dd",
        "dt",
        "embed",
        "hr",
        "img",
        "input",
        "li",
        "link",
        "meta",
        "option",
        "p",
        "source",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "wbr",
    ]
)


def lyrics_block(page: str) -> str:
    """The densest block of lyrics in an HTML page (or the plain text itself); empty where there is none."""
    if "<" not in page:
        return page.strip()
    if _too_deep(page):
        return ""
    tree = LexborHTMLParser(page)
    for node in tree.css(_NOISE):
        node.decompose()
    for line_break in tree.css("br"):
        line_break.replace_with("\n")
    for block in tree.css(_BLOCKS):
        block.insert_before("\n")
        block.insert_after("\n")
    for reading in tree.css("rt"):
        kana = reading.text().strip()
        reading.replace_with(f"《{kana}》" if _KANA.fullmatch(kana) else "")
    scored = _scored(tree.css(_HOLDERS)[:4000])
    best = max((score for score, _ in scored), default=0.0)
    if best < _FEWEST_LINES:
        return ""
    # of all that hold nearly as much, the smallest is the block itself
    chosen = min((node for score, node in scored if score >= best * 0.9), key=lambda node: len(_text(node)))
    return "\n".join(_lines(chosen))


def _too_deep(page: str) -> bool:
    """Whether more elements are open at once than any real page has; the parser would take minutes."""
    depth = 0
    for tag in _TAG.finditer(page):
        if tag[2].lower() not in _UNCLOSED:
            depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > _MOST_OPEN:
            return True
    return False


def _scored(nodes: list[LexborNode]) -> list[tuple[float, LexborNode]]:
    """Each holder with its score. Nested ones are read again and again, so a page can make this endless:
    very deep holders are passed over, and reading ends at a bound."""
    scored: list[tuple[float, LexborNode]] = []
    read = 0
    for node in nodes:
        if _is_deep(node):
            continue
        lines = _lines(node)
        read += sum(map(len, lines)) + len(lines)
        if read > _MOST_READ:
            break
        scored.append((_score(node, lines), node))
    return scored


def _is_deep(node: LexborNode) -> bool:
    above = node.parent
    for _ in range(_DEEPEST):
        if above is None:
            return False
        above = above.parent
    return True


def _text(node: LexborNode) -> str:
    return str(node.text())


def _lines(node: LexborNode) -> list[str]:
    lines = [re.sub(r"[ \t\u3000]+", " ", line).strip() for line in _text(node).split("\n")]
    return [line for line in lines if line]


def _score(node: LexborNode, lines: list[str]) -> float:
    """Short lines with letters, less those that are links or sentences of prose."""
    short = [line for line in lines if len(line) <= _LONGEST_LINE and re.search(r"[^\W\d_]", line)]
    linked = sum(len(anchor.text()) for anchor in node.css("a"))
    share = 1 - min(1.0, linked / max(1, sum(map(len, lines))))
    prose = len(lines) - len(short)
    return (len(short) - 2 * prose) * share**2
