"""How an answer is pitched: strategy, hints that climb, and the short quiz."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from graphs.tutoring.intent import plain, read
from graphs.tutoring.labs import Lab, Step
from graphs.tutoring.mastery import level
from graphs.tutoring.schemas import Intent, Quiz, Strategy

QUIZZES = Path(__file__).parent / "quizzes.yaml"
RUNGS = 3
PASSED = RUNGS + 1
MAX_WRONG = 60
HINT = re.compile(
    r"\b(?:hint|clue|stuck|next step|what (?:now|next)|what (?:do|should) i do|give up|pista|ayuda|"
    r"siguiente paso|que hago|atascad[oa]|am i done|check my|como sigo|que sigue|step \d|paso \d"
    r"|(?:start|begin|empiezo|empezar|comenzar)(?:n?ing)? (?:with )?(?:the|this|my|el|este) lab\w*"
    r"|(?:where|how) (?:do|should) i (?:start|begin)|first step|por donde empiezo"
    r"|let'?s (?:start|begin|go)|what(?:'?s| is)? (?:\w+ )?(?:missing|left)|(?:que|me) falta)\b"
    r"|ヒント|次のステ|ステッフ\s?\d|次は"
)
NEXT = re.compile(r"\b(?:next step|next one|move on|siguiente paso|el siguiente|sigamos)\b|次のステ|次へ")
SOLUTION = re.compile(
    r"\b(?:(?:full|whole|complete|entire) (?:\w+ )?(?:solutions?|answers?|config\w*)"
    r"|all (?:of )?the (?:commands|answers|steps)|solve (?:it|this|the|this lab|everything)"
    r"|(?:do|finish) (?:it|the lab|this lab|everything) for me"
    r"|just give me the (?:\w+ )?(?:answers?|solution|commands)"
    r"|the (?:solution|answers?) (?:of|to|for) (?:the|this) lab"
    r"|(?:what|which) commands .*\b(?:finish|complete|solve|pass|do|for|in) (?:the|this) lab"
    r"|solucion (?:completa|del? (?:lab\w*|ejercicio))"
    r"|resuelve\w* (?:el|todo|lo)|todos los comandos|todas las respuestas|configuracion completa)\b|答え|解答"
)
ANSWER = re.compile(
    r"^(?!what|how|why|when|which|can|is|does|que|como|por|cual|explain|my |the |i "
    r"|(?:thanks?|thx|bye|ok|okay|hi|hello|hey|great|nice|cool|good|skip|next|gracias|adios|hola)\b)",
    re.IGNORECASE,
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


def asks_for_next(question: str) -> bool:
    """Whether the student wants to leave the step and go on."""
    return NEXT.search(plain(question)) is not None


def asks_for_solution(question: str) -> bool:
    """Whether the student wants the whole lab done for them."""
    return SOLUTION.search(plain(question)) is not None


def step_named(lab: Lab, question: str) -> Step | None:
    """The step that a question names by its number."""
    found = re.search(r"\b(?:step|paso)\s*(\d{1,2})\b|ステップ\s*(\d{1,2})", question, re.IGNORECASE)
    number = int(found[1] or found[2]) if found else 0
    return lab.steps[number - 1] if 0 < number <= len(lab.steps) else None


def current_step(lab: Lab, checks_done: list[str], left: set[str] | None = None) -> Step | None:
    """The first step of the lab with a check that was never true, and that was not left behind."""
    for step in lab.steps:
        if step.id in (left or ()):
            continue
        if any(check.step == step.id and check.id not in checks_done for check in lab.checks):
            return step
    return None


def passed(lab: Lab, hints_given: dict[str, int]) -> set[str]:
    """The steps that the student left after their last hint."""
    return {step.id for step in lab.steps if hints_given.get(f"{lab.id}/{step.id}", 0) >= PASSED}


def spent(lab: Lab, step: Step, hints_given: dict[str, int]) -> bool:
    """Whether all hints of a step are given."""
    return hints_given.get(f"{lab.id}/{step.id}", 0) >= RUNGS


def climb(step: Step, hints_given: dict[str, int], lab_id: str) -> tuple[str, int, dict[str, int]]:
    """The next hint of a step, which rung it is, and the rungs as they stand then."""
    key = f"{lab_id}/{step.id}"
    rung = min(hints_given.get(key, 0), RUNGS - 1)
    return step.hints[rung], rung + 1, {**hints_given, key: max(rung + 1, hints_given.get(key, 0))}


def spoils(lab: Lab, hints_given: dict[str, int], example: list[str]) -> bool:
    """Whether an example shows the very command of a step whose last hint is not given yet."""
    kept = {
        command.lower()
        for step in lab.steps
        if not spent(lab, step, hints_given)
        for command in re.findall(r"`([^`]+)`", step.hints[-1])
        if re.search(r"[\dA-Z]", command)  # a value of this lab, not a keyword that any lab needs
    }
    return any(re.sub(r"^\S+[#>] ?", "", line).lower() in kept for line in example)


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
    cues = read(text)
    asks = cues.trouble or cues.teaching or len(reply) > MAX_WRONG
    return False if not asks and len(reply.split()) <= 6 and ANSWER.match(reply) else None
