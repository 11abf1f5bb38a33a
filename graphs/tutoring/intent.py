"""What a student wants, by rules: an explanation, or help with something that does not work.

Weights are summed over phrases in English and Spanish; what was typed on the devices just before weighs too.
"""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphs.tutoring.diagnosis import get_default_detector
from graphs.tutoring.schemas import CliEntry, Intent

MAX_QUESTION = 4_000
RECENT = 5
# As typed in a hurry; `y` alone is Spanish.
SPELLED = {"y": "why", "wat": "what", "wut": "what", "wats": "whats", "hw": "how", "cuz": "because"}
SLOPPY = re.compile(r"\b(?:y(?= (?:do|does|is|are|isnt|doesnt|dont|cant|my|did)\b)|wats?|wut|hw|cuz)\b")
CUES = Path(__file__).parent / "intent_cues.json"


@dataclass(frozen=True)
class Cues:
    """The compiled phrases: weighted ones for either intent, and shapes of sentences."""

    teaching: tuple[tuple[float, re.Pattern[str]], ...]
    trouble: tuple[tuple[float, re.Pattern[str]], ...]
    shapes: dict[str, re.Pattern[str]]


@lru_cache(maxsize=1)
def cues() -> Cues:
    """Our phrases, read and compiled once."""
    data = json.loads(CUES.read_text(encoding="utf-8"))
    weighted = {
        kind: tuple((item["weight"], re.compile(item["cue"])) for item in data[kind])
        for kind in ("teaching", "trouble")
    }
    return Cues(**weighted, shapes={name: re.compile(text) for name, text in data["shapes"].items()})


def has(shape: str, text: str) -> bool:
    """Whether the text has a shape of sentence."""
    return bool(cues().shapes[shape].search(text))


@dataclass(frozen=True)
class Reading:
    """How a question scored for either intent."""

    intent: Intent
    teaching: float
    trouble: float


def plain(text: str) -> str:
    """Lower case, without accents and Spanish opening marks, straight quotes, single spaces."""
    folded = unicodedata.normalize("NFKD", text[:MAX_QUESTION].lower())
    letters = "".join(char for char in folded if not unicodedata.combining(char))
    words = " ".join(re.sub(r"[¿¡\"“”«»`]", " ", letters).replace("’", "'").split())
    return SLOPPY.sub(lambda found: SPELLED[found[0]], words)


def score(text: str, weighted: tuple[tuple[float, re.Pattern[str]], ...]) -> float:
    """The strongest phrase in full, each further one in half."""
    found = sorted((weight for weight, cue in weighted if cue.search(text)), reverse=True)
    return found[0] + sum(found[1:]) / 2 if found else 0.0


def cli_weight(cli_history: Sequence[CliEntry | dict[str, Any]]) -> float:
    """How strongly the last commands speak for trouble: most for the very last one."""
    weight = 0.0
    recent = list(cli_history)[-RECENT:]
    for age, entry in enumerate(reversed(recent)):
        item = entry if isinstance(entry, CliEntry) else CliEntry.model_validate(entry)
        if get_default_detector().diagnose(item.command, item.output, item.prompt):
            weight = max(weight, 4.5 if age == 0 else 3.0)
    return weight


def read(question: str, cli_history: Sequence[CliEntry | dict[str, Any]] = ()) -> Reading:
    """Score a question for both intents, and decide."""
    text = plain(question)
    teaching, trouble = score(text, cues().teaching), score(text, cues().trouble)
    if has("generic", text) and not re.search(r"\bmy\b|\bmi\b|\bi\b", text):
        trouble = 0.0
    if has("hypothetical", text):
        trouble /= 3
    elif trouble and has("mine", text):
        trouble += 1.5
    elif not trouble and not teaching and reports(text):
        trouble = 1.5
    typed = cli_weight(cli_history)
    if typed and not (has("definition", text) and not trouble):
        trouble += typed
    return Reading(decide(text, teaching, trouble), teaching, trouble)


def reports(text: str) -> bool:
    """Whether a statement without any cue describes how something of the student's own behaves."""
    return not has("question", text) and (has("report", text) or has("mine", text))


def decide(text: str, teaching: float, trouble: float) -> Intent:
    """The stronger side; a question that shows neither is ambiguous."""
    if not trouble and not teaching:
        return "teaching" if len(re.findall(r"[a-z]{3,}|/\d+", text)) >= 3 else "ambiguous"
    return "troubleshooting" if trouble >= teaching and trouble >= 1.5 else "teaching"


def classify(question: str, cli_history: Sequence[CliEntry | dict[str, Any]] = ()) -> Intent:
    """teaching, troubleshooting or ambiguous, in well under five milliseconds."""
    return read(question, cli_history).intent
