"""Slugs: `<base>-<index>-<language>`, kept for a card through edits, moves and insertions."""

import functools
import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from rapidfuzz import fuzz

from graphs.card_decision.schemas import Candidate, ExistingNote
from graphs.card_decision.vault.frontmatter import text_of
from graphs.card_decision.vault.likeness import KIN, all_scores, matches

_SLUG = re.compile(r"^(?P<base>.+)-(?P<index>\d+)-(?P<lang>[a-z]{2,3}(?:-[a-z]{2,3})*)$")
_PART = re.compile(r"\d+-\d+-[a-z-]+")
_GAP = re.compile(r"\{\{c\d[\d,]*::.{0,2000}?\}\}")
_SIMILAR = 60.0
_CLOSE = 70.0
# Letters of an answer that tells its card: a shorter one (a year, a name) is that of many questions.
TELLING = 12


@dataclass(frozen=True)
class Known:
    """A slug that exists already, with the plain text of its front where that is known."""

    slug: str
    index: int | None
    language: str
    front: str = ""
    back: str = ""
    synced: bool = True


def slug_base(path: str, frontmatter: dict[str, Any]) -> str:
    """The frontmatter's `id`, else the file's stem."""
    return text_of(frontmatter, "id") or PurePosixPath(path).stem


def make_slug(base: str, index: int, language: str) -> str:
    return f"{base}-{index}-{language}"


def known_slug(slug: str, front: str = "", back: str = "") -> Known:
    """Read index and language back from a slug; a slug of another shape has none."""
    match = _SLUG.match(slug)
    if not match:
        return Known(slug, None, "", front, back)
    return Known(slug, int(match["index"]), match["lang"], front, back)


def base_of(slug: str) -> str:
    """The base that makes this slug; empty for a slug of another shape."""
    match = _SLUG.match(slug)
    return match["base"] if match else ""


@functools.lru_cache(maxsize=4096)
def text_key(text: str) -> str:
    """Letters and digits alone: the same for Markdown and for the HTML made of it."""
    bare = html.unescape(re.sub(r"<[^>]*>", "", text)) if "<" in text or "&" in text else text
    return re.sub(r"[\W_]+", "", bare).casefold()


def sides_of(held: ExistingNote) -> tuple[str, str]:
    """Front and back that a card is known by: the note's own words where the ledger has them."""
    front, back, *_ = [*(held.base or held.fields).values(), "", ""]
    return held.source or front, back


def alike(candidate: Candidate, front: str, back: str) -> bool:
    """Whether a card of the note could be this one, edited."""
    return (
        fuzz.ratio(text_key(candidate.front), text_key(front)) >= _SIMILAR
        or fuzz.ratio(text_key(candidate.back), text_key(back)) >= _SIMILAR
    )


def closeness(candidate: Candidate, known: Known) -> float:
    """How near (of 100) a card's text is to a known one's: both sides of it, or the text around its gaps."""
    if not candidate.back and not known.back:
        around = [text_key(_GAP.sub("", text)) for text in (candidate.front, known.front)]
        if around[0] and around[0] == around[1]:
            return 100.0
    elif fuzz.ratio(text_key(candidate.back), text_key(known.back)) < _SIMILAR:
        return 0.0
    return float(fuzz.ratio(text_key(candidate.front), text_key(known.front)))


def answer_key(front: str, back: str) -> str:
    """What a card asks for: its back, or what its gaps hide."""
    return text_key(back or " ".join(_GAP.findall(front)))


def listed_slugs(frontmatter: dict[str, Any]) -> list[Known]:
    """Slugs of the frontmatter's `anki_cards`, with the language written beside them."""
    listed = frontmatter.get("anki_cards")
    known = []
    for item in listed if isinstance(listed, list) else []:
        slug = item.get("slug") if isinstance(item, dict) else item
        if isinstance(slug, str) and slug.strip():
            known.append(known_slug(slug.strip()))
    return known


