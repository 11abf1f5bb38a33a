"""Reads the labs from their data files."""

import re
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator
from rapidfuzz.process import extractOne

from common.errors import NotFound

DATA = Path(__file__).parent / "data"
MAX_INSTRUCTIONS = 5_000


class Step(BaseModel):
    """One thing to do, with hints from a nudge to the very command."""

    model_config = ConfigDict(extra="forbid")

    id: str
    title: str
    text: str
    skill: str
    hints: list[str] = Field(min_length=3, max_length=3)


class Check(BaseModel):
    """One assertion on a running configuration."""

    model_config = ConfigDict(extra="forbid")

    id: str
    step: str
    device: str
    section: str = Field(
        "", description="A regular expression for the section's first line; empty for global."
    )
    has: list[str] = Field(default_factory=list, description="Lines that must be there.")
    lacks: list[str] = Field(default_factory=list, description="Lines that must not be there.")
    says: str = Field(description="What is missing, in words.")


class Lab(BaseModel):
    """A lab as the student sees it, and what proves it done."""

    model_config = ConfigDict(extra="forbid")

    id: str
    title: str
    title_es: str
    devices: list[str]
    goal: str
    topology: str
    objectives: list[str]
    steps: list[Step]
    checks: list[Check]

    @model_validator(mode="after")
    def _consistent(self) -> "Lab":
        steps = {step.id for step in self.steps}
        for check in self.checks:
            if check.step not in steps or check.device not in self.devices:
                raise ValueError(f"check {check.id} of lab {self.id} names an unknown step or device")
            for expression in (check.section, *check.has, *check.lacks):
                re.compile(expression)
        return self

    def step(self, step_id: str) -> Step:
        """The step of that id."""
        return next(step for step in self.steps if step.id == step_id)

    def instructions(self) -> str:
        """The whole lab as text: goal, topology, objectives, steps."""
        lines = [
            f"Lab {self.id}: {self.title}",
            self.goal,
            "",
            "Topology:",
            self.topology.rstrip(),
            "",
            "Objectives:",
        ]
        lines += [f"- {objective}" for objective in self.objectives]
        lines += ["", "Steps:"]
        lines += [f"{number}. {step.title}: {step.text}" for number, step in enumerate(self.steps, 1)]
        return "\n".join(lines)[:MAX_INSTRUCTIONS]


@lru_cache(maxsize=1)
def load_labs() -> dict[str, Lab]:
    """All labs by id, in order."""
    files = sorted(DATA.glob("*.yaml"))
    labs = [Lab.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in files]
    return {lab.id: lab for lab in labs}


def lab_ids() -> list[str]:
    """The ids of all labs."""
    return list(load_labs())


def get_lab(lab_id: str) -> Lab:
    """The lab of that id; an unknown one is answered with the nearest."""
    labs = load_labs()
    if lab_id in labs:
        return labs[lab_id]
    nearest = extractOne(lab_id[:60], list(labs), score_cutoff=60)
    hint = f"Did you mean {nearest[0]}? " if nearest else ""
    raise NotFound(f"There is no lab {lab_id[:60]!r}.", remedy=f"{hint}Labs: {', '.join(labs)}.")
