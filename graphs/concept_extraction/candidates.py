"""Candidate concepts: from what a model said to items with fixed ids, traced to quotes that exist."""

import unicodedata
from dataclasses import dataclass, field
from typing import Any

from graphs.concept_extraction.knowledge.ids import concept_id
from graphs.concept_extraction.knowledge.relations import canonical, relation_type
from graphs.concept_extraction.schemas import (
    LONGEST_TITLE,
    CandidateConcept,
    Concept,
    ProposedRelation,
    RefinedConcept,
    RelationType,
)
from graphs.concept_extraction.titles import title_key

Item = dict[str, Any]

_WORDS = ("title", "concept", "analysis", "summary", "summary_short")


@dataclass
class Gathered:
    """Candidates and what had to be left out of a model's answer."""

    candidates: dict[str, Item] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def references(ids: list[str], letter: str) -> dict[str, str]:
    """Short names for a prompt (Q1, C2, …) → ids. Models copy these without mistakes."""
    return {f"{letter}{at}": uuid for at, uuid in enumerate(ids, 1)}


def clean_title(title: str) -> str:
    """One line, no final period, no wrapping quotation marks, nothing that cannot be shown."""
    text = " ".join("".join(c for c in title if unicodedata.category(c) != "Cc" or c.isspace()).split())
    for left, right in (("«", "»"), ("“", "”"), ('"', '"')):
        if text.startswith(left) and text.endswith(right) and text.count(left) + text.count(right) == 2:
            text = text[1:-1].strip()
    return text.rstrip(".").strip() if not text.endswith("..") else text


def gather(
    found: list[CandidateConcept], refs: dict[str, str], content_uuid: str, origin: str, into: Gathered
) -> None:
    """Add a model's concepts; the same idea named twice is one, with the quotes of both."""
    ids = set(refs.values())
    for item in found:
        title = clean_title(item.title)
        quotes, unknown = _resolved(item.quote_ids, refs, ids)
        if unknown:
            into.warnings.append(f"{title or 'A concept'}: no such quotes as {', '.join(unknown)}.")
        problem = _problem(title, item.concept, quotes)
        if problem:
            into.warnings.append(f"{title[:80] or 'A concept without a title'} was left out: {problem}.")
            continue
        uuid = concept_id(content_uuid, title)
        made = _candidate(uuid, title, item.model_dump(), quotes, origin)
        held = into.candidates.get(uuid)
        into.candidates[uuid] = _joined(held, made) if held else made


def _problem(title: str, concept: str, quotes: list[str]) -> str:
    if not title or not concept.strip():
        return "it has no title or no text"
    if len(title) > LONGEST_TITLE:
        return f"its title has more than {LONGEST_TITLE} characters"
    return "" if quotes else "no quote supports it"


def _resolved(names: list[str], refs: dict[str, str], ids: set[str]) -> tuple[list[str], list[str]]:
    """Ids of quotes that exist, and the names of those that do not."""
    resolved: list[str] = []
    unknown: list[str] = []
    for name in (str(name).strip(" []()") for name in names):
        uuid = name if name in ids else refs.get(name.upper())
        resolved.append(uuid) if uuid else unknown.append(name[:40])
    return list(dict.fromkeys(resolved)), unknown


def _candidate(uuid: str, title: str, values: Item, quotes: list[str], origin: str) -> Item:
    return {
        "id": uuid,
        "title": title,
        **{name: " ".join(str(values.get(name, "")).split()) for name in _WORDS if name != "title"},
        "quote_ids": quotes,
        "reasoning": values.get("reasoning", ""),
        "confidence": values.get("confidence", 0.8),
        "origin": origin,
        "locked": False,
        "rejected": False,
    }


def _joined(held: Item, more: Item) -> Item:
    return {**held, "quote_ids": list(dict.fromkeys([*held["quote_ids"], *more["quote_ids"]]))}


