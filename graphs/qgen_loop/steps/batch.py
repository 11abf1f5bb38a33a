"""The batch strategy: one call proposes several candidates, one call answers several of them blind."""

import asyncio
from typing import Any

from langchain_core.messages import BaseMessage

from common.errors import ModelFailed
from common.prompts import fence, load
from common.structured import Answer
from graphs.qgen_loop import coverage, rules
from graphs.qgen_loop.passages import passages
from graphs.qgen_loop.schemas import BlindAnswers, ProposedBatch
from graphs.qgen_loop.state import State
from graphs.qgen_loop.steps import verdicts
from graphs.qgen_loop.steps.candidates import accepted_list, asked_before, candidate_from
from graphs.qgen_loop.steps.run import Run
from graphs.qgen_loop.steps.screening import screened

Update = dict[str, Any]
GROUP = 8


async def next_candidate(state: State, run: Run, attempt: int) -> Update:
    """The next waiting candidate; when none waits, one call for another window of the document."""
    queue = list(state.get("queue", []))
    if queue:
        first = {**queue[0], "id": f"attempt-{attempt}"}
        return {"current_candidate": first, "queue": queue[1:], **_kept_answer(state, queue[0], first)}
    low, high = coverage.next_window(run.document, state.get("covered", []), run.context.window_lines)
    answer = await _proposals(state, run, low, high)
    seen = {"covered": coverage.merged(state.get("covered", []), low, high)}
    if answer.degraded:
        raise ModelFailed("; ".join(answer.warnings), infrastructure=answer.infrastructure)
    made = [
        {
            **candidate_from(item.model_dump(), "textual", attempt, answer.origin),
            "id": f"waiting-{attempt}-{n}",
        }
        for n, item in enumerate(answer.value.questions[: run.context.batch_size])
    ]
    if not made:
        return {**seen, "verdict": _nothing(state, run, low, high)}
    first = {**made[0], "id": f"attempt-{attempt}"}
    return {**seen, "current_candidate": first, "queue": made[1:], "blind_answers": {}}


def _kept_answer(state: State, waiting: dict[str, Any], first: dict[str, Any]) -> Update:
    """An answer given to the candidate while it waited moves along with it."""
    answers = dict(state.get("blind_answers", {}))
    if waiting["id"] in answers:
        answers[first["id"]] = answers.pop(waiting["id"])
    return {"blind_answers": answers}


def _nothing(state: State, run: Run, low: int, high: int) -> dict[str, Any]:
    """An empty batch is a failed attempt; once the whole document was shown, it is the end."""
    shown = coverage.share(run.document, state.get("covered", []))
    if shown >= max(run.context.coverage_threshold, 0.99):
        return verdicts.ended("exhausted", "The generator finds nothing more to ask in the whole document.")
    return verdicts.rejected("validation_failed", f"no_submission: nothing to ask in lines {low}–{high}")


async def _proposals(state: State, run: Run, low: int, high: int) -> Answer[ProposedBatch]:
    messages = load("qgen_loop", "batch_generate").render(
        corpus=run.corpus,
        count=run.context.batch_size,
        accepted=accepted_list(state),
        name=run.document.path.name,
        start_line=low,
        end_line=high,
        total_lines=run.document.total_lines,
        window=fence(run.document.read_lines(low, high).text, "document"),
    )
    before = asked_before(state)
    return await run.ledger.ask(
        ProposedBatch,
        messages,
        run.roles.generator,
        lambda: rules.propose(run.document, before, run.context.batch_size),
    )


async def blind_answers(state: State, run: Run, candidate: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Blind answers to this candidate and to those that wait behind it, by candidate id."""
    known = dict(state.get("blind_answers", {}))
    if candidate["id"] in known:
        return known
    waiting = await asyncio.to_thread(_worth_asking, state, run)
    group = [candidate, *waiting][:GROUP]
    messages = await asyncio.to_thread(_questions, run, group)
    answer = await run.ledger.ask(
        BlindAnswers, messages, run.roles.validator, lambda: rules.answer_nothing(len(group))
    )
    if answer.degraded:
        raise ModelFailed("; ".join(answer.warnings), infrastructure=answer.infrastructure)
    by_number = {item.number: item.model_dump() for item in answer.value.answers}
    found = {member["id"]: by_number[n] for n, member in enumerate(group, start=1) if n in by_number}
    return known | found


def _worth_asking(state: State, run: Run) -> list[dict[str, Any]]:
    """Waiting candidates that the free checks will not reject anyway."""
    return [item for item in state.get("queue", []) if screened(item, run.document, "textual", [])[1] is None]


def _questions(run: Run, group: list[dict[str, Any]]) -> list[BaseMessage]:
    parts = []
    for number, member in enumerate(group, start=1):
        found = fence(passages(run.document, member["question"]), "document")
        notes = "; ".join(member["notes"]) or "none"
        parts.append(
            f"Question {number}: {member['question']}\nPoints to look at: {notes}\nPassages:\n{found}"
        )
    return load("qgen_loop", "batch_validate").render(corpus=run.corpus, questions="\n\n".join(parts))
