"""The teaching path's answer: an explanation from three cards, for understanding rather than procedure."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from common.budget import Budget
from common.calls import call
from common.errors import ModelFailed
from common.models import Role, role_for
from common.prompts import fence, load
from graphs.tutoring import rules
from graphs.tutoring.cleaning import clean_reply
from graphs.tutoring.context import Context
from graphs.tutoring.labs import get_lab
from graphs.tutoring.language import phrase
from graphs.tutoring.schemas import Card
from graphs.tutoring.state import State
from graphs.tutoring.steps.speaking import (
    announce,
    cards_of,
    exchange,
    recent,
    say,
    shown,
    spoken_in,
    thinks_aloud,
)
from graphs.tutoring.strategy import pick_quiz, spoils


def next_quiz(state: State, context: Context) -> dict[str, Any]:
    """A short question on what was explained, if quizzes are wanted and something was explained."""
    cards = cards_of(state)
    if not context.quiz or not cards:
        return {}
    quiz = pick_quiz(cards[0].skills, len(state.get("conversation_history") or []) // 2)
    return quiz.model_dump() if quiz else {}


def by_rules(state: State, quiz: dict[str, Any]) -> str:
    """The explanation without a model."""
    language = spoken_in(state)
    result = state.get("quiz_result")
    if result:
        return rules.quiz_reply(result["right"], result, language)
    if not state.get("question"):
        return phrase("empty", language)
    seen = [entry["command"] for entry in state.get("cli_history") or [] if entry.get("fresh")]
    if seen and not cards_of(state):
        return phrase("no_fault", language).format(command=seen[-1])
    return rules.explain(unspoilt(state), state["tutoring_strategy"], language, quiz)


def unspoilt(state: State) -> list[Card]:
    """The cards, the first without its example where that would give a step of the lab away."""
    cards = cards_of(state)
    if not cards or not state.get("current_lab"):
        return cards
    lab, hints = get_lab(state["current_lab"]), state.get("hints_given") or {}
    if spoils(lab, hints, cards[0].example):
        cards[0] = cards[0].model_copy(update={"example": []})
    return cards


async def by_model(state: State, role: Role, budget: Budget) -> tuple[str, str]:
    """The explanation of a model, streamed as it is written; its text and message id."""
    messages = load("tutoring", "teaching").render(
        strategy=state["tutoring_strategy"],
        level=state["mastery_level"],
        documents=shown(state.get("retrieved_docs") or []),
        lab=fence(state.get("lab_instructions") or "(no lab)", "lab"),
        history=fence(recent(state), "conversation"),
        question=fence(state.get("question", ""), "question"),
    )
    live = not thinks_aloud(role.spec)
    reply = await call(role, messages, budget=budget, stream=live)
    text = clean_reply(str(reply.text))
    return text, (reply.id or "") if live else say(text)


async def teaching_feedback_node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Explain, by the configured model or by rules."""
    context = runtime.context or Context()
    role = role_for("tutoring", "teaching", context.teaching_model, temperature=context.temperature)
    budget = Budget(state.get("spent"), max_calls=context.max_calls, max_usd=context.max_usd)
    # Where nothing was asked nothing was looked up, and the cards are read from their files here.
    quiz = {} if state.get("quiz_result") else await asyncio.to_thread(next_quiz, state, context)
    warnings, text, message_id, origin = list(state.get("warnings") or []), "", "", "rules"
    announce("stream-response")
    if not role.is_rules and state.get("question") and not state.get("quiz_result"):
        try:
            text, message_id = await by_model(state, role, budget)
            origin = "llm"
        except ModelFailed as exc:
            warnings.append(f"The rules answered for {role.label}: {exc}")
    if not text:
        text, origin = by_rules(state, quiz), "rules"
        message_id = say(text)
    return {
        "feedback_message": text,
        "answer_id": message_id,
        **exchange(state, text, message_id),
        "quiz": quiz,
        "origin": origin,
        "warnings": warnings,
        "spent": budget.delta,
    }
