"""A refused line as the causes look at it, and a cause once it is found."""

import re
from dataclasses import dataclass

from graphs.tutoring.diagnosis.transcript import Session, caret_token
from graphs.tutoring.diagnosis.tree import CommandTree, Resolution, get_tree, rank, tokenize
from graphs.tutoring.schemas import Correction, Diagnosis


@dataclass(frozen=True)
class Cause:
    """Why a line was refused, in words, with the pattern that stands for it."""

    pattern_id: str
    error_type: str
    diagnosis: str
    fix: str
    token: str | None
    confidence: float
    correction: Correction | None = None

    def told(self, family: str, command: str, mode: str | None, line: str = "") -> Diagnosis:
        """The diagnosis of a command, which `line` of a device's output gave away."""
        return Diagnosis(
            family=family,
            is_symptom=False,
            error_type=self.error_type,
            diagnosis=self.diagnosis,
            fix=self.fix,
            token=self.token,
            line=line,
            pattern_id=self.pattern_id,
            confidence=self.confidence,
            command=command,
            mode=mode,
            correction=self.correction,
        )


@dataclass(frozen=True)
class Refusal:
    """A refused line as the checks below see it."""

    command: str
    tokens: tuple[str, ...]
    mode: str | None
    at: int | None
    token: str | None
    tree: CommandTree

    def here(self) -> Resolution:
        """What our tree makes of the line in the mode it was typed in (the best mode where unknown)."""
        if self.mode is not None:
            return self.tree.resolve(self.command, self.mode)
        readings = [self.tree.resolve_in(self.tokens, name) for name in self.tree.modes]
        return max(readings, key=rank)


def refusal(session: Session) -> Refusal:
    """Gather what is known of a refused line."""
    tree = get_tree()
    pointed = caret_token(session)
    mode = session.mode
    if mode is not None and mode not in tree.modes:
        mode = "config" if mode.startswith("config") else None
    tokens = tokenize(session.command)
    at = pointed[1] if pointed and pointed[1] < len(tokens) else None
    token = pointed[0] if pointed else None
    return Refusal(session.command, tokens, mode, at, token, tree)


def without(case: Refusal, at: int) -> str:
    """The line without a word too many, or with a hyphen for it in a range; else as far as that word."""
    before, after = case.tokens[:at], case.tokens[at + 1 :]
    ends = tuple(re.sub(r"^[A-Za-z].*/", "", word) for word in after[:1]) + after[1:]
    for line in (" ".join((*before, "-", *ends)), " ".join((*before, *after))):
        if case.mode and case.tree.resolve(line, case.mode).ok:
            return line
    return " ".join(before)


def token_of(case: Refusal, here: Resolution | None) -> str | None:
    """The refused word: the caret's, else where our own tree stops."""
    if case.token:
        return case.token
    if here is not None and here.failed_at is not None and here.failed_at < len(case.tokens):
        return case.tokens[here.failed_at]
    return case.tokens[0] if case.tokens else None
