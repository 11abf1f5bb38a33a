"""Free checks of a question and its answer, before any model is asked: `check(question, answer)`."""

import re
from dataclasses import dataclass
from typing import Literal

from graphs.qgen_loop.schemas import Mode, RejectionReason
from graphs.qgen_loop.wording.compound import is_compound, may_be_compound
from graphs.qgen_loop.wording.language import differ, language, script
from graphs.qgen_loop.wording.leak import leaks, may_leak
from graphs.qgen_loop.wording.polarity import is_yes_no
from graphs.qgen_loop.wording.structure import may_refer_to_document, refers_to_document
from graphs.qgen_loop.wording.words import tokens, word_count

MAX_QUESTION_WORDS = 60
LONG_QUESTION_WORDS = 35
MAX_ANSWER_WORDS = 40
LONG_ANSWER_WORDS = 25

Code = Literal["answer_leak", "structure_reference", "compound", "yes_no", "length", "language", "form"]

# Under which of the six reasons a hard issue is recorded; the code goes into the detail.
REASONS: dict[str, RejectionReason] = {"answer_leak": "trivial", "yes_no": "trivial"}


@dataclass(frozen=True)
class Issue:
    """One fault: hard ones reject, soft ones travel to the validator."""

    code: Code
    severity: Literal["hard", "soft"]
    message: str

    @property
    def hard(self) -> bool:
        """Whether this alone rejects the question."""
        return self.severity == "hard"

    @property
    def reason(self) -> RejectionReason:
        """The rejection reason this fault is recorded under."""
        return REASONS.get(self.code, "validation_failed")

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def check(question: str, answer: str, *, mode: Mode = "textual", document_language: str = "") -> list[Issue]:
    """Every fault that can be seen in the wording alone, hard ones first."""
    question, answer = question.strip(), answer.strip()
    missing = _missing(question, answer)
    if missing:
        return missing
    issues = [
        *_compound(question),
        *_yes_no(question, answer),
        *_leak(question, answer),
        *_structure(question, mode),
        *_length(question, answer),
        *_language(question, answer, document_language),
        *_form(question),
    ]
    return sorted(issues, key=lambda issue: not issue.hard)


def _missing(question: str, answer: str) -> list[Issue]:
    if not tokens(question):
        return [Issue("length", "hard", "the question is empty")]
    if not answer or not any(letter.isalnum() for letter in answer):
        return [Issue("length", "hard", "the answer is empty")]
    return []


def _compound(question: str) -> list[Issue]:
    if is_compound(question):
        return [Issue("compound", "hard", "it asks two things at once; ask for one fact")]
    if may_be_compound(question):
        return [Issue("compound", "soft", "it may ask for several facts")]
    return []


def _yes_no(question: str, answer: str) -> list[Issue]:
    if is_yes_no(question, answer):
        return [Issue("yes_no", "hard", "yes or no would answer it; ask for the fact itself")]
    return []


def _leak(question: str, answer: str) -> list[Issue]:
    if leaks(question, answer):
        return [Issue("answer_leak", "hard", "the question already says the answer")]
    if may_leak(question, answer):
        return [Issue("answer_leak", "soft", "the question may give the answer away")]
    return []


def _structure(question: str, mode: Mode) -> list[Issue]:
    if refers_to_document(question, visual=mode == "visual"):
        return [
            Issue("structure_reference", "hard", "it refers to the document's structure; name the subject")
        ]
    if may_refer_to_document(question):
        return [Issue("structure_reference", "soft", "it may refer to the document instead of its subject")]
    return []


def _length(question: str, answer: str) -> list[Issue]:
    asked, told = word_count(question), word_count(answer)
    issues = []
    if asked < 3:
        issues.append(Issue("length", "hard", f"the question has only {asked} words"))
    if asked > MAX_QUESTION_WORDS:
        issues.append(
            Issue("length", "hard", f"the question has {asked} words, at most {MAX_QUESTION_WORDS}")
        )
    elif asked > LONG_QUESTION_WORDS:
        issues.append(Issue("length", "soft", f"the question is long: {asked} words"))
    if told > MAX_ANSWER_WORDS:
        issues.append(Issue("length", "hard", f"the answer has {told} words, at most {MAX_ANSWER_WORDS}"))
    elif told > LONG_ANSWER_WORDS:
        issues.append(Issue("length", "soft", f"the answer is long: {told} words"))
    return issues


def _language(question: str, answer: str, document_language: str) -> list[Issue]:
    if differ(question, answer):
        return [Issue("language", "hard", "question and answer are in different languages")]
    asked = language(question)
    if document_language and asked and asked != document_language:
        return [Issue("language", "soft", f"the question is in {asked}, the document in {document_language}")]
    return []


_ASKS = re.compile(
    r"[?？]\s*[\"')”]*$|^\W*(?:name|list|identify|describe|explain|give|state|define|compare|complete|fill|what|which|"
    r"who|when|where|why|how|calculate|determine|specify|indicate|summari[sz]e|provide)\b|か[。]?$|_{2,}",
    re.IGNORECASE,
)


def _form(question: str) -> list[Issue]:
    if _ASKS.search(question) or script(question) not in ("LATIN", ""):
        return []
    return [Issue("form", "soft", "it is not worded as a question")]
