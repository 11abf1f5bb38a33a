"""A scripted reader of quotes: it knows which question it is asked by the shape that is wanted."""

import json
import re
from collections.abc import Callable
from typing import Any

from langchain_core.messages import BaseMessage

Answer = dict[str, Any] | str | Exception | Callable[[str], Any]

# A field that only this answer has.
_SHAPES = {
    "extract": "unattributed_quotes",
    "duplicate": '"same"',
    "queries": '"queries"',
    "relations": '"source_id"',
    "critique": '"quote_coverage"',
    "refine": "dropped_relations",
    "summary": '"summary_short"',
}
PASSES = dict.fromkeys(
    ("atomicity", "distinctness", "quote_coverage", "relation_accuracy", "language", "edge_cases"), True
)


def text_of(messages: list[BaseMessage]) -> str:
    return "\n".join(str(message.text) for message in messages)


class Reader:
    """Answers by kind of question; what is not scripted gets a plain, valid answer."""

    def __init__(self, **answers: Answer | list[Answer]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str]] = []

    def __call__(self, messages: list[BaseMessage]) -> Any:
        text = text_of(messages)
        kind = next(kind for kind, mark in _SHAPES.items() if mark in text)
        self.asked.append((kind, text))
        answer = self.answers.get(kind, _plain(kind, text))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer):
            answer = answer(text)
        return json.dumps(answer, ensure_ascii=False) if isinstance(answer, dict) else answer

    def prompts(self, kind: str) -> list[str]:
        return [text for asked, text in self.asked if asked == kind]


def _plain(kind: str, text: str) -> Answer:
    if kind == "extract":
        found = re.findall(r"^(Q\d+)[^:\n]*: (.+)$", text, re.MULTILINE)
        return {"concepts": [concept(words.rstrip("."), name) for name, words in found]}
    plain: dict[str, Answer] = {
        "duplicate": {"same": False, "reasoning": "otra idea"},
        "queries": {"queries": []},
        "relations": {"relations": []},
        "critique": {**PASSES, "issues": []},
        "refine": {"concepts": []},
        "summary": {"summary": "Resumen.", "summary_short": "Breve."},
    }
    return plain[kind]


def concept(title: str, *quotes: str, text: str = "") -> dict[str, Any]:
    return {"title": title, "concept": text or f"La idea es que {title.lower()}.", "quote_ids": list(quotes)}
