"""Checks that need no model: each finds issues of the four types, with a severity."""

import re
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from graphs.card_decision.anki.cloze import parse_clozes
from graphs.card_decision.anki.validation import is_blank
from graphs.card_decision.schemas import Candidate, ExistingNote, IssueType, ProposedCard, QAIssue, Severity
from graphs.card_decision.vault.languages import closest_language, prose_of, script_of, scripts_of
from graphs.card_decision.vault.render import plain_text

WEIGHTS: dict[Severity, float] = {"high": 0.5, "medium": 0.2, "low": 0.05}
_LOW_CAP = 0.15
_NEAR = 92.0
_LONG_LIST = 12
_WORD = re.compile(r"\w+")


@dataclass
class CheckedCard:
    """A card and what surrounds it."""

    card: ProposedCard
    candidate: Candidate
    note_text: str
    existing: ExistingNote | None = None
    siblings: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    written_by_model: bool = False
    max_front_chars: int = 200
    max_back_chars: int = 1200
    enforce_short_front: bool = True

    @property
    def front(self) -> str:
        return plain_text(self.card.fields.get("Front") or self.card.fields.get("Text") or "")

    @property
    def back(self) -> str:
        return plain_text(self.card.fields.get("Back") or self.card.fields.get("Back Extra") or "")


def run_checks(checked: CheckedCard) -> list[QAIssue]:
    """Everything rules can say about a card."""
    return [
        *leaks(checked),
        *language_issues(checked),
        *duplicates(checked),
        *lengths(checked),
        *emptied(checked),
        *ungrounded(checked),
    ]


def score(issues: list[QAIssue]) -> float:
    """1 minus 0.5 for each high, 0.2 for each medium and 0.05 for each low issue (0.15 at most)."""
    low = min(_LOW_CAP, sum(WEIGHTS["low"] for issue in issues if issue.severity == "low"))
    heavy = sum(WEIGHTS[issue.severity] for issue in issues if issue.severity != "low")
    return round(max(0.0, 1.0 - low - heavy), 3)


def _issue(type_: IssueType, severity: Severity, message: str) -> QAIssue:
    return QAIssue(type=type_, severity=severity, message=message)


def leaks(checked: CheckedCard) -> list[QAIssue]:
    """The front, or a cloze's hint, gives the answer away."""
    if checked.card.card_type == "Cloze":
        return [
            _issue("front_leaks_answer", "medium", f"the hint of a cloze is its answer: “{cloze.text}”")
            for cloze in parse_clozes(checked.card.fields.get("Text", ""))[0]
            if _hint_leaks(cloze.text)
        ]
    front, back = " ".join(_words(checked.front)), " ".join(_words(checked.back))
    if not back or len(back) < 4 or len(back) > 120 or f" {back} " not in f" {front} ":
        return []
    choice = re.search(r"\b(or|или|oder|ou|o)\b", front) is not None
    severity: Severity = "low" if choice else "high" if " " in back or len(back) > 7 else "medium"
    return [_issue("front_leaks_answer", severity, f"the front holds the answer: “{checked.back[:80]}”")]


def _hint_leaks(text: str) -> bool:
    answer, _, hint = text.partition("::")
    return bool(hint.strip()) and _words(answer) == _words(hint)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def language_issues(checked: CheckedCard) -> list[QAIssue]:
    """The declared language against the script, then against the words of that script's languages."""
    language = checked.candidate.language
    if "-" in language or (checked.candidate.syntax != "heading_pair" and language not in checked.declared):
        return []
    issues = []
    for name, text in (("Front", checked.front), ("Back", checked.back)):
        prose = prose_of(text)
        counts = scripts_of(prose)
        letters = sum(counts.values())
        share = counts.get(script_of(language), 0) / letters if letters else 1.0
        if letters >= 20 and share < 0.1:
            issues.append(_issue("language_mismatch", "high", f"{name} is not written in {language}"))
        elif letters >= 40 and share < 0.3:
            issues.append(
                _issue("language_mismatch", "low", f"{name} is mostly in another script than {language}")
            )
        elif letters >= 200 and _other_language(prose, language, checked.declared):
            issues.append(
                _issue("language_mismatch", "low", f"{name} reads like another language than {language}")
            )
    return issues


def _other_language(prose: str, language: str, declared: list[str]) -> bool:
    rivals = tuple(code for code in declared if script_of(code) == script_of(language))
    return len(rivals) > 1 and language in rivals and closest_language(prose, rivals) != language


def duplicates(checked: CheckedCard) -> list[QAIssue]:
    """Another card of the note asks nearly the same."""
    own = checked.front.casefold()
    for other in checked.siblings:
        if own == other.casefold():
            return [
                _issue("style_issue", "medium", f"another card of this note asks the same: “{other[:80]}”")
            ]
        if (
            len(own) > 20
            and fuzz.ratio(own, other.casefold(), score_cutoff=_NEAR)
            and same_numbers(own, other)
        ):
            return [_issue("style_issue", "low", f"another card asks nearly the same: “{other[:80]}”")]
    return []


def same_numbers(one: str, other: str) -> bool:
    """Questions that differ in a number alone are two questions."""
    return re.findall(r"\d+", one) == re.findall(r"\d+", other)


def lengths(checked: CheckedCard) -> list[QAIssue]:
    """Long texts and long lists: worth a remark, never a refusal."""
    issues = []
    if checked.enforce_short_front and len(checked.front) > checked.max_front_chars:
        issues.append(_issue("style_issue", "low", f"the front has {len(checked.front)} characters"))
    if len(checked.back) > checked.max_back_chars:
        issues.append(_issue("style_issue", "low", f"the back has {len(checked.back)} characters"))
    items = (checked.card.fields.get("Back") or "").count("<li>")
    if items > _LONG_LIST:
        issues.append(_issue("style_issue", "low", f"the back enumerates {items} items"))
    return issues


def emptied(checked: CheckedCard) -> list[QAIssue]:
    """A field that held something would become empty."""
    if checked.existing is None or not checked.existing.base:
        return []
    return [
        _issue("answer_mismatch", "high", f"the field {name} would be emptied")
        for name, value in checked.card.fields.items()
        if is_blank(value) and not is_blank(checked.existing.base.get(name, ""))
    ]


def ungrounded(checked: CheckedCard) -> list[QAIssue]:
    """Sentences of a model's answer that no line of the note supports: nothing may be invented."""
    if not checked.written_by_model:
        return []
    source = set(_words(checked.note_text))
    if len(source) < 5:
        return [_issue("answer_mismatch", "high", "the note is too thin to make a card of")]
    sentences = [part for part in re.split(r"(?<=[.!?…])\s+|\n", checked.back) if len(_words(part)) >= 3]
    loose = [part for part in sentences if not _supported(part, source)]
    if not loose:
        return []
    severity: Severity = "high" if len(loose) * 3 > len(sentences) else "medium"
    return [_issue("answer_mismatch", severity, f"the note does not say: “{loose[0][:120]}”")]


def _supported(sentence: str, source: set[str]) -> bool:
    words = [word for word in _words(sentence) if len(word) > 3 or word.isdigit()]
    if not words:
        return True
    known = sum(word in source or _stem_in(word, source) for word in words)
    return known / len(words) >= 0.6 and all(word in source for word in words if word.isdigit())


def _stem_in(word: str, source: set[str]) -> bool:
    """Inflected forms share a beginning: enough to call a word known."""
    stem = word[: max(4, len(word) - 3)]
    return len(word) > 4 and any(other.startswith(stem) for other in source)
