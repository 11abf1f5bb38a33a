"""Finds what a mistyped command line was meant to be: the cheapest reading of the line in the command tree.

Words that the tree takes as they are cost nothing; a respelled word costs its edit distance (optimal string
alignment); a keyword written in two costs less than one. The search is best-first, so the first reading that
reaches the end of the line is the likeliest.
"""

import heapq
from dataclasses import dataclass, field
from itertools import count

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from graphs.tutoring.diagnosis.arguments import INTERFACE, accepts, interface_types
from graphs.tutoring.diagnosis.grammar import INTERFACE_TYPES, Node
from graphs.tutoring.diagnosis.tree import CommandTree, matching_words, tokenize
from graphs.tutoring.schemas import Correction

MAX_STATES = 400
SPLIT_COST = 0.8
FIRST_LETTER_COST = 0.3
SHORT_FORM_COST = 0.7
UNFINISHED_COST = 0.4
UNREAD_COST = 1.8
SECOND_FIX_COST = 0.6
OTHER_MODE_COST = 0.45
CHEAP_ENOUGH = 2.0


@dataclass(frozen=True)
class Fix:
    """One respelled word: where, what stood there (two words when split), what it should be."""

    index: int
    wrong: str
    right: str
    distance: int
    split: bool = False


@dataclass(frozen=True)
class Candidate:
    """A whole reading of the line with its cost."""

    cost: float
    words: tuple[str, ...]
    fixes: tuple[Fix, ...]
    mode: str


@dataclass(order=True)
class Partial:
    """A reading in progress, ordered by cost."""

    cost: float
    order: int
    index: int = field(compare=False)
    node: Node | None = field(compare=False)
    words: tuple[str, ...] = field(compare=False)
    fixes: tuple[Fix, ...] = field(compare=False)


def allowed_distance(token: str) -> int:
    """How many letters may be wrong in a word of this length."""
    size = len(token)
    if size <= 2:
        return 0
    return 2 if size <= 5 else 3


def plausible(token: str, word: str, distance: int) -> bool:
    """Whether so great a distance is still a slip: long words or dropped letters, the first letter kept."""
    if distance == 1 or (distance == 2 and len(token) >= 4):
        return True
    if len(token) >= 9 or (len(token) >= 6 and token[0] == word[0]):
        return True
    letters = iter(word)
    return len(token) >= 3 and token[0] == word[0] and all(letter in letters for letter in token)


