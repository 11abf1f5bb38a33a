"""NetworkingLabTutor as its examples show it, on the durable files."""

from pathlib import Path
from typing import Any

import pytest

from common.errors import NotFound
from graphs.tutoring.mastery import evidence_id
from graphs.tutoring.schemas import Evidence
from graphs.tutoring.tutor import NetworkingLabTutor
from tests.unit.tutoring.conftest import TYPO


async def test_the_first_example(data_dir: Path) -> None:
    tutor = NetworkingLabTutor()
    assert tutor.start_lab("01-basic-routing")["title"] == "Basic routing between two networks"
    answer = await tutor.ask("How do I configure IP?")
    assert "ip address" in answer["response"]
    assert answer["origin"] == "rules"
    assert (data_dir / "checkpoints.sqlite").exists() or list(data_dir.glob("*.sqlite"))


async def test_streaming_joins_to_the_answer() -> None:
    tutor = NetworkingLabTutor("ana")
    tutor.add_command(TYPO["command"], TYPO["output"])
    pieces = [piece async for piece in tutor.ask_stream("Why does it fail?")]
    assert "".join(pieces) == tutor.last["response"]
    assert list(dict.fromkeys(piece.phase for piece in pieces)) == ["prepare", "stream-response"]
    assert tutor.last["sources"][0]["id"] == "error-typo"
    assert tutor.cli_history == []


async def test_memory_outlives_the_object() -> None:
    first = NetworkingLabTutor("ana")
    await first.ask("Why?", cli_history=[TYPO])
    again = NetworkingLabTutor("ana")
    answer = await again.ask("why did it fail again?")
    assert answer["cli_diagnoses"][0]["pattern_id"] == "typo"
    assert len(answer["conversation_history"]) == 4
    other = NetworkingLabTutor("ana", conversation="evening")
    assert len((await other.ask("What is ARP?"))["conversation_history"]) == 2
    (mastery,) = await other.progress()
    (evidence,) = await other.evidence()
    assert mastery.skill == evidence.skill == "cli-basics"
    await other.forget_evidence(evidence.id)
    assert await again.progress() == []


async def test_evidence_from_elsewhere() -> None:
    tutor = NetworkingLabTutor("ana")
    proof = Evidence(
        id=evidence_id("x"),
        skill="ospf",
        kind="check",
        outcome="right",
        detail="seen",
        at="2026-01-01T00:00:00",
    )
    assert (await tutor.note([proof]))["ospf"] > 0.2
    assert await tutor.note([proof]) == {}


def test_unknown_lab_is_refused() -> None:
    with pytest.raises(NotFound):
        NetworkingLabTutor().start_lab("moon")
    assert "05-single-area-ospf" in NetworkingLabTutor.labs()


async def test_models_by_context(scripted: Any) -> None:
    scripted("teacher", ["ARP finds MAC addresses."])
    tutor = NetworkingLabTutor(context={"teaching_model": "scripted:teacher"})
    assert (await tutor.ask("What is ARP?"))["response"] == "ARP finds MAC addresses."
