"""What goes in, what comes out, and what the graph remembers between nodes."""

from typing import Annotated, Any, TypedDict

from pydantic import BaseModel, Field

from common.budget import NOTHING, Spent, add_spent
from common.reducers import add_unique, upsert
from graphs.concept_extraction.schemas import Phase

Item = dict[str, Any]


def add_run_spent(old: Spent | None, change: Spent | Item | None) -> Spent:
    """Sums what nodes and branches spent; a change with `reset` starts over, from its own numbers."""
    if change and change.get("reset"):
        return add_spent(None, {**NOTHING, **{k: v for k, v in change.items() if k in NOTHING}})
    return add_spent(old, change)


class Input(BaseModel):
    """A content that is stored already, or a quotes file that is to be ingested first."""

    content_uuid: str = Field("", description="Id of an ingested content.", max_length=64)
    file_path: str = Field(
        "", description="Path of a Markdown file with quotes on this machine.", examples=["quotes/cartas.md"]
    )
    text: str = Field(
        "",
        description="The text of a quotes file, in place of a path.",
        examples=["# Citas\n\n## I\n\nTodo es ajeno; sólo el tiempo es nuestro.\n45"],
        max_length=50_000_000,
    )
    title: str = Field("", description="Title of the work.", examples=["Cartas a Lucilio"], max_length=500)
    author: str = Field("", description="Its author.", examples=["Séneca"], max_length=300)
    ingest_only: bool = Field(False, description="Stop after the quotes are stored.")
    force: bool = Field(False, description="Extract again although the content was processed.")


class Output(BaseModel):
    """How the run ended and what it wrote."""

    content_uuid: str = Field("", description="The content.")
    phase: str = Field("", description="extraction, human_review, commit or end.")
    outcome: str = Field("", description="ingested, already_processed, committed, aborted or failed.")
    run_id: str = Field("", description="What `study zettel undo` takes.")
    receipt: dict[str, Any] = Field(default_factory=dict, description="What was created and changed.")
    coverage: dict[str, Any] = Field(default_factory=dict, description="Quotes that support no concept.")
    notes: dict[str, Any] = Field(default_factory=dict, description="What happened to the notes.")
    spent: dict[str, Any] = Field(default_factory=dict, description="Model calls, tokens, US dollars.")
    errors: list[str] = Field(default_factory=list, description="What failed.")
    warnings: list[str] = Field(default_factory=list, description="What to know.")


