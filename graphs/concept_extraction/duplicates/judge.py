"""Whether two statements are one: what words and vectors can tell, and what they cannot."""

import re
from dataclasses import dataclass
from typing import Literal

from graphs.concept_extraction.duplicates.contrast import Difference, contrast, difference
from graphs.concept_extraction.titles import title_key

Sameness = Literal["same", "different", "unsure"]

# From this share of common words on, what is not common is what the two statements are about.
ALIKE = 0.5
APART = 0.3
# From here on, a word more is a statement more.
MOSTLY = 0.6
# From this share of words in the same order on, one statement is the other with a word replaced. Who says
# the same in other words changes the sentence too; who replaces a word mostly says something else.
REPLACED = 0.55


@dataclass(frozen=True)
class Thresholds:
    """Scores, (1 + cosine) / 2, that mean something for one embedder.

    Below `near` nobody looks; from `sure` on nobody need ask; between them a model is asked, and
    without one `likely` is where rules propose a merge. The words that two statements do not share must
    be `kindred`, or else they only speak of the same thing; `synonyms` where they share most of the rest;
    `twins` where one word stands in the place of another.
    """

    near: float = 0.7
    likely: float = 0.9
    sure: float = 0.985
    kindred: float = 0.8
    synonyms: float = 0.9
    twins: float = 0.95


# `use` was calibrated on samples/quotes/duplicates; of the others only the order of scores is relied on.
_BY_EMBEDDER = {
    "use": Thresholds(near=0.70, likely=0.72, sure=0.985, kindred=0.65, synonyms=0.80),
    "ngram": Thresholds(near=0.70, likely=0.80, sure=0.985, kindred=0.60, synonyms=0.90),
}


def thresholds_for(embedder: str) -> Thresholds:
    return _BY_EMBEDDER.get(embedder, Thresholds())


@dataclass(frozen=True)
class Idea:
    """A concept as far as comparing goes."""

    id: str
    title: str
    text: str = ""


@dataclass(frozen=True)
class Judgement:
    sameness: Sameness
    reason: str


def judge(first: str, second: str, score: float, limits: Thresholds, words: float | None = None) -> Judgement:
    """What rules say of two statements whose vectors score `score`.

    `words` is the score of the words in which they differ (`differing_words`), where they share some.
    A vector proposes and never decides: a contrast in words wins over any score.
    """
    reason, found = contrast(first, second), difference(first, second)
    if reason is not None:
        # In other words a denial may say the same: "no empire lasts", "every empire falls".
        doubtful = found.shared < APART and score >= limits.near
        return Judgement("unsure" if doubtful else "different", reason)
    if title_key(first) == title_key(second):
        return Judgement("same", "the same words")
    if score < limits.near:
        return Judgement("different", "far apart in meaning")
    differing = differing_words(first, second)
    if differing is None and found.shared >= MOSTLY and (found.first or found.second):
        return Judgement("unsure", f"only one of them says {found.first or found.second}")
    if differing is not None and (words is None or words < _needed(differing, limits)):
        return Judgement("unsure", f"they differ in {differing.first} / {differing.second}")
    if differing is not None and differing.shared >= ALIKE:
        return Judgement("same", f"the same but for a synonym ({differing.first} / {differing.second})")
    if score >= limits.likely:
        return Judgement("same", "near in meaning, and nothing in the words speaks against it")
    return Judgement("unsure", "somewhat near in meaning")


def _needed(differing: Difference, limits: Thresholds) -> float:
    """The more two statements share, the more the rest decides; of two words, the other is all."""
    if differing.framed >= REPLACED:
        return limits.twins
    if differing.longest <= 2:
        return limits.synonyms
    part = min(1.0, max(0.0, (differing.shared - APART) / (ALIKE - APART)))
    return limits.kindred + part * (limits.synonyms - limits.kindred)


def differing_words(first: str, second: str) -> Difference | None:
    """The words in which two statements differ that share some; None where they share none."""
    found = difference(first, second)
    return found if found.shared > 0 and found.first and found.second else None


def judge_ideas(
    first: Idea, second: Idea, score: float, limits: Thresholds, words: float | None
) -> Judgement:
    """`judge` for concepts: by their titles, and by their first sentences where those are nearly one."""
    opening = (first_sentence(first.text), first_sentence(second.text))
    if all(opening) and difference(*opening).shared >= ALIKE and (reason := contrast(*opening)):
        return Judgement("different", reason)
    if title_key(first.title) == title_key(second.title):
        if score < limits.near:
            return Judgement("unsure", "the same title for things far apart in meaning")
        return Judgement("same", "the same title")
    return judge(first.title, second.title, score, limits, words)


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?…])\s", text.strip(), maxsplit=1)[0]
