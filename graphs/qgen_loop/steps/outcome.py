"""accept_node, reject_node and check_exit_node: the candidate's fate, written down, and the way out."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.config import get_stream_writer
from langgraph.runtime import Runtime

from common.logs import get_logger
from graphs.qgen_loop import results
from graphs.qgen_loop.context import Context
from graphs.qgen_loop.schemas import RejectedQA
from graphs.qgen_loop.state import State
from graphs.qgen_loop.statistics import own_statistics
from graphs.qgen_loop.steps import verdicts
from graphs.qgen_loop.steps.run import corpus_of, scenario_name

log = get_logger(__name__)
Update = dict[str, Any]


async def accept_node(state: State) -> Update:
    """Move the candidate to the accepted ones and forget earlier failures."""
    candidate, verdict = state["current_candidate"], state["verdict"]
    assert candidate is not None
    assert verdict is not None
    pair = results.accepted_pair(dict(state), candidate, verdict)
    item = {"id": f"attempt-{state['attempt_number']}", **pair.model_dump(mode="json")}
    await _recorded(state, "accepted", candidate, {})
    return {
        "accepted_questions": [item],
        "current_candidate": None,
        "verdict": None,
        "consecutive_failures": 0,
        "messages": [_line(state, f"accepted: {pair.question} → {pair.answer}")],
    }


async def reject_node(state: State) -> Update:
    """Move the candidate to the rejected ones, with the reason; one more failure in a row."""
    verdict = state["verdict"]
    assert verdict is not None
    candidate = state.get("current_candidate") or {"question": "", "answer": "", "origin": "llm"}
    rejected = RejectedQA(
        question=candidate["question"],
        answer=candidate["answer"],
        rejection_reason=verdict["reason"],
        rejection_detail=verdict["detail"],
        duplicate_of=verdict["duplicate_of"],
        attempt_number=state["attempt_number"],
    )
    item = {"id": f"attempt-{state['attempt_number']}", **rejected.model_dump()}
    await _recorded(state, "rejected", candidate, verdict)
    return {
        "rejected_questions": [item],
        "current_candidate": None,
        "verdict": None,
        "consecutive_failures": state.get("consecutive_failures", 0) + 1,
        "duplicate_count": state.get("duplicate_count", 0) + (verdict["reason"] == "duplicate"),
        "messages": [_line(state, f"rejected ({verdict['reason']}): {verdict['detail']}")],
    }


async def check_exit_node(state: State, runtime: Runtime[Context]) -> Update:
    """Target reached, exhausted, suspended, out of budget, or another round."""
    context = runtime.context or Context()
    status, reason = _standing(state, context)
    counted = {**state, "status": status, "reason": reason}
    stats = results.stats(counted)
    update: Update = {"status": status, "reason": reason, "verdict": None, "stats": stats.model_dump()}
    await asyncio.to_thread(
        own_statistics().record_run, _run_row({**counted, "stats": update["stats"]}, context)
    )
    if status != "looping":
        update |= {"accepted": results.plain(state, "accepted_questions")}
        update |= {"rejected": results.plain(state, "rejected_questions")}
        log.info("run_ended", status=status, accepted=stats.accepted_count, attempts=stats.total_attempts)
    return update


def _standing(state: State, context: Context) -> tuple[str, str]:
    verdict = state.get("verdict")
    if verdict and verdict["outcome"] == "ended":
        return verdict["status"], verdict["reason"]
    accepted, target = len(state.get("accepted_questions", [])), state.get("target_count", 5)
    if accepted >= target:
        return "target_reached", verdicts.reached(accepted)
    failures = state.get("consecutive_failures", 0)
    if failures >= context.max_consecutive_failures:
        return "exhausted", f"{failures} attempts in a row failed."
    limit = context.max_attempts or 10 * target + 20
    if state.get("attempt_number", 0) - state.get("attempts_before", 0) >= limit:
        return "exhausted", f"{limit} attempts were made."
    return "looping", ""


def _line(state: State, text: str) -> AIMessage:
    """One line per attempt for people who watch; its id keeps replays from doubling it."""
    return AIMessage(
        f"Attempt {state['attempt_number']} {text}", id=f"{state['run_id']}-{state['attempt_number']}"
    )


async def _recorded(state: State, outcome: str, candidate: dict[str, Any], verdict: dict[str, Any]) -> None:
    row = {
        "run_id": state["run_id"],
        "attempt_number": state["attempt_number"],
        "outcome": outcome,
        "rejection_reason": verdict.get("reason"),
        "rejection_detail": verdict.get("detail"),
        "duplicate_of": verdict.get("duplicate_of"),
        "question": candidate["question"],
        "answer": candidate["answer"],
        "origin": candidate["origin"],
        "at": datetime.now(UTC).isoformat(),
    }
    await asyncio.to_thread(own_statistics().record_attempt, row, state.get("attempt_calls", []))
    get_stream_writer()(
        {"attempt": state["attempt_number"], "outcome": outcome, "reason": row["rejection_reason"]}
    )


def _run_row(state: dict[str, Any], context: Context) -> dict[str, Any]:
    corpus = corpus_of(state)  # type: ignore[arg-type]
    return {
        "run_id": state["run_id"],
        "document_path": state["document_path"],
        "document_sha256": state["document_sha256"],
        "corpus": corpus.name,
        "scenario": scenario_name(state, corpus),  # type: ignore[arg-type]
        "mode": state.get("mode", "textual"),
        "strategy": context.strategy,
        "target_count": state.get("target_count", 5),
        "generator_model": state["generator_spec"],
        "validator_model": state["validator_spec"],
        "status": state["status"],
        "reason": state["reason"],
        "stats": state["stats"],
        "updated_at": datetime.now(UTC).isoformat(),
    }
