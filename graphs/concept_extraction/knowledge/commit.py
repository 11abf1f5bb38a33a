"""Applying a plan in one transaction, with a journal that `undo` can read."""

from dataclasses import dataclass, field
from typing import Any

from common.errors import Conflict
from graphs.concept_extraction.knowledge.backend import Transaction
from graphs.concept_extraction.knowledge.plan import CommitPlan, Receipt
from graphs.concept_extraction.knowledge.records import (
    Edge,
    EdgeKey,
    Node,
    Props,
    Vector,
    edge_to_json,
    fingerprint,
    node,
    node_to_json,
)
from graphs.concept_extraction.knowledge.relations import with_inverses
from graphs.concept_extraction.schemas import Concept
from graphs.concept_extraction.titles import title_key

RUNS, VERDICTS, OUTBOX, NOTES = "run", "verdict", "outbox", "note"

# The words of a concept; what a person edits replaces these and nothing else.
_WORDS = ("title", "name", "concept", "analysis", "summary", "summary_short", "aliases", "origin")


@dataclass
class _Changes:
    """What differs from what is stored, each with what was there before."""

    nodes: list[tuple[Node | None, Node]] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    records: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.nodes or self.edges or self.records)


async def apply_plan(tx: Transaction, plan: CommitPlan, vectors: dict[str, Vector]) -> Receipt:
    """Write the whole plan, or raise and write nothing. A plan that was applied is not applied again."""
    done = (await tx.records(RUNS, [plan.run_id])).get(plan.run_id)
    if done is not None:
        return _earlier(done, plan)
    content = (await tx.nodes("Content", [plan.content_uuid])).get(plan.content_uuid)
    if content is None:
        raise Conflict(f"The content {plan.content_uuid} is gone.", remedy="Ingest the quotes file again.")
    changes = _Changes()
    stored = await tx.nodes("Concept", _concept_ids(plan), vectors=True)
    changes.nodes = _concept_changes(plan, stored, vectors)
    await _check_ends(tx, plan, stored)
    changes.edges = await _new_edges(tx, plan)
    changes.records = await _new_verdicts(tx, plan)
    if changes or "processed_date" not in content.props:
        changes.nodes.append(
            (content, Node("Content", content.uuid, {**content.props, "processed_date": plan.processed_date}))
        )
    return await _write(tx, plan, changes)


def _earlier(done: dict[str, Any], plan: CommitPlan) -> Receipt:
    if done["status"] == "undone":
        raise Conflict(
            f"Run {plan.run_id} was undone.", remedy="Start a new extraction; an undone run stays undone."
        )
    return Receipt.model_validate(done["receipt"])


def _concept_ids(plan: CommitPlan) -> list[str]:
    ids = [item.concept.uuid for item in plan.concepts]
    ids += [item.concept_uuid for item in plan.aliases]
    ids += [end for item in plan.relations for end in (item.source, item.target)]
    return list(dict.fromkeys([*ids, *(item.concept_uuid for item in plan.supports)]))


def _concept_changes(
    plan: CommitPlan, stored: dict[str, Node], vectors: dict[str, Vector]
) -> list[tuple[Node | None, Node]]:
    """New concepts, concepts whose words a person changed, and new names of stored ones."""
    targets: dict[str, Node] = {}
    for item in plan.concepts:
        old = stored.get(item.concept.uuid)
        if old is None or item.edited:
            targets[item.concept.uuid] = _merged(item.concept, old, vectors.get(item.concept.uuid))
    for alias in plan.aliases:
        held = targets.get(alias.concept_uuid) or stored.get(alias.concept_uuid)
        if held is not None:
            targets[alias.concept_uuid] = Node(
                "Concept", held.uuid, _with_alias(held.props, alias.title), held.vector
            )
    pairs = [(stored.get(uuid), target) for uuid, target in targets.items()]
    return [(old, new) for old, new in pairs if old is None or old.props != new.props]


def _merged(concept: Concept, old: Node | None, vector: Vector | None) -> Node:
    new = node("Concept", concept.model_dump(), vector)
    if old is None:
        return new
    words = {name: new.props[name] for name in _WORDS if name in new.props}
    props = {**old.props, **words}
    for title in (old.props["title"], *old.props.get("aliases", [])):
        props = _with_alias(props, title)
    return Node("Concept", old.uuid, props, vector)


def _with_alias(props: Props, title: str) -> Props:
    known = {title_key(name) for name in (props["title"], *props.get("aliases", []))}
    if title_key(title) in known:
        return props
    return {**props, "aliases": [*props.get("aliases", []), title]}


