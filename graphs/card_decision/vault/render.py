"""A piece of a note's Markdown as HTML for an Anki field."""

import functools
import html
import re
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from graphs.card_decision.vault.inline_rules import ALLOWED_TAGS, install
from graphs.card_decision.vault.lines import CODE, MATH, META, scan

Resolver = Callable[[str], str | None]

_CALLOUT = re.compile(r"^((?:\s*>)+)\s*\[!([\w-]+)\][-+]?[ \t]*(.*)$")
_BLOCK_ID = re.compile(r"(?:(?<=\s)|^)\^[A-Za-z0-9-]+\s*$")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_COMMENT = re.compile(r"%%.*?%%|<!--.*?-->", re.S)
_ADDRESS = re.compile(r"(?:https?|mailto|obsidian):", re.I)
_PICTURE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);", re.I)
_ONE_PARAGRAPH = re.compile(r"\A<p>((?:(?!</?p>).)*)</p>\s*\Z", re.S)
_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title"}, "img": {"src", "alt", "title", "width", "height"}, "code": {"class"},
    "pre": {"class"}, "td": {"align", "style"}, "th": {"align", "style"}, "ol": {"start"}, "abbr": {"title"},
    "span": {"class"}, "div": {"class"},
}  # fmt: skip


@dataclass
class Rendered:
    """HTML for a field, the vault files it shows, and what could not be shown."""

    html: str
    media: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def by_name(target: str) -> str | None:
    """The file's own name: what a field shows where nobody looked into the vault."""
    name = target.replace("\\", "/").rsplit("/", 1)[-1]
    return name or None


@functools.lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": True, "breaks": True}).enable(["table", "strikethrough"])
    md.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    install(md)
    md.add_render_rule("math_inline", _inline_math)
    md.add_render_rule("math_inline_double", _block_math)
    md.add_render_rule("math_block", _block_math)
    return md


def _inline_math(self: Any, tokens: list[Token], at: int, options: Any, env: MutableMapping[str, Any]) -> str:
    return rf"\({html.escape(tokens[at].content.strip(), False)}\)"


def _block_math(self: Any, tokens: list[Token], at: int, options: Any, env: MutableMapping[str, Any]) -> str:
    return rf"\[{html.escape(tokens[at].content.strip(), False)}\]"


def render(markdown: str, resolve: Resolver = by_name) -> Rendered:
    """Markdown → cleaned HTML. What the note says is kept; what only Obsidian needs is dropped."""
    result = Rendered("")
    env: dict[str, Any] = {"resolve": resolve, "media": result.media, "warnings": result.warnings}
    raw = _parser().render(prepared(markdown), env)
    result.html = _unwrapped(cleaned(raw.strip()))
    result.media[:] = list(dict.fromkeys(result.media))
    result.warnings[:] = list(dict.fromkeys(result.warnings))
    return result


def cleaned(raw: str) -> str:
    """Only the tags and attributes a card needs, serialised as a browser would."""
    return nh3.clean(
        raw,
        tags=set(ALLOWED_TAGS),
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto", "obsidian", "data"},
        attribute_filter=_kept_attribute,
        filter_style_properties={"text-align"},
        link_rel=None,
        strip_comments=True,
    ).strip()


def _kept_attribute(tag: str, name: str, value: str) -> str | None:
    """A link into the vault leads nowhere from Anki, and only a picture may carry its own data."""
    if tag == "a" and name == "href":
        return value if _ADDRESS.match(value) else None
    if value.lower().startswith("data:"):
        return value if name == "src" and _PICTURE.match(value) else None
    return value


def _unwrapped(text: str) -> str:
    """A single paragraph needs no <p> in Anki."""
    match = _ONE_PARAGRAPH.match(text)
    return match[1].strip() if match else text


def prepared(markdown: str) -> str:
    """Drop comments and block ids, turn callout heads into bold titles; code is left alone."""
    if not any(mark in markdown for mark in ("%%", "<!--", "^", "[!")):
        return markdown
    lines = scan(f"\n{markdown}")
    rows: list[str] = []
    for row, kind in zip(lines.text[1:], lines.kind[1:], strict=True):
        if kind in (CODE, MATH):
            rows.append(row)
        elif kind != META:
            rows += _prepared_row(row)
    return "\n".join(rows)


def _prepared_row(row: str) -> list[str]:
    if "%%" in row or "<!--" in row:
        row = _outside_code(row, lambda text: _COMMENT.sub("", text))
    if "^" in row:
        row = _BLOCK_ID.sub("", row)
    if "[!" in row and (match := _CALLOUT.match(row)):
        title = match[3].strip() or match[2].capitalize()
        return [f"{match[1]} **{title}**", match[1]]
    return [row]


def _outside_code(row: str, change: Callable[[str], str]) -> str:
    parts, last = [], 0
    for span in _CODE_SPAN.finditer(row):
        parts += [change(row[last : span.start()]), span[0]]
        last = span.end()
    return "".join([*parts, change(row[last:])])


def plain_text(field_html: str) -> str:
    """A field as a reader sees it: no tags, entities read, spaces joined."""
    text = re.sub(r"<(?:br|/p|/li|/tr|/h\d|/div|/pre|hr)\b[^>]*>", "\n", field_html)
    text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return re.sub(r"[ \t]*\n\s*", "\n", re.sub(r"[ \t\xa0]+", " ", text)).strip()
