"""Whether two concepts are one: words first, vectors as a hint, a person in the end."""

from graphs.concept_extraction.duplicates.contrast import contrast
from graphs.concept_extraction.duplicates.judge import (
    Idea,
    Judgement,
    Thresholds,
    differing_words,
    judge,
    judge_ideas,
    thresholds_for,
)

__all__ = [
    "Idea",
    "Judgement",
    "Thresholds",
    "contrast",
    "differing_words",
    "judge",
    "judge_ideas",
    "thresholds_for",
]
