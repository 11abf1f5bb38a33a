"""What tools and readers leave around a quote: properties, sources, attributions, comments of one's own."""

import re
from dataclasses import replace

from graphs.concept_extraction.quotes.blocks import Block, is_date
from graphs.concept_extraction.quotes.headings import CHAPTER_LEVEL
from graphs.concept_extraction.quotes.pages import leads_back, page_alone, split_page

COMMENT = re.compile(
    r"^\W{0,3}(?:notas?|comentarios?|comments?|notes?|tags?|etiquetas?|(?:mi|my) (?:nota|comentario|note|"
    r"comment|reflexi[oó]n|thoughts?))\W{0,3}:",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"^\W{0,4}(?:highlight|quote|cita|subrayado|resaltado|destacado)(?: text)?[*_]{0,2}::?[*_]{0,2}\s+(?=\S)",
    re.IGNORECASE,
)
# `key:: value`, and the single colons that no sentence of a book begins with
_PROPERTY = re.compile(
    r"^\W{0,4}(?:<\w+>\W{0,3})?(?P<key>[^\W\d_][\w \-]{0,40}?)[*_]{0,2}::\s*(?P<value>.*)$"
)
_DATED = re.compile(
    r"^\W{0,4}(?:created|creado|added|añadido|date|fecha|updated|modified|actualizado|colou?r|link|enlace|url|"
    r"uuid|id)\b[^:\n]{0,20}:\s*\S[^\n]{0,120}$",
    re.IGNORECASE,
)
_CHAPTER_KEY = re.compile(r"^(?:chapter|cap[ií]tulo|section|secci[oó]n)$", re.IGNORECASE)
_PAGE_KEY = re.compile(r"^(?:\w+-)?(page|p[aá]gina|location|posici[oó]n)(?: number)?$", re.IGNORECASE)
_SOURCE = re.compile(
    r"^\W{0,2}(?:(?:all )?excerpts? from|notes from|fragmentos? de|extractos? de|notas de)\s*:?\W*$"
    r"|^(?:excerpt from|fragmento de|extracto de):\s"
    r"|^this material may be protected by copyright"
    r"|^(?:es posible que )?este material (?:puede estar|est[eé]) protegido",
    re.IGNORECASE,
)
# `Author. Title (p. 12). Publisher. Kindle Edition.`, which a reading program adds to what is copied
_EDITION = re.compile(r"^\S.{0,300}\b(?:kindle edition|edici[oó]n (?:de )?kindle)\W*$", re.IGNORECASE)
_BRACKET = re.compile(r"\(([^()]{1,60})\)")
_NAME = (
    r"[^\W\d_a-zà-ÿ][\w.'’-]*"
    r"(?: (?:[dl]['’]|de|del|la|las|los|y|von|van|der|of|the|and|&|[^\W\d_a-zà-ÿ])[\w.'’-]*){0,6}"
)
_BY = re.compile(rf"^[—–―-]{{1,2}}(?P<gap>\s*)[*_(\[]{{0,3}}{_NAME}[*_)\]]{{0,3}}(?:[,:(] ?[^\n]{{1,100}})?$")
_CLOSED = re.compile(r"[»”\"’'][.,;]?[*_]{0,2}$")
_SAID = re.compile(
    r"^(?P<quote>[«“\"][^\n]*[»”\"][.,]?(?=\s+[—–―-])|[^\n]*[.!?…](?=\s+[—–―]\s))"
    r"\s+(?P<by>[—–―-]{1,2}\s*\S[^\n]{1,120})$"
)
# “…” (Mill, 1859, p. 14) and a comment behind it
_CITED = re.compile(
    r"^(?P<quote>[«“\"][^\n]{1,3000}[»”\"][.,]?\s*\([^()\n]{1,100}\)[.,]?)\s+(?P<own>[^\W_][^\n]*)$"
)
_LABELLED_PAGE = re.compile(
    r"^\s*[(\[*_]{0,3}(?:p[aá]gina|page|p[aá]g\.|pp?\.|posici[oó]n|location|pos\.)\s*:?\s*\d[\d\s–-]*[)\]*_:]{0,3}$",
    re.IGNORECASE,
)
# A highlight of an outline, whose children are the reader's
_HIGHLIGHT_KEY = re.compile(r"^\W{0,4}(?:hl-page|hl-color|ls-type)::", re.IGNORECASE)
_RULED = re.compile(r"^\s*\|[\s|:-]+\|\s*$")
_TAGGED = re.compile(r"^(?P<quote>.+[)\]])\s+(?P<own>(?:(?:#[^\s#]+|\[\[[^\[\]]{1,80}\]\])\s*)+)$")
_LINKED = re.compile(
    r"^(?P<quote>.+?(?:\(?\[[^\[\]\n]{1,80}\]\((?!https?:)[a-z][\w+.-]*:[^()\s]*\)\)?\s*)+)(?P<own>\w.*)$"
)
_LONGEST = 4_000

Line = tuple[int, str]


def without_traces(blocks: list[Block]) -> list[Block]:
    """Blocks whose lines are the quotes' own; every other line is a block that says what it is."""
    read: list[Block] = []
    marked: Block | None = None
    for block in blocks:
        if marked is not None and block.kind == "item" and block.level > marked.level:
            read.append(replace(block, kind="other", reason="a note of the reader"))
            continue
        held = block.kind == "item" and any(_HIGHLIGHT_KEY.match(line) for _, line in block.lines)
        marked = block if held else None
        read += _parts(block)
    return read


