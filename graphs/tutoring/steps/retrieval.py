"""The retrieval nodes: three cards to explain with, or five by reserved places to help with."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from graphs.tutoring.context import Context
from graphs.tutoring.retrieval import get_library
from graphs.tutoring.retrieval.selection import advice_card, teaching_cards, trouble_cards
from graphs.tutoring.schemas import Card, Diagnosis
from graphs.tutoring.state import State
from graphs.tutoring.strategy import choose, level_for


def found(cards: list[Card]) -> dict[str, Any]:
    """Cards as state keeps them."""
    return {
        "retrieved_docs": [card.as_text() for card in cards],
        "sources": [{"id": card.id, "kind": card.kind, "title": card.title} for card in cards],
    }


def asked_before(state: State) -> str:
    """The student's question of the turn before."""
    asked = [turn["content"] for turn in state.get("conversation_history") or [] if turn["role"] == "student"]
    return asked[-1][:200] if asked else ""


async def teaching_retrieval_node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Three cards on what is asked, and the strategy that fits the learner's level in it."""
    context = runtime.context or Context()
    question = state.get("question", "")

    def work() -> list[Card]:
        if not question.strip():
            return []
        library, lab = get_library(context.embeddings), state.get("current_lab", "")
        return teaching_cards(library, question, lab, before=asked_before(state))

    cards = await asyncio.to_thread(work)
    level = level_for(state.get("mastery") or {}, [skill for card in cards[:1] for skill in card.skills])
    strategy = choose(state["intent"], level, cli_error=False, in_lab=False, asks_hint=False)
    return {**found(cards), "mastery_level": level, "tutoring_strategy": strategy}


async def retrieval_node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Cards for a fault: its own card first, then commands and the lab."""
    context = runtime.context or Context()
    faults = [Diagnosis.model_validate(item) for item in state.get("cli_diagnoses") or []]
    history = state.get("cli_history") or []
    last = history[-1]["command"] if history else ""
    question = state.get("question", "")

    def work() -> tuple[list[Card], Card | None]:
        library = get_library(context.embeddings)
        chosen = trouble_cards(library, question, faults, last, state.get("current_lab", ""))
        return chosen, None if faults or not question else advice_card(library, question)

    cards, advice = await asyncio.to_thread(work)
    skills = [skill for card in cards[:1] for skill in card.skills]
    level = level_for(state.get("mastery") or {}, skills)
    return {**found(cards), "mastery_level": level, "advice": advice.id if advice else ""}
