"""Obsidian's own inline marks for markdown-it: wikilinks, embeds, highlights, safe HTML."""

import html
import re
from collections.abc import MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

ALLOWED_TAGS = frozenset({
    "a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em",
    "figure", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li",
    "mark", "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "small", "span", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul",
})  # fmt: skip
_TAG = re.compile(r"</?([A-Za-z][\w-]*)([^<>]*)>")
_LATEX = re.compile(r"\\\((?! *\\\))(.+?)\\\)|\\\[([^\n]*?[\\^_=][^\n]*?)\\\]")
_TYPE_ARGUMENT = re.compile(r"<[A-Za-z_]\w*::[^\s<>]+>")
_FOOTNOTE = re.compile(r"\[\^(\d+|[A-Za-z]+-?\d+)\]:?")
_IMAGE = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".tif", ".tiff", ".ico")
_SOUND = (".mp3", ".wav", ".ogg", ".m4a", ".flac", ".opus", ".3gp", ".mp4", ".webm", ".mov", ".mkv")


def wikilink(state: StateInline, silent: bool) -> bool:
    """`[[Note|text]]` → its text; `![[file]]` → an embed."""
    embed = state.src.startswith("![[", state.pos)
    start = state.pos + (3 if embed else 2)
    if not embed and not state.src.startswith("[[", state.pos):
        return False
    end = state.src.find("]]", start)
    target = state.src[start:end]
    if end < 0 or not target.strip() or "\n" in target or "[[" in target:
        return False
    if not silent:
        token = state.push("obsidian_embed" if embed else "obsidian_link", "", 0)
        token.content = target
    state.pos = end + 2
    return True


def latex(state: StateInline, silent: bool) -> bool:
    """`\\(x\\)` and `\\[x^2\\]` are formulas to Anki; `\\[sic\\]` is only a bracket."""
    match = _LATEX.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        token = state.push("math_inline" if match[1] else "math_inline_double", "math", 0)
        token.content = match[1] or match[2]
    state.pos = match.end()
    return True


def dollar_before_code(state: StateInline, silent: bool) -> bool:
    """A dollar whose partner stands in code opens no formula."""
    if not state.src.startswith("$", state.pos) or state.src.startswith("$$", state.pos):
        return False
    closing = state.src.find("$", state.pos + 1, state.posMax)
    if closing < 0 or "`" not in state.src[state.pos : closing]:
        return False
    if not silent:
        state.pending += "$"
    state.pos += 1
    return True


def type_argument(state: StateInline, silent: bool) -> bool:
    """`lock_guard<std::mutex>` looks like an address in angle brackets and is a type."""
    match = _TYPE_ARGUMENT.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        state.pending += match[0]
    state.pos = match.end()
    return True


def footnote(state: StateInline, silent: bool) -> bool:
    """`[^1]`, and `[^1]:` where the note stands: its mark, raised."""
    match = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        state.push("footnote_open", "sup", 1)
        state.push("text", "", 0).content = match[1]
        state.push("footnote_close", "sup", -1)
    state.pos = match.end()
    return True


def link_text(target: str) -> str:
    """What Obsidian shows for a wikilink."""
    name, _, alias = target.replace("\\|", "|").partition("|")
    if alias.strip():
        return alias.strip()
    note, _, heading = name.partition("#")
    note = note.strip().rsplit("/", 1)[-1].removesuffix(".md")
    heading = heading.strip().lstrip("^")
    return " > ".join(part for part in (note, heading) if part)


def highlight(state: StateInline, silent: bool) -> bool:
    """`==x==` → <mark>."""
    if not state.src.startswith("==", state.pos):
        return False
    start = state.pos + 2
    end = state.src.find("==", start)
    inner = state.src[start:end]
    if end < 0 or not inner.strip() or inner != inner.strip() or inner.startswith("="):
        return False
    if not silent:
        state.push("mark_open", "mark", 1)
        state.pos, maximum = start, state.posMax
        state.posMax = end
        state.md.inline.tokenize(state)
        state.posMax = maximum
        state.push("mark_close", "mark", -1)
    state.pos = end + 2
    return True


def known_html(markup: str) -> str:
    """HTML that Anki may show stays; `List<Int>` in a sentence is text and must not vanish."""
    return _TAG.sub(
        lambda tag: tag[0] if tag[1].lower() in ALLOWED_TAGS else html.escape(tag[0], False), markup
    )


def render_html(self: Any, tokens: list[Token], at: int, options: Any, env: MutableMapping[str, Any]) -> str:
    content = tokens[at].content
    if content.startswith("<!--"):
        return ""
    if tokens[at].type == "html_inline" and not _TAG.fullmatch(content):
        return html.escape(content, False)
    return known_html(content)


def render_link(self: Any, tokens: list[Token], at: int, options: Any, env: MutableMapping[str, Any]) -> str:
    return html.escape(link_text(tokens[at].content), False)


def render_embed(self: Any, tokens: list[Token], at: int, options: Any, env: MutableMapping[str, Any]) -> str:
    target, _, size = tokens[at].content.replace("\\|", "|").partition("|")
    return embed_file(target.strip(), size.strip(), env)


def render_image(self: Any, tokens: list[Token], at: int, options: Any, env: MutableMapping[str, Any]) -> str:
    token = tokens[at]
    source = str(token.attrs.get("src", ""))
    alt, _, size = token.content.partition("|")
    if re.match(r"^[a-z][a-z0-9+.-]*:", source, re.I):
        return f'<img src="{html.escape(source)}" alt="{html.escape(alt)}">'
    return embed_file(source, size if size else "", env, alt)


def embed_file(target: str, size: str, env: MutableMapping[str, Any], alt: str = "") -> str:
    """An image or sound of the vault by the name it has in Anki; another note only by its name."""
    name = target.partition("#")[0]
    lowered = name.lower()
    if not lowered.endswith(_IMAGE + _SOUND):
        env["warnings"].append(f"embedded “{target}” is shown by its name only")
        return html.escape(link_text(target), False)
    stored = env["resolve"](name)
    if stored is None:
        env["warnings"].append(f"media “{target}” is missing or outside the vault")
        return html.escape(alt or name.rsplit("/", 1)[-1], False)
    env["media"].append(name)
    if lowered.endswith(_SOUND):
        return f"[sound:{stored}]"
    width = re.match(r"^(\d{1,4})(?:x(\d{1,4}))?$", size)
    sized = f' width="{width[1]}"' + (f' height="{width[2]}"' if width[2] else "") if width else ""
    described = f' alt="{html.escape(alt)}"' if alt else ""
    return f'<img src="{html.escape(stored)}"{described}{sized}>'


def install(md: MarkdownIt) -> None:
    """Teach a markdown-it instance Obsidian's marks."""
    md.inline.ruler.before("escape", "latex", latex)
    md.inline.ruler.before("math_inline", "dollar_before_code", dollar_before_code)
    md.inline.ruler.before("link", "footnote", footnote)
    md.inline.ruler.before("autolink", "type_argument", type_argument)
    md.inline.ruler.before("link", "obsidian_link", wikilink)
    md.inline.ruler.before("emphasis", "highlight", highlight)
    md.add_render_rule("obsidian_link", render_link)
    md.add_render_rule("obsidian_embed", render_embed)
    md.add_render_rule("image", render_image)
    md.add_render_rule("html_inline", render_html)
    md.add_render_rule("html_block", render_html)
