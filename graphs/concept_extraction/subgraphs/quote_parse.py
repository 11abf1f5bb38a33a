"""quote_parse: a quotes file to a stored content with author, quotes and vectors."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy

from common import errors
from common.budget import Budget, add_spent
from common.errors import BadInput
from common.folders import check_readable
from common.inputs import checked_input
from common.interrupts import Decision, ask_person
from common.prompts import fence, load
from common.settings import get_settings
from common.structured import ask
from graphs.concept_extraction import rules
from graphs.concept_extraction.authors import look_up
from graphs.concept_extraction.candidates import references
from graphs.concept_extraction.context import Context
from graphs.concept_extraction.knowledge.ids import content_id, person_id, quote_id
from graphs.concept_extraction.quotes import Language, decode, language_of, parse_quotes
from graphs.concept_extraction.quotes.clippings import clippings_of
from graphs.concept_extraction.schemas import Content, Person, PersonResponse, Quote, SummaryResponse
from graphs.concept_extraction.showing import show_quotes
from graphs.concept_extraction.state import Ingested, IngestState, Input
from graphs.concept_extraction.subgraphs.desk import (
    GRAPH,
    budget_of,
    context_of,
    embedder_for,
    knowledge,
    simple,
)

SUFFIXES = (".md", ".markdown", ".txt", ".html", ".htm")
SHOWN_TO_MODEL = 20_000
MOST_WARNINGS = 200

Source = dict[str, Any]


async def read_file(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The file's text and what it is about; what a user can mend is asked for."""
    given = {name: _whole(state.get(name, "")) for name in ("file_path", "text", "title", "author")}
    source: Source | None
    try:
        source = await asyncio.to_thread(read_source, given)
    except BadInput as exc:
        source = _ask_for_better(given, exc)
    if source is None:
        told = "The quotes file could not be used, and the run was given up."
        return {"ingest": {"outcome": "aborted", "errors": [told]}}
    return {
        "title": source["title"],
        "author": source["author"],
        "file_content": source["content"],
        "ingest": {"outcome": "", "warnings": source["warnings"]},
        "content_uuid": content_id(source["title"], source["author"]),
    }


def _noted(state: IngestState, warnings: list[str], budget: Budget | None = None) -> dict[str, Any]:
    """The record of this ingestion with what one more node has to add."""
    held = dict(state.get("ingest") or {})
    held["warnings"] = list(dict.fromkeys([*held.get("warnings", []), *warnings]))
    if budget is not None:
        held["spent"] = dict(add_spent(held.get("spent"), budget.delta))
    return held


def read_source(given: dict[str, Any]) -> Source:
    """Text, title and author, checked: a missing one is named with what to do."""
    given = checked_input(Input, given).model_dump()
    title, author = given["title"].strip(), given["author"].strip()
    if not title or not author:
        missing = " and ".join(name for name, value in (("title", title), ("author", author)) if not value)
        raise BadInput(f"The {missing} of the work is missing.", remedy="Give both title and author.")
    text, warnings = (given["text"], []) if given["text"] else _read(given["file_path"])
    if not parse_quotes(text, title).quotes:
        raise _no_quotes(text, title, Path(given["file_path"]).name or title)
    return {"title": title, "author": author, "content": text, "warnings": warnings}


def _whole(value: Any) -> Any:
    """A text without half characters, which neither a model nor a database takes."""
    return value.encode(errors="ignore").decode() if isinstance(value, str) else value


def _no_quotes(text: str, title: str, name: str) -> BadInput:
    books = sorted({clip.title for clip in clippings_of(text) if clip.title})
    if books:
        listed = ", ".join(books[:20])
        return BadInput(f"There are no highlights of {title}.", remedy=f"The books are: {listed}.")
    return BadInput(
        f"{name} holds no quotes.",
        remedy="Put them under a heading # Citas, # Quotes, # Highlights or # Notas.",
    )


def _read(name: str) -> tuple[str, list[str]]:
    if not name.strip():
        raise BadInput("There is no quotes file.", remedy="Give file_path, text, or the id of a content.")
    path = Path(name)
    if path.suffix.lower() not in SUFFIXES:
        raise BadInput(f"{path.name} is not a Markdown file.", remedy=f"Give one of {', '.join(SUFFIXES)}.")
    check_readable(path)
    try:
        data = path.read_bytes()
    except OSError as exc:
        raise BadInput(f"{path.name} cannot be read: {exc.strerror}.", remedy="Check the path.") from exc
    return decode(data, path.name)


def _ask_for_better(given: dict[str, Any], problem: BadInput) -> Source | None:
    """A second try by the user; each unusable answer is asked again with its error."""

    def accept(decision: Decision) -> Source | None:
        if decision.kind == "abort":
            return None
        return read_source({**given, **{k: v for k, v in decision.args.items() if k in given}})

    shown = {name: str(value)[:2_000] for name, value in given.items()}
    args = {"problem": problem.message, "remedy": problem.remedy, **shown}
    return ask_person("fix_input", args, f"{problem}\n\nEdit the fields and send them, or reject.", accept)


