"""How like two cards are, by what sets a card apart from the others of its note.

Cards of one note are often written on one pattern ("What is the capital of …?"): the pattern says nothing
about which of them a card is. So three-letter pieces count the more, the fewer of the note's cards hold
them, and those of the pattern itself not at all."""

import math
from collections import Counter
from collections.abc import Sequence

_LONGEST = 1000
# Pieces of its own that one side must have to tell its card without the other: a year has too few.
_TELLING = 3
# So many cards, or one in so many, may hold a piece before it belongs to the pattern.
_FEW, _SHARE = 8, 10
LEAST = 0.5
# Below this a card has nothing of another but the pattern.
KIN = 0.2
MARGIN = 0.15

Sides = tuple[str, str]
Pair = tuple[int, int]
_Pieces = frozenset[tuple[int, str]]


def pieces(sides: Sides) -> _Pieces:
    """The three-letter pieces of a card's front (0) and back (1), their ends marked."""
    marked = ((side, f"^{text[:_LONGEST]}$") for side, text in enumerate(sides) if text)
    return frozenset((side, text[at : at + 3]) for side, text in marked for at in range(len(text) - 2))


class Likeness:
    """Compares cards (letters and digits alone) with those that a note is known to hold."""

    def __init__(self, known: Sequence[Sides], free: Sequence[int]) -> None:
        held = [pieces(sides) for sides in known]
        self.spread = Counter(piece for each in held for piece in each)
        self.most = math.log(max(2, len(held)))
        self.common = max(_FEW, len(held) // _SHARE)
        self.totals = {number: self._totals(held[number]) for number in free}
        self.holders: dict[tuple[int, str], list[int]] = {}
        for number in free:
            for piece in held[number]:
                if self.spread[piece] <= self.common:
                    self.holders.setdefault(piece, []).append(number)

    def _weight(self, piece: tuple[int, str]) -> float:
        """Words that are new to the note weigh nothing: adding some does not make another card of one."""
        spread = self.spread[piece]
        return self.most - math.log(spread) if 0 < spread <= self.common else 0.0

    def _totals(self, held: _Pieces) -> tuple[float, float]:
        totals = [0.0, 0.0]
        for piece in held:
            totals[piece[0]] += self._weight(piece)
        return totals[0], totals[1]

    def scores(self, sides: Sides) -> dict[int, float]:
        """How like (0 to 1) each known card is that shares a piece with this one."""
        own = pieces(sides)
        shared: dict[int, list[float]] = {}
        for piece in own:
            holders = self.holders.get(piece, ())
            weight = self._weight(piece) if holders else 0.0
            for number in holders:
                shared.setdefault(number, [0.0, 0.0])[piece[0]] += weight
        totals = self._totals(own)
        return {number: self._score(totals, number, parts) for number, parts in shared.items()}

    def _score(self, own: tuple[float, float], number: int, shared: list[float]) -> float:
        """Of both sides together, or of one that says enough by itself."""
        totals = [mine + theirs for mine, theirs in zip(own, self.totals[number], strict=True)]
        enough = 2 * _TELLING * self.most
        telling = [
            2 * part / total for part, total in zip(shared, totals, strict=True) if total >= enough > 0
        ]
        return max([2 * sum(shared) / (sum(totals) or 1.0), *telling])


def all_scores(cards: Sequence[Sides], known: Sequence[Sides], free: Sequence[int]) -> dict[Pair, float]:
    """How like each of these cards is to each of the known ones that are free."""
    likeness = Likeness(known, free)
    return {
        (card, number): score
        for card, sides in enumerate(cards)
        for number, score in likeness.scores(sides).items()
    }


def matches(scores: dict[Pair, float]) -> list[Pair]:
    """Pairs (card, known card) that are like each other and like no other one nearly as much."""
    scores = {pair: score for pair, score in scores.items() if score >= LEAST - MARGIN}
    found: list[Pair] = []
    while settled := _settled(scores):
        found += settled
        cards_done, known_done = {card for card, _ in settled}, {number for _, number in settled}
        scores = {
            pair: score
            for pair, score in scores.items()
            if pair[0] not in cards_done and pair[1] not in known_done
        }
    return found


def _settled(scores: dict[Pair, float]) -> list[Pair]:
    """The pairs that nothing else comes near, on either side."""
    rivals: dict[tuple[str, int], list[float]] = {}
    for (card, number), score in scores.items():
        rivals.setdefault(("card", card), []).append(score)
        rivals.setdefault(("known", number), []).append(score)

    def clear(key: tuple[str, int], score: float) -> bool:
        return sum(rival > score - MARGIN for rival in rivals[key]) == 1

    return [
        (card, number)
        for (card, number), score in scores.items()
        if score >= LEAST and clear(("card", card), score) and clear(("known", number), score)
    ]
