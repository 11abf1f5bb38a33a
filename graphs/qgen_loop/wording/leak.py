"""Questions that already say their answer."""

import re

from graphs.qgen_loop.wording.words import NUMBER_WORDS, STOPWORDS, content, names, plain, stem, tokens

_CHOICE = re.compile(
    r"\bor\b|\b(?:which|who|what) (?:of|among|between)\b|^(?:of|among|between) (?:the |these )?",
    re.IGNORECASE,
)
_STANDS_FOR = re.compile(r"\b(?:stand for|abbreviat|acronym|short for|initials)\w*\b")


def leaks(question: str, answer: str) -> bool:
    """Whether the answer stands in the question, whole or in all its meaningful words."""
    asked, told = _words(question), _words(answer)
    if not told or is_offered(question, answer):
        return False
    if not content(answer):
        return _inside(told, asked) and len(told) > 1
    whole = [word for word in told if word not in _ARTICLES]
    if _weighty(whole) and _inside(whole, [word for word in asked if word not in _ARTICLES]):
        return True
    return _is_hyphenated(question, answer) or _says_nothing_new(question, answer)


def _is_hyphenated(question: str, answer: str) -> bool:
    """ "How many legs has an eight-legged spider?"."""
    told = content(answer)
    parts = re.findall(r"(?<![\w-])(\w+)-[^\W\d]", plain(question))
    return (
        len(told) == 1 and told[0].isdigit() and told[0] in [NUMBER_WORDS.get(part, part) for part in parts]
    )


def may_leak(question: str, answer: str) -> bool:
    """Softer: a small number or a word of the same root stands in the question."""
    asked, told = _words(question), content(answer)
    if not told or is_offered(question, answer):
        return False
    if len(told) == 1 and told[0] in asked:
        return True
    return len(told) <= 2 and all(_rooted(word, asked) for word in told)


_ARTICLES = frozenset({"a", "an", "the"})


def _words(text: str) -> list[str]:
    return [NUMBER_WORDS.get(token, token) for token in tokens(text)]


def _weighty(words: list[str]) -> bool:
    """One short number or particle can stand in a question by chance; more cannot."""
    meaningful = [word for word in words if word not in STOPWORDS]
    if len(meaningful) > 1:
        return True
    return bool(meaningful) and (
        len(meaningful[0]) >= 3 or (meaningful[0].isdigit() and len(meaningful[0]) > 1)
    )


def _inside(part: list[str], whole: list[str]) -> bool:
    stems, target = [stem(word) for word in whole], [stem(word) for word in part]
    return any(stems[i : i + len(target)] == target for i in range(len(stems) - len(target) + 1))


def _says_nothing_new(question: str, answer: str) -> bool:
    """Whether every meaningful word of the answer was in the question (one filler of many may be new)."""
    asked = {stem(word) for word in _words(question)}
    told = [stem(word) for word in content(answer)]
    fresh = [word for word in told if word not in asked]
    if not fresh:
        return _weighty(content(answer))
    vital = {stem(plain(name)) for name in names(answer)}
    trivial = [word for word in fresh if not word[0].isdigit() and word not in vital]
    return len(told) >= 7 and len(fresh) == 1 and len(trivial) == 1


def _rooted(word: str, asked: list[str]) -> bool:
    if len(word) < 6 or word[0].isdigit():
        return word in asked
    root = word[: max(6, int(len(word) * 0.7))]
    return any(other.startswith(root) for other in asked)


def is_offered(question: str, answer: str) -> bool:
    """Whether the answer is one of the alternatives that the question lists."""
    text = plain(question)
    if not _CHOICE.search(text):
        return False
    told = plain(answer).strip(" .\"'")
    article, _, bare = told.partition(" ")
    told = bare if article in _ARTICLES and bare else told
    # "the north or the south pier": of the answer "the north pier" only "north" stands beside the other.
    first, _, last = told.rpartition(" ")
    return _is_beside(text, told) or bool(
        first and re.search(rf"\bor\b.*\b{re.escape(last)}\b", text) and _is_beside(text, first)
    )


def _is_beside(text: str, told: str) -> bool:
    target = re.escape(told)
    beside = (
        rf"\bor (?:(?:the|a|an|in|by|to|on) )?{target}\b|\b{target}\b[^.?]{{0,40}}?\s*,?\s+or\b"
        rf"|\b(?:of|among|between)\b[^?]*\b{target}\b[^?]*\b(?:and|or)\b"
        rf"|\b(?:and|or) (?:the )?{target}\b[^?]*\b(?:which|who|what)\b"
    )
    return bool(re.search(beside, text))
