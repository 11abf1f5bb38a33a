"""The end of a turn: the conversation remembered, and what it showed about the learner's skills."""

from typing import Any

from langgraph.runtime import Runtime

from graphs.tutoring.context import Context
from graphs.tutoring.history import settled
from graphs.tutoring.labs import get_lab
from graphs.tutoring.mastery import evidence_id
from graphs.tutoring.progress import add_evidence
from graphs.tutoring.retrieval import card_for_pattern
from graphs.tutoring.schemas import Evidence
from graphs.tutoring.state import State
from graphs.tutoring.steps.routing import now

KEEP_TURNS = 20


async def record_node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Write evidence and history, and clear what belonged to this turn alone."""
    evidence = [*cli_evidence(state), *check_evidence(state), *quiz_evidence(state)]
    if runtime.store is not None and evidence:
        await add_evidence(runtime.store, state.get("student_id") or "", evidence)
    turn = [
        {"role": "student", "content": state.get("question", "")[:2_000], "turn": state["turn_id"]},
        {"role": "tutor", "content": state.get("feedback_message", "")[:4_000], "turn": state["turn_id"]},
    ]
    before = [old for old in state.get("conversation_history") or [] if old.get("turn") != state["turn_id"]]
    done = {check["check_id"] for check in state.get("lab_checks") or [] if check["done"]}
    return {
        "conversation_history": [*before, *turn][-KEEP_TURNS:],
        "turns_done": [*(state.get("turns_done") or []), state["turn_id"]][-KEEP_TURNS:],
        "checks_done": sorted({*(state.get("checks_done") or []), *done}),
        "cli_history": settled(state.get("cli_history") or []),
        "student_question": "",
        "running_configs": {},
        "device_notes": "",
    }


def cli_evidence(state: State) -> list[Evidence]:
    """A command that the device refused is a wrong answer on that command's skill; symptoms are not."""
    found = []
    for fault in state.get("cli_diagnoses") or []:
        card = card_for_pattern(fault["pattern_id"])
        quoted = not fault["line"]  # asked about, but no device refused it
        if fault["is_symptom"] or quoted or card is None or not card.skills:
            continue
        key = evidence_id("cli", state.get("current_lab", ""), fault["command"], fault["line"])
        detail = f"`{fault['command'][:80]}`: {fault['diagnosis'][:160]}"
        found.append(
            Evidence(id=key, skill=card.skills[0], kind="cli_error", outcome="wrong", detail=detail, at=now())
        )
    return found


def check_evidence(state: State) -> list[Evidence]:
    """A check of the lab that turned true: right, or assisted where hints were given for its step."""
    lab_id = state.get("current_lab", "")
    if not lab_id:
        return []
    before, hints = set(state.get("checks_done") or []), state.get("hints_given") or {}
    found = []
    for check in state.get("lab_checks") or []:
        if check["done"] and check["check_id"] not in before:
            step = get_lab(lab_id).step(check["step"])
            outcome = "assisted" if hints.get(f"{lab_id}/{step.id}") else "right"
            found.append(
                Evidence(
                    id=evidence_id("check", lab_id, check["check_id"]),
                    skill=step.skill,
                    kind="check",
                    outcome="assisted" if outcome == "assisted" else "right",
                    detail=f"{lab_id}: {step.title}",
                    at=now(),
                )
            )
    return found


def quiz_evidence(state: State) -> list[Evidence]:
    """The answer to a quiz."""
    result = state.get("quiz_result") or {}
    if not result:
        return []
    return [
        Evidence(
            id=evidence_id("quiz", state["turn_id"], result["question"]),
            skill=result["skill"],
            kind="quiz",
            outcome="right" if result["right"] else "wrong",
            detail=result["question"],
            at=now(),
        )
    ]
