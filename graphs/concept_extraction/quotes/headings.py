"""Lines that head something: the quotes themselves, or a chapter, however a reader marks them."""

import re
import unicodedata
from dataclasses import dataclass, replace
from itertools import chain, pairwise, zip_longest

from graphs.concept_extraction.quotes.blocks import Block
from graphs.concept_extraction.titles import word_set

_CORE = word_set(
    "cita citas quote quotes quotations highlight highlights nota notas notes subrayado "
    "subrayados destacado destacados resaltado resaltados extracto extractos excerpt excerpts "
    "fragmentos pasajes passages citations clippings recortes annotations anotaciones"
)
_AROUND = word_set(
    "mis my las los el la the y and e de del of from in en libro book texto text kindle readwise all "
    "todas todos favoritas favoritos destacadas preferidas preferidos favorite favourite seleccion "
    "seleccionadas clave key new added lectura reading frases textuales importantes at am pm on "
    "january february march april may june july august september october november december"
)
_NUMBER = (
    r"(?:\d{1,3}|[ivxlc]{1,7}|un[oa]|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|primer[oa]?|segund[oa]|"
    r"tercer[oa]?|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third)"
)
_CHAPTER = re.compile(
    r"^[*_]{0,3}(?:(?:cap[ií]tulo|cap\.|chapter|ch\.|parte|part|libro|book|secci[oó]n|section)\s*"
    rf"{_NUMBER}(?:\s*[.:—–-].{{0,80}})?|pr[oó]logo|prologue|ep[ií]logo|epilogue|prefacio|preface|"
    r"introducci[oó]n|introduction)[*_:]{0,4}$",
    re.IGNORECASE,
)
_TIGHT = re.compile(r"^ {0,3}(#{1,6})([^\s#].*)$")
# `Highlight (yellow) - Page 14 · Location 201`, `Yellow highlight | Page: 14`, `Page 14 @ 3 May 2024`, as
# reading devices write it above each text
_AT = (
    r"(?:p[aá]gina|page|p[aá]g\.|p\.|posici[oó]n|location|loc\.|pos\.)\s*:?\s*"
    r"(?:\d{1,3}(?:[.,]\d{3})+|\d+)(?:\s*[-–]\s*\d+)?\b"
)
_THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}\b)")
# A button that is copied with the text
_BUTTON = re.compile(r"^(?:options|opciones)$", re.IGNORECASE)
# Behind a colon comes the page at once, or it is a text that speaks of a page.
_MARK = re.compile(
    r"^[*_-]{0,3}\s*(?:(?:\w+\s+)?(?:highlight|resaltado|subrayado|destacado|(?P<note>note|nota)|"
    r"(?P<empty>bookmark|marcador))(?:\s+en\s+\w+)?\s*(?:\([^)]{1,30}\))?\s*(?:[-–—|·].{0,80}?|:\s*)"
    rf"(?P<page>{_AT}).{{0,80}}|"
    rf"(?P<bare>{_AT})(?:\s*[,;|·(-]\s*(?:added|añadid).{{0,60}}|\s*@.{{0,60}}))$",
    re.IGNORECASE,
)
_PAGED = re.compile(rf"^(?P<page>{_AT})\W*$", re.IGNORECASE)
# `Notes from`, alone above title and author, and `All Excerpts From` below them: Apple Books' mail
_MAILED = re.compile(r"^(?:notes from|notas de)\s*:?$", re.IGNORECASE)
_SIGNED = re.compile(r"^(?:all excerpts from|todos los extractos de)\s*:?$", re.IGNORECASE)
# Below every heading that Markdown knows.
CHAPTER_LEVEL = 7


