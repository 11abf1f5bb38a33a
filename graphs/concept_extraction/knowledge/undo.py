"""Taking one run back: what it made and nobody touched since goes, the rest stays and is named."""

from typing import Any

from common.errors import NotFound
from graphs.concept_extraction.knowledge.backend import Transaction
from graphs.concept_extraction.knowledge.commit import OUTBOX, RUNS, VERDICTS
from graphs.concept_extraction.knowledge.plan import UndoReport
from graphs.concept_extraction.knowledge.records import (
    EdgeKey,
    Label,
    Node,
    edge_key_from_json,
    fingerprint,
    node_from_json,
)

Entry = dict[str, Any]


async def undo_run(tx: Transaction, run_id: str) -> UndoReport:
    """Everything of that run that is still as the run left it, in one transaction."""
    run = (await tx.records(RUNS, [run_id])).get(run_id)
    if run is None:
        raise NotFound(f"No run is called {run_id}.", remedy="study zettel undo lists the runs.")
    if run["status"] == "undone":
        return UndoReport.model_validate(run["undo"])
    report = UndoReport(run_id=run_id)
    outbox = await _touched_notes(tx, run["journal"])
    kept = await _kept_nodes(tx, run["journal"])
    await _undo_edges(tx, _entries(run, "edge"), kept, report)
    await _undo_nodes(tx, _entries(run, "node"), kept, report)
    await _undo_verdicts(tx, _entries(run, "record"), report)
    await tx.put_records(OUTBOX, {uuid: {"run_id": run_id} for uuid in outbox})
    await tx.put_records(RUNS, {run_id: {**run, "status": "undone", "undo": report.model_dump()}})
    return report


def _entries(run: dict[str, Any], kind: str) -> list[Entry]:
    return [entry for entry in run["journal"] if entry["kind"] == kind]


async def _touched_notes(tx: Transaction, journal: list[Entry]) -> list[str]:
    """Notes to write again or to remove: of the run's concepts and of all that link to them."""
    concepts = [e["uuid"] for e in journal if e["kind"] == "node" and e["label"] == "Concept"]
    touched = set(concepts)
    touched |= {e["target"] for e in journal if e["kind"] == "edge"}
    touched |= {e["source"] for e in journal if e["kind"] == "edge" and e["source_label"] == "Concept"}
    for edge in await tx.edges_of("Concept", concepts):
        ends = ((edge.key.source, edge.key.source_label), (edge.key.target, edge.key.target_label))
        touched |= {uuid for uuid, label in ends if label == "Concept"}
    return sorted(touched)


async def _kept_nodes(tx: Transaction, journal: list[Entry]) -> dict[str, str]:
    """Nodes of this run that somebody touched since, each with the reason."""
    own_edges = {edge_key_from_json(entry) for entry in journal if entry["kind"] == "edge"}
    kept: dict[str, str] = {}
    for label in ("Concept", "Content"):
        made = {e["uuid"]: e for e in journal if e["kind"] == "node" and e["label"] == label}
        current = await tx.nodes(label, list(made))
        kept |= {
            uuid: "was changed since"
            for uuid, found in current.items()
            if fingerprint(found.props) != made[uuid]["after"]
        }
        created = [uuid for uuid, entry in made.items() if entry["before"] is None]
        for edge in await tx.edges_of(label, created):
            if edge.key not in own_edges:
                end = edge.key.target if edge.key.target in made else edge.key.source
                kept.setdefault(end, "is used by others since")
    return kept


async def _undo_edges(
    tx: Transaction, entries: list[Entry], kept: dict[str, str], report: UndoReport
) -> None:
    """Edges as the run left them go; the quotes of a concept that stays, stay with it."""
    keys = {edge_key_from_json(entry): entry for entry in entries}
    current = await tx.edges(list(keys))
    removed: list[EdgeKey] = []
    for key, edge in current.items():
        if fingerprint(edge.props) != keys[key]["after"]:
            report.kept.append(f"{key.type} {key.source} → {key.target}: was changed since")
        elif key.source_label == "Quote" and key.target in kept:
            report.kept.append(f"{key.type} {key.source} → {key.target}: its concept stays")
        else:
            removed.append(key)
    await tx.delete_edges(removed)
    report.removed += [f"{key.type} {key.source} → {key.target}" for key in removed]


async def _undo_nodes(
    tx: Transaction, entries: list[Entry], kept: dict[str, str], report: UndoReport
) -> None:
    removed: dict[Label, list[str]] = {}
    restored: list[Node] = []
    current = {label: await tx.nodes(label, _ids(entries, label)) for label in ("Concept", "Content")}
    for entry in entries:
        name = f"{entry['label']} {entry['uuid']}"
        if entry["uuid"] not in current[entry["label"]]:
            continue
        if entry["uuid"] in kept:
            report.kept.append(f"{name}: {kept[entry['uuid']]}")
        elif entry["before"] is None:
            removed.setdefault(entry["label"], []).append(entry["uuid"])
            report.removed.append(name)
        else:
            restored.append(node_from_json(entry["before"]))
            report.restored.append(name)
    await tx.put_nodes(restored)
    for label, uuids in removed.items():
        await tx.delete_nodes(label, uuids)


def _ids(entries: list[Entry], label: str) -> list[str]:
    return [entry["uuid"] for entry in entries if entry["label"] == label]


async def _undo_verdicts(tx: Transaction, entries: list[Entry], report: UndoReport) -> None:
    current = await tx.records(VERDICTS, [entry["id"] for entry in entries])
    for entry in entries:
        found = current.get(entry["id"])
        if found is None:
            continue
        if fingerprint(found) != entry["after"]:
            report.kept.append(f"decision {entry['id']}: was changed since")
        elif entry["before"] is None:
            await tx.delete_records(VERDICTS, [entry["id"]])
        else:
            await tx.put_records(VERDICTS, {entry["id"]: entry["before"]})
