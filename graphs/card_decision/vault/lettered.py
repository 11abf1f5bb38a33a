"""Cards written as lines that say what they are: `Q: …` and below it `A: …`, in many languages."""

import re
from dataclasses import dataclass

from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.languages import script_of
from graphs.card_decision.vault.lines import Lines, block_end
from graphs.card_decision.vault.pairs import ANSWERS, QUESTIONS
from graphs.card_decision.vault.tagged import answer_text

_LABEL = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+|#{1,6}[ \t]+)?[*_]{0,3}"
    r"(?P<word>[^\W\d_]{1,10})[ \t]?(?P<number>\d{0,3})"
    r"(?:[*_]{1,3}[:：]|[:：][*_]{0,3})(?![:：])[ \t]*(?P<text>.*)$"
)
_NEAR = 28
_QUESTION_LETTERS = frozenset({"q", "в", "p", "f"})
_ANSWER_LETTERS = frozenset({"a", "о", "r"})


@dataclass(frozen=True)
class Label:
    """A line that begins with `Q:` or `A:`."""

    at: int
    is_question: bool
    number: str
    text: str
    language: str = ""


def find_lettered(lines: Lines, signalled: bool) -> Found:
    """A question and the answer right below it; a blank line between them only in a note of cards, for
    in others that is how a conversation is written down."""
    found = Found()
    labels = _labels(lines)
    for question, answer, following in zip(labels, labels[1:], [*labels[2:], None], strict=False):
        if not question.is_question or answer.is_question or question.number != answer.number:
            continue
        gap = any(lines.is_blank(at) for at in range(question.at, answer.at))
        if not lines.claimed[question.at] and (signalled or not gap):
            _read(lines, question, answer, following, found)
    return found


def _labels(lines: Lines) -> list[Label]:
    labels = []
    for at in range(lines.body, len(lines)):
        start = lines.text[at][:_NEAR]
        if (":" in start or "：" in start) and lines.is_free(at) and (label := _label(lines.text[at], at)):
            labels.append(label)
    return labels


def _label(row: str, at: int) -> Label | None:
    match = _LABEL.match(row)
    if not match or match["word"][0].islower():
        return None
    word = match["word"].casefold()
    asks = word in QUESTIONS or word in _QUESTION_LETTERS
    if not asks and word not in ANSWERS and word not in _ANSWER_LETTERS:
        return None
    language = QUESTIONS.get(word, "")
    # Of other scripts the text itself says more than a word that two languages share.
    named = language if language and script_of(language) == "latin" else ""
    return Label(at, asks, match["number"], match["text"].strip(), named)


def _read(lines: Lines, question: Label, answer: Label, following: Label | None, found: Found) -> None:
    end = block_end(lines, answer.at + 1) if answer.at + 1 < len(lines) else len(lines)
    stops = [heading.at for heading in lines.headings if answer.at < heading.at < end]
    stops += [following.at] if following and following.at < end else []
    end = min([end, *stops])
    front = "\n".join([question.text, *lines.text[question.at + 1 : answer.at]]).strip()
    rest, foreign = answer_text(lines, answer.at + 1, end)
    back = "\n".join([answer.text, rest]).strip()
    if not front or not back:
        side = "question" if not front else "answer"
        found.problems.append(f"line {question.at + 1}: the {side} has no text")
        return
    lines.claim(question.at, end)
    front_at, back_at = (question.at, answer.at), (answer.at, end)
    draft = Draft("lettered", front, back, question.at, end, front_at, back_at, foreign_id=foreign)
    draft.language = question.language
    found.drafts.append(draft)
