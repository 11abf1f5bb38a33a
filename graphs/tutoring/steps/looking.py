"""A look at a lab device where rules answer: its configuration, and what the lab's checks say of it."""

import asyncio
import re
from typing import Any

from common.errors import StudyError
from graphs.tutoring.context import Context
from graphs.tutoring.devices import device_names, read_running_config
from graphs.tutoring.labs import check_lab, get_lab
from graphs.tutoring.language import COMMAND
from graphs.tutoring.state import State
from graphs.tutoring.steps.speaking import announce

# What people call lab devices: where one is not in the inventory, none is read in its place.
DEVICE = re.compile(r"\b(?:R|S|SW|RTR|DLS|ALS|CORE)-?\d{1,3}\b", re.IGNORECASE)


def device_meant(state: State, known: list[str]) -> str:
    """The device the question names, else the one of the last prompt, else the lab's only one."""
    by_name = {name.lower(): name for name in known}
    for word in re.findall(r"[\w.-]+", state.get("question", "").lower()):
        if word.strip(".") in by_name:
            return by_name[word.strip(".")]
    named = DEVICE.search(COMMAND.sub(" ", state.get("question", "")))
    if named and known:
        return named[0]
    for entry in reversed(state.get("cli_history") or []):
        host = re.match(r"[\w.-]+", entry.get("prompt") or "")
        if host and host[0].lower() in by_name:
            return by_name[host[0].lower()]
    lab = get_lab(state["current_lab"]).devices if state.get("current_lab") else []
    present = [by_name[name.lower()] for name in lab if name.lower() in by_name]
    return present[0] if present else (known[0] if len(known) == 1 else "")


async def look_at_device(state: State, context: Context) -> tuple[dict[str, Any], list[str]]:
    """Read the device meant, unless a CLI error says enough; what was read, and warnings."""
    if state.get("cli_diagnoses") or not context.use_devices:
        return {}, []
    announce("tool-check")
    name = ""
    try:
        name = device_meant(state, await asyncio.to_thread(device_names))
        if not name:
            return {}, []
        announce("execute-tools", tools=["get_device_running_config"])
        config = await read_running_config(name)
    except StudyError as exc:
        return {}, [str(exc)]
    looked: dict[str, Any] = {"device_notes": config[:6_000]}
    if state.get("current_lab"):
        results = check_lab(get_lab(state["current_lab"]), {name: config})
        looked["lab_checks"] = [vars(result) for result in results if result.done is not None]
    return looked, []
