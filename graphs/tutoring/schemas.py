"""The tutor's values: diagnoses, CLI entries, cards, labs, mastery, and the shapes a model must return."""

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Intent = Literal["teaching", "troubleshooting", "ambiguous"]
Strategy = Literal["socratic", "direct", "hint", "challenge"]
CardKind = Literal["error", "command", "concept", "lab"]


class CliEntry(BaseModel):
    """One command as the student typed it, and what the device printed."""

    command: str = Field("", description="The command line, without its prompt.", examples=["shw ip route"])
    output: str = Field("", description="What the device printed; the echoed prompt line may be in it.")
    prompt: str | None = Field(None, description="The prompt before the command, if known.", examples=["R1#"])


class Correction(BaseModel):
    """How a mistyped command would read when spelled as the device expects."""

    wrong: str
    right: str
    distance: int
    command: str
    mode: str


class Diagnosis(BaseModel):
    """What one command's output says went wrong, and what to do."""

    model_config = ConfigDict(frozen=True)

    family: str = Field(description="The class of the message, such as INVALID_INPUT or PING_FAIL.")
    is_symptom: bool = Field(description="True for a state of the network, False for a refused command.")
    error_type: str = Field(description="The cause, such as TYPO_IN_COMMAND or WRONG_MODE.")
    diagnosis: str
    fix: str
    token: str | None = Field(None, description="The word the device stumbled over.")
    line: str = Field("", description="The output line that gave it away.")
    pattern_id: str
    confidence: float = Field(ge=0, le=1)
    command: str = ""
    mode: str | None = None
    correction: Correction | None = None


class Detection(BaseModel):
    """A diagnosis in the detector's dialect: type, text, fix and metadata."""

    error_type: str
    diagnosis: str
    fix: str
    metadata: dict[str, Any]


class Card(BaseModel):
    """One chunk of teaching text: an error, a command, a concept or a lab."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    kind: CardKind
    title: str
    title_es: str = ""
    text: str
    patterns: list[str] = Field(default_factory=list, description="Pattern ids this card explains.")
    skills: list[str] = Field(default_factory=list)
    mode: str = ""
    syntax: str = ""
    abbreviations: list[str] = Field(default_factory=list)
    example: list[str] = Field(
        default_factory=list, description="Lines `prompt command`, each one resolvable."
    )
    errors: str = ""
    verify: list[str] = Field(default_factory=list)
    keywords: str = Field("", description="Further words, Spanish ones too, by which a student may ask.")
    lab: str = ""

    def as_text(self) -> str:
        """The card as the tutor reads it out: title, text, then the practical parts."""
        parts = [f"{self.title}\n{self.text.strip()}"]
        if self.syntax:
            parts.append(f"Syntax ({self.mode}): {self.syntax}")
        if self.abbreviations:
            parts.append("Short forms: " + ", ".join(self.abbreviations))
        if self.example:
            parts.append("Example:\n" + "\n".join(f"  {line}" for line in self.example))
        if self.errors:
            parts.append(f"Common errors: {self.errors.strip()}")
        if self.verify:
            parts.append("Verify with: " + ", ".join(self.verify))
        return "\n".join(parts)

    def searchable(self) -> str:
        """Everything a question may share words with."""
        named = [self.title, self.title, self.title_es, self.title_es]
        return "\n".join([self.as_text(), *named, self.keywords, " ".join(self.skills)])

    def gist(self) -> str:
        """What the card is about, short: one vector of a long text would stand for nothing in it."""
        first = re.split(r"(?<=[.!?])\s", self.text.strip(), maxsplit=1)[0]
        return "\n".join([self.title, self.title_es, self.keywords, first])


class Quiz(BaseModel):
    """A short question that may follow an explanation."""

    question: str
    accept: list[str] = Field(description="Answers that count as right, lower case.")
    skill: str


class Evidence(BaseModel):
    """One observation about a learner's skill, which the learner can see and delete."""

    id: str
    skill: str
    kind: Literal["check", "quiz", "cli_error"]
    outcome: Literal["right", "wrong", "assisted"]
    detail: str
    at: str


class Mastery(BaseModel):
    """What is known of one learner's one skill."""

    skill: str
    attempts: int = 0
    correct: int = 0
    assisted: int = 0
    last_seen: str = ""
    probability: float = Field(0.2, ge=0, le=1)


class ParaphrasedReply(BaseModel):
    """A cleaned answer for the student."""

    message: str = Field(description="The answer, addressed to the student, with nothing internal in it.")
