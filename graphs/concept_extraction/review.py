"""The review: what a person sees, and their decisions checked against it."""

from dataclasses import dataclass, field
from typing import Any

from common.errors import BadInput
from graphs.concept_extraction.candidates import clean_title
from graphs.concept_extraction.schemas import LONGEST_TITLE
from graphs.concept_extraction.titles import title_key

Item = dict[str, Any]

SHOWN_QUOTE = 600
SHOWN_UNCOVERED = 100
LONGEST_TEXT = 20_000

DECISIONS = ("approve", "edit", "reject", "merge", "create")
ANSWERS = ("concepts", "relations", "feedback", "error")
EDITABLE = ("title", "concept", "analysis", "summary", "summary_short")

HOW = (
    "Approve to take everything as proposed. Edit to decide one by one: args.concepts = [{id, decision: "
    "approve | edit | reject | merge | create, title, concept, merge_into}], args.relations = [{id, keep}], "
    "args.feedback = words for another round. What you leave out stays as proposed. Reject with a message "
    "for another round, without one to abort: then nothing is written."
)


@dataclass
class Decided:
    """A person's decisions, ready for the state's reducers."""

    approved: bool
    feedback: str = ""
    candidates: list[Item] = field(default_factory=list)
    relations: list[Item] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def uncovered_quotes(quotes: list[Item], candidates: list[Item]) -> list[Item]:
    """Quotes that no concept rests on."""
    covered = {uuid for item in candidates if not item.get("rejected") for uuid in item["quote_ids"]}
    return [quote for quote in quotes if quote["uuid"] not in covered]


def payload(
    content: Item,
    quotes: list[Item],
    candidates: list[Item],
    detections: list[Item],
    relations: list[Item],
    told: Item,
) -> Item:
    """Everything the reviewer needs, by title and not by id alone."""
    by_quote = {quote["uuid"]: quote for quote in quotes}
    by_detection = {found["id"]: found for found in detections}
    shown = [item for item in candidates if not item.get("rejected")]
    titles = {item["id"]: item["title"] for item in candidates}
    titles |= {near["id"]: near["title"] for found in detections for near in found.get("nearest", [])}
    titles |= told.pop("titles", {})
    missing = uncovered_quotes(quotes, candidates)
    return {
        "content": {name: content[name] for name in ("uuid", "title", "author")},
        "concepts": [_concept(item, by_detection.get(item["id"], {}), by_quote) for item in shown],
        "relations": [
            {
                "id": item["id"],
                "source": titles.get(item["source"], item["source"]),
                "type": item["type"],
                "target": titles.get(item["target"], item["target"]),
                "reasoning": item["reasoning"],
                "keep": True,
            }
            for item in relations
            if not item.get("dropped")
        ],
        "uncovered_quotes": [_quote(quote) for quote in missing[:SHOWN_UNCOVERED]],
        "uncovered_count": len(missing),
        **told,
        "how": HOW,
    }


def _concept(item: Item, found: Item, quotes: dict[str, Item]) -> Item:
    merge = item.get("merge_into") or (found.get("match_id") if proposes_merge(item, found) else None)
    return {
        "id": item["id"],
        **{name: item[name] for name in EDITABLE},
        "proposal": "merge" if merge else ("known" if found.get("verdict") == "known" else "create"),
        "merge_into": merge,
        "merge_into_title": found.get("match_title") if merge == found.get("match_id") else None,
        "duplicate_check": {name: found.get(name) for name in ("verdict", "reason", "by", "score")},
        "nearest": found.get("nearest", [])[:5],
        "quotes": [_quote(quotes[uuid]) for uuid in item["quote_ids"] if uuid in quotes],
        "confidence": item["confidence"],
        "origin": item["origin"],
        "locked": item["locked"],
    }


def proposes_merge(item: Item, found: Item) -> bool:
    """Whether this candidate is to become another concept, unless a person says otherwise."""
    return found.get("verdict") == "same" and item.get("decided") != "create"


