"""One concept as a Markdown note: identity in the frontmatter, our part between two marks."""

import json
import re
from dataclasses import dataclass

from common.files import content_hash
from graphs.concept_extraction.knowledge import Surroundings
from graphs.concept_extraction.quotes.language import language_of
from graphs.concept_extraction.schemas import Concept, Content, Language, Quote

BEGIN = "<!-- study-graphs:begin -->"
END = "<!-- study-graphs:end -->"

_ID = re.compile(r"^study_id:\s*[\"']?([0-9a-f-]{36})[\"']?\s*$", re.MULTILINE)
_FRONT = re.compile(r"\A\ufeff?---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)

_WORDS: dict[Language, dict[str, str]] = {
    "es": {"analysis": "Análisis", "relations": "Relaciones", "quotes": "Citas", "page": "p."},
    "en": {"analysis": "Analysis", "relations": "Relations", "quotes": "Quotes", "page": "p."},
}
_RELATIONS: dict[Language, dict[str, str]] = {
    "es": {
        "GENERALIZES": "generaliza",
        "SPECIFIC_OF": "es un caso de",
        "PART_OF": "es parte de",
        "HAS_PART": "tiene como parte",
        "OPPOSES": "se opone a",
        "SIMILAR_TO": "se parece a",
        "RELATES_TO": "se relaciona con",
        "SUPPORTS": "apoya",
        "SUPPORTED_BY": "se apoya en",
    },
    "en": {
        "GENERALIZES": "generalizes",
        "SPECIFIC_OF": "is a case of",
        "PART_OF": "is part of",
        "HAS_PART": "has as a part",
        "OPPOSES": "opposes",
        "SIMILAR_TO": "is similar to",
        "RELATES_TO": "relates to",
        "SUPPORTS": "supports",
        "SUPPORTED_BY": "is supported by",
    },
}


@dataclass(frozen=True)
class Note:
    """A note's text and the hash by which we know our part again."""

    text: str
    hash: str


def render(around: Surroundings, stems: dict[str, str]) -> Note:
    """The note of one concept; `stems` are the file names of all concepts it may link to."""
    concept = around.concept
    language = language_of(f"{concept.title} {concept.concept}")
    body = "\n\n".join(part for part in _parts(around, stems, language) if part)
    text = f"{_frontmatter(concept)}\n{BEGIN}\n{body}\n{END}\n"
    return Note(text, our_hash(text))


def _frontmatter(concept: Concept) -> str:
    """JSON strings are YAML strings: whatever a title holds, the frontmatter stays readable."""
    lines = ["---", f"study_id: {concept.uuid}", f"title: {_quoted(concept.title)}"]
    aliases = list(dict.fromkeys([concept.title, *concept.aliases]))
    lines += ["aliases:", *(f"  - {_quoted(alias)}" for alias in aliases)]
    if concept.source:
        lines.append(f"source: {_quoted(concept.source)}")
    return "\n".join([*lines, f"origin: {concept.origin}", "---"])


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def _parts(around: Surroundings, stems: dict[str, str], language: Language) -> list[str]:
    concept, words = around.concept, _WORDS[language]
    relations = [
        f"- {_RELATIONS[language].get(kind, kind)} {_link(other, stems)}{f' — {_line(why)}' if why else ''}"
        for kind, other, why in around.relations
        if other.uuid in stems
    ]
    quotes = [_quote(quote, content, words["page"]) for quote, content, _ in around.quotes]
    return [
        f"# {_line(concept.title)}",
        _safe(concept.concept),
        f"## {words['analysis']}\n\n{_safe(concept.analysis)}" if concept.analysis else "",
        f"## {words['relations']}\n\n" + "\n".join(relations) if relations else "",
        f"## {words['quotes']}\n\n" + "\n\n".join(quotes) if quotes else "",
    ]


def _link(concept: Concept, stems: dict[str, str]) -> str:
    shown = re.sub(r"[\[\]|#^]+", " ", _line(concept.title)).strip() or stems[concept.uuid]
    return f"[[{stems[concept.uuid]}|{shown}]]"


def _quote(quote: Quote, content: Content | None, page: str) -> str:
    lines = "\n".join(f"> {line}".rstrip() for line in _safe(quote.text).split("\n"))
    place = [content.name if content else "", quote.section]
    if quote.page_reference:
        plain = quote.page_reference.startswith("pos")
        place.append(quote.page_reference if plain else f"{page} {quote.page_reference}")
    return f"{lines}\n> — {', '.join(_line(part) for part in place if part)}"


def _line(text: str) -> str:
    return _safe(" ".join(text.split()))


def _safe(text: str) -> str:
    """No text of ours may look like the marks of our part."""
    return text.replace("<!-- study-graphs:", "<!- study-graphs:").strip()


def study_id(text: str) -> str | None:
    """The concept a file says it is about."""
    front = _FRONT.match(text)
    found = _ID.search(front.group(1)) if front else None
    return found.group(1) if found else None


def our_part(text: str) -> str | None:
    """What stands between our marks, or None where a mark is missing."""
    start, end = text.find(BEGIN), text.rfind(END)
    return text[start : end + len(END)] if 0 <= start < end else None


def our_hash(text: str) -> str:
    """Of the frontmatter and of our part, told apart: a person may add a tag and leave our part alone."""
    front = _FRONT.match(text)
    part = our_part(text)
    return f"{_short(front.group(0) if front else '')}/{_short(part or '')}"


def _short(text: str) -> str:
    return content_hash(text)[:24]


def part_untouched(text: str, ours: set[str]) -> bool:
    """Whether our part is one that we wrote."""
    return our_part(text) is not None and our_hash(text).split("/")[1] in {h.split("/")[1] for h in ours if h}


def with_our_part(text: str, fresh: str, ours: set[str]) -> str:
    """The fresh part in the place of the old one, and the fresh frontmatter where the old one was ours."""
    old, new = our_part(text), our_part(fresh)
    front, fresh_front = _FRONT.match(text), _FRONT.match(fresh)
    assert old is not None
    assert new is not None
    assert fresh_front is not None
    start = text.find(old)
    renewed = text[:start] + new + text[start + len(old) :]
    if front and our_hash(text).split("/")[0] in {h.split("/")[0] for h in ours if h}:
        return fresh_front.group(0) + renewed[front.end() :]
    return renewed


def others_words(text: str, ours: set[str]) -> str:
    """What in a note is not ours."""
    part, front = our_part(text), _FRONT.match(text)
    if part is None or front is None or our_hash(text) not in ours:
        return text
    return text[front.end() :].replace(part, "", 1).strip()
