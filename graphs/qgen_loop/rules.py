"""The rules twin of every model call: gap questions, and checks that never affirm what they cannot see."""

from itertools import islice

from graphs.qgen_loop.answers import compare
from graphs.qgen_loop.cloze.writing import Cloze, clozes
from graphs.qgen_loop.dedupe import SURE_OVERLAP, overlap, question_key
from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.evidence import carries
from graphs.qgen_loop.schemas import (
    BlindAnswer,
    BlindAnswers,
    DuplicateDecision,
    Judgement,
    ProposedBatch,
    ProposedQuestion,
)


def next_gap_question(document: Document, asked: list[str]) -> Cloze | None:
    """The next gap question that was not asked yet, or None when the sentences are used up."""
    known = {question_key(question) for question in asked}
    ready = (cloze for cloze in clozes(document) if question_key(cloze.question) not in known)
    return next(ready, None)


def propose(document: Document, asked: list[str], count: int) -> ProposedBatch:
    """Twin of the batch generator: gap questions with exact evidence."""
    known = {question_key(question) for question in asked}
    fresh = (cloze for cloze in clozes(document) if question_key(cloze.question) not in known)
    return ProposedBatch(
        questions=[
            ProposedQuestion(
                question=cloze.question,
                answer=cloze.answer,
                start_line=cloze.evidence.start_line,
                end_line=cloze.evidence.end_line,
                quote=cloze.evidence.quote,
            )
            for cloze in islice(fresh, count)
        ]
    )


def answer_nothing(count: int) -> BlindAnswers:
    """Twin of the blind validator: rules cannot read, so they answer nothing."""
    unread = "rules do not answer questions"
    return BlindAnswers(
        answers=[BlindAnswer(number=n, answerable=False, reason=unread) for n in range(1, count + 1)]
    )


def judge(proposed: str, independent: str, quote: str) -> Judgement:
    """Twin of the judge: only what the words themselves show."""
    same = compare(proposed, independent) == "same"
    return Judgement(same_answer=same, evidence_supports=carries(quote, proposed), reason="compared by words")


def duplicate(question: str, accepted: list[str]) -> DuplicateDecision:
    """Twin of the deduplicator: a duplicate is what shares nearly all its words."""
    for number, other in enumerate(accepted, start=1):
        if question_key(question) == question_key(other) or overlap(question, other) >= SURE_OVERLAP:
            return DuplicateDecision(duplicate=True, number=number, reason="nearly the same words")
    return DuplicateDecision(duplicate=False, reason="different words")
