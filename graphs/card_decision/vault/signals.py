"""What in a note says that it holds cards, and which deck and tags it asks for."""

import re
from dataclasses import dataclass, field
from typing import Any

from graphs.card_decision.vault.frontmatter import text_of, words_of
from graphs.card_decision.vault.lines import TEXT, Lines, masked

_TAG = re.compile(r"(?:^|(?<=\s))#([^\s#.,;:!?\"'()\[\]{}]+)")
_CARD_TAG = re.compile(r"^(flash-?cards?|cards?|anki|review(-\w+)?|sr|spaced)(/.*|-.*)?$", re.I)
_DECK_TAG = re.compile(r"^flash-?cards?/(.+)$", re.I)
_ANKI_ID = re.compile(r"(?:^|[ \t])\^\d{13}[ \t]*$|<!--[ \t]*ID:[ \t]*\d", re.M)
_TARGET = re.compile(r"^(?:<!--\s*)?(TARGET DECK|FILE TAGS)\s*(?::\s*(.*?))?\s*(?:-->)?\s*$")
# `## Title #flashcards`, `A question #card`: the tag ends a heading, or the line of a tagged card.
_CARD_LINE = re.compile(
    r"^ {0,3}#{1,6} |#(?:flash)?card(?:[-/]\w+)?(?:\s+#\S+){0,30}\s*(?:<!--.*|\^\d+)?$", re.I
)
_TAG_FIRST = re.compile(r"^[\s>*+-]*#[^\s#]")
_TAG_LAST = re.compile(r"\s#[^\s#]+\s*(?:<!--.*|\^[\w-]+\s*)?$")
_TAG_LABEL = re.compile(r"^\W*\w[\w ]{0,20}\W{0,2}[:：]")


@dataclass
class Signals:
    """The note's own settings for its cards."""

    holds_cards: bool = False
    deck: str = ""
    tags: list[str] = field(default_factory=list)
    card_type_hint: str = ""
    note_type: str = ""
    highlight_cloze: bool = False


def read_signals(lines: Lines, frontmatter: dict[str, Any]) -> Signals:
    """Gather tags, TARGET DECK, `cards-deck` and the hints of the frontmatter."""
    signals = Signals(card_type_hint=text_of(frontmatter, "card_type_hint", "card-type-hint", "card_type"))
    signals.highlight_cloze = bool(frontmatter.get("highlight_cloze") or frontmatter.get("cloze"))
    if signals.card_type_hint.casefold() == "cloze":
        signals.highlight_cloze = True
    hint = text_of(frontmatter, "card_type_hint")
    if hint.casefold() not in ("basic", "cloze", "custom") and "revers" not in hint.casefold():
        signals.note_type = hint
    own = [tag.lstrip("#") for tag in words_of(frontmatter, "tags", "tag")]
    signals.tags = [tag for tag in own if not _CARD_TAG.match(tag)]
    text = lines.source
    target = _targets(lines, signals) if "TARGET DECK" in text or "FILE TAGS" in text else ""
    found = _inline_tags(lines)
    marked = {at for at in {at for at, tag in found if _CARD_TAG.match(tag)} if _marks(lines, at)}
    inline = [tag for at, tag in found if at in marked or not _CARD_TAG.match(tag)]
    signals.deck = _deck(frontmatter, target, own + inline)
    signals.holds_cards = bool(
        signals.deck
        or signals.card_type_hint
        or any(_CARD_TAG.match(tag) for tag in own + inline)
        or any(key in frontmatter for key in ("sr-due", "noteId", "cards", "anki"))
        or "<!--SR:" in text
        or (("^1" in text or "ID:" in text) and _ANKI_ID.search(text))
    )
    return signals


def _deck(frontmatter: dict[str, Any], target: str, tags: list[str]) -> str:
    named = text_of(frontmatter, "deck_hint", "deck-hint", "cards-deck", "cards_deck", "deck", "deckName")
    if named or target:
        return named or target
    for tag in tags:
        if match := _DECK_TAG.match(tag):
            return match[1].replace("/", "::")
    return ""


def _marks(lines: Lines, at: int) -> bool:
    """Whether a tag for cards marks this note or a card here; in running text it is only mentioned."""
    row = lines.text[at]
    if _CARD_LINE.search(row) or _TAG_FIRST.match(row) or ("::" in masked(row) and _TAG_LAST.search(row)):
        return True
    below = lines.text[at + 1].strip() if at + 1 < len(lines) else ""
    return below in ("?", "??") or not re.search(r"\w", _TAG.sub("", _TAG_LABEL.sub("", row)))


def _inline_tags(lines: Lines) -> list[tuple[int, str]]:
    return [
        (at, tag)
        for at, row in enumerate(lines.text)
        if "#" in row and lines.kind[at] == TEXT and at >= lines.body
        for tag in _TAG.findall(row)
    ]


def _targets(lines: Lines, signals: Signals) -> str:
    """Read TARGET DECK and FILE TAGS, on one line or with the value on the next."""
    deck = ""
    for at in range(lines.body, len(lines)):
        row = lines.text[at]
        if ("TARGET DECK" not in row and "FILE TAGS" not in row) or lines.kind[at] == 1:
            continue
        if not (match := _TARGET.match(row.strip())):
            continue
        value, end = (match[2] or "").strip(), at + 1
        if not value and end < len(lines):
            value, end = lines.text[end].strip(), end + 1
        lines.claim(at, end)
        if match[1] == "TARGET DECK":
            deck = value
        else:
            signals.tags += value.replace(",", " ").split()
    return deck


def strip_tags(text: str) -> tuple[str, list[str]]:
    """A card's text without the tags that only mark it as a card, and the tags that say more."""
    kept: list[str] = []

    def drop(match: re.Match[str]) -> str:
        if not _CARD_TAG.match(match[1]):
            kept.append(match[1])
        return ""

    return re.sub(r"[ \t]+", " ", _TAG.sub(drop, text)).strip(), kept
