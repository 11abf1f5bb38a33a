"""What a learner knows, skill by skill: Bayesian knowledge tracing over the evidence."""

from collections.abc import Iterable

from common.files import content_hash
from graphs.tutoring.schemas import Evidence, Mastery

KNOWN_AT_FIRST = 0.2
SLIP = 0.1
GUESS = 0.2
LEARN = 0.15
DEVELOPING, PROFICIENT = 0.4, 0.8


def trace(known: float, outcome: str) -> float:
    """The probability that the skill is known after one more observation.

    Right after a hint is no proof of knowledge: only the practice counts, at half weight.
    """
    if outcome == "assisted":
        return known + (1 - known) * LEARN / 2
    if outcome == "right":
        seen = known * (1 - SLIP) / (known * (1 - SLIP) + (1 - known) * GUESS)
    else:
        seen = known * SLIP / (known * SLIP + (1 - known) * (1 - GUESS))
    return seen + (1 - seen) * LEARN


def fold(skill: str, evidence: Iterable[Evidence]) -> Mastery:
    """Mastery of a skill from all its evidence, in order of time."""
    mastery = Mastery(skill=skill, probability=KNOWN_AT_FIRST)
    for item in sorted(evidence, key=lambda item: (item.at, item.id)):
        mastery = Mastery(
            skill=skill,
            attempts=mastery.attempts + 1,
            correct=mastery.correct + (item.outcome == "right"),
            assisted=mastery.assisted + (item.outcome == "assisted"),
            last_seen=item.at,
            probability=round(trace(mastery.probability, item.outcome), 4),
        )
    return mastery


def level(probability: float) -> str:
    """novice, developing or proficient."""
    if probability >= PROFICIENT:
        return "proficient"
    return "developing" if probability >= DEVELOPING else "novice"


def evidence_id(*parts: str) -> str:
    """The same observation has the same id, so that a replayed node writes it once."""
    return content_hash("\x1f".join(parts))[:16]
