"""Accepted pairs, statistics and files as the seed's shapes want them."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from graphs.qgen_loop.schemas import (
    CorpusGenerationResult,
    GenerationMetadata,
    GenerationResult,
    GenerationStats,
    QAPair,
)


def accepted_pair(state: Mapping[str, Any], candidate: dict[str, Any], verdict: dict[str, Any]) -> QAPair:
    """The candidate as an accepted question."""
    return QAPair(
        question=candidate["question"],
        answer=candidate["answer"],
        source_document=state["document_path"],
        category=state.get("mode", "textual"),
        content_refs=candidate["content_refs"],
        generation_metadata=GenerationMetadata(
            generator_model="rules" if candidate["origin"] == "rules" else state["generator_spec"],
            validator_model=state["validator_spec"],
            attempt_number=state["attempt_number"],
        ),
        evidence=candidate["evidence"],
        visual_evidence=candidate["visual_evidence"],
        origin=candidate["origin"],
        validated=verdict["validated"],
        notes=[*candidate["notes"], *verdict["notes"]],
    )


def stats(state: Mapping[str, Any]) -> GenerationStats:
    """Counts and rates of a run so far."""
    accepted, rejected = state.get("accepted_questions", []), state.get("rejected_questions", [])
    attempts = len(accepted) + len(rejected)
    validated, duplicates = state.get("validated_count", 0), state.get("duplicate_count", 0)
    return GenerationStats(
        document_path=state["document_path"],
        mode=state.get("mode", "textual"),
        target_count=state.get("target_count", 5),
        accepted_count=len(accepted),
        rejected_count=len(rejected),
        total_attempts=attempts,
        validation_pass_rate=_rate(len(accepted), validated),
        dedup_rejection_rate=_rate(duplicates, attempts),
        exhausted=state.get("status") == "exhausted",
        rejection_reasons=dict(Counter(item["rejection_reason"] for item in rejected)),
    )


def _rate(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def plain(state: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """Questions without the loop's own ids."""
    return [
        relocated({name: value for name, value in item.items() if name != "id"}, state["document_path"])
        for item in state.get(key, [])
    ]


def relocated(item: dict[str, Any], path: str) -> dict[str, Any]:
    """A question kept from an earlier run, with the place where its document stands today."""
    return {**item, "source_document": path} if "source_document" in item else item


def generation_result(values: Mapping[str, Any]) -> GenerationResult:
    """A run's output as the typed result."""
    return GenerationResult.model_validate({key: values[key] for key in ("accepted", "rejected", "stats")})


def corpus_json(result: CorpusGenerationResult) -> str:
    """The corpus result as JSON: questions only, no statistics."""
    return json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def ragas_jsonl(pairs: list[QAPair]) -> str:
    """One line per question in the columns that RAGAS reads."""
    return "".join(json.dumps(_ragas_row(pair), ensure_ascii=False) + "\n" for pair in pairs)


def _ragas_row(pair: QAPair) -> dict[str, Any]:
    contexts, ids = list[str](), list[str]()
    if pair.evidence:
        contexts = [pair.evidence.quote]
        ids = [f"{pair.source_document}#L{pair.evidence.start_line}-L{pair.evidence.end_line}"]
    elif pair.visual_evidence:
        contexts = [f"{pair.visual_evidence.ref} on page {pair.visual_evidence.page}"]
        ids = [f"{pair.source_document}#page={pair.visual_evidence.page}"]
    return {
        "user_input": pair.question,
        "reference": pair.answer,
        "reference_contexts": contexts,
        "reference_context_ids": ids,
    }
