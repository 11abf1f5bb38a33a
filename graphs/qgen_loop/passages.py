"""Finds the passages of a document that a question is probably about, without knowing its evidence."""

import math
from collections import defaultdict

from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.wording.words import content, stem, tokens

AROUND = 3
MOST = 4
MAX_CHARS = 4000


class WordIndex:
    """Which lines hold which words."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = len(lines)
        self.where: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(lines, start=1):
            for word in {stem(token) for token in tokens(line)}:
                self.where[word].append(number)

    def best(self, question: str) -> list[int]:
        """Lines whose neighbourhood shares the rarest words with the question, best first."""
        scores: dict[int, float] = defaultdict(float)
        for word in {stem(token) for token in content(question)}:
            places = self.where.get(word, [])
            if not places or len(places) > max(50, self.lines // 5):
                continue
            weight = math.log(1 + self.lines / len(places))
            for place in places[:5000]:
                for line in range(max(1, place - 1), min(self.lines, place + 1) + 1):
                    scores[line] += weight if line == place else weight / 2
        return [line for line, _ in sorted(scores.items(), key=lambda item: (-item[1], item[0]))]


_indexes: dict[str, WordIndex] = {}


def _index(document: Document) -> WordIndex:
    if document.sha256 not in _indexes:
        while len(_indexes) >= 4:
            _indexes.pop(next(iter(_indexes)))
        _indexes[document.sha256] = WordIndex(document.lines)
    return _indexes[document.sha256]


def passages(document: Document, question: str) -> str:
    """Up to four stretches of seven lines each, numbered, in the document's order."""
    chosen: list[int] = []
    for line in _index(document).best(question):
        if all(abs(line - other) > 2 * AROUND for other in chosen):
            chosen.append(line)
        if len(chosen) == MOST:
            break
    shown = []
    for line in sorted(chosen):
        low, high = max(1, line - AROUND), min(document.total_lines, line + AROUND)
        shown.append(document.read_lines(low, high).text)
    return "\n…\n".join(shown)[:MAX_CHARS] or "(no passage of the document shares words with this question)"
