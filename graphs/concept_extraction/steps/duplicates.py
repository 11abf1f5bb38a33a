"""The duplicate cascade: titles, remembered decisions, vectors, words, a model, and then a person."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from langgraph.runtime import Runtime

from common.budget import Budget
from common.embeddings import Embedder, Vectors
from common.errors import StudyError
from common.logs import get_logger
from common.prompts import load
from common.structured import ask
from graphs.concept_extraction import rules
from graphs.concept_extraction.candidates import embedding_text
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.duplicates import (
    Idea,
    Thresholds,
    contrast,
    differing_words,
    judge_ideas,
)
from graphs.concept_extraction.knowledge import KnowledgeStore, Verdict, pair_id
from graphs.concept_extraction.schemas import DuplicateResponse, Language
from graphs.concept_extraction.state import Item, State
from graphs.concept_extraction.subgraphs.desk import (
    GRAPH,
    budget_of,
    checking,
    context_of,
    embedder_for,
    knowledge,
    language_in,
    limits_for,
)
from graphs.concept_extraction.titles import title_key

log = get_logger(__name__)

MOST_ALIKE = 10
ROWS_AT_ONCE = 500
SHOWN = 5


@dataclass
class Likeness:
    """Another concept that may be the same, stored or a candidate before this one."""

    other: Idea
    kind: str
    score: float
    asked: bool = False
    sameness: str = ""
    reason: str = ""
    by: str = ""


@dataclass
class Comparison:
    """Everything one comparison shares."""

    context: Context
    limits: Thresholds
    embedder: Embedder
    budget: Budget
    language: Language
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    words: dict[str, float] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


async def detect_duplicates_all(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """One branch of candidates; where it fails, its candidates are flagged and the others go on."""
    context, batch = context_of(runtime), state["batch"]
    budget = budget_of(state, context)
    try:
        update = await compare(batch, state["peers"], context, budget, language_in(state))
    except StudyError as exc:
        log.warning("duplicates_unchecked", concepts=len(batch), reason=str(exc))
        unchecked = [_unchecked(item, str(exc)) for item in batch]
        update = {
            "duplicate_detections": unchecked,
            "novel_concepts": [{"id": item["id"], "title": item["title"]} for item in batch],
            "errors": [f"{len(batch)} concepts were not compared with what is stored: {exc}"],
        }
    return update | {"spent": budget.delta}


def _unchecked(item: Item, reason: str) -> Item:
    found = {"id": item["id"], "verdict": "unchecked", "reason": reason, "by": "nobody", "nearest": []}
    return {**found, "match_id": None, "match_title": None, "match_kind": None, "score": None}


async def compare(
    batch: list[Item], peers: list[Item], context: Context, budget: Budget, language: Language
) -> dict[str, Any]:
    """What is known of each candidate's doubles, as updates for the state."""
    embedder = await embedder_for(context)
    comparison = Comparison(context, limits_for(context, embedder), embedder, budget, language)
    vectors = await embedder.embed([embedding_text(item) for item in peers])
    rows = {item["id"]: vectors[at] for at, item in enumerate(peers)}
    async with knowledge(context) as store:
        known = await store.concepts([item["id"] for item in batch])
        alike = await _likenesses(batch, peers, rows, store, comparison)
        pairs = [(uuid, like.other.id) for uuid, likes in alike.items() for like in likes]
        comparison.verdicts = await store.verdicts(pairs)
    await _score_words(batch, alike, comparison)
    update: dict[str, list[Item]] = {
        "candidate_concepts": [],
        "duplicate_detections": [],
        "novel_concepts": [],
        "existing_concepts_with_quotes": [],
    }
    for item in batch:
        if item["id"] in known:
            item = _as_stored(item, known[item["id"]].model_dump())
            update["candidate_concepts"].append(item)
            found = _detection(item, "known", None, "it was extracted before", "id", alike[item["id"]])
        else:
            found = await _decide(item, alike[item["id"]], comparison)
        _sort_in(update, item, found)
    return {**update, "warnings": comparison.warnings}