def _quote(quote: Item) -> Item:
    text = quote["text"]
    shown = text if len(text) <= SHOWN_QUOTE else f"{text[:SHOWN_QUOTE]}…"
    return {"id": quote["uuid"], "text": shown, "page": quote.get("page_reference")}


def decide(
    args: Item, shown: Item, candidates: list[Item], relations: list[Item], stored: set[str]
) -> Decided:
    """Per-item decisions; whatever does not fit is refused by name, so that nothing is half taken."""
    known_fields(args, {*shown, *ANSWERS}, "The answer")
    feedback = storable(args.get("feedback") or "", "feedback")
    decided = Decided(approved=not feedback, feedback=feedback)
    proposed = {item["id"]: item for item in shown["concepts"]}
    held = {item["id"]: item for item in candidates}
    seen: set[str] = set()
    for answer in _answers(args.get("concepts"), "concepts"):
        uuid = str(answer.get("id", ""))
        if uuid not in proposed:
            raise BadInput(f"No concept {uuid!r} is under review.", remedy="Use the ids shown.")
        if uuid in seen:
            raise BadInput(f"{proposed[uuid]['title']}: it is decided twice.", remedy="Decide it once.")
        seen.add(uuid)
        changed = _decided(answer, proposed[uuid], held[uuid], set(proposed) | stored)
        if changed is not None:
            decided.candidates.append(changed)
    decided.relations = _relation_decisions(args.get("relations"), shown["relations"], relations)
    _check_merges(decided, candidates)
    _check_titles(decided, candidates)
    return decided


def known_fields(given: Item, known: set[str], what: str) -> None:
    """A field that nobody reads is a mistake, and not a decision."""
    unknown = ", ".join(sorted(set(given) - known))
    if unknown:
        raise BadInput(f"{what} holds {unknown}, which means nothing here.", remedy="See `how`.")


