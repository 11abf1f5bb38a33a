"""Cards written as heading pairs: `# Question (EN)` / `## Answer (EN)`, in many languages."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from graphs.card_decision.vault.draft import Draft, Found
from graphs.card_decision.vault.languages import language_code
from graphs.card_decision.vault.lines import TEXT, Heading, Lines

QUESTIONS = {
    "question": "", "q": "", "вопрос": "ru", "vopros": "ru", "pregunta": "es", "frage": "de", "domanda": "it",
    "pergunta": "pt", "questão": "pt", "vraag": "nl", "pytanie": "pl", "питання": "uk", "запитання": "uk",
    "otázka": "cs", "soru": "tr", "質問": "ja", "問題": "ja", "问题": "zh", "问": "zh", "질문": "ko",
    "fråga": "sv", "въпрос": "bg", "пытанне": "be",
}  # fmt: skip
ANSWERS = {
    "answer": "", "a": "", "ответ": "ru", "otvet": "ru", "respuesta": "es", "antwort": "de", "risposta": "it",
    "réponse": "fr", "reponse": "fr", "resposta": "pt", "antwoord": "nl", "odpowiedź": "pl",
    "відповідь": "uk", "odpověď": "cs", "cevap": "tr", "回答": "", "答え": "ja", "答案": "zh", "答": "zh",
    "답변": "ko", "답": "ko", "svar": "sv", "отговор": "bg", "адказ": "be",
}  # fmt: skip
_TITLE = re.compile(
    r"^(?P<word>[^\W\d_]+)\s*(?:[#№]?\s*(?P<number>\d+))?"
    r"\s*(?:[(\[（]\s*(?P<lang>[^\W\d_]+(?:[-_][^\W\d_]+)?)\s*[)\]）]|[-–—/|]\s*(?P<dash>[A-Za-z]{2,3}))?"
    r"\s*(?:[#№]?\s*(?P<later>\d+))?\s*(?:[:：.]\s*(?P<rest>.*))?$"
)
_ASIDE = re.compile(
    r"^(follow[- ]?ups?|references?|related\b.*|see also|links?|sources?|further reading|moc links?|"
    r"(дополнительные|связанные|смежные|последующие|похожие) (вопросы|заметки|темы)|ссылки|источники|"
    r"(dopolnitelnye|svyazannye|smezhnye|posleduyushchie) voprosy|ssylki|istochniki)\b",
    re.I,
)


@dataclass
class Side:
    """One question or answer heading, with the text that belongs to it."""

    is_question: bool
    language: str
    number: int | None
    heading: Heading
    rest: str
    coded: bool = False
    end: int = 0
    text: str = ""
    partner: "Side | None" = field(default=None, repr=False)

    @property
    def label(self) -> str:
        return f"line {self.heading.at + 1}: “{self.heading.title}”"


def find_pairs(lines: Lines, guess: Callable[[str], str]) -> Found:
    """All pairs whose question and answer are both in the note; a lone side is reported.

    `guess` names the language of text whose headings name none."""
    sides = _sides(lines)
    for at, side in enumerate(sides):
        _fill(lines, side, sides[at + 1] if at + 1 < len(sides) else None)
    _name_languages(sides, guess)
    found = Found()
    for language in dict.fromkeys(side.language for side in sides):
        _pair([side for side in sides if side.language == language])
        _emit(lines, [side for side in sides if side.language == language], found)
    return found


def _sides(lines: Lines) -> list[Side]:
    sides = []
    for heading in lines.headings:
        if not lines.claimed[heading.at] and (side := read_title(heading)):
            sides.append(side)
    if any(side.is_question for side in sides) and any(not side.is_question for side in sides):
        return sides
    # A lone "Answer" or "Question" is a heading like any other unless it names a language.
    return [side for side in sides if side.coded]


def _name_languages(sides: list[Side], guess: Callable[[str], str]) -> None:
    """Give a language to sides whose heading names none."""
    unnamed = [side for side in sides if not side.language]
    if not unnamed:
        return
    language = ""
    if all(side.is_question for side in unnamed):
        asked = {side.language for side in sides if side.is_question}
        orphans = {side.language for side in sides if not side.is_question} - asked
        language = orphans.pop() if len(orphans) == 1 else ""
    language = language or guess("\n".join(side.text for side in unnamed))
    for side in unnamed:
        side.language = language


def read_title(heading: Heading) -> Side | None:
    """A heading that says it is a question or an answer, and in which language."""
    title = heading.title.strip("*_ ").strip()
    match = _TITLE.match(title)
    if not match:
        return None
    word = match["word"].casefold()
    words = QUESTIONS if word in QUESTIONS else ANSWERS
    if word not in words:
        return None
    code = match["lang"] or match["dash"] or ""
    if code and not language_code(code):
        return None
    number = match["number"] or match["later"]
    return Side(
        is_question=words is QUESTIONS,
        language=language_code(code) if code else words[word],
        number=int(number) if number and len(number) < 6 else None,
        heading=heading,
        rest=(match["rest"] or "").strip(),
        coded=bool(code),
    )


def _fill(lines: Lines, side: Side, following: Side | None) -> None:
    """The text under the heading, up to a heading that is none of its own."""
    start = side.heading.at + 1
    side.end = following.heading.at if following else len(lines)
    for heading in lines.headings:
        if start <= heading.at < side.end and _closes(side, heading):
            side.end = heading.at
            break
    if not side.is_question and _is_bare(lines, start, side.end):
        side.end = _until_aside(lines, side, following)
    end = side.end
    while end > start and (not lines.text[end - 1].strip() or _is_rule(lines, end - 1)):
        end -= 1
    side.text = lines.join(start, end).strip()
    if side.is_question:
        side.text = unquoted(side.text)
    side.text = "\n\n".join(part for part in (side.rest, side.text) if part)


def _is_bare(lines: Lines, start: int, end: int) -> bool:
    return all(not lines.text[at].strip() or _is_rule(lines, at) for at in range(start, end))


def _until_aside(lines: Lines, side: Side, following: Side | None) -> int:
    """An answer heading with nothing of its own: what its sibling sections say is the answer."""
    end = following.heading.at if following else len(lines)
    for heading in lines.headings:
        if side.heading.at < heading.at < end:
            higher = heading.level < side.heading.level
            if higher or _ASIDE.match(heading.title.strip("*_ ")):
                return heading.at
    return end


def _is_rule(lines: Lines, at: int) -> bool:
    row = lines.text[at].strip()
    return lines.kind[at] == TEXT and len(row) >= 3 and row[0] in "-*_" and row == row[0] * len(row)


def _closes(side: Side, heading: Heading) -> bool:
    if heading.level <= side.heading.level:
        return True
    aside = bool(_ASIDE.match(heading.title.strip("*_ ")))
    return aside and heading.level <= side.heading.level + 1


def unquoted(text: str) -> str:
    """A question is often set as a block quote; the quote mark is no part of it."""
    rows = text.split("\n")
    if any(row.strip() and not row.lstrip().startswith(">") for row in rows):
        return text
    return "\n".join(re.sub(r"^\s*> ?", "", row) for row in rows).strip()


def _pair(sides: list[Side]) -> None:
    """Match questions and answers of one language: by number, by order, by neighbourhood."""
    questions = [side for side in sides if side.is_question]
    answers = [side for side in sides if not side.is_question]
    if all(side.number is not None for side in sides):
        by_number = {side.number: side for side in reversed(answers)}
        for question in questions:
            _marry(question, by_number.pop(question.number, None))
    elif len(questions) == len(answers) == 1 or _grouped(sides, questions, answers):
        for question, answer in zip(questions, answers, strict=True):
            _marry(question, answer)
    else:
        waiting: Side | None = None
        for side in sides:
            if side.is_question:
                waiting = side
            elif waiting is not None:
                _marry(waiting, side)
                waiting = None


def _grouped(sides: list[Side], questions: list[Side], answers: list[Side]) -> bool:
    """All questions first, then as many answers."""
    return len(questions) == len(answers) and sides[: len(questions)] == questions


def _marry(question: Side, answer: Side | None) -> None:
    if answer is not None:
        question.partner, answer.partner = answer, question


def _emit(lines: Lines, sides: list[Side], found: Found) -> None:
    for order, question in enumerate(side for side in sides if side.is_question):
        answer = question.partner
        if answer is None:
            found.problems.append(f"{question.label} has no answer in the note")
        elif not question.text or not answer.text:
            empty = answer if question.text else question
            found.problems.append(f"{empty.label} is empty")
        else:
            found.drafts.append(_draft(question, answer, order))
        if answer is not None:
            lines.claim(question.heading.at, question.end)
            lines.claim(answer.heading.at, answer.end)
    for side in sides:
        if not side.is_question and side.partner is None:
            found.problems.append(f"{side.label} has no question in the note")
            lines.claim(side.heading.at, side.end)


def _draft(question: Side, answer: Side, order: int) -> Draft:
    return Draft(
        syntax="heading_pair",
        front=question.text,
        back=answer.text,
        at=question.heading.at,
        end=max(question.end, answer.end),
        front_at=(question.heading.at, question.end),
        back_at=(answer.heading.at, answer.end),
        language=question.language,
        group=order,
    )
