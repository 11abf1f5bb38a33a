"""A title for a quote in its own words: a whole sentence that stands alone, or what it speaks of."""

import re
from collections import Counter

from graphs.concept_extraction.duplicates.lexicon import DETERMINERS, LEANING, TOPICLESS
from graphs.concept_extraction.duplicates.words import read_statement, stem
from graphs.concept_extraction.quotes.sentences import sentences
from graphs.concept_extraction.schemas import Language
from graphs.concept_extraction.titles import title_key

SHORT, LONGEST_TITLE_WORDS = 14, 20
FEWEST_TITLE_WORDS = 3

_PAIRS = (("«", "»"), ("“", "”"), ('"', '"'), ("‘", "’"))
_ON: dict[Language, tuple[str, str]] = {"es": ("Sobre", "y"), "en": ("On", "and")}
_WORD = re.compile(r"[^\W\d_]+")
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3}|==)(?=\S)(.+?)(?<=\S)\1")
_LINK = re.compile(r"!?\[\[?([^\[\]]*)\]\]?(?:\([^()\s]*\))?")
_JOINT = re.compile(r";\s+")
# Openings of several words that lean on what was said before.
_CONNECTED: dict[Language, re.Pattern[str]] = {
    "es": re.compile(
        r"(?:por (?:eso|ello|tanto|lo tanto|esta razon|consiguiente|el contrario|otra parte)|lo que|"
        r"en (?:segundo|tercer|cuarto|ultimo) lugar|en cambio|en efecto|sin embargo|no obstante|es decir|"
        r"de (?:ahi|este modo|esta manera|hecho)|al contrario|a su vez|por ultimo|finalmente)\b"
    ),
    "en": re.compile(
        r"(?:for (?:this reason|example|instance)|in (?:other words|fact|contrast|turn)|on the "
        r"(?:contrary|other hand)|as a result|after all|at the same time|second|secondly|third|thirdly|"
        r"finally|lastly)\b"
    ),
}
# Words that qualify something else are poor topics.
_QUALIFYING: dict[Language, re.Pattern[str]] = {
    "es": re.compile(r"(?:mente|os[oa]s?|[ai]bles?)$"),
    "en": re.compile(r"(?:less|ful|ous|able|ible|ly)$|^un\w+y$"),
}


def name_of(text: str, language: Language) -> str:
    """The first whole short sentence that needs no other, or the topics; never a sentence cut off."""
    text = _LINK.sub(r"\1", _EMPHASIS.sub(r"\2", text))
    whole = sentences(text)
    clauses = [clause for part in whole for clause in _clauses(part, language)]
    tiers = ((whole, SHORT), (clauses, SHORT), (whole, LONGEST_TITLE_WORDS))
    fit = [part for parts, most in tiers for part in parts if FEWEST_TITLE_WORDS <= len(part.split()) <= most]
    if fit:
        return _as_title(next((part for part in fit if not _leans(part, language)), fit[0]))
    on, and_ = _ON[language]
    topics = topics_of([text], language, 3) or [text.split()[0]]
    listed = f"{', '.join(topics[:-1])} {and_} {topics[-1]}" if len(topics) > 1 else topics[0]
    return f"{on} {listed}"


def _clauses(sentence: str, language: Language) -> list[str]:
    """A semicolon joins statements that could each stand as a sentence."""
    parts = [part for part in _JOINT.split(sentence) if len(part.split()) > FEWEST_TITLE_WORDS]
    return [part for part in parts if not _leans(part, language)] if len(parts) > 1 else []


def _leans(sentence: str, language: Language) -> bool:
    """Whether it asks, or begins with a word that points to what was said before."""
    said = title_key(sentence)
    words = said.split()
    leaning = not words or words[0] in LEANING[language] or _CONNECTED[language].match(said) is not None
    return "?" in sentence or leaning


def _as_title(sentence: str) -> str:
    """No final stop, no marks around the whole, none whose partner went with another sentence."""
    title = sentence.lstrip("—– ").rstrip(".,;: ")
    for left, right in _PAIRS:
        wraps = title.startswith(left) and title.endswith(right) and left not in title[1:-1]
        if wraps or (title.startswith(left) and right not in title[1:]):
            title = title[1:]
        if title.endswith(right) and left not in title[:-1]:
            title = title[:-1]
    title = title.strip().rstrip(".,;: ")
    return title[:1].upper() + title[1:]


def topics_of(texts: list[str], language: Language, most: int) -> list[str]:
    """The weightiest words as the text spells them, in its order: frequent, named with an article, long."""
    counted: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for text in texts:
        stems = set(read_statement(text, language).stems)
        before = ""
        for word in _WORD.findall(text.lower()):
            key = title_key(word)
            root = stem(key, language)
            if len(word) >= 4 and root in stems and key not in TOPICLESS[language]:
                counted[root] += 1 + (before in DETERMINERS[language])
                spelled.setdefault(root, word)
            before = key
    qualifies = _QUALIFYING[language]
    ranked = sorted(
        counted,
        key=lambda root: (bool(qualifies.search(title_key(spelled[root]))), -counted[root], -len(root), root),
    )[:most]
    return [word for root, word in spelled.items() if root in ranked]