async def make_summary(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The work in at most 100 and 30 words, from the reader's quotes."""
    context = context_of(runtime)
    parsed = await asyncio.to_thread(parse_quotes, state["file_content"], state["title"])
    quotes = [{"uuid": str(at), "text": quote.text} for at, quote in enumerate(parsed.quotes)]
    language = language_of(" ".join(quote["text"] for quote in quotes[:200]))
    shown = show_quotes(references([quote["uuid"] for quote in quotes], "Q"), quotes)[:SHOWN_TO_MODEL]
    budget = budget_of({"spent": _spent(state)}, context)
    answer = await ask(
        SummaryResponse,
        load(GRAPH, f"summary_{language}").render(
            title=state["title"], author=state["author"], quotes=fence(shown, "quotes")
        ),
        role=simple(context),
        twin=lambda: rules.summarize(state["title"], state["author"], quotes, language),
        budget=budget,
    )
    return {
        "summary": _at_most(answer.value.summary, 100),
        "summary_short": _at_most(answer.value.summary_short, 30),
        "ingest": _noted(state, answer.warnings, budget),
    }


def _spent(state: IngestState) -> Any:
    return (state.get("ingest") or {}).get("spent")


def _at_most(text: str, words: int) -> str:
    found = text.split()
    return " ".join(found[:words]) + ("…" if len(found) > words else "")


async def parse_quotes_node(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Content and quotes with their ids; a quote written twice is one."""
    parsed = await asyncio.to_thread(parse_quotes, state["file_content"], state["title"])
    uuid = state["content_uuid"]
    quotes: dict[str, Quote] = {}
    warnings = list(parsed.warnings)
    for at, found in enumerate(parsed.quotes):
        key = quote_id(uuid, found.text)
        if key in quotes:
            warnings.append(f"line {found.line}: the same quote as before; it is kept once")
            continue
        quotes[key] = Quote(
            uuid=key, text=found.text, section=found.section, page_reference=found.page_reference, position=at
        )
    book = Content(
        uuid=uuid,
        name=f"{state['author']} - {state['title']}",
        title=state["title"],
        author=state["author"],
        summary=state.get("summary", ""),
        summary_short=state.get("summary_short", ""),
        language=language_of(" ".join(quote.text for quote in quotes.values())),
    )
    return {
        "book": book.model_dump(),
        "quotes": [quote.model_dump() for quote in quotes.values()],
        "sections": parsed.sections,
        "ingest": _noted(state, warnings[:MOST_WARNINGS]),
    }


async def get_or_create_author(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The stored author, or a new one, enriched by a web search where that is switched on."""
    context, name = context_of(runtime), state["author"]
    async with knowledge(context) as store:
        stored = await store.person(person_id(name))
    if stored is not None:
        return {"parsed_author": stored.model_dump()}
    language: Language = "en" if (state.get("book") or {}).get("language") == "en" else "es"
    found: list[str] = []
    warnings: list[str] = []
    if get_settings().author_search:
        found, warnings = await asyncio.to_thread(look_up, name, state["title"])
    budget = budget_of({"spent": _spent(state)}, context)
    described = rules.describe_author(name, state["title"], language)
    if found:
        answer = await ask(
            PersonResponse,
            load(GRAPH, f"author_{language}").render(
                name=name, title=state["title"], results=fence("\n".join(found), "results")
            ),
            role=simple(context),
            twin=lambda: described,
            budget=budget,
        )
        described, warnings = answer.value, [*warnings, *answer.warnings]
    person = Person(uuid=person_id(name), name=name, **described.model_dump())
    return {"parsed_author": person.model_dump(), "ingest": _noted(state, warnings, budget)}


async def write_to_db(state: IngestState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Content, author and quotes with their vectors, in one transaction."""
    context = context_of(runtime)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    quotes = [Quote.model_validate({**quote, "created_at": now}) for quote in state.get("quotes", [])]
    embedder = await embedder_for(context)
    vectors = await embedder.embed([quote.text for quote in quotes])
    content = Content.model_validate(state["book"])
    author = state.get("parsed_author")
    async with knowledge(context) as store:
        await store.save_content(content, Person.model_validate(author) if author else None, quotes, vectors)
    return {"content_uuid": content.uuid}


def after_reading(state: IngestState) -> str:
    """A file that nobody could mend ends it."""
    return END if (state.get("ingest") or {}).get("outcome") else "make_summary"


_RETRY = RetryPolicy(retry_on=errors.retry_on, max_attempts=3)

_builder = StateGraph(IngestState, output_schema=Ingested, context_schema=Context)
_builder.add_node("read_file", read_file)
_builder.add_node("make_summary", make_summary, retry_policy=_RETRY)
_builder.add_node("parse_quotes", parse_quotes_node)
_builder.add_node("get_or_create_author", get_or_create_author, retry_policy=_RETRY)
_builder.add_node("write_to_db", write_to_db, retry_policy=_RETRY)
_builder.add_edge(START, "read_file")
_builder.add_conditional_edges("read_file", after_reading, ["make_summary", END])
_builder.add_edge("make_summary", "parse_quotes")
_builder.add_edge("parse_quotes", "get_or_create_author")
_builder.add_edge("get_or_create_author", "write_to_db")
_builder.add_edge("write_to_db", END)

quote_parse = _builder.compile()
