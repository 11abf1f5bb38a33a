"""Makes an error pattern from an example transcript, and tries it against valid output before it is taken."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from common.errors import BadInput, Conflict
from common.files import content_hash, write_atomic
from common.logs import get_logger
from common.settings import get_settings
from graphs.tutoring.diagnosis.detector import ErrorDetector, get_default_detector
from graphs.tutoring.diagnosis.patterns import BaseErrorPattern
from graphs.tutoring.diagnosis.registry import (
    CATCH_ALL,
    PatternRegistry,
    builtin_patterns,
    load_patterns,
)
from graphs.tutoring.diagnosis.transcript import open_session, parse_transcript

VARIABLE = (
    (re.compile(r"\d+\\?\.\d+\\?\.\d+\\?\.\d+"), r"\\d+\\.\\d+\\.\\d+\\.\\d+"),
    (re.compile(r"\b[A-Z][A-Za-z-]*\d+(?:/\d+)*(?:\\?\.\d+)?"), r"\\S+"),
    (re.compile(r"\\?\"[^\"]*\\?\""), r'"[^"]*"'),
    (re.compile(r"(?<![\\dS+])\b\d+\b"), r"\\d+"),
)


log = get_logger(__name__)


@dataclass(frozen=True)
class Proposal:
    """A pattern on trial: what it would match, and where it went wrong."""

    pattern: BaseErrorPattern
    line: str
    mistaken: tuple[str, ...]

    @property
    def acceptable(self) -> bool:
        """Whether no valid output was taken for an error."""
        return not self.mistaken


def error_line(lines: Sequence[str]) -> str:
    """The line that carries the message: the last that begins with %, else the last one."""
    marked = [line for line in lines if line.strip().startswith("%")]
    if not lines:
        raise BadInput(
            "The transcript has no output.", remedy="Paste the command with what the device printed."
        )
    return (marked or list(lines))[-1].strip()


def generalise(line: str) -> str:
    """The message as an expression: addresses, numbers, interfaces and quoted words may differ."""
    expression = re.escape(line).replace(r"\ ", " ").replace('\\"', '"')
    for found, instead in VARIABLE:
        expression = found.sub(instead, expression)
    return expression


def propose(
    transcript: str, family: str, diagnosis: str, fix: str, valid_outputs: Iterable[tuple[str, str]] = ()
) -> Proposal:
    """A pattern from an example, tried against all valid output at hand."""
    entry = parse_transcript(transcript)[-1]
    known = get_default_detector().diagnose(entry.command, entry.output, entry.prompt)
    if known and known.pattern_id != CATCH_ALL:
        raise Conflict("That error is known already.", remedy="`study tutor diagnose` explains it.")
    session = open_session(entry.command, entry.output, entry.prompt)
    line = error_line(session.significant)
    name = re.sub(r"[^a-z0-9]+", "-", line.lower()).strip("-")[:40].strip("-")
    if not re.fullmatch(r"[A-Z][A-Z0-9_]{1,40}", family):
        raise BadInput(f"{family!r} is no family.", remedy="Use capitals, such as COMMAND_REJECTED.")
    pattern = BaseErrorPattern(
        id=f"learned-{name}-{content_hash(line)[:6]}",
        family=family,
        match=generalise(line),
        error_type=family,
        diagnosis=diagnosis.replace("{", "(").replace("}", ")"),
        fix=fix.replace("{", "(").replace("}", ")"),
        alone=True,
        show=session.is_show,
        confidence=0.7,
    )
    return Proposal(pattern, line, tuple(mistakes(pattern, valid_outputs)))


def mistakes(pattern: BaseErrorPattern, valid_outputs: Iterable[tuple[str, str]]) -> list[str]:
    """The commands whose valid output the pattern would call an error."""
    detector = ErrorDetector(PatternRegistry([pattern]))
    return [command for command, output in valid_outputs if detector.diagnose(command, output)]


def read_valid_outputs(folder: Path) -> list[tuple[str, str]]:
    """Command and output of every file in a folder; the file's name holds the command."""
    return [
        (
            path.stem.removeprefix("cisco_ios_").replace("_", " "),
            path.read_text(encoding="utf-8", errors="replace"),
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in (".raw", ".txt")
    ]


def accept(proposal: Proposal, path: Path) -> None:
    """Add an approved pattern to the file of learned ones."""
    if not proposal.acceptable:
        raise Conflict(
            f"The pattern mistakes valid output of {proposal.mistaken[0]!r} for an error.",
            remedy="Give an example whose message is more telling.",
        )
    known = load_patterns(path) if path.exists() else []
    if any(pattern.id == proposal.pattern.id for pattern in known):
        raise Conflict(f"The pattern {proposal.pattern.id} is there already.")
    data = [pattern.model_dump(exclude_defaults=True) for pattern in (*known, proposal.pattern)]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps({"version": 1, "patterns": data}, indent=1, ensure_ascii=False))


def learned_path() -> Path:
    """Where approved patterns are kept."""
    return get_settings().data_dir / "tutoring" / "patterns.json"


def current_detector() -> ErrorDetector:
    """The detector with our own patterns and, after them, the learned ones as they stand now."""
    path = learned_path()
    if not path.is_file():
        return get_default_detector()
    return _with_learned(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _with_learned(path: Path, changed: int) -> ErrorDetector:
    registry = builtin_patterns()
    try:
        registry.load_json(path)
    except ValueError as exc:
        log.warning("learned_patterns_not_read", changed=changed, reason=str(exc)[:200])
    return ErrorDetector(registry)
