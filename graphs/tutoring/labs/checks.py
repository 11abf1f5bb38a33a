"""Runs a lab's checks on running configurations and says what is still missing."""

from dataclasses import dataclass

from graphs.tutoring.labs.catalog import Check, Lab
from graphs.tutoring.labs.running_config import RunningConfig, Section, matches, parse_config


@dataclass(frozen=True)
class CheckResult:
    """One check's outcome; `done` is None where the device's configuration is not at hand."""

    check_id: str
    step: str
    device: str
    skill: str
    done: bool | None
    says: str


def check_lab(lab: Lab, configs: dict[str, str]) -> list[CheckResult]:
    """All checks of a lab on the configurations given, by device name."""
    parsed = {device.lower(): parse_config(text) for device, text in configs.items()}
    return [run(lab, check, parsed.get(check.device.lower())) for check in lab.checks]


def run(lab: Lab, check: Check, config: RunningConfig | None) -> CheckResult:
    """One check on one configuration."""
    done = None if config is None else holds(check, config)
    skill = lab.step(check.step).skill
    return CheckResult(check.id, check.step, check.device, skill, done, check.says)


def holds(check: Check, config: RunningConfig) -> bool:
    """Whether the assertion is true: in the global lines, or within one section."""
    if not check.section:
        return all(config.has_global(line) for line in check.has) and not any(
            config.has_global(line) for line in check.lacks
        )
    return any(fits(check, section) for section in config.opened_by(check.section))


def fits(check: Check, section: Section) -> bool:
    """Whether one section has all that it must and lacks what it must not have."""
    wanted = all(any(matches(line, text) for text in section.lines) for line in check.has)
    return wanted and not any(matches(line, text) for line in check.lacks for text in section.lines)