def storable(value: Any, name: str) -> str:
    """The text, without blanks around it and half characters, which no file or database holds."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise BadInput(f"{name} must be a text of at most {LONGEST_TEXT} characters.")
    return value.encode(errors="ignore").decode().strip()


def _fixed_fields(answer: Item, shown: Item, free: tuple[str, ...], title: str) -> None:
    """What is shown and cannot be changed may be sent back as it was, and only so."""
    known_fields(answer, {*shown, *free}, title)
    for name in shown:
        if name in answer and name not in free and answer[name] != shown[name]:
            raise BadInput(f"{title}: {name} cannot be changed here.", remedy="See `how`.")


def _answers(given: Any, name: str) -> list[Item]:
    """A list of items with ids, or an object from id to item."""
    if given is None:
        return []
    if isinstance(given, dict):
        given = [{"id": key, **value} if isinstance(value, dict) else None for key, value in given.items()]
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise BadInput(f"args.{name} must be a list of objects with an id.", remedy="See `how`.")
    return given


def _decided(answer: Item, shown: Item, held: Item, targets: set[str]) -> Item | None:
    """The candidate as the person wants it, or None where it stays as proposed."""
    _fixed_fields(
        answer, shown, (*EDITABLE, "decision", "merge_into", "merge_into_title", "proposal"), shown["title"]
    )
    word = str(answer.get("decision") or _implied(answer, shown)).strip().casefold()
    if word not in DECISIONS:
        raise BadInput(
            f"{shown['title']}: {word!r} is no decision.", remedy=f"One of {', '.join(DECISIONS)}."
        )
    edits = _renamed(held, _edits(answer, shown))
    if word == "reject":
        return {**held, "rejected": True, "locked": True}
    if word == "merge":
        return {
            **held,
            **edits,
            "merge_into": _target(answer, shown, targets),
            "decided": "merge",
            "locked": True,
        }
    if word == "create":
        return {
            **held,
            **edits,
            "merge_into": None,
            "decided": "create",
            "edited": bool(edits),
            "locked": True,
        }
    if not edits:
        return None
    return {**held, **edits, "edited": True, "locked": True}


def _renamed(held: Item, edits: Item) -> Item:
    """With a new title, the old ones as aliases: who meets them again meets this concept."""
    if "title" not in edits:
        return edits
    old = dict.fromkeys([*held.get("aliases", []), held["title"]])
    return {
        **edits,
        "aliases": [title for title in old if title_key(title) != title_key(edits["title"])],
    }


def _implied(answer: Item, shown: Item) -> str:
    """A generic client sends back what it was shown, changed or not."""
    if answer.get("proposal", shown["proposal"]) != shown["proposal"]:
        return str(answer["proposal"])
    if answer.get("merge_into", shown["merge_into"]) != shown["merge_into"]:
        return "merge" if answer["merge_into"] else "create"
    return "edit" if _edits(answer, shown) else "approve"


def _edits(answer: Item, shown: Item) -> Item:
    edits: Item = {}
    for name in EDITABLE:
        if name not in answer or answer[name] == shown[name]:
            continue
        value = storable(answer[name], f"{shown['title']}: {name}")
        edits[name] = clean_title(value) if name == "title" else value
        if name in ("title", "concept") and not edits[name]:
            raise BadInput(f"{shown['title']}: {name} must not be empty.")
    if len(edits.get("title", "")) > LONGEST_TITLE:
        raise BadInput(f"{shown['title']}: a title has at most {LONGEST_TITLE} characters.")
    return edits


def _target(answer: Item, shown: Item, targets: set[str]) -> str:
    target = str(answer.get("merge_into") or shown["merge_into"] or "")
    if target == shown["id"]:
        raise BadInput(f"{shown['title']}: a concept cannot be merged into itself.")
    if target not in targets:
        raise BadInput(
            f"{shown['title']}: no concept {target!r} to merge into.",
            remedy="Name one of `nearest`, another concept under review, or a stored one.",
        )
    return target


def _relation_decisions(given: Any, shown: list[Item], relations: list[Item]) -> list[Item]:
    held = {item["id"]: item for item in relations}
    seen = {item["id"]: item for item in shown}
    changed: list[Item] = []
    for answer in _answers(given, "relations"):
        uuid = str(answer.get("id", ""))
        if uuid not in held:
            raise BadInput(f"No relation {uuid!r} is under review.", remedy="Use the ids shown.")
        _fixed_fields(answer, seen.get(uuid, {"id": uuid}), ("keep",), f"Relation {uuid}")
        keep = answer.get("keep", True)
        if not isinstance(keep, bool):
            raise BadInput(f"Relation {uuid}: keep must be true or false.")
        if held[uuid].get("dropped") is keep:
            changed.append({**held[uuid], "dropped": not keep})
    return changed


def _check_merges(decided: Decided, candidates: list[Item]) -> None:
    """No merge into a concept that is rejected, and none in a circle."""
    final = {item["id"]: item for item in [*candidates, *decided.candidates]}
    for item in decided.candidates:
        seen = {item["id"]}
        target = final.get(item.get("merge_into") or "")
        while target is not None:
            if target.get("rejected"):
                raise BadInput(f"{item['title']}: {target['title']} is rejected; it cannot take a merge.")
            if target["id"] in seen:
                raise BadInput(f"{item['title']}: the merges go round in a circle.")
            seen.add(target["id"])
            target = final.get(target.get("merge_into") or "")


def _check_titles(decided: Decided, candidates: list[Item]) -> None:
    """No edit may give a concept the name of another one under review; they would be one to everybody."""
    final = {item["id"]: item for item in [*candidates, *decided.candidates]}
    kept = [item for item in final.values() if not item.get("rejected") and not item.get("merge_into")]
    for item in decided.candidates:
        for other in kept if item in kept and item.get("edited") else ():
            if other["id"] != item["id"] and title_key(other["title"]) == title_key(item["title"]):
                raise BadInput(
                    f"Two concepts would be called {item['title']}.",
                    remedy="Merge one into the other, or give it another title.",
                )
