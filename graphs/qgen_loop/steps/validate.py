"""validate_node: the validator answers blind; then answers are compared, by words or by a judge."""

from typing import Any

from langgraph.runtime import Runtime

from common.errors import ModelFailed
from common.prompts import fence, load
from graphs.qgen_loop import rules
from graphs.qgen_loop.answers import compare, is_no_answer
from graphs.qgen_loop.context import Context
from graphs.qgen_loop.schemas import BlindAnswer, Judgement
from graphs.qgen_loop.state import State
from graphs.qgen_loop.steps import batch, verdicts
from graphs.qgen_loop.steps.run import Run, open_run
from graphs.qgen_loop.subgraphs.document_agent import Agent, Task, document_agent, explore
from graphs.qgen_loop.subgraphs.images import delivery_for
from graphs.qgen_loop.tools.terminal import validator_tools

Update = dict[str, Any]
Verdict = dict[str, Any]


async def validate_node(state: State, runtime: Runtime[Context]) -> Update:
    """Pass, fail, or pause: a validator that cannot be reached accepts and rejects nothing."""
    run = await open_run(state, runtime, "validate_node")
    update: Update = {}
    try:
        if run.roles.validator.is_rules:
            verdict = _by_rules(state)
        else:
            verdict, update = await _by_model(state, run, document_agent)
    except ModelFailed as exc:
        told = verdicts.failed_call(exc, run.ledger.budget.exhausted, "validator")
        verdict = told or verdicts.rejected("validation_failed", f"validator_failed: {exc}")
    counted = state.get("validated_count", 0) + (verdict["outcome"] != "ended")
    return {
        **update,
        "verdict": verdict,
        "validated_count": counted,
        "spent": run.ledger.budget.delta,
        "attempt_calls": [*state.get("attempt_calls", []), *run.ledger.rows],
    }


def _candidate(state: State) -> dict[str, Any]:
    candidate = state["current_candidate"]
    assert candidate is not None
    return candidate


def _by_rules(state: State) -> Verdict:
    """Without a validator only evidence speaks: it must carry the answer, and nothing is called validated."""
    if _candidate(state)["carries_answer"]:
        return verdicts.passed(validated=False, notes=["checked by rules only: no model answered it blind"])
    told = "evidence_weak: the quote does not hold the answer's numbers and names"
    return verdicts.rejected("validation_failed", told)


async def _by_model(state: State, run: Run, agent: Agent) -> tuple[Verdict, Update]:
    candidate, update = _candidate(state), dict[str, Any]()
    blind, pages = BlindAnswer(answerable=False), list[int]()
    if run.context.strategy == "batch" and state.get("mode", "textual") == "textual":
        answers = await batch.blind_answers(state, run, candidate)
        update["blind_answers"] = {key: value for key, value in answers.items() if key != candidate["id"]}
        if candidate["id"] in answers:
            blind = BlindAnswer.model_validate(answers[candidate["id"]])
    if not blind.answerable or is_no_answer(blind.answer):
        blind, pages = await _by_agent(state, run, agent)
    return await _judged(candidate, blind, pages, run), update


async def _by_agent(state: State, run: Run, agent: Agent) -> tuple[BlindAnswer, list[int]]:
    """An agent that knows the question and the document, and nothing of the proposed answer."""
    candidate, mode = _candidate(state), state.get("mode", "textual")
    task = Task(
        role=run.roles.validator,
        document=run.document,
        mode=mode,
        ledger=run.ledger,
        terminal=validator_tools(),
        max_calls=run.context.validator_calls,
        max_tool_calls=run.context.tool_calls,
        delivery=delivery_for(run.roles.validator, run.context.image_delivery),
    )
    shown = {
        "corpus": run.corpus,
        "name": run.document.path.name,
        "page_count": run.document.page_count,
        "question": candidate["question"],
        "notes": "; ".join(candidate["notes"]) or "none",
    }
    name = "validate_visual" if mode == "visual" else "validate"
    lines = {} if mode == "visual" else {"total_lines": run.document.total_lines}
    final = await explore(agent, task, list(load("qgen_loop", name).render(**shown, **lines)))  # type: ignore[arg-type]
    result = final.get("result")
    if result is None:
        return BlindAnswer(answerable=False, reason="the validator gave no answer"), []
    return BlindAnswer.model_validate(result["args"]), list(final.get("viewed_pages", []))


async def _judged(candidate: dict[str, Any], blind: BlindAnswer, pages: list[int], run: Run) -> Verdict:
    """Answerable, the same answer, borne by evidence, not trivial, not ambiguous, relevant."""
    if not blind.answerable or is_no_answer(blind.answer):
        return verdicts.rejected("unanswerable", blind.reason or "the validator finds no answer")
    seen = candidate["visual_evidence"]
    if seen and seen["page"] not in pages:
        return verdicts.rejected(
            "validation_failed", f"page_not_viewed: the validator never saw page {seen['page']}"
        )
    verdict = await _compared(candidate, blind, run)
    if verdict:
        return verdict
    if blind.trivial:
        return verdicts.rejected("trivial", blind.reason or "it can be answered without the document")
    if blind.ambiguous:
        return verdicts.rejected("ambiguous", blind.reason or "different answers would be right")
    if not blind.relevant:
        told = blind.reason or "it does not fit the corpus and its purpose"
        return verdicts.rejected("validation_failed", f"irrelevant: {told}")
    return verdicts.passed(validated=True)


async def _compared(candidate: dict[str, Any], blind: BlindAnswer, run: Run) -> Verdict | None:
    """None where both answers agree and evidence bears them; a judge is asked where words do not tell."""
    same = compare(candidate["answer"], blind.answer) == "same"
    borne = bool(candidate["visual_evidence"]) or candidate["carries_answer"]
    if same and borne:
        return None
    quote = candidate["evidence"]["quote"] if candidate["evidence"] else "(seen on the page)"
    messages = load("qgen_loop", "judge").render(
        question=candidate["question"],
        proposed=candidate["answer"],
        independent=blind.answer,
        evidence=fence(quote, "document"),
    )
    answer = await run.ledger.ask(
        Judgement, messages, run.roles.judge, lambda: rules.judge(candidate["answer"], blind.answer, quote)
    )
    if answer.degraded:
        raise ModelFailed("; ".join(answer.warnings), infrastructure=answer.infrastructure)
    if not (same or answer.value.same_answer):
        told = f"the validator answers {blind.answer!r}"
        return verdicts.rejected(
            "wrong_answer", f"{told}: {answer.value.reason}" if answer.value.reason else told
        )
    if not (borne or answer.value.evidence_supports):
        return verdicts.rejected("validation_failed", f"evidence_weak: {answer.value.reason}")
    return None
