"""What goes in, what comes out, and what the loop remembers. Everything is plain JSON."""

from typing import Annotated, Any, TypedDict

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, Field

from common.budget import Spent, add_spent
from common.reducers import add_unique, upsert
from graphs.qgen_loop.schemas import Mode

_EXAMPLE = {
    "name": "Lighthouse notes",
    "corpus_context": "Notes on lighthouses and their keepers.",
    "scenarios": {"quiz": {"name": "Quiz", "description": "Short factual questions with exact answers."}},
}


class Input(BaseModel):
    """One document to be asked about."""

    document_path: str = Field(
        description="A text, Markdown, PDF or JATS file.",
        max_length=4096,
        examples=["samples/documents/rock-lights.md"],
    )
    corpus_config: dict[str, Any] = Field(
        default_factory=dict,
        description="name, corpus_context and scenarios, as in corpus.yaml; a general one if empty.",
        examples=[_EXAMPLE],
    )
    scenario_name: str = Field(
        "", description="Which scenario to use; the only one if empty.", max_length=200, examples=["quiz"]
    )
    mode: Mode = Field(
        "textual", description="`textual` asks about the text, `visual` about figures and tables."
    )
    target_count: int = Field(5, ge=1, le=500, description="How many accepted questions are wanted.")
    fresh: bool = Field(
        False,
        description="Start over. Otherwise the same work goes on and keeps what was accepted.",
    )


class Output(BaseModel):
    """What the document gave."""

    accepted: list[dict[str, Any]] = Field(
        default_factory=list, description="Accepted questions with evidence."
    )
    rejected: list[dict[str, Any]] = Field(
        default_factory=list, description="Rejected ones, with the reason."
    )
    stats: dict[str, Any] = Field(default_factory=dict, description="Counts and rates of this run.")
    status: str = Field("", description="target_reached, exhausted, suspended, no_visual_content or budget.")
    reason: str = Field("", description="Why the run ended, in words.")
    warnings: list[str] = Field(default_factory=list, description="What a reader of the result should know.")
    spent: dict[str, Any] = Field(default_factory=dict, description="Model calls, tokens and US dollars.")


class State(TypedDict, total=False):
    """The loop's memory."""

    document_path: str
    """The document being asked about."""
    corpus_config: dict[str, Any]
    """Name, context and scenarios of the corpus."""
    scenario_name: str
    """The scenario in use."""
    mode: Mode
    """Textual or visual questions."""
    target_count: int
    """How many accepted questions are wanted."""
    fresh: bool
    """Whether to start over."""

    accepted_questions: Annotated[list[dict[str, Any]], upsert("id")]
    """Questions that passed everything, by attempt."""
    rejected_questions: Annotated[list[dict[str, Any]], upsert("id")]
    """Candidates that did not, by attempt."""
    current_candidate: dict[str, Any] | None
    """The question being examined."""
    consecutive_failures: int
    """Content failures in a row."""
    previous_viewed_pages: list[int]
    """Pages looked at in all attempts of this run."""
    messages: Annotated[list[AnyMessage], add_messages]
    """One line per attempt, for people who watch."""

    entered: bool
    """Set on the way into the loop only, and never stored."""
    job: str
    """What the memory belongs to: document hash, corpus, scenario, mode."""
    document_sha256: str
    """The hash of the document's content."""
    run_id: str
    """The run's name in the statistics."""
    attempt_number: int
    """Attempts begun so far."""
    attempts_before: int
    """Attempts of earlier runs of the same work."""
    covered: list[list[int]]
    """Line ranges the generator has seen."""
    queue: list[dict[str, Any]]
    """Candidates of the batch strategy that wait for examination."""
    blind_answers: dict[str, dict[str, Any]]
    """Answers the validator already gave to waiting candidates, by candidate."""
    verdict: dict[str, Any] | None
    """What the present step decided about the candidate."""
    attempt_calls: list[dict[str, Any]]
    """Model calls of the present attempt, for the statistics."""
    generator_spec: str
    """The generator's model."""
    validator_spec: str
    """The validator's model."""
    duplicate_count: int
    """Candidates rejected as duplicates."""
    validated_count: int
    """Candidates that reached validation."""

    accepted: list[dict[str, Any]]
    """Accepted questions, as they are handed out."""
    rejected: list[dict[str, Any]]
    """Rejected questions, as they are handed out."""
    stats: dict[str, Any]
    """Counts and rates."""
    status: str
    """How the run stands or ended."""
    reason: str
    """Why it ended."""
    warnings: Annotated[list[str], add_unique]
    """What a reader should know."""
    spent: Annotated[Spent, add_spent]
    """Model calls, tokens, money."""
