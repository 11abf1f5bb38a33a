"""Help with a fault without a model."""

import re
from typing import Any

from graphs.tutoring import rules
from graphs.tutoring.labs import Lab, Step, get_lab
from graphs.tutoring.nodes.speaking import cards_of
from graphs.tutoring.retrieval import load_cards
from graphs.tutoring.state import State
from graphs.tutoring.strategy import asks_for_hint, climb, current_step


def by_rules(state: State) -> tuple[str, dict[str, Any]]:
    """The answer, and the hints as they stand after it."""
    question, cards = state.get("question", ""), cards_of(state)
    faults = state.get("cli_diagnoses") or []
    if faults:
        return rules.fix_fault(faults, cards, question), {}
    lab = get_lab(state["current_lab"]) if state.get("current_lab") else None
    checks = state.get("lab_checks") or []
    missing = [f"{check['device']}: {check['says']}" for check in checks if not check["done"]]
    done = bool(checks) and not missing
    hint, given = next_hint(state, lab, checks) if lab and not done else ("", {})
    advice = load_cards().get(state.get("advice", ""))
    shown = [advice, *cards] if advice else cards
    wanted = [] if hint and asks_for_hint(question) else shown
    notes = findings(state.get("device_notes", ""))
    text = rules.help_along(wanted, question, hint=hint, missing=missing, done=done, notes=notes)
    return text, ({"hints_given": given} if given else {})


def next_hint(state: State, lab: Lab, checks: list[dict[str, Any]]) -> tuple[str, dict[str, int]]:
    """The next rung of the step that is not done yet."""
    true_now = {check["check_id"] for check in checks if check["done"]}
    step: Step | None = current_step(lab, sorted({*(state.get("checks_done") or []), *true_now}))
    if step is None:
        return "", {}
    return climb(step, state.get("hints_given") or {}, lab.id)


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