def listed_ids(frontmatter: dict[str, Any]) -> dict[str, int]:
    """Anki's note ids that the frontmatter holds for its slugs: a hint, never an identity."""
    listed = frontmatter.get("anki_cards")
    ids = {}
    for item in listed if isinstance(listed, list) else []:
        if (
            isinstance(item, dict)
            and isinstance(item.get("slug"), str)
            and isinstance(item.get("anki_id"), int)
        ):
            ids[item["slug"].strip()] = item["anki_id"]
    return ids


class SlugBook:
    """Gives each candidate of one note its slug, the old one wherever there is one."""

    def __init__(
        self, base: str, known: list[Known], listed: list[Known], elsewhere: Iterable[str] = ()
    ) -> None:
        self.base = base
        own = [item for item in known if not self._is_part(item.slug)]
        self.free = {item.slug: item for item in listed} | {item.slug: item for item in own}
        self.taken: set[str] = set(elsewhere)
        self.reserved = set(self.free)
        self.kin: set[tuple[int, str]] | None = None

    def _is_part(self, slug: str) -> bool:
        """`x-0-1-en` is the second part of a split `x-0-en`, not the note's card 1."""
        rest = slug.removeprefix(f"{self.base}-")
        return rest != slug and bool(_PART.fullmatch(rest))

    def assign(self, candidates: list[Candidate]) -> list[str]:
        """Set the slugs; returns those that were known and found no card."""
        known = list(self.free.values())
        waiting = self._by_content(candidates)
        waiting = self._by_answer(waiting, TELLING)
        waiting = self._by_traits(waiting, known)
        waiting = self._by_declaration(waiting)
        waiting = self._by_index(waiting)
        waiting = self._by_answer(waiting)
        waiting = self._by_likeness(waiting)
        waiting = self._by_doubt(waiting)
        for candidate in waiting:
            self._take(candidate, self._fresh(candidate))
        return list(self.free)

    def _take(self, candidate: Candidate, slug: str) -> None:
        candidate.slug = slug
        self.taken.add(slug)
        self.free.pop(slug, None)

    def _by_content(self, waiting: list[Candidate]) -> list[Candidate]:
        """The same front is the same card, wherever in the note it stands now."""
        by_front: dict[str, list[Known]] = {}
        for item in self.free.values():
            if item.front:
                by_front.setdefault(text_key(item.front), []).append(item)
        if not by_front:
            return waiting
        left = []
        for candidate in waiting:
            same = [item for item in by_front.get(text_key(candidate.front), []) if item.slug in self.free]
            same = [item for item in same if self._speaks(candidate, item)]
            same.sort(key=lambda item: (item.language != candidate.language, item.index != candidate.index))
            if same:
                self._take(candidate, same[0].slug)
            else:
                left.append(candidate)
        return left

    def _by_traits(self, waiting: list[Candidate], known: list[Known]) -> list[Candidate]:
        """Edited, wherever it stands now: like one known card and like no other nearly as much."""
        free = [at for at, item in enumerate(known) if item.slug in self.free and (item.front or item.back)]
        if not waiting or not free:
            return waiting
        scores = all_scores(
            [(text_key(card.front), text_key(card.back)) for card in waiting],
            [(text_key(item.front), text_key(item.back)) for item in known],
            free,
        )
        scores = {
            (card, at): score
            for (card, at), score in scores.items()
            if self._speaks(waiting[card], known[at])
        }
        if len(known) > 1:
            near = (pair for pair, score in scores.items() if score >= KIN)
            self.kin = {(id(waiting[card]), known[at].slug) for card, at in near}
        for card, at in matches(scores):
            self._take(waiting[card], known[at].slug)
        return [card for card in waiting if not card.slug]

    def _is_kin(self, candidate: Candidate, item: Known) -> bool:
        """Whether the two have more in common than the pattern of the note's cards."""
        return self.kin is None or (id(candidate), item.slug) in self.kin

    @staticmethod
    def _speaks(candidate: Candidate, item: Known) -> bool:
        """Heading pairs name their language: a card of another one is another card."""
        return candidate.syntax != "heading_pair" or item.language == candidate.language

    def _by_declaration(self, waiting: list[Candidate]) -> list[Candidate]:
        """Heading pairs name their language and stand in order: that is their identity."""
        left = []
        for candidate in waiting:
            if candidate.syntax != "heading_pair":
                left.append(candidate)
                continue
            slugs = [
                item.slug
                for item in self.free.values()
                if item.index == candidate.index and item.language == candidate.language
            ]
            own = make_slug(self.base, candidate.index, candidate.language)
            if own in slugs or (not slugs and own not in self.taken):
                self._take(candidate, own)
            else:
                self._take(candidate, slugs[0] if slugs else self._fresh(candidate))
        return left

    def _by_index(self, waiting: list[Candidate]) -> list[Candidate]:
        """An edited front: the same place, and either some likeness or nothing else it could be."""
        alone = len(waiting) == len(self.free)
        left = []
        for candidate in waiting:
            same = [item for item in self.free.values() if item.index == candidate.index]
            same.sort(key=lambda item: item.language != candidate.language)
            same = [item for item in same if self._fits(candidate, item, alone)]
            if same:
                self._take(candidate, same[0].slug)
            else:
                left.append(candidate)
        return left

    def _by_answer(self, waiting: list[Candidate], least: int = 1) -> list[Candidate]:
        """A question asked anew, in another place too: the answer that only this card has stays its own."""
        if not self.free:
            return waiting
        answers = [answer_key(candidate.front, candidate.back) for candidate in waiting]
        known = {slug: answer_key(item.front, item.back) for slug, item in self.free.items()}
        left = []
        for candidate, answer in zip(waiting, answers, strict=True):
            same = [slug for slug, held in known.items() if held == answer and slug in self.free]
            same = [slug for slug in same if self._speaks(candidate, self.free[slug])]
            if len(answer) >= least and len(same) == 1 and answers.count(answer) == 1:
                self._take(candidate, same[0])
            else:
                left.append(candidate)
        return left

    def _by_likeness(self, waiting: list[Candidate]) -> list[Candidate]:
        """Edited and in another place at once: the closest first, and only where both sides are close."""
        found = [
            (close, number, item.slug)
            for number, candidate in enumerate(waiting)
            for item in self.free.values()
            if (close := closeness(candidate, item)) >= _CLOSE and self._is_kin(candidate, item)
        ]
        for _, number, slug in sorted(found, key=lambda pair: (-pair[0], pair[1])):
            if slug in self.free and not waiting[number].slug:
                self._take(waiting[number], slug)
        return [candidate for candidate in waiting if not candidate.slug]

    def _by_doubt(self, waiting: list[Candidate]) -> list[Candidate]:
        """What nobody remembers to have synced is asked about, never written: a wide guess is safe there,
        and better than a card made twice. First the same place, then in order."""
        doubtful = [item for item in self.free.values() if not item.synced]
        for same_place in (True, False):
            for candidate in [card for card in waiting if not card.slug]:
                fitting = [item for item in doubtful if item.slug in self.free]
                fitting = [item for item in fitting if not same_place or item.index == candidate.index]
                if fitting:
                    fitting.sort(key=lambda item: item.language != candidate.language)
                    self._take(candidate, fitting[0].slug)
        return [candidate for candidate in waiting if not candidate.slug]

    def _fits(self, candidate: Candidate, item: Known, alone: bool) -> bool:
        if item.language != candidate.language and not item.front:
            return False
        if not item.front and not item.back:
            return True
        return alone or (alike(candidate, item.front, item.back) and self._is_kin(candidate, item))

    def _fresh(self, candidate: Candidate) -> str:
        index = candidate.index
        used = self.taken | self.reserved
        while make_slug(self.base, index, candidate.language) in used:
            index += 1
        return make_slug(self.base, index, candidate.language)
