"""The tutor's library: cards, and the search for those that fit a question."""

from graphs.tutoring.retrieval.cards import card_for_command, card_for_pattern, load_cards
from graphs.tutoring.retrieval.library import Hit, Library
from graphs.tutoring.retrieval.shelf import get_library, make_ready_soon

__all__ = [
    "Hit",
    "Library",
    "card_for_command",
    "card_for_pattern",
    "get_library",
    "load_cards",
    "make_ready_soon",
]
