"""dedupe_node: the free checks, then the shortlist, then one cheap model call where it is not empty."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from common.embeddings import get_embedder
from common.errors import StudyError
from common.prompts import fence, load
from common.structured import Answer
from graphs.qgen_loop import rules
from graphs.qgen_loop.context import Context
from graphs.qgen_loop.dedupe import SHORTLIST, same_fact, shortlist
from graphs.qgen_loop.schemas import DuplicateDecision
from graphs.qgen_loop.state import State
from graphs.qgen_loop.steps import verdicts
from graphs.qgen_loop.steps.run import Run, open_run
from graphs.qgen_loop.steps.screening import repeated, screened

Update = dict[str, Any]
Question = dict[str, Any]


async def dedupe_node(state: State, runtime: Runtime[Context]) -> Update:
    """Reject what the free checks reject; ask whether the rest repeats an accepted question."""
    proposed = state["current_candidate"]
    assert proposed is not None
    if proposed["unique"]:
        return {"verdict": None}
    run = await open_run(state, runtime, "dedupe_node")
    mode = state.get("mode", "textual")
    viewed = state.get("previous_viewed_pages", [])
    candidate, verdict = await asyncio.to_thread(screened, proposed, run.document, mode, viewed)
    verdict = verdict or repeated(candidate, state)
    warnings: list[str] = []
    if verdict is None:
        verdict, warnings = await _compared(candidate, state, run)
    return {
        "current_candidate": {**candidate, "unique": verdict is None},
        "verdict": verdict,
        "warnings": warnings,
        "spent": run.ledger.budget.delta,
        "attempt_calls": [*state.get("attempt_calls", []), *run.ledger.rows],
    }


async def _compared(candidate: Question, state: State, run: Run) -> tuple[dict[str, Any] | None, list[str]]:
    accepted = state.get("accepted_questions", [])
    near, warnings = await _near(candidate["question"], [item["question"] for item in accepted])
    told_before = [at for at, item in enumerate(accepted) if at not in near and same_fact(candidate, item)]
    if not near and not told_before:
        return None, warnings
    listed = [accepted[position] for position in [*told_before, *near][:SHORTLIST]]
    answer = await _asked(candidate, listed, run)
    if answer.degraded:
        return _undecided(answer, run), [*warnings, *answer.warnings]
    if not answer.value.duplicate:
        return None, warnings
    number = min(max(answer.value.number, 1), len(listed))
    told = answer.value.reason or "it asks for the same fact"
    return verdicts.rejected("duplicate", told, listed[number - 1]["question"]), warnings


async def _near(question: str, accepted: list[str]) -> tuple[list[int], list[str]]:
    """The shortlist by meaning, or by words alone where no embedder answers."""
    if not accepted:
        return [], []
    try:
        embedder = await asyncio.to_thread(get_embedder)
        vectors = await embedder.embed([*accepted, question])
        return shortlist(question, accepted, vectors=vectors, embedder=embedder.name), []
    except StudyError as exc:
        return shortlist(question, accepted), [f"duplicates were looked for by words only: {exc.message}"]


async def _asked(candidate: Question, listed: list[Question], run: Run) -> Answer[DuplicateDecision]:
    shown = [
        f"{n}. {item['question']}\n   Answer: {item['answer']}" + _quoted(item)
        for n, item in enumerate(listed, 1)
    ]
    messages = load("qgen_loop", "dedupe").render(
        question=candidate["question"],
        answer=candidate["answer"],
        evidence=fence(_quoted(candidate) or "none", "document"),
        accepted=fence("\n".join(shown), "questions"),
    )
    questions = [item["question"] for item in listed]
    return await run.ledger.ask(
        DuplicateDecision,
        messages,
        run.roles.deduplicator,
        lambda: rules.duplicate(candidate["question"], questions),
    )


def _quoted(item: Question) -> str:
    evidence = item.get("evidence")
    return f"\n   Evidence: {evidence['quote']}" if evidence else ""


def _undecided(answer: Answer[DuplicateDecision], run: Run) -> dict[str, Any]:
    """A deduplicator that fails accepts nothing: its line being down suspends, nonsense rejects."""
    if run.ledger.budget.exhausted:
        return verdicts.ended("budget", run.ledger.budget.exhausted)
    if answer.infrastructure:
        told = "; ".join(answer.warnings).rstrip(".")
        return verdicts.ended(
            "suspended", f"The deduplicator cannot be reached: {told}. Run it again to go on."
        )
    return verdicts.rejected("validation_failed", "dedupe_undecided: the deduplicator gave no usable answer")
