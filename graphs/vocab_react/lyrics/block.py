"""Takes the lyrics out of a page: the element with most short lines of text and fewest links."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

_NOISE = "script, style, noscript, nav, header, footer, aside, form, button, iframe, svg, template, select"
_HOLDERS = "div, p, pre, article, section, td, main, span, blockquote"
_LONGEST_LINE = 90
_FEWEST_LINES = 4


def lyrics_block(page: str) -> str:
    """The densest block of lyrics in an HTML page (or the plain text itself); empty where there is none."""
    if "<" not in page:
        return page.strip()
    tree = LexborHTMLParser(page)
    for node in tree.css(_NOISE):
        node.decompose()
    for line_break in tree.css("br"):
        line_break.replace_with("\n")
    scored = [(_score(node), node) for node in tree.css(_HOLDERS)[:4000]]
    best = max((score for score, _ in scored), default=0.0)
    if best < _FEWEST_LINES:
        return ""
    # of all that hold nearly as much, the smallest is the block itself
    chosen = min((node for score, node in scored if score >= best * 0.9), key=lambda node: len(_text(node)))
    return "\n".join(_lines(chosen))


def _text(node: LexborNode) -> str:
    return str(node.text(separator="\n" if node.css_first("p, div, li") else ""))


def _lines(node: LexborNode) -> list[str]:
    lines = [re.sub(r"[ \t\u3000]+", " ", line).strip() for line in _text(node).split("\n")]
    return [line for line in lines if line]


def _score(node: LexborNode) -> float:
    """Short lines with letters, less those that are links or sentences of prose."""
    lines = _lines(node)
    short = [line for line in lines if len(line) <= _LONGEST_LINE and re.search(r"[^\W\d_]", line)]
    linked = sum(len(anchor.text()) for anchor in node.css("a"))
    share = 1 - min(1.0, linked / max(1, sum(map(len, lines))))
    prose = len(lines) - len(short)
    return (len(short) - 2 * prose) * share**2
