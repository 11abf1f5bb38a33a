"""The detector: all patterns in order over one command's output, the first that speaks wins."""

from functools import lru_cache

from graphs.tutoring.diagnosis.registry import PatternRegistry, builtin_patterns
from graphs.tutoring.diagnosis.transcript import Session, open_session, parse_transcript
from graphs.tutoring.schemas import Detection, Diagnosis


class ErrorDetector:
    """Turns a command and its output into a diagnosis, or into nothing where all is well."""

    def __init__(self, registry: PatternRegistry) -> None:
        self.registry = registry

    def diagnose(
        self, command: str, output: str, prompt: str | None = None, mode: str | None = None
    ) -> Diagnosis | None:
        """What went wrong; a refused command goes before a symptom."""
        session = open_session(command, output, prompt, mode)
        if session.echo is None:
            inner = self._in_transcript(session, output)
            if inner:
                return inner
        return self.examine(session)

    def examine(self, session: Session) -> Diagnosis | None:
        """The first pattern that finds its line."""
        if not session.lines:
            return None
        symptom: Diagnosis | None = None
        for pattern in self.registry:
            if pattern.symptom and symptom is not None:
                continue
            found = pattern.find(session)
            if not found:
                continue
            if not pattern.symptom:
                return pattern.explain(session, found)
            symptom = pattern.explain(session, found)
        return symptom

    def _in_transcript(self, session: Session, output: str) -> Diagnosis | None:
        """Output that is itself a transcript of other commands: its last failed one speaks."""
        entries = parse_transcript(output)
        if len(entries) == 1 and (entries[0].prompt is None and (session.command or not entries[0].command)):
            return None
        for entry in reversed(entries[-50:]):
            found = self.examine(open_session(entry.command, entry.output, entry.prompt or session.prompt))
            if found:
                return found
        return None

    def detect(self, command: str, output: str) -> Detection | None:
        """The same in the detector's dialect: type, diagnosis, fix, metadata."""
        found = self.diagnose(command, output)
        if found is None:
            return None
        return Detection(
            error_type=found.error_type,
            diagnosis=found.diagnosis,
            fix=found.fix,
            metadata={
                "pattern_id": found.pattern_id,
                "fuzzy_match_info": found.correction.model_dump() if found.correction else None,
                "family": found.family,
                "is_symptom": found.is_symptom,
                "token": found.token,
                "confidence": found.confidence,
            },
        )


@lru_cache(maxsize=1)
def get_default_detector() -> ErrorDetector:
    """The detector with our own patterns."""
    return ErrorDetector(builtin_patterns())


def diagnose(
    command: str, output: str, prompt: str | None = None, mode: str | None = None
) -> Diagnosis | None:
    """What is wrong with one command's output, or None."""
    return get_default_detector().diagnose(command, output, prompt, mode)
