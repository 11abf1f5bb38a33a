"""The first nodes of a turn: what is asked, what the CLI shows, what the lab's checks say."""

import asyncio
import re
import uuid
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime

from common.budget import RESET
from common.errors import NotFound
from common.inputs import checked_input
from graphs.tutoring.context import Context
from graphs.tutoring.devices import mask_secrets
from graphs.tutoring.diagnosis.quoted import diagnose_quoted
from graphs.tutoring.history import (
    keep_last_five,
    open_faults,
    settled,
    split_pasted,
    typed_only,
    visible,
)
from graphs.tutoring.intent import read
from graphs.tutoring.labs import check_lab, get_lab
from graphs.tutoring.labs.catalog import MAX_INSTRUCTIONS
from graphs.tutoring.progress import list_mastery
from graphs.tutoring.state import Input, State
from graphs.tutoring.steps.speaking import announce
from graphs.tutoring.strategy import asks_for_hint, asks_for_solution, choose, grade

MAX_QUESTION = 4_000
PER_TURN: dict[str, Any] = {
    "retrieved_docs": [], "sources": [], "lab_checks": [], "advice": "", "device_notes": "",
    "feedback_message": "",
    "answer_id": "", "origin": "rules", "warnings": [], "mastery_level": "novice", "quiz_result": {},
}  # fmt: skip


def now() -> str:
    """The time of an observation."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def question_of(state: State) -> str:
    """This turn's question: given as such, else the last human message."""
    question = state.get("student_question") or ""
    if not question.strip():
        messages = state.get("messages") or []
        if messages and isinstance(messages[-1], HumanMessage):
            question = str(messages[-1].text)
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", question)[:MAX_QUESTION].strip()


def lab_of(state: State) -> tuple[dict[str, Any], list[str]]:
    """The lab's text, and a warning where the lab is unknown."""
    lab_id = (state.get("current_lab") or "").strip()
    given = state.get("lab_instructions") or ""
    if not lab_id:
        return {"current_lab": "", "lab_instructions": given[:MAX_INSTRUCTIONS]}, []
    try:
        return {"current_lab": lab_id, "lab_instructions": get_lab(lab_id).instructions()}, []
    except NotFound as exc:
        return {"current_lab": "", "lab_instructions": given[:MAX_INSTRUCTIONS]}, [str(exc)]


async def known_skills(runtime: Runtime[Context], student: str) -> dict[str, float]:
    """The student's mastery from the durable store."""
    if runtime.store is None:
        return {}
    return {item.skill: item.probability for item in await list_mastery(runtime.store, student)}


async def intent_router_node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Reset the turn, read the question and the CLI, and decide which path answers."""
    checked_input(Input, state)
    announce("prepare")
    run = run_id()
    if run in (state.get("turns_done") or []):
        over = {
            "student_question": "",
            "running_configs": {},
            "cli_history": settled(state.get("cli_history") or []),
        }
        return {**over, "repeated": True}
    # The first turn reads the labs and the command tree from their files.
    turn = await asyncio.to_thread(read_turn, state)
    again = state.get("turn_messages") if run == state.get("turn_id") else None
    turn |= {"turn_id": run, "turn_messages": again or [], "repeated": False}
    return {**turn, "mastery": await known_skills(runtime, state.get("student_id") or "")}


def run_id() -> str:
    """The run's id: the same when a server runs it again after a crash."""
    config = get_config()
    known = config.get("configurable", {}).get("run_id") or config.get("metadata", {}).get("run_id")
    return str(known or uuid.uuid4())


def read_turn(state: State) -> dict[str, Any]:
    """What this turn is about: question, faults, lab, intent and strategy."""
    asked = question_of(state)
    question, pasted = split_pasted(asked)
    history = visible(keep_last_five(state.get("cli_history"), pasted), question)
    faults = open_faults(history)
    quoted = None if faults else diagnose_quoted(typed_only(asked, pasted))
    reading = read(question, history if faults else [])
    faults += [quoted] if quoted else []
    lab, warnings = lab_of(state)
    hint = asks_for_hint(question) or bool(lab["current_lab"] and asks_for_solution(question))
    intent = reading.intent
    unclear = faults and intent == "ambiguous"
    if quoted or unclear or (pasted and faults) or (lab["current_lab"] and hint):
        intent = "troubleshooting"
    right = None if faults or hint else grade(state.get("quiz") or {}, question)
    if right is not None:
        intent = "teaching"
    return {
        **PER_TURN,
        **lab,
        "question": question,
        "cli_history": pasted,
        "cli_diagnoses": [fault.model_dump() for fault in faults],
        "intent": intent,
        "tutoring_strategy": choose(
            intent, "novice", cli_error=bool(faults), in_lab=bool(lab["current_lab"]), asks_hint=hint
        ),
        "quiz": {} if right is not None else state.get("quiz") or {},
        "quiz_result": {} if right is None else {**state["quiz"], "right": right, "reply": question[:120]},
        "warnings": warnings,
        "running_configs": {name: mask_secrets(text) for name, text in given_configs(state).items()},
        "spent": RESET,
    }


def given_configs(state: State) -> dict[str, str]:
    """The configurations sent with this turn, of a size that a device could have."""
    return {str(name)[:60]: text[:200_000] for name, text in (state.get("running_configs") or {}).items()}


async def check_node(state: State) -> dict[str, Any]:
    """Run the lab's checks on the configurations at hand."""
    lab = get_lab(state["current_lab"])
    results = check_lab(lab, state.get("running_configs") or {})
    return {"lab_checks": [vars(result) for result in results if result.done is not None]}
