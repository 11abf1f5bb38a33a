"""JATS XML, the format of open-access articles: readable lines, figures and tables with captions."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from common.errors import BadInput
from graphs.qgen_loop.documents import entities
from graphs.qgen_loop.documents.inline import inline_text, local_name
from graphs.qgen_loop.documents.lines import decode
from graphs.qgen_loop.documents.source import Parsed, Source
from graphs.qgen_loop.schemas import VisualElement

WIDTH = 120
_ROOTS = ("article", "book-part", "book", "sub-article")
_FLOATS = frozenset({"fig", "table-wrap", "chem-struct-wrap"})
_CONTAINERS = {
    "body", "sec", "back", "abstract", "trans-abstract", "app-group", "app", "ack", "glossary", "boxed-text",
    "fig-group", "table-wrap-group", "floats-group", "disp-quote", "notes", "bio", "book-body", "book-part",
    "book-part-wrapper", "front-matter", "sub-article", "response", "statement", "supplementary-material",
    "disp-formula-group", "fn-group", "named-book-part-body", "kwd-group", "alternatives",
    "p-group",
}  # fmt: skip
_LISTS = {"list", "def-list"}
_SKIPPED = {
    "object-id",
    "graphic",
    "media",
    "label",
    "title",
    "caption",
    "tex-math",
    "sec-meta",
    "front-stub",
}


@dataclass
class Writer:
    """Collects lines, and remembers where figures and tables stand."""

    lines: list[str] = field(default_factory=list)
    visuals: list[VisualElement] = field(default_factory=list)
    placed: "set[etree._Element]" = field(default_factory=set)

    def paragraph(self, text: str) -> None:
        """One paragraph, wrapped so that a line is a small unit of evidence."""
        if text:
            self.lines.extend(textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False))
            self.lines.append("")

    def heading(self, text: str, depth: int) -> None:
        """A title line."""
        if text:
            self.lines.extend([f"{'#' * min(depth, 6)} {text}", ""])


def parse(source: Source) -> Parsed:
    """Lines of an article: front matter, abstract, body with floats in place, references."""
    text, warnings = _decoded(source)
    article = _article(text, source.path.name)
    if names := entities.left_out(text):
        warnings.append(f"{source.path.name} defines entities of its own ({names[0]}): they are left out")
    writer = Writer()
    title = _front(article, writer)
    for child in article:
        if local_name(child) not in ("front", "book-meta", "processing-meta", "front-stub"):
            _block(child, writer, 2)
    # A float may hide where no block is expected, in a list item or a footnote: none gets lost.
    for element in article.iter():
        if local_name(element) in _FLOATS and element not in writer.placed:
            _float(element, writer)
    if not any(local_name(child) in ("body", "book-body") for child in article):
        warnings.append(f"{source.path.name} has no body: only what stands outside it can be asked about")
    lines = writer.lines[:-1] if writer.lines and not writer.lines[-1] else writer.lines
    visuals = _referenced(writer.visuals)
    return Parsed(
        "jats", lines, [1] * len(lines), 1, title=title, warnings=warnings, find_visuals=lambda: visuals
    )


def _decoded(source: Source) -> tuple[str, list[str]]:
    declared = entities.declared_encoding(source.data)
    if declared and declared.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-16", "us-ascii"):
        try:
            return source.data.decode(declared), []
        except (LookupError, UnicodeDecodeError):
            pass  # a wrong declaration is common; what the bytes show counts
    return decode(source.data, source.path.name)


def _article(text: str, name: str) -> "etree._Element":
    try:
        root = entities.parse_xml(text)
    except etree.XMLSyntaxError as exc:
        raise BadInput(
            f"{name} is not well-formed XML: {exc.msg}.", remedy="Export the article again."
        ) from exc
    for element in root.iter():
        if local_name(element) in _ROOTS:
            return element
    raise BadInput(
        f"{name} is XML but not a JATS article (its root is <{local_name(root)}>).",
        remedy="Give a JATS file with an <article> element, or plain text.",
    )


def _first(element: "etree._Element", *names: str) -> "etree._Element | None":
    for descendant in element.iter():
        if local_name(descendant) in names:
            return descendant
    return None


def _children(element: "etree._Element", *names: str) -> "Iterator[etree._Element]":
    return (child for child in element if local_name(child) in names)


def _front(article: "etree._Element", writer: Writer) -> str:
    """Title, authors, journal and date, abstract and keywords."""
    front = next(_children(article, "front", "book-meta", "front-stub"), None)
    if front is None:
        return ""
    title_element = _first(front, "article-title", "book-title", "title")
    title = inline_text(title_element) if title_element is not None else ""
    writer.heading(title, 1)
    writer.paragraph(_authors(front))
    writer.paragraph(_published(front))
    for element in front.iter():
        if local_name(element) in ("abstract", "trans-abstract"):
            if not any(local_name(child) == "title" for child in element):
                writer.heading("Abstract", 2)
            _block(element, writer, 2)
        elif local_name(element) == "kwd-group":
            words = [inline_text(word) for word in element.iter() if local_name(word) == "kwd"]
            writer.paragraph("Keywords: " + "; ".join(words) if words else "")
    return title


def _authors(front: "etree._Element") -> str:
    contribs = [contrib for contrib in front.iter() if local_name(contrib) == "contrib"]
    people = [each for each in contribs if not any(outer in contribs for outer in each.iterancestors())]
    names = [_person(contrib) for contrib in people if contrib.get("contrib-type", "author") == "author"]
    return "Authors: " + ", ".join(name for name in names if name) if any(names) else ""


def _person(contrib: "etree._Element") -> str:
    collective = _first(contrib, "collab", "string-name")
    name = _first(contrib, "name")
    if collective is not None and (name is None or collective in name.iterancestors()):
        members = [child for child in collective.iter() if local_name(child) == "contrib-group"]
        return inline_text(collective, without=frozenset(members))
    if name is None:
        return ""
    parts = {local_name(child): inline_text(child) for child in name}
    return " ".join(part for part in (parts.get("given-names", ""), parts.get("surname", "")) if part)


def _published(front: "etree._Element") -> str:
    journal = _first(front, "journal-title", "publisher-name")
    date = _first(front, "pub-date")
    year = _first(date, "year") if date is not None else None
    words = [inline_text(element) for element in (journal, year) if element is not None]
    return "Published: " + ", ".join(words) if words else ""


def _block(element: "etree._Element", writer: Writer, depth: int) -> None:
    name = local_name(element)
    if name in _FLOATS:
        _float(element, writer)
    elif name in _CONTAINERS:
        _container(element, writer, depth)
    elif name in _LISTS:
        _list(element, writer, depth)
    elif name == "ref-list":
        _references(element, writer, depth)
    elif name == "table":
        _rows(element, writer)
    elif name in ("preformat", "code", "verse-group"):
        writer.lines.extend([*_lines_as_set(element), ""])
    elif name == "p":
        _paragraph(element, writer, depth)
    elif name and name not in _SKIPPED:
        writer.paragraph(inline_text(element))


def _lines_as_set(element: "etree._Element") -> list[str]:
    """Verse and program text keep their lines."""
    if local_name(element) == "verse-group":
        return [inline_text(line) for line in element]
    return "".join(str(part) for part in element.itertext()).strip("\n").splitlines()


def _container(element: "etree._Element", writer: Writer, depth: int) -> None:
    if local_name(element) in ("sub-article", "response"):
        _front(element, writer)
    parts = [inline_text(child) for child in _children(element, "label", "title")]
    writer.heading(" ".join(part for part in parts if part), depth)
    for caption in _children(element, "caption"):
        writer.paragraph(inline_text(caption))
    for child in element:
        _block(child, writer, depth + 1)


def _paragraph(element: "etree._Element", writer: Writer, depth: int) -> None:
    """A paragraph's text without the blocks inside it, then those blocks."""
    inner = [child for child in element.iter() if child is not element and _is_block(child)]
    blocks = [child for child in inner if not any(_is_block(a) for a in child.iterancestors() if a in inner)]
    writer.paragraph(inline_text(element, without=frozenset(blocks)))
    for block in blocks:
        _block(block, writer, depth)