def refine(
    changes: list[RefinedConcept],
    candidates: list[Item],
    refs: dict[str, str],
    quote_refs: dict[str, str],
    content_uuid: str,
    origin: str,
) -> Gathered:
    """A model's changes as items for the reducer; what a person decided is left alone."""
    gathered = Gathered()
    held = {item["id"]: item for item in candidates}
    for change in changes:
        uuid = refs.get(change.concept_id.strip().upper()) or (
            change.concept_id if change.concept_id in held else None
        )
        action = change.action.strip().casefold()
        if uuid is None and action in ("remove", "delete", "drop"):
            continue
        if uuid is None:
            _add(change, held, quote_refs, content_uuid, origin, gathered)
        elif held[uuid].get("locked") or held[uuid].get("rejected"):
            gathered.warnings.append(f"{held[uuid]['title']}: decided by a person, left as it is.")
        elif action in ("remove", "delete", "drop"):
            gathered.candidates[uuid] = {"id": uuid, "deleted": True}
        else:
            _change(change, held[uuid], quote_refs, origin, gathered)
    return gathered


def _add(
    change: RefinedConcept,
    held: dict[str, Item],
    quote_refs: dict[str, str],
    content_uuid: str,
    origin: str,
    gathered: Gathered,
) -> None:
    fresh = Gathered()
    values = change.model_dump(exclude={"concept_id", "action"})
    gather([CandidateConcept.model_validate(values)], quote_refs, content_uuid, origin, fresh)
    gathered.warnings += fresh.warnings
    for uuid, item in fresh.candidates.items():
        if uuid not in held:
            gathered.candidates[uuid] = item


def _change(
    change: RefinedConcept, old: Item, quote_refs: dict[str, str], origin: str, gathered: Gathered
) -> None:
    """Only what the model filled in; the id stays with the first title."""
    quotes, unknown = _resolved(change.quote_ids, quote_refs, set(quote_refs.values()))
    if unknown:
        gathered.warnings.append(f"{old['title']}: no such quotes as {', '.join(unknown)}.")
    words = {
        name: " ".join(getattr(change, name).split()) for name in _WORDS if getattr(change, name).strip()
    }
    if "title" in words:
        words["title"] = clean_title(words["title"])[:LONGEST_TITLE]
    new = {**old, **words, "quote_ids": quotes or old["quote_ids"]}
    if new != old:
        gathered.candidates[old["id"]] = {**new, "origin": origin}


def embedding_text(item: Item | Concept) -> str:
    """What stands for a concept in the vector space."""
    title, text = (
        (item.title, item.concept) if isinstance(item, Concept) else (item["title"], item["concept"])
    )
    return f"{title}. {text}"


def relation_items(
    found: list[ProposedRelation], refs: dict[str, str], origin: str
) -> tuple[list[Item], list[str]]:
    """Valid relations, each once; the rest in words."""
    items: dict[str, Item] = {}
    warnings: list[str] = []
    for relation in found:
        source = refs.get(relation.source_id.strip().upper())
        target = refs.get(relation.target_id.strip().upper())
        kind = relation_type(relation.relation)
        told = f"{relation.source_id} {relation.relation} {relation.target_id}"[:120]
        if source is None or target is None or kind is None:
            warnings.append(f"The relation {told} names something unknown and was left out.")
        elif source == target:
            warnings.append(f"The relation {told} leads to itself and was left out.")
        else:
            item = relation_item(source, kind, target, relation.reasoning, origin)
            items[item["id"]] = item
    return list(items.values()), warnings


def relation_item(source: str, kind: RelationType, target: str, reasoning: str, origin: str) -> Item:
    """One relation, the same however it was said."""
    first, leading, second = canonical((source, kind, target))
    return {
        "id": f"{first}|{leading.value}|{second}",
        "source": first,
        "type": leading.value,
        "target": second,
        "reasoning": " ".join(reasoning.split()),
        "origin": origin,
        "dropped": False,
    }


def same_key(one: Item, two: Item) -> bool:
    return title_key(one["title"]) == title_key(two["title"])
