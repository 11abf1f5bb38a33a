"""Markdown: the lines of the file, and its images, tables and diagrams as visual content."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from graphs.qgen_loop.documents.lines import decode, split_lines
from graphs.qgen_loop.documents.source import Parsed, Source
from graphs.qgen_loop.schemas import VisualElement

_INLINE = re.compile(r"!\[([^\]\n]*)\]\(\s*<?([^)\s>]*)>?(?:\s+[\"'(]([^\"')\n]*)[\"')])?\s*\)")
_REFERENCE = re.compile(r"!\[([^\]\n]*)\]\[([^\]\n]*)\]")
_DEFINITION = re.compile(r"^\s{0,3}\[([^\]]+)\]:\s*<?(\S+?)>?(?:\s+[\"'(](.*)[\"')])?\s*$")
_EMBED = re.compile(r"!\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]")
_HTML = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(src|alt|title)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)\s*(\w*)")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)+\|?\s*$")
_DIAGRAMS = {"mermaid", "plantuml", "dot", "graphviz", "ditaa"}
_REMOTE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def parse(source: Source) -> Parsed:
    """Lines of a Markdown file; links to images are read, never followed."""
    text, warnings = decode(source.data, source.path.name)
    lines = split_lines(text.replace("\f", ""))
    folder = source.path.parent
    title = next((line.lstrip("# ").strip() for line in lines if line.startswith("# ")), "")
    return Parsed(
        "markdown",
        lines,
        [1] * len(lines),
        1,
        title=title,
        warnings=warnings,
        find_visuals=lambda: list(_numbered(_elements(lines, folder))),
    )


def _numbered(elements: Iterator[VisualElement]) -> Iterator[VisualElement]:
    counts: dict[str, int] = {}
    for element in elements:
        counts[element.type] = counts.get(element.type, 0) + 1
        yield element.model_copy(update={"ref": f"{element.type} {counts[element.type]}"})


def _elements(lines: list[str], folder: Path) -> Iterator[VisualElement]:
    targets = {
        found.group(1).casefold(): found.group(2) for line in lines if (found := _DEFINITION.match(line))
    }
    fence = ""
    for number, line in enumerate(lines, start=1):
        opened = _FENCE.match(line)
        if fence:
            fence = "" if opened and opened.group(1).startswith(fence) and not opened.group(2) else fence
            continue
        if opened:
            fence = opened.group(1)
            if opened.group(2).lower() in _DIAGRAMS:
                yield VisualElement(type="diagram", line=number, caption=f"{opened.group(2)} diagram")
            continue
        if _TABLE_RULE.match(line) and number > 1 and "|" in lines[number - 2]:
            yield VisualElement(type="table", line=number - 1, caption=_header(lines[number - 2]))
        for description, target in _images(line, targets):
            yield _image(description, target, number, folder)


def _header(line: str) -> str:
    return " | ".join(cell.strip() for cell in line.strip().strip("|").split("|"))


def _images(line: str, targets: dict[str, str]) -> Iterator[tuple[str, str]]:
    for alt, target, title in _INLINE.findall(line):
        yield " – ".join(part for part in (alt, title) if part), target
    for alt, name in _REFERENCE.findall(line):
        yield alt, targets.get((name or alt).casefold(), "")
    for target, alt in _EMBED.findall(line):
        yield alt or Path(target).stem, target
    for tag in _HTML.findall(line):
        values = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(tag)}
        yield values.get("alt") or values.get("title", ""), values.get("src", "")


def _image(description: str, target: str, line: int, folder: Path) -> VisualElement:
    return VisualElement(
        type="image", line=line, caption=description, target=target, note=_trouble(target, folder)
    )


def _trouble(target: str, folder: Path) -> str:
    """Why an image cannot be seen, in words; a link that leaves the folder is not looked at."""
    if not target:
        return "the link is broken: it has no target"
    if _REMOTE.match(target):
        return "" if target.startswith("data:") else "remote image, not fetched"
    name = unquote(target.split("#")[0].split("?")[0])
    if name.startswith("/") or ".." in Path(name).parts or "\x00" in name:
        return "outside the document's folder, not looked at"
    try:
        return "" if (folder / name).is_file() else "the link is broken: no such file"
    except OSError:
        return "the link is broken: no such file"
