"""Error patterns: data with a schema, and the two kinds that turn a line of output into a diagnosis."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from graphs.tutoring.diagnosis import causes, parser_replies
from graphs.tutoring.diagnosis.masks import aligned
from graphs.tutoring.diagnosis.refusal import Cause
from graphs.tutoring.diagnosis.transcript import SYSLOG, Session
from graphs.tutoring.schemas import Diagnosis

MAX_LINE = 400
SMALL_TABLE = 12
SINGLE_INTERFACE = 2


class Blanks(dict[str, str]):
    """Template values; what is missing reads as `it`."""

    def __missing__(self, key: str) -> str:
        return "it"


class BaseErrorPattern(BaseModel):
    """One kind of message: the line that shows it, and what it means."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{1,60}$")
    family: str = Field(pattern=r"^[A-Z][A-Z0-9_]{1,40}$")
    match: str = Field(description="A regular expression for the whole line.", max_length=1000)
    error_type: str = Field(pattern=r"^[A-Z][A-Z0-9_]{1,60}$")
    diagnosis: str = Field(max_length=600)
    fix: str = Field(max_length=600)
    symptom: bool = False
    when: str = Field(".*", description="A regular expression for the command.")
    near: str = Field("", description="A regular expression that some other line must match.")
    alone: bool = Field(False, description="The message must be nearly all the output.")
    show: bool = Field(False, description="May also follow a show command.")
    config_only: bool = False
    exec_only: bool = False
    syslog: bool = Field(False, description="The line is a log message, which may appear anywhere.")
    single: bool = Field(False, description="Only where the output is about one interface.")
    small_table: bool = Field(False, description="Only in a short table: long ones list unused ports.")
    confidence: float = Field(0.95, ge=0, le=1)
    skills: list[str] = Field(default_factory=list)
    infer: Literal["", "invalid", "ambiguous", "incomplete", "unknown"] = ""

    @field_validator("match", "when", "near")
    @classmethod
    def _compiles(cls, value: str) -> str:
        re.compile(value)
        return value

    @cached_property
    def line_expression(self) -> re.Pattern[str]:
        """The compiled line expression."""
        return re.compile(self.match, re.IGNORECASE)

    @cached_property
    def command_expression(self) -> re.Pattern[str]:
        """The compiled command expression."""
        return re.compile(self.when, re.IGNORECASE)

    def applies(self, session: Session) -> bool:
        """Whether this pattern may speak about that command at all."""
        if session.is_show and not self.show and not self.syslog:
            return False
        if self.syslog and session.is_log:
            return False
        configuring = (session.mode or "").startswith("config") or session.mode == "dhcp-config"
        if (self.config_only and not configuring) or (self.exec_only and configuring):
            return False
        return bool(self.command_expression.fullmatch(session.command))

    def find(self, session: Session) -> re.Match[str] | None:
        """The line that shows this message."""
        if not self.applies(session) or not self._layout_fits(session):
            return None
        for line in session.suspect:
            found = self.line_expression.fullmatch(line[:MAX_LINE].strip())
            if found and (self.syslog or not SYSLOG.match(line)) and self._near(session):
                return found
        return None

    def _layout_fits(self, session: Session) -> bool:
        size = len(session.significant)
        if self.alone:
            return size <= 5
        if self.single:
            return sum(" line protocol is " in line for line in session.significant) < SINGLE_INTERFACE
        return not self.small_table or size <= SMALL_TABLE

    def _near(self, session: Session) -> bool:
        return not self.near or any(re.match(self.near, line.strip()) for line in session.significant)

    def explain(self, session: Session, found: re.Match[str]) -> Diagnosis:
        """The diagnosis, with the message's own words filled in."""
        values = Blanks({key: value for key, value in found.groupdict().items() if value})
        values.update(command=session.command, argument=session.argument, line=found.group().strip())
        values.update(target=ping_target(session), aligned=aligned(session.command))
        if "hex" in values:
            values["mask"] = dotted(values["hex"])
        return Diagnosis(
            family=self.family,
            is_symptom=self.symptom,
            error_type=self.error_type,
            diagnosis=self.diagnosis.format_map(values),
            fix=self.fix.format_map(values),
            line=found.group().strip(),
            pattern_id=self.id,
            confidence=self.confidence,
            command=session.command,
            mode=session.mode,
        )


class FuzzyErrorPattern(BaseErrorPattern):
    """A parser's refusal, whose cause is worked out from the command tree."""

    def explain(self, session: Session, found: re.Match[str]) -> Diagnosis:
        """The diagnosis, with the likeliest cause."""
        cause = self._cause(session, (found.groupdict().get("typed") or "").strip())
        return cause.told(self.family, session.command, session.mode, found.group().strip())

    def _cause(self, session: Session, typed: str) -> Cause:
        plain: dict[str, Callable[[Session], Cause]] = {
            "invalid": causes.invalid,
            "incomplete": parser_replies.incomplete,
        }
        if self.infer in plain:
            return plain[self.infer](session)
        with_word = parser_replies.ambiguous if self.infer == "ambiguous" else parser_replies.unknown
        return with_word(session, typed)


def ping_target(session: Session) -> str:
    """What was pinged: from the banner line, else the command's first address."""
    for line in session.lines:
        found = re.search(r"(?:Echos? to|Pinging) (\S+?),? ", line + " ")
        if found:
            return found[1]
    found = re.search(r"\d+\.\d+\.\d+\.\d+", session.command)
    return found[0] if found else "the destination"


def dotted(hexadecimal: str) -> str:
    """0xFFFF0500 → 255.255.5.0"""
    value = int(hexadecimal, 16)
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def read_pattern(data: dict[str, object]) -> BaseErrorPattern:
    """A pattern from its JSON form."""
    kind = FuzzyErrorPattern if data.get("infer") else BaseErrorPattern
    return kind.model_validate(data)