async def _check_ends(tx: Transaction, plan: CommitPlan, stored: dict[str, Node]) -> None:
    """Every end of every edge exists; a quote or concept that vanished stops the whole commit."""
    concepts = set(stored) | {item.concept.uuid for item in plan.concepts}
    lost = [uuid for uuid in _concept_ids(plan) if uuid not in concepts]
    quotes = list({item.quote_uuid for item in plan.supports})
    found = await tx.nodes("Quote", quotes)
    lost += [uuid for uuid in quotes if uuid not in found]
    if lost:
        raise Conflict(
            f"{len(lost)} of the quotes and concepts in the plan are gone, the first is {lost[0]}.",
            remedy="Somebody removed them meanwhile; run the extraction again.",
        )


async def _new_edges(tx: Transaction, plan: CommitPlan) -> list[Edge]:
    reasons = {(r.source, r.type, r.target): r.reasoning for r in plan.relations}
    edges: dict[EdgeKey, Edge] = {}
    for source, kind, target in with_inverses(reasons):
        reason = reasons.get((source, kind, target)) or ""
        edges[EdgeKey(kind.value, source, target)] = Edge(
            EdgeKey(kind.value, source, target), {"reasoning": reason} if reason else {}
        )
    for item in plan.supports:
        key = EdgeKey("SUPPORTS", item.quote_uuid, item.concept_uuid, "Quote", "Concept")
        edges[key] = Edge(key, {"reasoning": item.reasoning, "confidence": item.confidence})
    there = await tx.edges(list(edges))
    return [edge for key, edge in edges.items() if key not in there]


async def _new_verdicts(tx: Transaction, plan: CommitPlan) -> dict[str, dict[str, Any]]:
    wanted = {verdict.id: verdict.model_dump() for verdict in plan.verdicts}
    stored = await tx.records(VERDICTS, list(wanted))
    return {name: body for name, body in wanted.items() if stored.get(name, {}).get("same") != body["same"]}


async def _write(tx: Transaction, plan: CommitPlan, changes: _Changes) -> Receipt:
    concepts = [(old, new) for old, new in changes.nodes if new.label == "Concept"]
    receipt = Receipt(
        run_id=plan.run_id,
        created=[new.uuid for old, new in concepts if old is None],
        changed=[new.uuid for old, new in concepts if old is not None],
        relations=sum(edge.key.source_label == "Concept" for edge in changes.edges),
        supports=sum(edge.key.source_label == "Quote" for edge in changes.edges),
        processed_date=plan.processed_date,
    )
    before = await tx.records(VERDICTS, list(changes.records))
    await tx.put_nodes(new for _, new in changes.nodes)
    await tx.put_edges(changes.edges)
    await tx.put_records(VERDICTS, changes.records)
    await tx.put_records(OUTBOX, await _outbox(tx, plan, changes))
    run = {
        "run_id": plan.run_id,
        "content_uuid": plan.content_uuid,
        "status": "applied",
        "processed_date": plan.processed_date,
        "receipt": receipt.model_dump(),
        "journal": _journal(changes, before),
    }
    await tx.put_records(RUNS, {plan.run_id: run})
    return receipt


async def _outbox(tx: Transaction, plan: CommitPlan, changes: _Changes) -> dict[str, dict[str, Any]]:
    """Concepts whose notes must be written: changed ones, their neighbours, and all of this plan."""
    touched = {new.uuid for _, new in changes.nodes if new.label == "Concept"}
    renamed = [new.uuid for old, new in changes.nodes if new.label == "Concept" and old is not None]
    touched |= {
        end for e in changes.edges for end in (e.key.source, e.key.target) if e.key.source_label == "Concept"
    }
    touched |= {edge.key.target for edge in changes.edges if edge.key.target_label == "Concept"}
    touched |= set(_concept_ids(plan))
    for edge in await tx.edges_of("Concept", renamed):
        touched |= {edge.key.target} | ({edge.key.source} if edge.key.source_label == "Concept" else set())
    return {uuid: {"run_id": plan.run_id} for uuid in sorted(touched)}


def _journal(changes: _Changes, verdicts: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = [
        {
            "kind": "node",
            "label": new.label,
            "uuid": new.uuid,
            "before": None if old is None else node_to_json(old),
            "after": fingerprint(new.props),
        }
        for old, new in changes.nodes
    ]
    entries += [
        {"kind": "edge", **edge_to_json(edge), "after": fingerprint(edge.props)} for edge in changes.edges
    ]
    entries += [
        {"kind": "record", "id": name, "before": verdicts.get(name), "after": fingerprint(body)}
        for name, body in changes.records.items()
    ]
    return entries
