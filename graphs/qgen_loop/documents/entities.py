"""XML without its dangers: no DTD, no entities of the file's own, the named characters mapped by us."""

import re
from html.entities import html5

from lxml import etree

_DOCTYPE = re.compile(r"<!DOCTYPE\s[^\[>]*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\]\s*)?>", re.IGNORECASE)
_NAMED = re.compile(r"&([A-Za-z][\w.-]*);")
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_PREDEFINED = {"lt", "gt", "amp", "quot", "apos"}


def declared_encoding(data: bytes) -> str | None:
    """The encoding the XML declaration names, if any."""
    found = _DECLARED.match(data[:300])
    return found.group(1).decode("ascii") if found else None


def _character(found: re.Match[str]) -> str:
    name = found.group(1)
    if name in _PREDEFINED:
        return found.group(0)
    value = html5.get(f"{name};", "")
    # An unknown name is one the file defined for itself: it stays without content.
    return value.replace("&", "&amp;").replace("<", "&lt;")


def left_out(text: str) -> list[str]:
    """Names that the file uses and had defined for itself: what they stand for is never read."""
    used = dict.fromkeys(_NAMED.findall(_DOCTYPE.sub("", text, count=1)))
    return [name for name in used if name not in _PREDEFINED and f"{name};" not in html5]


def without_entities(text: str) -> str:
    """The XML with its document type cut off and named characters as themselves."""
    text = _DECLARATION.sub("", text, count=1)
    text = _DOCTYPE.sub("", text, count=1)
    return _NAMED.sub(_character, text)


def parse_xml(text: str) -> "etree._Element":
    """The root element; raises `etree.XMLSyntaxError`."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    return etree.fromstring(without_entities(text).encode("utf-8"), parser)