def says_quotes(text: str) -> bool:
    """`Citas`, `Mis citas (12)`, `📚 Quotes & notes:`; not `Notas sobre el autor`."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    words = re.findall(r"[a-z]+", "".join(c for c in folded if not unicodedata.combining(c)))
    return any(word in _CORE for word in words) and all(word in _CORE or word in _AROUND for word in words)


def opens_quotes(block: Block) -> bool:
    return block.kind == "heading" and says_quotes(block.lines[0][1])


def with_headings(blocks: list[Block]) -> list[Block]:
    """Blocks with chapter lines as headings, and a line `Citas` too where no heading says so."""
    read = [part for block in without_marks(blocks) for part in _chapter_first(block)]
    if any(opens_quotes(block) for block in read):
        return read
    return _mailed([_plain_heading(block) for block in read])


def _mailed(blocks: list[Block]) -> list[Block]:
    """Notes that were mailed: all from the first line on, with the chapter right above a date."""
    first = [block.lines[0][1].strip() if block.kind == "paragraph" else "" for block in blocks]
    start = next((at for at, line in enumerate(first) if _MAILED.match(line)), None)
    if start is None:
        return blocks
    end = next((at for at, line in enumerate(first) if _SIGNED.match(line)), len(blocks))
    read = [*blocks[: start + 1], Block("heading", [(blocks[start].line, "Notes")], 1)]
    for block, following in zip_longest(blocks[start + 1 : end], blocks[start + 2 : end]):
        dated = following is not None and following.reason == "a date" and len(block.lines) == 1
        above = dated and block.kind in ("paragraph", "item") and following.line == block.line + 1
        read.append(Block("heading", block.lines, CHAPTER_LEVEL) if above else block)
    signed = "where the text was copied from"
    return read + [replace(block, kind="other", reason=signed) for block in blocks[end:]]


def _chapter_first(block: Block) -> list[Block]:
    number, text = block.lines[0]
    if block.kind not in ("paragraph", "item") or not _CHAPTER.match(text.strip()):
        return [block]
    heading = Block("heading", [(number, text.strip())], CHAPTER_LEVEL)
    return [heading, Block("paragraph", block.lines[1:])] if block.lines[1:] else [heading]


def _plain_heading(block: Block) -> Block:
    """`#Citas`, `**Citas**`, `CITAS:`: a heading but for a blank or its mark."""
    if block.kind not in ("paragraph", "other") or len(block.lines) != 1:
        return block
    number, text = block.lines[0]
    tight = _TIGHT.match(text)
    said = tight.group(2) if tight else text
    if not says_quotes(said) or _SIGNED.match(said.strip()) or (block.kind == "other" and not tight):
        return block
    return Block("heading", [(number, said.strip())], len(tight.group(1)) if tight else 1)


def without_marks(blocks: list[Block]) -> list[Block]:
    """A device's line above a text gives the text its page, or makes it a note of the reader."""
    read: list[Block] = []
    held: _Mark | None = None
    cut = _marked_below if _marks_are_below(blocks) else _cut_at_marks
    for block in chain.from_iterable(map(cut, blocks)):
        number, line = block.lines[0]
        found = _MARK.match(line.strip()) if block.kind in ("paragraph", "heading") else None
        if block.kind == "heading":
            found = found or _PAGED.match(line.strip())
        if found is not None:
            read += held.alone() if held else []
            held, block = _Mark(number, line, found.groupdict()), replace(block, lines=block.lines[1:])
        if held is not None and block.lines and _BUTTON.match(block.lines[0][1].strip()):
            block = replace(block, lines=block.lines[1:])
        if block.lines and held is not None:
            read += held.given_to(block)
            held = None
        elif block.lines:
            read.append(block)
    return read + (held.alone() if held else [])


def _marks_are_below(blocks: list[Block]) -> bool:
    """Whether such lines end their paragraphs, to the last one, and begin none."""
    texts = [block for block in blocks if block.kind in ("paragraph", "heading")]
    ends = [len(block.lines) > 1 and _MARK.match(block.lines[-1][1].strip()) is not None for block in texts]
    return any(ends[-1:]) and not any(_MARK.match(block.lines[0][1].strip()) for block in texts)


def _marked_below(block: Block) -> list[Block]:
    found = _MARK.match(block.lines[-1][1].strip()) if block.kind == "paragraph" else None
    if found is None or len(block.lines) < 2:
        return [block]
    return _Mark(*block.lines[-1], found.groupdict()).given_to(replace(block, lines=block.lines[:-1]))


def _cut_at_marks(block: Block) -> list[Block]:
    """A paragraph as several, where such a line stands in the middle of it."""
    lines = block.lines
    marked = [at for at, (_, line) in enumerate(lines) if at and _MARK.match(line.strip())]
    if block.kind != "paragraph" or not marked:
        return [block]
    return [replace(block, lines=lines[start:stop]) for start, stop in pairwise([0, *marked, len(lines)])]


@dataclass(frozen=True)
class _Mark:
    """One such line."""

    number: int
    line: str
    found: dict[str, str | None]

    def alone(self) -> list[Block]:
        why = "a bookmark" if self.found.get("empty") else "a mark without a text"
        return [Block("other", [(self.number, self.line)], reason=why)]

    def given_to(self, block: Block) -> list[Block]:
        if self.found.get("empty") or block.kind in ("heading", "other"):
            return [*self.alone(), block]
        if self.found.get("note"):
            lines = [(self.number, self.line), *block.lines]
            return [Block("other", lines, reason="a note of the reader")]
        page = _THOUSANDS.sub("", self.found.get("page") or self.found.get("bare") or "")
        return [replace(block, lines=[*block.lines, (block.lines[-1][0], page)])]
