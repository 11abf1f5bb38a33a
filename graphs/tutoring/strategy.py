"""How an answer is pitched: strategy, hints that climb, and the short quiz."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from graphs.tutoring.intent import plain
from graphs.tutoring.labs import Lab, Step
from graphs.tutoring.mastery import level
from graphs.tutoring.schemas import Intent, Quiz, Strategy

QUIZZES = Path(__file__).parent / "quizzes.yaml"
RUNGS = 3
HINT = re.compile(
    r"\b(?:hint|clue|stuck|next step|what (?:now|next)|what (?:do|should) i do|give up|pista|ayuda|"
    r"siguiente paso|que hago|atascad[oa]|am i done|check my|como sigo)\b"
)
ANSWER = re.compile(
    r"^(?!what|how|why|when|which|can|is|does|que|como|por|cual|explain|my |the |i )", re.IGNORECASE
)


def choose(intent: Intent, level_now: str, *, cli_error: bool, in_lab: bool, asks_hint: bool) -> Strategy:
    """A detected error is answered at once; in labs hints climb; explanations follow mastery."""
    if cli_error:
        return "direct"
    if in_lab and (asks_hint or intent == "troubleshooting"):
        return "hint"
    if intent == "troubleshooting":
        return "direct"
    by_level: dict[str, Strategy] = {"novice": "direct", "developing": "socratic", "proficient": "challenge"}
    return by_level[level_now]


def asks_for_hint(question: str) -> bool:
    """Whether the student asks to be helped along in the lab."""
    return HINT.search(plain(question)) is not None


def current_step(lab: Lab, checks_done: list[str]) -> Step | None:
    """The first step of the lab with a check that was never true."""
    for step in lab.steps:
        if any(check.step == step.id and check.id not in checks_done for check in lab.checks):
            return step
    return None


def climb(step: Step, hints_given: dict[str, int], lab_id: str) -> tuple[str, dict[str, int]]:
    """The next hint of a step, and the rungs as they stand then."""
    key = f"{lab_id}/{step.id}"
    rung = min(hints_given.get(key, 0), RUNGS - 1)
    return step.hints[rung], {**hints_given, key: rung + 1}


def level_for(mastery: dict[str, float], skills: list[str]) -> str:
    """The learner's level in the skills at hand: the weakest of them counts."""
    known = [mastery[skill] for skill in skills if skill in mastery]
    return level(min(known)) if known else "novice"


@lru_cache(maxsize=1)
def quizzes() -> list[Quiz]:
    """Our short questions."""
    return [Quiz.model_validate(item) for item in yaml.safe_load(QUIZZES.read_text(encoding="utf-8"))]


def pick_quiz(skills: list[str], asked: int) -> Quiz | None:
    """A question on one of the skills; later turns get other ones."""
    fitting = [quiz for quiz in quizzes() if quiz.skill in skills]
    return fitting[asked % len(fitting)] if fitting else None


def grade(quiz: dict[str, Any], text: str) -> bool | None:
    """Whether a reply answers the quiz rightly; None where it is no answer but another question."""
    reply = plain(text)
    if not quiz or not reply or len(reply) > 120 or "?" in text:
        return None
    if any(re.search(rf"(?<![\w.]){re.escape(answer)}(?![\w.])", reply) for answer in quiz["accept"]):
        return True
    return False if len(reply.split()) <= 6 and ANSWER.match(reply) else None