def _as_stored(item: Item, stored: Item) -> Item:
    """A concept of an earlier run is shown, and kept, in its stored words."""
    words = ("title", "concept", "analysis", "summary", "summary_short", "origin", "aliases")
    return item if item.get("edited") else {**item, **{name: stored[name] for name in words}}


def _sort_in(update: dict[str, list[Item]], item: Item, found: Item) -> None:
    update["duplicate_detections"].append(found)
    new, old = "novel_concepts", "existing_concepts_with_quotes"
    is_old = found["verdict"] in ("same", "known")
    entry = {"id": item["id"], "title": item["title"]}
    if is_old:
        entry |= {"concept_uuid": found["match_id"] or item["id"], "quote_ids": item["quote_ids"]}
    update[old if is_old else new].append(entry)
    update[new if is_old else old].append({"id": item["id"], "deleted": True})


async def _likenesses(
    batch: list[Item],
    peers: list[Item],
    rows: dict[str, Vectors],
    store: KnowledgeStore,
    comparison: Comparison,
) -> dict[str, list[Likeness]]:
    """For each candidate: stored concepts of its title, near ones, and candidates before it."""
    near = comparison.limits.near
    titled = await store.concepts_titled([item["title"] for item in batch])
    queries = np.stack([rows[item["id"]] for item in batch])
    found = await store.nearest_concepts(queries, comparison.context.top_k, near)
    own = await comparison.embedder.embed(
        [embedding_text(concept) for concepts in titled.values() for concept in concepts]
    )
    same_title = [concept for concepts in titled.values() for concept in concepts]
    peers_near = _earlier_peers(batch, peers, rows, near)
    alike: dict[str, list[Likeness]] = {}
    for item, neighbours in zip(batch, found, strict=True):
        likes = {hit.concept.uuid: _like(hit.concept, "existing", hit.score) for hit in neighbours}
        for concept, row in zip(same_title, own, strict=True):
            if title_key(item["title"]) in {title_key(name) for name in (concept.title, *concept.aliases)}:
                score = float((1 + row @ rows[item["id"]]) / 2)
                likes[concept.uuid] = _like(concept, "existing", score, titled=item["title"])
        likes |= peers_near[item["id"]]
        likes.pop(item["id"], None)
        ranked = sorted(likes.values(), key=lambda like: (-like.score, like.other.id))
        alike[item["id"]] = ranked[:MOST_ALIKE]
    return alike


def _like(concept: Any, kind: str, score: float, titled: str | None = None) -> Likeness:
    """An old title that is met again counts as the title."""
    return Likeness(Idea(concept.uuid, titled or concept.title, concept.concept), kind, score)


def _earlier_peers(
    batch: list[Item], peers: list[Item], rows: dict[str, Vectors], near: float
) -> dict[str, dict[str, Likeness]]:
    """Candidates are compared with each other too; the later one joins the earlier."""
    order = {peer["id"]: at for at, peer in enumerate(peers)}
    keys = [title_key(peer["title"]) for peer in peers]
    matrix = np.stack([rows[peer["id"]] for peer in peers])
    found: dict[str, dict[str, Likeness]] = {}
    for start in range(0, len(batch), ROWS_AT_ONCE):
        part = batch[start : start + ROWS_AT_ONCE]
        scores = (1 + np.stack([rows[item["id"]] for item in part]) @ matrix.T) / 2
        for item, row in zip(part, scores, strict=True):
            before = order.get(item["id"], len(peers))
            near_ones = set(np.nonzero(row[:before] >= near)[0][:200].tolist())
            near_ones |= {at for at in range(before) if keys[at] == title_key(item["title"])}
            found[item["id"]] = {
                peers[at]["id"]: Likeness(
                    Idea(peers[at]["id"], peers[at]["title"], peers[at]["concept"]),
                    "candidate",
                    float(row[at]),
                )
                for at in near_ones
                if not peers[at].get("rejected")
            }
    return found


