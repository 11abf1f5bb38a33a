"""Help with a fault without a model."""

import re
from typing import Any

from graphs.tutoring import rules
from graphs.tutoring.labs import Lab, Step, get_lab
from graphs.tutoring.language import phrase
from graphs.tutoring.retrieval import load_cards
from graphs.tutoring.retrieval.selection import FAULT_FINDING
from graphs.tutoring.state import State
from graphs.tutoring.steps.speaking import cards_of, spoken_in
from graphs.tutoring.strategy import (
    PASSED,
    RUNGS,
    asks_for_hint,
    asks_for_next,
    asks_for_solution,
    climb,
    current_step,
    passed,
    spent,
    step_named,
)


def by_rules(state: State) -> tuple[str, dict[str, Any]]:
    """The answer, and the hints as they stand after it."""
    question, cards, language = state.get("question", ""), cards_of(state), spoken_in(state)
    faults = state.get("cli_diagnoses") or []
    lab = get_lab(state["current_lab"]) if state.get("current_lab") else None
    checks = state.get("lab_checks") or []
    if faults:
        step = step_at(state, lab, checks)
        ahead = f"{step.title}: {step.text}" if step else ""
        return rules.fix_fault(faults, cards, language, ahead=ahead), {}
    missing = [f"{check['device']}: {check['says']}" for check in checks if not check["done"]]
    done = bool(checks) and not missing
    hint, given = next_hint(state, lab, checks) if lab and not done else ("", {})
    whole = lab is not None and asks_for_solution(question)
    if whole:
        hint = f"{phrase('one_by_one', language)}\n\n{hint}"
    advice = load_cards().get(state.get("advice", ""))
    shown = [advice, *cards] if advice else cards
    if done:  # the device is right: what is complained of has another cause, if anything is
        shown = [advice] if advice and advice.id != FAULT_FINDING else []
    wanted = [] if hint and (whole or missing or asks_for_hint(question)) else shown
    notes = findings(state.get("device_notes", ""))
    text = rules.help_along(wanted, language, hint=hint, missing=missing, done=done, notes=notes)
    return text, ({"hints_given": given} if given else {})


def step_at(state: State, lab: Lab | None, checks: list[dict[str, Any]]) -> Step | None:
    """The step the student is at: the one named, else the first that is neither done nor passed."""
    if lab is None:
        return None
    named = step_named(lab, state.get("question", ""))
    true_now = {check["check_id"] for check in checks if check["done"]}
    done = {*(state.get("checks_done") or []), *true_now}
    return named or current_step(lab, sorted(done), passed(lab, state.get("hints_given") or {}))


def next_hint(state: State, lab: Lab, checks: list[dict[str, Any]]) -> tuple[str, dict[str, int]]:
    """The next rung of the step at hand; one whose hints are all given may be left for the next."""
    given, language = dict(state.get("hints_given") or {}), spoken_in(state)
    step = step_at(state, lab, checks)
    if step is not None and asks_for_next(state.get("question", "")) and spent(lab, step, given):
        given[f"{lab.id}/{step.id}"] = PASSED
        moved: Any = {**state, "hints_given": given}
        step = step_at(moved, lab, checks)
    if step is None:
        return phrase("no_more_steps", language) if given else "", given
    hint, rung, given = climb(step, given, lab.id)
    number = lab.steps.index(step) + 1
    heading = f"{number} {phrase('of', language)} {len(lab.steps)}: {step.title}. {step.text}"
    return rules.hint_text(heading, rung, RUNGS, hint, language), given


def findings(config: str) -> str:
    """What a configuration shows at a glance: addresses, and interfaces that are switched off."""
    if not config:
        return ""
    lines: list[str] = []
    for block in re.findall(r"^interface .+(?:\n .+)*", config, re.MULTILINE):
        name = block.split("\n")[0].removeprefix("interface ").strip()
        address = re.search(r"^ ip address (\S+ \S+)", block, re.MULTILINE)
        off = re.search(r"^ shutdown\s*$", block, re.MULTILINE)
        lines.append(f"{name} {address[1] if address else 'without address'}{', shut down' if off else ''}")
    return "; ".join(lines[:8]) + "."