def looks_labelled(text: str) -> bool:
    return _QUOTED.match(text) is not None


def without_label(text: str) -> str:
    """`Highlight: …`, `Cita: …` without the word that announces it."""
    return _QUOTED.sub("", text)


def _parts(block: Block) -> list[Block]:
    if block.kind in ("heading", "other"):
        return [block]
    if len(block.lines) > 2 and _RULED.match(block.lines[1][1]):
        return _rows(block)
    if _SOURCE.match(block.lines[0][1].strip()):
        return [replace(block, kind="other", reason="where the text was copied from")]
    kept: list[Line] = []
    set_aside: list[Block] = []
    own = False
    for number, line in block.lines:
        own = bool(line.strip()) and (own or (bool(kept) and COMMENT.match(line) is not None))
        own = own and not labelled_page(line)
        held, aside = (None, [_aside(number, line)]) if own else _sorted_out(number, line, kept)
        kept += [held] if held else []
        set_aside += aside
        # What stands behind a link into a reading program is the reader's.
        own = own or (len(kept) > 1 and "](" in line and page_alone(line) is not None)
    heads = [part for part in set_aside if part.kind == "heading"]
    rest = [part for part in set_aside if part.kind != "heading"]
    text = [replace(block, lines=kept)] if any(line.strip() for _, line in kept) else []
    return [*heads, *text, *rest]


def _rows(block: Block) -> list[Block]:
    """A table: of each row the longest cell, and the cell that is a page."""
    found = [Block("other", block.lines[:2], reason="the head of a table")]
    for number, line in block.lines[2:]:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        pages = [cell for cell in cells if page_alone(cell)]
        lines = [(number, cell) for cell in [max(cells, key=len), *pages[:1]] if cell]
        found += [Block("paragraph", lines)] if lines else []
    return found


def _aside(number: int, line: str, reason: str = "a note of the reader") -> Block:
    return Block("other", [(number, line)], reason=reason)


def _sorted_out(number: int, line: str, before: list[Line]) -> tuple[Line | None, list[Block]]:
    """What of a line is a quote's, and what is not."""
    text = line.strip()
    found = None if looks_labelled(text) or COMMENT.match(text) else _PROPERTY.match(text)
    if found:
        return _property(number, line, found)
    if _DATED.match(text):
        return None, [_aside(number, line, "a property")]
    if leads_back(text):
        return None, [_aside(number, line, "a link")]
    if before and is_date(text):
        return None, [_aside(number, line, "a date")]
    if _SOURCE.match(text):
        return None, [_aside(number, line, "where the text was copied from")]
    if _EDITION.match(text):
        pages = [page for said in _BRACKET.findall(text) if (page := page_alone(said))]
        return (number, as_line(pages[-1])) if pages else None, [_aside(number, line, "an attribution")]
    if _is_attribution(text, before):
        page = split_page(text)[1]
        return (number, as_line(page)) if page else None, [_aside(number, line, "an attribution")]
    return _cut(number, line)


def _property(number: int, line: str, found: re.Match[str]) -> tuple[Line | None, list[Block]]:
    key, value = found["key"].strip(), found["value"].strip()
    if (paged := _PAGE_KEY.match(key)) and page_alone(value):
        return (number, f"{paged[1]} {value}"), []
    if _CHAPTER_KEY.match(key) and value and value != "N/A":
        return None, [Block("heading", [(number, value)], CHAPTER_LEVEL)]
    return None, [_aside(number, line, "a property")]


def labelled_page(line: str) -> bool:
    """Whether the line is a page and says so: a bare number may be anything."""
    return _LABELLED_PAGE.match(line) is not None


def as_line(page: str) -> str:
    """A reference as a line of its own that nothing else can be taken for."""
    return page if page.startswith("pos") else f"p. {page}"


def _is_attribution(text: str, before: list[Line]) -> bool:
    """`— Name, Title`: behind a quotation that is closed, or set off by a blank; a dialogue is neither."""
    found = _BY.match(text)
    if found is None or page_alone(text):
        return False
    lines = [line.strip() for _, line in before if line.strip()]
    if not lines:
        return bool(found["gap"]) and text[0] in "—–―" and split_page(text)[0][-1:] not in ".!?…"
    talk = any(line[0] in "—–―" for line in lines)
    return not talk and (bool(found["gap"]) or _CLOSED.search(lines[-1]) is not None)


def _cut(number: int, line: str) -> tuple[Line | None, list[Block]]:
    """A quotation with its author behind it, or with a comment behind its link."""
    said = _SAID.match(line.strip())
    if said and _BY.match(split_page(said["by"])[0]):
        page = split_page(said["by"])[1]
        quote = f"{said['quote']} ({as_line(page)})" if page else said["quote"]
        return (number, quote), [_aside(number, said["by"], "an attribution")]
    cited = _CITED.match(line.strip())
    if cited and split_page(cited["quote"])[1] and not page_alone(cited["own"]):
        return (number, cited["quote"]), [_aside(number, cited["own"])]
    tagged = _TAGGED.match(line) if len(line) < _LONGEST else None
    if tagged and split_page(tagged["quote"])[0] != tagged["quote"]:
        return (number, tagged["quote"]), [_aside(number, tagged["own"], "tags")]
    linked = _LINKED.match(line) if "](" in line and len(line) < _LONGEST else None
    if linked and split_page(linked["quote"])[1]:
        return (number, linked["quote"].rstrip()), [_aside(number, linked["own"])]
    return (number, line), []
