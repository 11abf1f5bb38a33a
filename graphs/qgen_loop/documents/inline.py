"""Running text of an XML element: mark-up dropped, spaces settled, powers of ten kept apart."""

import re
from collections.abc import Iterator

from lxml import etree

_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,.;:!?)\]])")
_EXPONENT = re.compile(r"^[−–+-]?\d+$")
_DROPPED = {"tex-math", "object-id", "graphic", "media", "inline-graphic"}
_BREAKS = {
    "p",
    "title",
    "break",
    "list-item",
    "def-item",
    "label",
    "td",
    "th",
    "tr",
    "caption",
    "def",
    "term",
    "sec",
    "verse-line",
    "contrib",
    "surname",
    "given-names",
}
# What stands between the parts of a formula once its mark-up is gone.
_BETWEEN = {"mfrac": "/", "msup": "^"}


def local_name(element: "etree._Element") -> str:
    """The tag without its namespace; empty for anything that is not an element."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def inline_text(
    element: "etree._Element", *, without: frozenset["etree._Element"] = frozenset(), spaced: bool = False
) -> str:
    """All text below an element in one line."""
    text = "".join(_pieces(element, without, spaced))
    return _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip()


def _pieces(element: "etree._Element", without: frozenset["etree._Element"], spaced: bool) -> Iterator[str]:
    yield element.text or ""
    previous = element.text or ""
    between = _BETWEEN.get(local_name(element), "")
    for number, child in enumerate(element):
        name = local_name(child)
        yield between if number else ""
        if name and child not in without and name not in _DROPPED:
            separate = name in _BREAKS or spaced
            yield " " if separate else ""
            inner = "".join(_pieces(child, without, spaced))
            # 10<sup>6</sup> must not read as 106; a raised citation mark after a word stays plain.
            if name == "sup" and previous[-1:].isdigit() and _EXPONENT.match(inner.strip()):
                yield "^"
            elif name == "xref" and child.get("ref-type") in ("fn", "table-fn") and previous[-1:].isdigit():
                yield " "
            yield inner
            yield " " if separate else ""
        yield child.tail or ""
        previous = child.tail or previous