class LineSearch:
    """Best-first search for the readings of one line in one mode."""

    def __init__(self, tokens: tuple[str, ...], root: Node, lead: tuple[str, ...], *, at: int | None) -> None:
        self._tokens = tokens
        self._at = at
        self._order = count()
        self._heap = [Partial(0.0, next(self._order), len(lead), root, lead, ())]

    def best(self, mode: str, limit: int = 2) -> list[Candidate]:
        """The cheapest readings that change something, best first."""
        found: list[Candidate] = []
        for _ in range(MAX_STATES):
            if not self._heap or len(found) == limit:
                break
            state = heapq.heappop(self._heap)
            if state.node is None:
                if state.fixes:
                    found.append(Candidate(state.cost, state.words, state.fixes, mode))
                continue
            self._expand(state, state.node)
        return found

    def _push(
        self, state: Partial, cost: float, index: int, node: Node | None, words: tuple[str, ...],
        fix: Fix | None = None,
    ) -> None:  # fmt: skip
        if fix is None:
            total, fixes = state.cost + cost, state.fixes
        elif len(state.fixes) >= 2 or (not state.fixes and not self._pointed_at(fix)):
            return
        else:
            total = state.cost + cost + (SECOND_FIX_COST if state.fixes else 0.0)
            fixes = (*state.fixes, fix)
        heapq.heappush(self._heap, Partial(total, next(self._order), index, node, words, fixes))

    def _pointed_at(self, fix: Fix) -> bool:
        """Whether the caret allows it; of a keyword in two words the first may pass as a short form."""
        return self._at in (None, fix.index) or (fix.split and self._at == fix.index + 1)

    def _expand(self, state: Partial, node: Node) -> None:
        if state.index == len(self._tokens):
            self._push(state, 0.0 if node.complete else UNFINISHED_COST, state.index, None, state.words)
            return
        token = self._tokens[state.index]
        lower = token.lower()
        if state.fixes:
            rest = (*state.words, *self._tokens[state.index :])
            self._push(state, UNREAD_COST, len(self._tokens), None, rest)
        self._take_as_is(state, node, token, lower)
        self._join_split(state, node, lower)
        self._respell(state, node, lower)
        self._respell_interface(state, node, lower)

    def _take_as_is(self, state: Partial, node: Node, token: str, lower: str) -> None:
        following = state.index + 1
        for word in matching_words(node, lower):
            for child in node.keywords[word]:
                self._push(state, 0.0, following, child, (*state.words, token))
        for kind, child in node.arguments:
            if accepts(kind, token):
                self._push(state, 0.0, following, child, (*state.words, token))

    def _join_split(self, state: Partial, node: Node, lower: str) -> None:
        if state.index + 1 >= len(self._tokens):
            return
        pair = f"{lower} {self._tokens[state.index + 1].lower()}"
        joined = pair.replace(" ", "")
        for word in node.keywords:
            if len(joined) >= 4 and joined in (word, word.replace("-", "")):
                fix = Fix(state.index, pair, word, 1, split=True)
                for child in node.keywords[word]:
                    self._push(state, SPLIT_COST, state.index + 2, child, (*state.words, word), fix)

    def _respell(self, state: Partial, node: Node, lower: str) -> None:
        limit = allowed_distance(lower)
        if limit == 0 or lower in node.keywords:
            return
        for word, distance, _ in extract(
            lower, list(node.keywords), scorer=OSA.distance, score_cutoff=limit, limit=6
        ):
            self._push_respelled(state, node, lower, word, int(distance), 0.0)
        if len(lower) >= 3:
            self._respell_short_form(state, node, lower)

    def _respell_short_form(self, state: Partial, node: Node, lower: str) -> None:
        """A short form with one letter wrong, such as `itn` for `int`."""
        for word in node.keywords:
            size = len(lower)
            if len(word) > size + 1 and OSA.distance(lower, word[:size], score_cutoff=1) <= 1:
                self._push_respelled(state, node, lower, word, 1, SHORT_FORM_COST)

    def _push_respelled(
        self, state: Partial, node: Node, lower: str, word: str, distance: int, extra: float
    ) -> None:
        # The beginning of a keyword is a short form, which a device takes: no slip.
        if word.startswith(lower) or not plausible(lower, word, distance):
            return
        cost = distance + extra + (FIRST_LETTER_COST if lower[0] != word[0] else 0.0)
        fix = Fix(state.index, lower, word, distance)
        for child in node.keywords[word]:
            self._push(state, cost, state.index + 1, child, (*state.words, word), fix)

    def _respell_interface(self, state: Partial, node: Node, lower: str) -> None:
        """An interface name in one word with its type misspelled, such as `gigabitethrnet0/1`."""
        found = INTERFACE.match(lower)
        if not found or interface_types(found[1]):
            return
        best = extract(
            found[1], INTERFACE_TYPES, scorer=OSA.distance, score_cutoff=allowed_distance(found[1]), limit=1
        )
        for kind, child in node.arguments if best else ():
            if kind == "ifname":
                right = best[0][0] + found[2]
                fix = Fix(state.index, lower, right, int(best[0][1]))
                self._push(state, best[0][1], state.index + 1, child, (*state.words, right), fix)


def split_merged(tokens: tuple[str, ...], index: int, keywords: list[str]) -> list[tuple[str, ...]]:
    """The line with a word such as `noshutdown` or `showip` taken apart, a keyword first."""
    token = tokens[index].lower()
    return [
        (*tokens[:index], word, token[len(word) :], *tokens[index + 1 :])
        for word in sorted(keywords, key=len, reverse=True)
        if len(word) >= 2 and token.startswith(word) and len(token) - len(word) >= 2
    ]


def search(tree: CommandTree, line: str, mode: str | None, at: int | None = None) -> list[Candidate]:
    """The likeliest meanings of `line`, the current mode's readings preferred over other modes'."""
    tokens = tokenize(line)
    if not tokens:
        return []
    found: list[Candidate] = []
    for name in modes_to_try(tree, mode):
        natural = mode is None or name in natural_modes(tree, mode)
        if not natural and found and found[0].cost < CHEAP_ENOUGH:
            break
        lead, root, _ = tree.start(tokens, name)
        extra = 0.0 if natural else OTHER_MODE_COST
        for candidate in LineSearch(tokens, root, lead, at=at).best(name):
            found.append(Candidate(candidate.cost + extra, candidate.words, candidate.fixes, name))
        found.sort(key=lambda candidate: candidate.cost)
    return found


def natural_modes(tree: CommandTree, mode: str) -> list[str]:
    """The modes whose commands a device in `mode` takes."""
    return [mode, "config"] if tree.falls_back(mode) else [mode]


def modes_to_try(tree: CommandTree, mode: str | None) -> list[str]:
    """The current mode first, then those whose commands students mix up with it."""
    common = ["exec", "config", "config-if", "config-router", "config-line", "config-vlan", "dhcp-config"]
    if mode is None or mode not in tree.modes:
        rest = [
            name for name in tree.modes if name not in (*common, "user", "config-subif", "config-if-range")
        ]
        return common + rest
    return list(dict.fromkeys([*natural_modes(tree, mode), *common[:5]]))


def correction(candidate: Candidate) -> Correction:
    """A candidate as the value that diagnoses carry; the first respelled word names it."""
    fix = candidate.fixes[0]
    return Correction(
        wrong=fix.wrong,
        right=fix.right,
        distance=sum(fix.distance for fix in candidate.fixes),
        command=" ".join(candidate.words),
        mode=candidate.mode,
    )