class State(TypedDict, total=False):
    """Plain JSON values only; lists that grow are keyed, so that a replay changes nothing."""

    content_uuid: str
    """Input: the content; quote_parse fills it in."""
    file_path: str
    """Input: where the quotes file is."""
    text: str
    """Input: the quotes file itself."""
    title: str
    """Input: the work's title."""
    author: str
    """Input: the work's author."""
    ingest_only: bool
    """Input: stop after quote_parse."""
    force: bool
    """Input: extract although it was done."""

    ingest: Item | None
    """quote_parse: how reading the file went: outcome, spent, warnings, errors."""
    book: Item | None
    """quote_parse: the content to store."""
    parsed_author: Item | None
    """quote_parse: the author to store."""
    sections: list[str]
    """quote_parse: headings of the file, in order."""
    summary: str
    """quote_parse: the work in at most 100 words."""
    summary_short: str
    """quote_parse: the work in at most 30 words."""

    content: Item | None
    """The stored content."""
    quotes: Annotated[list[Item], upsert("uuid")]
    """Its quotes, in the order of the file."""

    phase: Phase
    """Where the run is."""
    outcome: str
    """How it ended; empty while it goes on."""
    started_at: str
    """When the run began; fixes the run's id."""
    run_id: str
    """The run, for undo."""
    iteration_count: int
    """Rounds of both phases."""
    phase_1_iteration: int
    """Rounds of critique."""
    phase_2_iteration: int
    """Rounds of review."""

    candidate_concepts: Annotated[list[Item], upsert()]
    """Concepts found, by the id they will have."""
    duplicate_detections: Annotated[list[Item], upsert()]
    """What is known of each candidate's doubles."""
    novel_concepts: Annotated[list[Item], upsert()]
    """Candidates that are new."""
    existing_concepts_with_quotes: Annotated[list[Item], upsert()]
    """Candidates that are another concept, with the quotes they bring to it."""
    relation_queries: Annotated[list[Item], upsert()]
    """What to look for beside each candidate."""
    relation_candidates: Annotated[list[Item], upsert()]
    """What was found near each candidate."""
    relations: Annotated[list[Item], upsert()]
    """Relations, each once, in the direction they are shown."""

    quality_assessment: Item | None
    """The six-point checklist of the last round."""
    critique_log: Annotated[list[Item], upsert("round")]
    """Every round's assessment."""
    refined: bool
    """Whether the last refinement changed anything."""
    changes: list[str]
    """What changed since the person last looked."""

    human_feedback: str | None
    """The reviewer's words for another round."""
    human_approved: bool
    """Whether the reviewer approved."""
    allowance: Item | None
    """Limits that a person set after seeing the estimate."""

    plan: Item | None
    """The commit plan as it grows."""
    receipt: Item
    """What the commit did."""
    coverage: Item
    """Quotes that support nothing."""
    notes: Item
    """What happened to the Obsidian notes."""

    spent: Annotated[Spent, add_run_spent]
    """Model calls, tokens and money of this run."""
    errors: Annotated[list[str], add_unique]
    """What failed; only a fatal one ends the run."""
    warnings: Annotated[list[str], add_unique]
    """What to know."""

    batch: list[Item]
    """Of one parallel branch: the candidates it works on."""
    peers: list[Item]
    """Of one parallel branch: all candidates."""
    near: list[Item]
    """Of one parallel branch: what was found near its candidates."""


class IngestState(TypedDict, total=False):
    """What quote_parse works with; the file's text stays inside it."""

    file_path: str
    """Where the quotes file is."""
    text: str
    """The quotes file itself."""
    title: str
    """The work's title."""
    author: str
    """The work's author."""
    content_uuid: str
    """The content's id, from title and author."""
    file_content: str
    """The file as text."""
    ingest: Item | None
    """How it went so far: outcome, spent, warnings, errors."""
    book: Item | None
    """The content to store."""
    parsed_author: Item | None
    """The author to store."""
    quotes: list[Item]
    """The quotes to store."""
    sections: list[str]
    """Headings of the file, in order."""
    summary: str
    """The work in at most 100 words."""
    summary_short: str
    """The work in at most 30 words."""


class Ingested(TypedDict, total=False):
    """What quote_parse hands to the graph around it."""

    title: str
    """The work's title."""
    author: str
    """The work's author."""
    content_uuid: str
    """The stored content."""
    ingest: Item | None
    """How it went."""
    book: Item | None
    """The stored content."""
    parsed_author: Item | None
    """The stored author."""
    sections: list[str]
    """Headings of the file, in order."""
    summary: str
    """The work in at most 100 words."""
    summary_short: str
    """The work in at most 30 words."""


FRESH: dict[str, Any] = {
    "content": None,
    "quotes": {"replace": []},
    "phase": "extraction",
    "outcome": "",
    "run_id": "",
    "iteration_count": 0,
    "phase_1_iteration": 0,
    "phase_2_iteration": 0,
    "candidate_concepts": {"replace": []},
    "duplicate_detections": {"replace": []},
    "novel_concepts": {"replace": []},
    "existing_concepts_with_quotes": {"replace": []},
    "relation_queries": {"replace": []},
    "relation_candidates": {"replace": []},
    "relations": {"replace": []},
    "quality_assessment": None,
    "critique_log": {"replace": []},
    "refined": False,
    "changes": [],
    "human_feedback": None,
    "human_approved": False,
    "allowance": None,
    "plan": None,
    "receipt": {},
    "coverage": {},
    "notes": {},
    "spent": {"reset": True},
    "errors": {"replace": []},
    "warnings": {"replace": []},
}
"""What belongs to one run: the first node sets all of it."""
