"""Takes the lyrics out of a page: the element with most short lines of text and fewest links."""

import contextlib
import json
import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

_NOISE = (
    "script, style, nav, header, footer, aside, form, button, iframe, svg, template, select, rp, "
    "[hidden], [style*='display:none'], [style*='display: none'], #comments, .comments, .comment"
)
_BLOCKS = (
    "div, p, pre, li, tr, td, dt, dd, h1, h2, h3, h4, article, section, blockquote, "
    "[style*='display:block'], [style*='display: block'], [class*='line']"
)
_READINGS = "rt, .rt, .furigana, .yomigana"
_MARKUP = re.compile(r"<(?:br|p|div|span|ruby|html|body)\b[^<>]*>", re.IGNORECASE)
_DATA = re.compile(r'"(?:lyrics?|lyricsText|lyricsBody|text|body)"\s*:\s*"((?:[^"\\]|\\.){20,20000})"')
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30faー]+")
_ANY_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_WIDE = re.compile(r"[\u3000-\u9fff\uff01-\uff60]")
_HOLDERS = (
    "div, p, pre, article, section, table, td, main, span, blockquote, ul, ol, dl, dd, textarea, "
    "noscript, center, font"
)
_LONGEST_LINE = 90
_SENTENCE = 20
_MOST_STANZAS = 60
_INNER = "div, p, ul, ol, table, h1, h2, h3, h4, b, strong, time, img"
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
    tree = _opened(page)
    scored = _scored([[node] for node in tree.css(_HOLDERS)[:4000]] + _alike(tree))
    best = max((score for score, _ in scored), default=0.0)
    if best < _FEWEST_LINES:
        return _in_data(page)
    # of all that hold nearly as much, the smallest is the block itself
    return min(("\n".join(lines) for score, lines in scored if score >= best * 0.85), key=len)


def plain_text(text: str) -> str:
    """Text that was copied with its markup (`<br>`, `<ruby>`) without it."""
    if not _MARKUP.search(text) or _too_deep(text):
        return text
    return "\n".join(line.strip() for line in str(_opened(text).text()).split("\n")).strip()


def _opened(page: str) -> LexborHTMLParser:
    """The page without what is no text, a line for each block, readings in brackets."""
    tree = LexborHTMLParser(page)
    for node in tree.css(_NOISE):
        node.decompose()
    for line_break in tree.css("br"):
        line_break.replace_with("\n")
    for block in tree.css(_BLOCKS):
        block.insert_before("\n")
        block.insert_after("\n")
    for reading in tree.css(_READINGS):
        kana = reading.text().strip()
        reading.replace_with(f"《{kana}》" if _KANA.fullmatch(kana) else "")
    return tree


def _alike(tree: LexborHTMLParser) -> list[list[LexborNode]]:
    """Stanzas in elements of their own, of one class, with something between them; a comment has elements
    inside, for its author and its text."""
    groups: dict[str, list[LexborNode]] = {}
    for node in tree.css("div[class], p[class], section[class], div[data-lyrics-container]")[:600]:
        groups.setdefault(f"{node.tag} {node.attributes.get('class')} {sorted(node.attributes)}", []).append(
            node
        )
    return [
        nodes
        for nodes in groups.values()
        if 1 < len(nodes) < _MOST_STANZAS and not any(map(_holds_more, nodes))
    ]


def _holds_more(node: LexborNode) -> bool:
    return any(inner.mem_id != node.mem_id for inner in node.css(_INNER))


def _in_data(page: str) -> str:
    """Lyrics that a page carries for its script to show."""
    for written in _DATA.findall(page):
        with contextlib.suppress(ValueError):
            text = str(json.loads(f'"{written}"', strict=False))
            if text.count("\n") >= _FEWEST_LINES - 1:
                return text.strip()
    return ""


def _too_deep(page: str) -> bool:
    """Whether more elements are open at once than any real page has; the parser would take minutes."""
    depth = 0
    for tag in _TAG.finditer(page):
        if tag[2].lower() not in _UNCLOSED:
            depth = max(0, depth - 1) if tag[1] else depth + 1
        if depth > _MOST_OPEN:
            return True
    return False


def _scored(holders: list[list[LexborNode]]) -> list[tuple[float, list[str]]]:
    """Each holder's score and lines. Nested ones are read again and again, so a page can make this endless:
    very deep holders are passed over, and reading ends at a bound."""
    scored: list[tuple[float, list[str]]] = []
    read = 0
    for nodes in holders:
        if _is_deep(nodes[0]):
            continue
        lines = [line for node in nodes for line in _lines(node)]
        read += sum(map(len, lines)) + len(lines)
        if read > _MOST_READ:
            break
        scored.append((_score(nodes, lines), lines))
    return scored


def _is_deep(node: LexborNode) -> bool:
    above = node.parent
    for _ in range(_DEEPEST):
        if above is None:
            return False
        above = above.parent
    return True


def _lines(node: LexborNode) -> list[str]:
    lines = [re.sub(r"[ \t\u3000]+", " ", line).strip() for line in str(node.text()).split("\n")]
    return [line for line in lines if line]


def _score(nodes: list[LexborNode], lines: list[str]) -> float:
    """Short lines with letters, less those that are links or sentences of prose; Japanese ones count more."""
    short = [line for line in lines if not _is_prose(line) and re.search(r"[^\W\d_]", line)]
    linked = sum(len(anchor.text()) for node in nodes for anchor in node.css("a"))
    share = 1 - min(1.0, linked / max(1, sum(map(len, lines))))
    prose = len(lines) - len(short)
    japanese = 1.5 if 2 * sum(bool(_ANY_KANA.search(line)) for line in short) > len(short) else 1.0
    return (len(short) - 2 * prose) * share**2 * japanese


def _is_prose(line: str) -> bool:
    """Too long for one breath (a kana is as wide as two letters), or a sentence with its full stop."""
    return len(line) + len(_WIDE.findall(line)) > _LONGEST_LINE or ("。" in line and len(line) > _SENTENCE)
