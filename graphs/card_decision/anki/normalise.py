"""Fields, tags and decks as Anki itself stores them, so that equal things compare equal."""

import functools
import re
import unicodedata

_BREAK = re.compile(r"<(br|hr|img)\b([^>]*?)\s*/?>", re.I)
_ENTITIES = (("&nbsp;", "\xa0"), ("&quot;", '"'), ("&#39;", "'"), ("&#x27;", "'"), ("&apos;", "'"))
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def field_value(value: str) -> str:
    """What Anki keeps of a field: NFC, LF, no control characters."""
    value = value.replace("\r\n", "\n")
    value = _CONTROL.sub("", value)
    return value if value.isascii() else unicodedata.normalize("NFC", value)


def comparable(value: str) -> str:
    """A field with what editors rewrite by themselves evened out; words and markup untouched."""
    value = field_value(value)
    for written, meant in _ENTITIES:
        value = value.replace(written, meant)
    value = _BREAK.sub(lambda tag: f"<{tag[1].lower()}{tag[2]}>", value)
    return re.sub(r"[ \t]+\n", "\n", value).strip()


def same_field(one: str, other: str) -> bool:
    return one == other or comparable(one) == comparable(other)


def tag_list(tags: list[str]) -> list[str]:
    """Split at spaces, one of each regardless of case, sorted: as Anki does."""
    kept: dict[str, str] = {}
    for tag in tags:
        for word in unicodedata.normalize("NFC", tag).replace("\u3000", " ").split():
            name = "::".join(part or "blank" for part in word.split("::"))
            kept.setdefault(name.casefold(), name)
    return sorted(kept.values(), key=str.casefold)


def tag_from_obsidian(tag: str) -> str:
    """`#topic/sub topic` → `topic::sub_topic`."""
    return re.sub(r"\s+", "_", tag.strip().lstrip("#").strip("/")).replace("/", "::")


def tag_key(tag: str) -> str:
    return tag.casefold()


@functools.lru_cache(maxsize=4096)
def deck_name(name: str) -> str:
    """`a:::b`, `a:: b` → the name Anki gives the deck."""
    name = _CONTROL.sub("", unicodedata.normalize("NFC", name)).replace("\t", "").replace("\n", "")
    parts = [
        part.strip(": ").strip() or "blank" for part in re.split(r"::", re.sub(r"(?<!:):::(?!:)", "::", name))
    ]
    return "::".join(parts)


def same_deck(one: str, other: str) -> bool:
    return deck_name(one).casefold() == deck_name(other).casefold()
