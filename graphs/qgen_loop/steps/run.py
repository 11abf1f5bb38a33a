"""What every node of a run stands on: the document, the corpus, the models, the budget; and its beginning."""

import asyncio
import json
from dataclasses import dataclass, replace
from typing import Any, Literal

from langchain_core.messages import RemoveMessage
from langgraph.config import get_config
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from common.budget import NOTHING, Budget, Spent
from common.errors import BadInput
from common.files import content_hash
from common.folders import check_readable
from graphs.qgen_loop.context import Context
from graphs.qgen_loop.corpus import corpus_from, meta_prompt, scenario_of
from graphs.qgen_loop.documents import Document, UnreadableDocument, open_document
from graphs.qgen_loop.roles import Roles, conflicts, roles_for
from graphs.qgen_loop.schemas import CorpusConfig
from graphs.qgen_loop.state import State
from graphs.qgen_loop.subgraphs.ledger import Ledger

GENERAL: dict[str, Any] = {
    "name": "General",
    "corpus_context": "A document given by its reader; nothing else is known about it.",
    "scenarios": {
        "facts": {"name": "Facts", "description": "Short factual questions with exact answers from the text."}
    },
}
ENDED = frozenset({"target_reached", "exhausted", "no_visual_content", "budget"})
Update = dict[str, Any]
# A new job; the same job after it had ended; the same job after it was suspended or cut short.
Way = Literal["new", "again", "on"]


@dataclass(frozen=True)
class Run:
    """One run's tools of the trade, put together anew in every node."""

    document: Document
    corpus: str
    roles: Roles
    context: Context
    ledger: Ledger


async def open_run(state: State, runtime: Runtime[Context], node: str) -> Run:
    """Open the document (kept from the last node) and settle who does what."""
    context = runtime.context or Context()
    document = await asyncio.to_thread(_open, state["document_path"])
    corpus = corpus_of(state)
    scenario = scenario_of(corpus, scenario_name(state, corpus))
    roles = roles_for(
        context.generator_model, context.validator_model, context.deduplicator_model, context.judge_model
    )
    ledger = Ledger(node, _budget(context, state.get("spent")))
    return Run(document, meta_prompt(corpus, scenario), roles, context, ledger)


def _open(path: str) -> Document:
    check_readable(path)
    try:
        return open_document(path)
    except UnreadableDocument as exc:
        # A server tells an error by the name of its class, and clients know those that all graphs share.
        raise BadInput(exc.message, remedy=exc.remedy) from exc


def _budget(context: Context, spent: Spent | None) -> Budget:
    return Budget(spent, max_calls=context.max_calls, max_tokens=context.max_tokens, max_usd=context.max_usd)


def with_new_budget(run: Run) -> Run:
    """The same run with nothing spent yet."""
    return replace(run, ledger=Ledger(run.ledger.node, _budget(run.context, None)))


def spent_anew(old: Spent | None, delta: Spent) -> Spent:
    """The change that leaves exactly `delta`: a reducer cannot empty and add in one step."""
    before = old or NOTHING
    return Spent(
        calls=delta["calls"] - before["calls"],
        input_tokens=delta["input_tokens"] - before["input_tokens"],
        output_tokens=delta["output_tokens"] - before["output_tokens"],
        usd=delta["usd"] - before["usd"],
    )


def corpus_of(state: State) -> CorpusConfig:
    """The corpus description that came with the input, or the general one."""
    return corpus_from(state.get("corpus_config") or GENERAL, "corpus_config")


def scenario_name(state: State, corpus: CorpusConfig) -> str:
    """The scenario asked for; the only or first one where none was named."""
    return state.get("scenario_name") or next(iter(corpus.scenarios))


def begin(state: State, run: Run) -> tuple[Way, Update]:
    """Check what can be checked before a model is paid; then start, start again, or go on.

    Questions that were accepted for the same work are never thrown away, unless `fresh` asks for it.
    """
    warnings = conflicts(run.roles, allow_same_family=run.context.allow_same_family) + run.document.warnings
    opening: Update = {"status": "running", "reason": "", "warnings": warnings, "fresh": False}
    opening |= {"generator_spec": run.roles.generator.spec, "validator_spec": run.roles.validator.spec}
    job = _job(state, run)
    if state.get("fresh") or state.get("job") != job:
        thread = get_config().get("configurable", {}).get("thread_id") or job
        named = {"job": job, "run_id": str(thread), "document_sha256": run.document.sha256}
        return "new", {**_EMPTY, **opening, **named}
    if state.get("status") in ENDED:
        return "again", {**opening, "consecutive_failures": 0, "attempts_before": state["attempt_number"]}
    return "on", opening


def emptied(way: Way, opening: Update) -> Update:
    """The opening in the form that empties what reducers keep."""
    if way == "on":
        return opening
    started = {**opening, "warnings": {"replace": opening["warnings"]}}
    if way == "again":
        return started
    return {
        **started,
        "accepted_questions": {"replace": []},
        "rejected_questions": {"replace": []},
        "messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES)],
    }


_EMPTY: dict[str, Any] = {
    "accepted_questions": [],
    "rejected_questions": [],
    "current_candidate": None,
    "consecutive_failures": 0,
    "previous_viewed_pages": [],
    "attempt_number": 0,
    "attempts_before": 0,
    "covered": [],
    "queue": [],
    "blind_answers": {},
    "verdict": None,
    "attempt_calls": [],
    "duplicate_count": 0,
    "validated_count": 0,
    "accepted": [],
    "rejected": [],
    "stats": {},
}


def _job(state: State, run: Run) -> str:
    parts = [run.document.sha256, run.corpus, state.get("mode", "textual")]
    return content_hash(json.dumps(parts))
