"""Answers in the student's language: found, kept, and honest about what is English."""

from typing import Any

import pytest

from graphs.tutoring.diagnosis import diagnose, get_default_detector
from graphs.tutoring.language import cause_in, detect, language_of, read_words
from graphs.tutoring.retrieval import card_for_command, load_cards
from graphs.tutoring.rules import explain, fix_fault
from tests.unit.tutoring.conftest import INVALID, TYPO


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How do I configure a static route?", "en"),
        ("tell me why there is no route", "en"),
        ("why does `por la red` fail here", "en"),
        ("el ping no funciona", "es"),
        ("Mi vecino OSPF no aparece", "es"),
        ("dame una pista", "es"),
        ("¿VLAN?", "es"),
        ("そのpingが通りません", "ja"),
        ("VLAN", None),
        ("", None),
    ],
)
def test_detected(text: str, language: str | None) -> None:
    assert detect(text) == language


def test_earlier_questions_tell_the_language() -> None:
    history = [
        {"role": "student", "content": "¿Qué es OSPF?"},
        {"role": "tutor", "content": "A thing"},
    ]
    assert language_of("OSPF", history) == "es"
    assert language_of("and what is the area for", history) == "en"
    assert language_of("", []) == "en"


def test_every_cause_has_spanish_words() -> None:
    known = {pattern.error_type for pattern in get_default_detector().registry}
    words = read_words("causes")
    assert known <= set(words)
    assert all(said["es"] for said in words.values())
    assert {language for said in read_words("phrases").values() for language in said} == {"en", "es", "ja"}


@pytest.mark.parametrize(
    ("prompt", "command", "typed"),
    [
        ("R1(config)#", "hostnane R1", "`hostname R1`"),
        ("R1(config)#", "show ip route", "`do show ip route`"),
        ("R1#", "hostname R1", "`configure terminal`, luego `hostname R1`"),
        ("R1(config-if)#", "ip address 10.0.0.1/24", "`ip address 10.0.0.1 255.255.255.0`"),
    ],
)
def test_spanish_fix(prompt: str, command: str, typed: str) -> None:
    found = diagnose(command, f"{prompt}{command}\n{INVALID}")
    assert found is not None
    _, do, details = cause_in(found.model_dump(), "es")
    assert (do, details) == (typed, "")


def test_english_is_labelled() -> None:
    text = explain([load_cards()["con-vlan"]], "direct", "es")
    assert text.startswith("**Qué es una VLAN** (texto en inglés)")
    assert "（英文）" in explain([load_cards()["con-vlan"]], "direct", "ja")
    found = diagnose(TYPO["command"], TYPO["output"])
    assert found is not None
    answer = fix_fault([found.model_dump()], [load_cards()["error-typo"]], "es")
    assert "Contexto (texto en inglés)" in answer
    assert "**Comprueba con:** `show running-config`" in answer


@pytest.mark.parametrize(
    ("command", "card"),
    [("hostname R1", "cmd-hostname"), ("sh ip int br", "cmd-show-ip-int-brief"), ("frobnicate", None)],
)
def test_card_for_command(command: str, card: str | None) -> None:
    found = card_for_command(command)
    assert (found.id if found else None) == card


async def test_hints_climb_then_go_on(ask: Any) -> None:
    """Each step has three rungs; only after the last may it be left, and no answer gives the whole lab."""
    lab = {"current_lab": "01-basic-routing", "thread": "climb"}
    first = (await ask("give me a hint", **lab))["feedback_message"]
    assert "Step 1 of 4" in first
    assert "Hint 1/3" in first
    assert "Hint 2/3" in (await ask("next step please", **lab))["feedback_message"]
    last = (await ask("another hint", **lab))["feedback_message"]
    assert "hostname R1" in last
    assert "next step" in last
    assert "Step 2 of 4" in (await ask("next step", **lab))["feedback_message"]
    assert "Step 4 of 4" in (await ask("hint for step 4", **lab))["feedback_message"]
    whole = (await ask("just give me the full solution", **lab))["feedback_message"]
    assert "whole solution" in whole
    assert "ip address 192.168.2.1" not in whole
    for _ in range(12):
        ended = (await ask("siguiente paso", **lab))["feedback_message"]
    assert "Ya viste pistas" in ended


async def test_a_fault_in_a_lab_says_what_comes_next(ask: Any) -> None:
    state = await ask("¿por qué?", cli_history=[TYPO], current_lab="01-basic-routing")
    assert "**Lo siguiente del laboratorio:** Name the router" in state["feedback_message"]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("no me deja poner la ip", "es"),
        ("no responde el gateway", "es"),
        ("ventajas de ospf sobre rip", "es"),
        ("que fait la commande switchport mode access", "en"),
        ("quelle est la différence entre hub et switch", "en"),
        ("la commande est refusée", "en"),
        ("es funktioniert immer noch nicht", "en"),
        ("how do I set the route on la0", "en"),
    ],
)
def test_spanish_is_told_from_its_neighbours(question: str, language: str) -> None:
    assert language_of(question) == language