async def _decide(item: Item, likes: list[Likeness], comparison: Comparison) -> Item:
    """The nearest that is the same, or none; the doubtful ones go to a model first, then to a person."""
    idea = Idea(item["id"], item["title"], item["concept"])
    asked = 0
    for like in likes:
        verdict = comparison.verdicts.get(pair_id(item["id"], like.other.id))
        if verdict is not None:
            like.sameness, like.reason = ("same" if verdict.same else "different"), verdict.reason
            like.by = f"decision ({verdict.by})"
        elif (
            title_key(idea.title) == title_key(like.other.title)
            or asked < comparison.context.pairs_per_concept
        ):
            asked += await _judge(idea, like, comparison)
    same = next((like for like in likes if like.sameness == "same"), None)
    if same is not None:
        return _detection(item, "same", same, same.reason, same.by, likes)
    unsure = next((like for like in likes if like.sameness == "unsure"), None)
    if unsure is not None:
        return _detection(item, "unsure", unsure, unsure.reason, unsure.by, likes)
    return _detection(item, "novel", None, "nothing stored is near enough", "rules", likes)


async def _judge(idea: Idea, like: Likeness, comparison: Comparison) -> int:
    """Words where they decide; else the model, or its rules twin. Returns the pairs put to a model."""
    limits = comparison.limits
    words = comparison.words.get(pair_id(idea.id, like.other.id))
    ruled = judge_ideas(idea, like.other, like.score, limits, words)
    sure = title_key(idea.title) == title_key(like.other.title) or like.score >= limits.sure
    role = checking(comparison.context)
    if contrast(idea.title, like.other.title) or (sure and ruled.sameness != "unsure") or role.is_rules:
        like.sameness, like.reason, like.by = ruled.sameness, ruled.reason, "rules"
        like.asked = ruled.sameness != "different"
        return 0
    messages = load(GRAPH, f"duplicate_{comparison.language}").render(
        first_title=idea.title,
        first_text=idea.text,
        second_title=like.other.title,
        second_text=like.other.text,
    )
    answer = await ask(
        DuplicateResponse,
        messages,
        role=role,
        twin=lambda: rules.same_concept(idea, like.other, like.score, limits, words),
        budget=comparison.budget,
    )
    comparison.warnings += answer.warnings
    like.asked, like.reason = True, answer.value.reasoning
    like.by = "rules" if answer.origin == "rules" else role.spec
    # A checker that failed decides nothing: a person will.
    like.sameness = "unsure" if answer.degraded else ("same" if answer.value.same else "different")
    return 1


async def _score_words(batch: list[Item], alike: dict[str, list[Likeness]], comparison: Comparison) -> None:
    """How near the words are in which two titles differ; all pairs in one call of the embedder."""
    pairs: dict[str, tuple[str, str]] = {}
    for item in batch:
        for like in alike[item["id"]]:
            differing = differing_words(item["title"], like.other.title)
            if differing is not None:
                pairs[pair_id(item["id"], like.other.id)] = (differing.first, differing.second)
    texts = list(dict.fromkeys(text for pair in pairs.values() for text in pair))
    rows = await comparison.embedder.embed(texts)
    by_text = {text: rows[at] for at, text in enumerate(texts)}
    for name, (first, second) in pairs.items():
        comparison.words[name] = float((1 + by_text[first] @ by_text[second]) / 2)


def _detection(
    item: Item, verdict: str, match: Likeness | None, reason: str, by: str, likes: list[Likeness]
) -> Item:
    return {
        "id": item["id"],
        "verdict": verdict,
        "match_id": match.other.id if match else None,
        "match_title": match.other.title if match else None,
        "match_kind": match.kind if match else None,
        "score": round(match.score, 4) if match else None,
        "reason": reason,
        "by": by,
        "nearest": [
            {
                "id": like.other.id,
                "title": like.other.title,
                "kind": like.kind,
                "score": round(like.score, 4),
                "sameness": like.sameness or "not asked",
                "reason": like.reason,
                "asked": like.asked,
            }
            for like in likes[:SHOWN]
        ],
    }
