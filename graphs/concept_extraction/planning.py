"""From approved candidates to a commit plan: what each becomes, and what follows for its edges."""

from typing import Any

from graphs.concept_extraction.knowledge import (
    PlannedAlias,
    PlannedConcept,
    PlannedRelation,
    PlannedSupport,
    Verdict,
)
from graphs.concept_extraction.review import proposes_merge
from graphs.concept_extraction.schemas import Concept, RelationType

Item = dict[str, Any]


def merges(candidates: list[Item], detections: list[Item]) -> dict[str, str]:
    """Each kept candidate → the concept it becomes, itself or another; chains are followed to their end."""
    found = {item["id"]: item for item in detections}
    kept = {item["id"]: item for item in candidates if not item.get("rejected")}
    step: dict[str, str] = {}
    for uuid, item in kept.items():
        target = item.get("merge_into")
        if not target and proposes_merge(item, found.get(uuid, {})):
            target = found[uuid]["match_id"]
        rejected = any(other["id"] == target and other.get("rejected") for other in candidates)
        step[uuid] = target if target and not rejected else uuid
    return {uuid: _end(uuid, step) for uuid in kept}


def _end(uuid: str, step: dict[str, str]) -> str:
    seen = {uuid}
    while step.get(uuid, uuid) != uuid:
        uuid = step[uuid]
        if uuid in seen:
            return min(seen)
        seen.add(uuid)
    return uuid


def plan_concepts(
    candidates: list[Item], becomes: dict[str, str], source: str
) -> tuple[list[PlannedConcept], list[PlannedAlias]]:
    """New concepts, and names that merged candidates leave to others."""
    created: list[PlannedConcept] = []
    aliases: list[PlannedAlias] = []
    for item in candidates:
        uuid = item["id"]
        if uuid not in becomes:
            continue
        if becomes[uuid] == uuid:
            created.append(PlannedConcept(concept=_concept(item, source), edited=bool(item.get("edited"))))
        else:
            aliases.append(PlannedAlias(concept_uuid=becomes[uuid], title=item["title"]))
    return created, aliases


def _concept(item: Item, source: str) -> Concept:
    return Concept(
        uuid=item["id"],
        name=item["title"],
        title=item["title"],
        concept=item["concept"],
        analysis=item["analysis"],
        summary=item["summary"],
        summary_short=item["summary_short"],
        source=source,
        origin=item["origin"],
        aliases=item.get("aliases", []),
    )


def plan_verdicts(candidates: list[Item], detections: list[Item], becomes: dict[str, str]) -> list[Verdict]:
    """What was decided about each pair that looked alike, so that nobody is asked again."""
    found = {item["id"]: item for item in detections}
    verdicts: dict[str, Verdict] = {}
    for item in candidates:
        uuid = item["id"]
        if uuid not in becomes:
            continue
        detection = found.get(uuid, {})
        by = "person" if item.get("decided") else str(detection.get("by") or "person")
        if becomes[uuid] != uuid:
            verdict = Verdict(first=uuid, second=becomes[uuid], same=True, by=by, reason=_reason(detection))
            verdicts[verdict.id] = verdict
        for near in detection.get("nearest", []):
            if near.get("asked") and near["id"] != becomes[uuid] and near["id"] != uuid:
                verdict = Verdict(
                    first=uuid, second=near["id"], same=False, by=by, reason=near.get("reason", "")
                )
                verdicts.setdefault(verdict.id, verdict)
    return list(verdicts.values())


def _reason(detection: Item) -> str:
    return str(detection.get("reason") or "")


def plan_relations(relations: list[Item], becomes: dict[str, str], stored: set[str]) -> list[PlannedRelation]:
    """Relations between what the candidates became; none to a rejected concept or to itself."""
    planned: dict[tuple[str, str, str], PlannedRelation] = {}
    for item in relations:
        ends = [
            becomes.get(item[end], item[end] if item[end] in stored else "") for end in ("source", "target")
        ]
        if item.get("dropped") or not all(ends) or ends[0] == ends[1]:
            continue
        key = (ends[0], item["type"], ends[1])
        planned.setdefault(
            key,
            PlannedRelation(
                source=ends[0], type=RelationType(item["type"]), target=ends[1], reasoning=item["reasoning"]
            ),
        )
    return list(planned.values())


def plan_supports(candidates: list[Item], becomes: dict[str, str], quotes: set[str]) -> list[PlannedSupport]:
    """Every support leads from a quote that exists to a concept that will."""
    planned: dict[tuple[str, str], PlannedSupport] = {}
    for item in candidates:
        for quote in item["quote_ids"]:
            if item["id"] in becomes and quote in quotes:
                key = (quote, becomes[item["id"]])
                planned.setdefault(
                    key,
                    PlannedSupport(
                        quote_uuid=quote,
                        concept_uuid=key[1],
                        reasoning=item["reasoning"],
                        confidence=item["confidence"],
                    ),
                )
    return list(planned.values())
