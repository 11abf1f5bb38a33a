"""The CLI history of a conversation: trimmed, cleaned, the last five commands."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from common.errors import BadInput
from graphs.tutoring.devices.masking import mask_secrets
from graphs.tutoring.diagnosis.learning import current_detector
from graphs.tutoring.diagnosis.transcript import PROMPT, clean, parse_transcript
from graphs.tutoring.schemas import CliEntry, Diagnosis

KEEP = 5
MAX_COMMAND = 500
MAX_OUTPUT = 6_000
ENTRY = 'Send [{"command": "show ip route", "output": "…"}].'
BACK = re.compile(
    r"\b(?:still|again|(?:that|the|same) (?:error|command|message)|why did (?:it|that)"
    r"|todav[ií]a|sigue|otra vez|ese (?:error|comando)|el (?:error|comando))\b"
)

ASKS = re.compile(
    r"[?？]|\b(?:why|what|how|help|please|fails?|wrong|por que|por qué|qué|cómo|ayuda|falla|no me)\b|[ぁ-ん]",
    re.IGNORECASE,
)


def keep_last_five(
    old: list[dict[str, Any]] | None, new: Sequence[CliEntry | dict[str, Any]] | dict[str, Any] | None
) -> list[dict[str, Any]]:
    """Reducer: new commands follow the old ones, repeats are dropped, the last five stay.

    What is sent in a turn is `fresh` until its end; `{"replace": […]}` puts another list in its place.
    """
    if isinstance(new, dict):
        return list(new.get("replace", []))[-KEEP:]
    if new is not None and not isinstance(new, list | tuple):
        raise BadInput("`cli_history` must be a list.", remedy=ENTRY)
    entries = [{**trimmed(entry), "fresh": True} for entry in list(new or [])[-KEEP:]]
    fresh = {(entry["command"], entry["output"]) for entry in entries}
    kept = [entry for entry in old or [] if (entry["command"], entry["output"]) not in fresh]
    return [*kept, *entries][-KEEP:]


def trimmed(entry: CliEntry | dict[str, Any]) -> dict[str, Any]:
    """One entry, without terminal codes and passwords, cut to a size worth keeping."""
    try:
        item = entry if isinstance(entry, CliEntry) else CliEntry.model_validate(entry)
    except ValidationError as exc:
        raise BadInput(f"An entry of `cli_history` cannot be read: {str(entry)[:80]}.", remedy=ENTRY) from exc
    output = item.output
    if len(output) > MAX_OUTPUT:
        # Half a line could be half a password, which no rule would know.
        cut = output[-MAX_OUTPUT // 2 :]
        output = f"{output[: MAX_OUTPUT // 2]}\n…\n" + (cut.partition("\n")[2] or cut)
    prompt = clean(item.prompt)[:80] if item.prompt else None
    command = mask_secrets(clean(item.command)[:MAX_COMMAND])
    return {"command": command, "output": mask_secrets(clean(output)), "prompt": prompt}


def split_pasted(question: str) -> tuple[str, list[dict[str, Any]]]:
    """A transcript pasted into the question itself, taken out as CLI entries; words around it stay."""
    entries = [entry for entry in parse_transcript(question) if entry.prompt]
    if all(is_silent(entry.output) for entry in entries):
        return question, []
    start = question.find(entries[0].prompt or "")
    output, after = words_after(entries[-1].output)
    entries[-1] = entries[-1].model_copy(update={"output": output})
    text = f"{question[:start].strip() if start > 0 else ''}\n{after}".strip()
    return text, [trimmed(entry) for entry in entries[-KEEP:]]


def is_silent(output: str) -> bool:
    """Whether a device printed nothing after the command's own line."""
    return "\n" not in output.strip()


def words_after(output: str) -> tuple[str, str]:
    """A question that follows a pasted transcript: what stands after its last blank line and asks."""
    shown, gap, last = output.rstrip().rpartition("\n\n")
    if not gap:
        shown, gap, last = output.rstrip().rpartition("\n")
        if not gap or not re.search(r"[?？]\s*$", last) or PROMPT.match(last):
            return output, ""
    spoken = ASKS.search(last) and "%" not in last and len(last) < MAX_COMMAND
    return (shown, last.strip()) if spoken else (output, "")


def typed_only(question: str, pasted: Sequence[dict[str, Any]]) -> str:
    """The question with what it quotes; of a pasted transcript only the commands without any output."""
    if not pasted:
        return question
    lines = [f"{entry['prompt'] or ''}{entry['command']}" for entry in pasted if is_silent(entry["output"])]
    return "\n".join([split_pasted(question)[0], *lines])


def open_faults(history: Sequence[dict[str, Any]]) -> list[Diagnosis]:
    """What is wrong and was not put right by a later command, oldest first."""
    detector = current_detector()
    found: list[tuple[str, Diagnosis]] = []
    for command, output, prompt in (typed for entry in history for typed in commands_of(entry)):
        diagnosis = detector.diagnose(command, output, prompt)
        if diagnosis:
            found.append((command, diagnosis))
        else:
            found = [(typed, old) for typed, old in found if not put_right(old, typed, command)]
    return [diagnosis for _, diagnosis in found]


def commands_of(entry: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """The entry's command, and others that were typed while its output was recorded."""
    own = (entry["command"], entry["output"], entry.get("prompt"))
    inside = [other for other in parse_transcript(entry["output"]) if other.prompt]
    later = [other for other in inside if other.command.split() != entry["command"].split()]
    if not entry["command"] or len(later) == len(inside):
        return [own]
    return [own, *((other.command, other.output, other.prompt) for other in later)]


def visible(history: Sequence[dict[str, Any]], question: str) -> list[dict[str, Any]]:
    """The entries this turn is about: those just sent, or all where the question refers back to them."""
    fresh = [entry for entry in history if entry.get("fresh")]
    return fresh if fresh or not BACK.search(question.lower()) else list(history)


def settled(history: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The history after a turn: remembered, no longer fresh."""
    return {"replace": [{**entry, "fresh": False} for entry in history]}


def put_right(fault: Diagnosis, typed: str, later: str) -> bool:
    """Whether a later, successful command is the failed one done right."""
    words = later.lower().split()
    if not words:
        return False
    if fault.correction and words == fault.correction.command.lower().split():
        return True
    return words[0] == typed.lower().split()[0] if typed.split() else False
