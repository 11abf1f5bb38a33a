"""Finding the content, and its quotes."""

from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from common.errors import BadInput
from common.inputs import checked_input
from common.interrupts import Decision, ask_person
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.knowledge import KnowledgeStore
from graphs.concept_extraction.knowledge.ids import run_id
from graphs.concept_extraction.schemas import Content
from graphs.concept_extraction.state import FRESH, Input, State
from graphs.concept_extraction.subgraphs.desk import context_of, knowledge


def fresh_run() -> dict[str, Any]:
    """Everything of one run set anew."""
    return {**FRESH, "started_at": datetime.now(UTC).isoformat(timespec="microseconds")}


async def check_content_processed(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The stored content; it is done already unless `force` is set."""
    wanted = checked_input(Input, {name: state.get(name) for name in ("force", "ingest_only")})
    update, ingest = fresh_run(), _ingest_of(state)
    update |= {
        "warnings": {"replace": ingest.get("warnings", [])},
        "errors": {"replace": ingest.get("errors", [])},
    }
    update["spent"] = {"reset": True, **ingest.get("spent", {})}
    # The thread may be used again, with other input: what was asked for this time is over now.
    update |= {"text": "", "file_path": "", "ingest_only": False, "force": False, "ingest": None}
    if ingest.get("outcome"):
        return update | {"phase": "end", "outcome": ingest["outcome"]}
    async with knowledge(context_of(runtime)) as store:
        content = await store.content(state["content_uuid"])
        if content is None:
            content = await _ask_which(state["content_uuid"], store)
    if content is None:
        return update | _ended("aborted", f"No content {state['content_uuid']}: the run was given up.")
    update |= {
        "content_uuid": content.uuid,
        "content": content.model_dump(),
        "run_id": run_id(content.uuid, update["started_at"]),
    }
    if wanted.ingest_only:
        return update | {"phase": "end", "outcome": "ingested"}
    if content.processed_date and not wanted.force:
        told = f"{content.title} was processed on {content.processed_date}; force=true extracts again."
        update["warnings"]["replace"].append(told)
        return update | {"phase": "end", "outcome": "already_processed"}
    return update


def _ingest_of(state: State) -> dict[str, Any]:
    """What quote_parse of this very run has to say; an older one's words are over."""
    came_by_file = state.get("text") or state.get("file_path") or not state.get("content_uuid")
    ingest = state.get("ingest") or {}
    return dict(ingest) if came_by_file or ingest.get("outcome") == "aborted" else {}


async def _ask_which(missing: str, store: KnowledgeStore) -> Content | None:
    """An id that nobody knows is something the user can mend."""
    contents = {item.uuid: item for item in await store.contents()}

    def accept(decision: Decision) -> Content | None:
        if decision.kind == "abort":
            return None
        chosen = contents.get(str(decision.args.get("content_uuid", "")))
        if chosen is None:
            raise BadInput(
                "No content has that id.", remedy="Choose one of `contents`, or reject to give up."
            )
        return chosen

    listed = [{"uuid": item.uuid, "title": item.title, "author": item.author} for item in contents.values()]
    args = {"problem": f"No content is called {missing!r}.", "content_uuid": missing, "contents": listed}
    return ask_person("choose_content", args, "Which content is meant? Edit `content_uuid`.", accept)


def _ended(outcome: str, error: str) -> dict[str, Any]:
    return {"phase": "end", "outcome": outcome, "errors": [error]}


async def load_content_quotes(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The content's quotes in the order of the file."""
    async with knowledge(context_of(runtime)) as store:
        quotes = await store.quotes_of(state["content_uuid"])
    if not quotes:
        title = (state.get("content") or {}).get("title", state["content_uuid"])
        return _ended("failed", f"{title} has no quotes; ingest its quotes file first.")
    keys = {"uuid", "text", "section", "page_reference"}
    return {"quotes": {"replace": [quote.model_dump(include=keys) for quote in quotes]}}
