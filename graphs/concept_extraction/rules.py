"""The rules twin of every model call: modest answers that invent nothing."""

from collections import Counter
from typing import Any

from graphs.concept_extraction.candidates import same_key
from graphs.concept_extraction.duplicates import Idea, Thresholds, contrast, judge_ideas
from graphs.concept_extraction.duplicates.contrast import SWAPPED, difference
from graphs.concept_extraction.naming import LONGEST_TITLE_WORDS, name_of, topics_of
from graphs.concept_extraction.quotes.language import language_of
from graphs.concept_extraction.quotes.sentences import sentences
from graphs.concept_extraction.schemas import (
    CandidateConcept,
    CandidateConceptsResponse,
    CritiqueIssue,
    CritiqueResponse,
    DuplicateResponse,
    Language,
    PersonResponse,
    ProposedRelation,
    RefinedConcept,
    RefinementResponse,
    RelationQueriesResponse,
    RelationQuery,
    RelationsResponse,
    SummaryResponse,
)

Item = dict[str, Any]

# A quote of fewer words holds no idea that rules could name.
FEWEST_WORDS = 4
RELATED = 0.78
RELATIONS_EACH = 3
OPPOSED = 0.4


def summarize(title: str, author: str, quotes: list[Item], language: Language) -> SummaryResponse:
    """What the quotes are about, by their most frequent words; no claim about the work."""
    topics = ", ".join(topics_of([quote["text"] for quote in quotes[:500]], language, 6))
    if language == "es":
        long = f"{len(quotes)} citas de {title}, de {author}. Palabras frecuentes: {topics}."
    else:
        long = f"{len(quotes)} quotes from {title} by {author}. Frequent words: {topics}."
    return SummaryResponse(summary=_words(long, 100), summary_short=_words(long, 30))


def describe_author(name: str, title: str, language: Language) -> PersonResponse:
    told = f"Autoría de {title}." if language == "es" else f"Author of {title}."
    return PersonResponse(occupation="Author", summary=told, summary_short=_words(told, 30))


def extract(refs: dict[str, str], quotes: list[Item], language: Language) -> CandidateConceptsResponse:
    """One candidate for each quote that says something, in the quote's own words."""
    by_id = {quote["uuid"]: quote for quote in quotes}
    concepts: list[CandidateConcept] = []
    silent: list[str] = []
    for name, uuid in refs.items():
        text = " ".join(by_id[uuid]["text"].split())
        if len(text.split()) < FEWEST_WORDS:
            silent.append(name)
            continue
        concepts.append(
            CandidateConcept(
                title=name_of(text, language),
                concept=_sentences(text, 3),
                summary=_words(text, 100),
                summary_short=_words(text, 30),
                quote_ids=[name],
                reasoning="Tomado de la cita." if language == "es" else "Taken from the quote.",
                confidence=0.5,
            )
        )
    return CandidateConceptsResponse(concepts=concepts, unattributed_quotes=silent)


def _sentences(text: str, most: int) -> str:
    return " ".join(sentences(text)[:most])


def _words(text: str, most: int) -> str:
    words = text.split()
    return " ".join(words[:most]) + ("…" if len(words) > most else "")


def same_concept(
    one: Idea, two: Idea, score: float, limits: Thresholds, words: float | None
) -> DuplicateResponse:
    found = judge_ideas(one, two, score, limits, words)
    return DuplicateResponse(same=found.sameness == "same", reasoning=found.reason, confidence=0.5)


def relation_queries(refs: dict[str, str], candidates: list[Item]) -> RelationQueriesResponse:
    """Look for what resembles the concept itself."""
    by_id = {item["id"]: item for item in candidates}
    return RelationQueriesResponse(
        queries=[
            RelationQuery(concept_id=name, query=f"{by_id[uuid]['title']}. {by_id[uuid]['concept']}")
            for name, uuid in refs.items()
        ]
    )


def relate(pairs: list[tuple[str, Item, str, Item, float]], language: Language) -> RelationsResponse:
    """Near concepts: opposed where their words are, else related. No finer claim without a model."""
    given: Counter[str] = Counter()
    relations: list[ProposedRelation] = []
    for name, one, other, two, score in sorted(pairs, key=lambda pair: -pair[4]):
        reason = contrast(one["title"], two["title"])
        # A lone negation opposes only what is said in nearly the same words; other places oppose nothing.
        opposed = reason not in (None, SWAPPED) and difference(one["title"], two["title"]).shared >= OPPOSED
        if (score < RELATED and not opposed) or given[name] >= RELATIONS_EACH:
            continue
        given[name] += 1
        why = reason if opposed else ("near in meaning" if language == "en" else "cercanos en su sentido")
        relations.append(
            ProposedRelation(
                source_id=name,
                relation="OPPOSES" if opposed else "RELATES_TO",
                target_id=other,
                reasoning=why or "",
            )
        )
    return RelationsResponse(relations=relations)


def criticise(
    candidates: list[Item], detections: list[Item], uncovered: list[str], language: Language
) -> CritiqueResponse:
    """The points of the checklist that can be counted."""
    issues: list[CritiqueIssue] = []
    for item in candidates:
        if len(item["title"].split()) > LONGEST_TITLE_WORDS + 8:
            issues.append(_issue(item, "atomicity", "the title holds more than one idea"))
        if language_of(f"{item['title']} {item['concept']}", language) != language:
            issues.append(_issue(item, "language", f"it is not written in {language}"))
    doubles = [d for d in detections if d.get("verdict") == "same" and d.get("match_kind") == "candidate"]
    issues += [_issue(d, "distinctness", f"the same as {d['match_title']}") for d in doubles]
    if uncovered:
        issues.append(
            CritiqueIssue(check="quote_coverage", issue=f"no concept rests on {', '.join(uncovered[:20])}")
        )
    failed = {issue.check for issue in issues}
    return CritiqueResponse(
        atomicity="atomicity" not in failed,
        distinctness="distinctness" not in failed,
        quote_coverage="quote_coverage" not in failed,
        relation_accuracy=True,
        language="language" not in failed,
        edge_cases=True,
        issues=issues,
    )


def _issue(item: Item, check: str, issue: str) -> CritiqueIssue:
    return CritiqueIssue(concept_id=item["id"], check=check, issue=issue)


def refine(candidates: list[Item], detections: list[Item], refs: dict[str, str]) -> RefinementResponse:
    """The one thing rules can mend: a candidate that is another candidate gives it its quotes."""
    names = {uuid: name for name, uuid in refs.items()}
    held = {item["id"]: item for item in candidates}
    changes: list[RefinedConcept] = []
    for found in detections:
        match = held.get(found.get("match_id", ""))
        item = held.get(found["id"])
        double = found.get("verdict") == "same" and found.get("match_kind") == "candidate"
        if not (double and item and match) or item.get("locked") or not same_key(item, match):
            continue
        quotes = list(dict.fromkeys([*match["quote_ids"], *item["quote_ids"]]))
        changes.append(RefinedConcept(concept_id=names[match["id"]], action="change", quote_ids=quotes))
        changes.append(RefinedConcept(concept_id=names[item["id"]], action="remove"))
    return RefinementResponse(concepts=changes)


def take_feedback() -> RefinementResponse:
    """Rules do not understand words; the person edits by hand."""
    return RefinementResponse()
