"""Reads a running configuration: global lines, and sections with the lines indented below them."""

import re
from dataclasses import dataclass, field

from graphs.tutoring.diagnosis.transcript import clean

MAX_CONFIG = 500_000


@dataclass(frozen=True)
class Section:
    """A line of the configuration and what is indented under it."""

    header: str
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class RunningConfig:
    """A device's configuration as sections in order."""

    sections: list[Section]

    @property
    def hostname(self) -> str:
        """The device's name in its own configuration."""
        return next((s.header.split()[1] for s in self.sections if re.match(r"hostname \S+", s.header)), "")

    def has_global(self, expression: str) -> bool:
        """Whether a global line matches."""
        return any(matches(expression, section.header) for section in self.sections)

    def opened_by(self, expression: str) -> list[Section]:
        """The sections whose first line matches."""
        return [section for section in self.sections if matches(expression, section.header)]


def matches(expression: str, line: str) -> bool:
    """Whether a whole line matches, capitals aside."""
    return re.fullmatch(expression, line.strip(), re.IGNORECASE) is not None


def parse_config(text: str) -> RunningConfig:
    """A configuration from `show running-config`, prompts and banners of the terminal included or not."""
    sections: list[Section] = []
    for raw in clean_config(text).split("\n"):
        line = raw.rstrip()
        if not line.strip() or line.strip() == "!":
            continue
        if raw.startswith(" ") and sections:
            sections[-1].lines.append(line.strip())
        else:
            sections.append(Section(line.strip()))
    return RunningConfig(sections)


def clean_config(text: str) -> str:
    """The configuration without terminal codes; long ones are cleaned in pieces so that nothing is cut."""
    lines = text[:MAX_CONFIG].replace("\r\n", "\n").split("\n")
    pieces = ["\n".join(lines[start : start + 400]) for start in range(0, len(lines), 400)]
    return "\n".join(clean(piece) for piece in pieces)
