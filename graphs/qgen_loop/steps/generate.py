"""generate_node: one candidate, by an agent, from a batch, or by rules."""

import asyncio
from typing import Any, cast

from langgraph.runtime import Runtime

from common.errors import ModelFailed
from common.inputs import checked_input
from common.prompts import load
from graphs.qgen_loop import coverage
from graphs.qgen_loop.context import Context
from graphs.qgen_loop.roles import need_vision
from graphs.qgen_loop.rules import next_gap_question
from graphs.qgen_loop.state import Input, State
from graphs.qgen_loop.steps import batch, verdicts
from graphs.qgen_loop.steps.candidates import (
    accepted_list,
    asked_before,
    candidate_from,
    from_gap,
    recent_rejections,
    spans_text,
)
from graphs.qgen_loop.steps.run import Run, begin, emptied, open_run, spent_anew, with_new_budget
from graphs.qgen_loop.subgraphs.document_agent import Agent, Task, document_agent
from graphs.qgen_loop.subgraphs.generator import DocumentExhaustedError, Seen, generate_question
from graphs.qgen_loop.subgraphs.images import delivery_for
from graphs.qgen_loop.tools.terminal import generator_tools

Update = dict[str, Any]


async def generate_node(state: State, runtime: Runtime[Context]) -> Update:
    """Propose the next question; on the way in, empty the memory or pick up a run that was cut short."""
    checked_input(Input, state)
    run = await open_run(state, runtime, "generate_node")
    if not state.get("entered"):
        return {**await _propose(state, run, document_agent), "spent": run.ledger.budget.delta}
    way, opening = begin(state, run)
    run = run if way == "on" else with_new_budget(run)
    current = cast(State, {**state, **opening})
    update = await _resumed(current, run, document_agent)
    delta = run.ledger.budget.delta
    spent = delta if way == "on" else spent_anew(state.get("spent"), delta)
    return {**emptied(way, opening), **update, "spent": spent}


async def _resumed(state: State, run: Run, agent: Agent) -> Update:
    """The first step of a run: nothing to do, an attempt to finish, or a new one."""
    accepted = len(state.get("accepted_questions", []))
    if accepted >= state.get("target_count", 5):
        return {"verdict": verdicts.ended("target_reached", verdicts.reached(accepted))}
    if state.get("current_candidate"):
        # Picked up in the middle of an attempt: the question is there, its examination is not.
        return {"verdict": None}
    return await _propose(state, run, agent)


async def _propose(state: State, run: Run, agent: Agent) -> Update:
    """The next candidate with its attempt number, or the verdict that there is none."""
    attempt = state.get("attempt_number", 0) + 1
    base: Update = {"attempt_number": attempt, "current_candidate": None, "verdict": None}
    update = await _by_strategy(state, run, agent, attempt)
    if (update.get("verdict") or {}).get("outcome") == "ended":
        base["attempt_number"] = attempt - 1
    return {**base, **update, "attempt_calls": run.ledger.rows}


async def _by_strategy(state: State, run: Run, agent: Agent, attempt: int) -> Update:
    visual = state.get("mode", "textual") == "visual"
    if visual:
        if not await asyncio.to_thread(run.document.list_visual_content):
            return {"verdict": verdicts.ended("no_visual_content", "The document has no visual content.")}
        need_vision(run.roles, "visual")
        if run.document.layout is None:
            reason = f"Pages of {run.document.path.name} cannot be shown: visual mode needs a PDF."
            return {"verdict": verdicts.ended("no_visual_content", reason)}
    elif not any(line.strip() for line in run.document.lines):
        may_help = "; visual mode may help" if run.document.layout else ""
        return {"verdict": verdicts.ended("exhausted", f"The document has no text{may_help}.")}
    try:
        if run.roles.generator.is_rules:
            return await _by_rules(state, run, attempt)
        if run.context.strategy == "batch" and not visual:
            return await batch.next_candidate(state, run, attempt)
        return await _by_agent(state, run, agent, attempt)
    except ModelFailed as exc:
        verdict = verdicts.failed_call(exc, run.ledger.budget.exhausted, "generator")
        return {"verdict": verdict or verdicts.rejected("validation_failed", f"no_submission: {exc}")}


async def _by_rules(state: State, run: Run, attempt: int) -> Update:
    cloze = await asyncio.to_thread(next_gap_question, run.document, asked_before(state))
    if cloze is None:
        reason = "Rules find no further sentence with one checkable fact."
        return {"verdict": verdicts.ended("exhausted", reason)}
    span = [cloze.evidence.start_line, cloze.evidence.end_line]
    return {
        "current_candidate": from_gap(cloze, attempt),
        "covered": coverage.merged(state.get("covered", []), *span),
    }


async def _by_agent(state: State, run: Run, agent: Agent, attempt: int) -> Update:
    mode = state.get("mode", "textual")
    task = Task(
        role=run.roles.generator,
        document=run.document,
        mode=mode,
        ledger=run.ledger,
        terminal=generator_tools(mode),
        max_calls=run.context.generator_calls,
        max_tool_calls=run.context.tool_calls,
        delivery=delivery_for(run.roles.generator, run.context.image_delivery),
    )
    try:
        made = await generate_question(agent, task, _prompt(state, run))
    except DocumentExhaustedError as exc:
        return {**_looked_at(state, exc.seen), "verdict": _exhaustion(state, run, exc)}
    update = _looked_at(state, made.seen)
    if made.args is None:
        told = f"no_submission: no question within {run.context.generator_calls} model calls"
        return {**update, "verdict": verdicts.rejected("validation_failed", told)}
    return {**update, "current_candidate": candidate_from(made.args, mode, attempt, "llm")}


def _prompt(state: State, run: Run) -> list[Any]:
    shared = {
        "corpus": run.corpus,
        "name": run.document.path.name,
        "page_count": run.document.page_count,
        "accepted": accepted_list(state),
        "rejected": recent_rejections(state),
    }
    if state.get("mode") == "visual":
        pages = ", ".join(map(str, state.get("previous_viewed_pages", []))) or "none"
        return list(load("qgen_loop", "generate_visual").render(**shared, viewed_pages=pages))
    lines = {"total_lines": run.document.total_lines, "covered": spans_text(state.get("covered", []))}
    return list(load("qgen_loop", "generate").render(**shared, **lines))


def _looked_at(state: State, seen: Seen) -> Update:
    return {
        "covered": coverage.with_spans(state.get("covered", []), seen.spans),
        "previous_viewed_pages": sorted({*state.get("previous_viewed_pages", []), *seen.pages}),
    }


def _exhaustion(state: State, run: Run, exc: DocumentExhaustedError) -> dict[str, Any]:
    """Believed only when enough was looked at: a document may itself say that there is nothing to ask."""
    if state.get("mode") == "visual":
        pages = {item.page for item in run.document.list_visual_content()}
        looked = {*state.get("previous_viewed_pages", []), *exc.seen.pages}
        share = len(pages & looked) / len(pages)
    else:
        share = coverage.share(run.document, coverage.with_spans(state.get("covered", []), exc.seen.spans))
    if share >= run.context.coverage_threshold:
        return verdicts.ended("exhausted", f"The generator reports exhaustion: {exc.reason.rstrip('. ')}.")
    told = f"exhaustion_refused: only {share:.0%} of the document was looked at ({exc.reason})"
    return verdicts.rejected("validation_failed", told)
