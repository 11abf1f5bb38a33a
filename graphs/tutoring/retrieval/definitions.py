"""Finds the card that says what a thing is: a short "what is X" wants the one that defines X."""

import re
from collections.abc import Sequence
from functools import lru_cache

from graphs.tutoring.retrieval.words import words
from graphs.tutoring.schemas import Card

ASKED = re.compile(
    r"^\W*(?:(?:so|and|ok|please|hi|hello|quick question|can you|could you)\W+)*"
    r"(?:what(?:'?s| is| are| does)|qu[eé] (?:es|son|significa)|explain|describe|expl[ií]ca\w*|define"
    r"|was (?:ist|sind|bedeutet)|qu'est[- ]ce qu(?:e|')|c'est quoi|que signifie)\b"
    r"(?! (?:the )?(?:command|comando))",
    re.IGNORECASE,
)
ASKED_AFTER = re.compile(r"(?:とは|って何|ってなに).*$|\b(?:mean|stand for)\W*$", re.IGNORECASE)
FILLERS = frozenset(
    words(
        "exactly actually really basically mean means term thing networking briefly short"
        " ein eine einen der die das une du ist est"
    )
)
LONGEST = 4
FAR = 99


def parts(text: str) -> list[str]:
    """The words of a text, those with a hyphen in their parts alone."""
    return [word for word in words(text) if not re.search(r"[a-z]-[a-z]", word)]


def asks_what_it_is(question: str) -> bool:
    """Whether a question wants to know what something is."""
    return bool(ASKED.search(question) or re.search(r"とは|って何|ってなに", question))


def subject_of(question: str) -> set[str]:
    """The words for the thing asked about; none where the question says more than that."""
    if not asks_what_it_is(question):
        return set()
    asked = set(parts(ASKED_AFTER.sub("", ASKED.sub("", question, count=1)))) - FILLERS
    return asked if len(asked) <= LONGEST else set()


@lru_cache(maxsize=1_000)
def openings(text: str) -> tuple[tuple[str, ...], ...]:
    """The words that each sentence of a card begins with."""
    return tuple(tuple(parts(said)[: 2 * LONGEST]) for said in re.split(r"(?<=[.!?;])\s+", text.strip()))


@lru_cache(maxsize=1_000)
def title_words(title: str) -> frozenset[str]:
    """The words of a title."""
    return frozenset(parts(title))


def title_gap(card: Card, subject: set[str]) -> int:
    """How many words a title has besides the subject; far where it lacks the subject."""
    titles = [title_words(title) for title in (card.title, card.title_es) if title]
    return min((len(title - subject) for title in titles if subject <= title), default=FAR)


def defined_at(card: Card, subject: set[str]) -> int:
    """Which sentence of a card begins with the subject, as a definition does; far where none does."""
    for place, opening in enumerate(openings(card.text)):
        if opening and opening[0] in subject and subject == set(opening[: len(subject)]):
            return place
    return FAR


def rank(card: Card, subject: set[str]) -> tuple[int, int, int, str] | None:
    """How well a card defines the subject, the lowest best; None where it does not."""
    gap, place = title_gap(card, subject), defined_at(card, subject)
    if card.kind == "concept" and not gap:
        return 0, 0, place, card.id
    if card.kind == "concept" and place < FAR:
        return 1 if gap < FAR else 3, gap, place, card.id
    if gap > 1 or card.kind not in ("concept", "command"):
        return None
    return 2 if card.kind == "concept" else 4, gap, place, card.id


def defining(cards: Sequence[Card], subject: set[str]) -> Card | None:
    """The card that defines the subject: named after it, or with a sentence that begins with it."""
    ranked = {card.id: rank(card, subject) for card in cards} if subject else {}
    fitting = [card for card in cards if ranked.get(card.id)]
    return min(fitting, key=lambda card: ranked[card.id] or (), default=None)