def _is_block(element: "etree._Element") -> bool:
    return (
        local_name(element)
        in {"fig", "table-wrap", "boxed-text", "fig-group", "table-wrap-group", "disp-quote"} | _LISTS
    )


def _list(element: "etree._Element", writer: Writer, depth: int) -> None:
    for item in _children(element, "list-item", "def-item"):
        nested = [child for child in item.iter() if local_name(child) in _LISTS]
        writer.paragraph("- " + inline_text(item, without=frozenset(nested)))
        for inner in nested[:1]:
            _list(inner, writer, depth)


def _float(element: "etree._Element", writer: Writer) -> None:
    label = " ".join(inline_text(child) for child in _children(element, "label")) or _group_label(element)
    caption = " ".join(inline_text(child) for child in _children(element, "caption"))
    kind = "table" if local_name(element) == "table-wrap" else "figure"
    line = len(writer.lines) + 1
    writer.placed.add(element)
    writer.paragraph(f"[{label or kind.capitalize()}] {caption}".strip())
    for table in (child for child in element.iter() if local_name(child) == "table"):
        _rows(table, writer)
    for foot in _children(element, "table-wrap-foot", "attrib"):
        for note in foot:
            writer.paragraph(inline_text(note))
    graphic = _first(element, "graphic", "media")
    target = (
        next((v for k, v in graphic.attrib.items() if str(k).endswith("href")), "")
        if graphic is not None
        else ""
    )
    writer.visuals.append(
        VisualElement(type=kind, line=line, label=label, caption=caption, target=str(target))
    )


def _group_label(element: "etree._Element") -> str:
    """The label of the group that a figure or table without one of its own belongs to."""
    group = element.getparent()
    if group is None or local_name(group) not in ("fig-group", "table-wrap-group"):
        return ""
    return " ".join(inline_text(child) for child in _children(group, "label"))


def _rows(table: "etree._Element", writer: Writer) -> None:
    for row in (element for element in table.iter() if local_name(element) == "tr"):
        cells = [inline_text(cell) for cell in _children(row, "td", "th")]
        writer.lines.append(" | ".join(cells))
    writer.lines.append("")


def _references(element: "etree._Element", writer: Writer, depth: int) -> None:
    titles = [inline_text(child) for child in _children(element, "title")]
    writer.heading(titles[0] if titles else "References", depth)
    for reference in (child for child in element.iter() if local_name(child) == "ref"):
        writer.paragraph(inline_text(reference, spaced=True))


def _referenced(visuals: list[VisualElement]) -> list[VisualElement]:
    labels = [visual.label for visual in visuals]
    named = []
    for number, visual in enumerate(visuals, start=1):
        unique = bool(visual.label) and labels.count(visual.label) == 1
        named.append(
            visual.model_copy(update={"ref": visual.label if unique else f"{visual.type} at {number}"})
        )
    return named
