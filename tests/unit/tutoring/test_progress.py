"""Mastery: tracing, evidence that can be seen and deleted, strategy and quiz."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore

from common.errors import NotFound
from graphs.tutoring.mastery import KNOWN_AT_FIRST, fold, level, trace
from graphs.tutoring.progress import delete_evidence, label, list_evidence, list_mastery
from graphs.tutoring.schemas import Evidence
from graphs.tutoring.strategy import choose, grade, level_for, pick_quiz, quizzes
from tests.unit.tutoring.conftest import TYPO

Ask = Callable[..., Any]
DONE = {"R1": "hostname R1\n"}


def test_tracing() -> None:
    assert trace(0.2, "right") > trace(0.2, "assisted") > 0.2
    assert trace(0.9, "wrong") < 0.9
    known = KNOWN_AT_FIRST
    for _ in range(4):
        known = trace(known, "right")
    assert level(known) == "proficient"
    assert level(0.5) == "developing"


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["right", "wrong", "assisted"]), max_size=30))
def test_mastery_stays_a_probability(outcomes: list[Any]) -> None:
    evidence = [
        Evidence(
            id=str(n), skill="ospf", kind="quiz", outcome=outcome, detail="", at=f"2026-01-01T00:00:{n:02}"
        )
        for n, outcome in enumerate(outcomes)
    ]
    mastery = fold("ospf", evidence)
    assert 0 <= mastery.probability <= 1
    assert mastery.attempts == len(outcomes)
    assert fold("ospf", reversed(evidence)) == mastery


async def test_cli_errors_count_once(ask: Ask, store: InMemoryStore) -> None:
    await ask("why?", cli_history=[TYPO], student_id="ana")
    await ask("why?", cli_history=[TYPO], student_id="ana", thread="another")
    (evidence,) = await list_evidence(store, "ana")
    assert (evidence.kind, evidence.outcome, evidence.skill) == ("cli_error", "wrong", "cli-basics")
    (mastery,) = await list_mastery(store, "ana")
    assert mastery.attempts == 1
    assert mastery.probability < KNOWN_AT_FIRST


async def test_checks_count_right_or_assisted(ask: Ask, store: InMemoryStore) -> None:
    await ask("check my lab", current_lab="01-basic-routing", student_id="ana", running_configs=DONE)
    await ask("hint", current_lab="01-basic-routing", student_id="bo")
    await ask("check my lab", current_lab="01-basic-routing", student_id="bo", running_configs=DONE)
    assert [item.outcome for item in await list_evidence(store, "ana")] == ["right"]
    assert [item.outcome for item in await list_evidence(store, "bo")] == []
    await ask("hint", current_lab="01-basic-routing", student_id="cy", thread="c")
    await ask(
        "check my lab", current_lab="01-basic-routing", student_id="cy", running_configs=DONE, thread="c"
    )
    assert [item.outcome for item in await list_evidence(store, "cy")] == ["assisted"]


async def test_quiz_answers_count(ask: Ask, store: InMemoryStore) -> None:
    state = await ask("What is a VLAN?", student_id="ana")
    state = await ask(state["quiz"]["accept"][0])
    assert state["feedback_message"] == "Right!"
    assert state["quiz"] == {}
    await ask("What is a VLAN?")
    state = await ask("banana")
    assert state["feedback_message"].startswith("Not quite.")
    outcomes = [item.outcome for item in await list_evidence(store, "ana")]
    assert sorted(outcomes) == ["right", "wrong"]


async def test_mastery_follows_to_another_thread_and_sets_the_pitch(ask: Ask, store: InMemoryStore) -> None:
    for question, thread in (("What is a VLAN?", "a"), ("What is a VLAN?", "b"), ("What is a VLAN?", "c")):
        state = await ask(question, student_id="ana", thread=thread)
        await ask(state["quiz"]["accept"][0], thread=thread)
    state = await ask("What is a VLAN?", student_id="ana", thread="d")
    assert state["mastery"]["vlans"] > 0.8
    assert state["mastery_level"] == "proficient"
    assert state["tutoring_strategy"] == "challenge"


async def test_evidence_can_be_deleted(ask: Ask, store: InMemoryStore) -> None:
    await ask("why?", cli_history=[TYPO], student_id="ana")
    (evidence,) = await list_evidence(store, "ana")
    await delete_evidence(store, "ana", evidence.id)
    assert await list_evidence(store, "ana") == []
    assert await list_mastery(store, "ana") == []
    with pytest.raises(NotFound):
        await delete_evidence(store, "ana", evidence.id)


async def test_without_a_store(ask: Ask, graph: Any) -> None:
    from graphs.tutoring.graph import graph as bare

    state = await bare.ainvoke({"student_question": "why?", "cli_history": [TYPO]})
    assert "hostname R1" in state["feedback_message"]


def test_names_as_labels() -> None:
    assert label("ana") == "ana"
    assert label("") == "guest"
    assert label("a.b/c") != label("a_b_c")
    assert "." not in label("ana@example.com")


def test_strategies() -> None:
    plain: dict[str, Any] = {"cli_error": False, "in_lab": False, "asks_hint": False}
    assert choose("teaching", "novice", **plain) == "direct"
    assert choose("teaching", "developing", **plain) == "socratic"
    assert choose("ambiguous", "proficient", **plain) == "challenge"
    assert choose("troubleshooting", "proficient", **plain) == "direct"
    assert choose("troubleshooting", "novice", **{**plain, "in_lab": True}) == "hint"
    assert choose("teaching", "novice", **{**plain, "cli_error": True, "in_lab": True}) == "direct"
    assert level_for({"ospf": 0.9, "vlans": 0.1}, ["ospf", "vlans"]) == "novice"


def test_quiz() -> None:
    for quiz in quizzes():
        assert grade(quiz.model_dump(), quiz.accept[0]) is True, quiz.question
    quiz = quizzes()[0].model_dump()
    assert grade(quiz, "a banana") is False
    assert grade(quiz, "what is a router?") is None
    assert grade(quiz, "thanks, bye") is None
    assert grade(quiz, "how do I configure something else") is None
    assert grade({}, "router") is None
    assert pick_quiz(["no-such-skill"], 0) is None
