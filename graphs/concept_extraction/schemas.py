"""The domain's values, as they are stored, and the shapes a model must return."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, Field, field_validator

Phase = Literal["extraction", "human_review", "commit", "end"]
Language = Literal["es", "en"]

LONGEST_TITLE = 300


class RelationType(StrEnum):
    """The nine relations between concepts."""

    GENERALIZES = "GENERALIZES"
    SPECIFIC_OF = "SPECIFIC_OF"
    PART_OF = "PART_OF"
    HAS_PART = "HAS_PART"
    OPPOSES = "OPPOSES"
    SIMILAR_TO = "SIMILAR_TO"
    RELATES_TO = "RELATES_TO"
    SUPPORTS = "SUPPORTS"
    SUPPORTED_BY = "SUPPORTED_BY"


class Content(BaseModel):
    """A work that was read."""

    uuid: str
    name: str
    title: str
    author: str
    summary: str = ""
    summary_short: str = ""
    category: str = "BOOK"
    status: str = "COMPLETED"
    language: Language = "es"
    processed_date: str | None = None


class Quote(BaseModel):
    """A passage of a content, word for word."""

    uuid: str
    text: str
    section: str = ""
    page_reference: str | None = None
    position: int = 0
    created_at: str = ""
    partition: Literal["LEXICAL"] = "LEXICAL"


class Person(BaseModel):
    """An author."""

    uuid: str
    name: str
    occupation: str = "Author"
    summary: str = ""
    summary_short: str = ""


class Concept(BaseModel):
    """One atomic idea. `aliases` are the titles it was known by before."""

    uuid: str
    name: str
    title: str
    concept: str
    analysis: str = ""
    summary: str = ""
    summary_short: str = ""
    source: str = ""
    partition: Literal["DOMAIN"] = "DOMAIN"
    origin: str = "llm"
    aliases: list[str] = Field(default_factory=list)


# What models return: flat, and nothing that code can work out.


class SummaryResponse(BaseModel):
    """The work in a few words."""

    summary: str = Field(description="What the work says, in at most 100 words.")
    summary_short: str = Field(description="The same in at most 30 words.")


class PersonResponse(BaseModel):
    """An author in a few words."""

    occupation: str = Field("Author", description="The author's occupation, in one to four words.")
    summary: str = Field(description="Who the author is, in at most 100 words.")
    summary_short: str = Field(description="The same in at most 30 words.")


class CandidateConcept(BaseModel):
    """One atomic idea found in the quotes."""

    title: str = Field(description="The idea as a short name or claim, without a final period.")
    concept: str = Field(description="The idea itself in one to three sentences, in your own words.")
    analysis: str = Field("", description="What follows from it, in one to three sentences.")
    summary: str = Field("", description="The idea in at most 100 words.")
    summary_short: str = Field("", description="The idea in at most 30 words.")
    quote_ids: list[str] = Field(description="The ids of the quotes that support it, such as Q3.")
    reasoning: str = Field("", description="How these quotes support it.")
    confidence: float = Field(0.8, description="How well the quotes support it, from 0 to 1.")

    @field_validator("confidence", mode="after")
    @classmethod
    def _within(cls, value: float) -> float:
        return min(1.0, max(0.0, value / 100 if value > 1 else value))


class CandidateConceptsResponse(BaseModel):
    """The ideas of one batch of quotes."""

    concepts: list[CandidateConcept] = Field(description="The atomic ideas.")
    unattributed_quotes: list[str] = Field(
        default_factory=list, description="Ids of quotes that hold no idea of their own."
    )


class DuplicateResponse(BaseModel):
    """Whether two concepts are one."""

    same: bool = Field(description="True if both say the same idea; false if they differ or contradict.")
    reasoning: str = Field("", description="Why, in one sentence.")
    confidence: float = Field(0.5, description="How sure you are, from 0 to 1.")


class RelationQuery(BaseModel):
    """What to look for beside one concept."""

    concept_id: str = Field(description="The id of the concept, such as C2.")
    query: str = Field(description="A short text that a related concept would resemble.")


class RelationQueriesResponse(BaseModel):
    """Search texts for concepts that may be related."""

    queries: list[RelationQuery]


class ProposedRelation(BaseModel):
    """One relation between two concepts, by their ids."""

    source_id: str = Field(description="The id of the concept the relation starts at, such as C1.")
    relation: str = Field(description="One of the nine relation types.")
    target_id: str = Field(description="The id of the concept it leads to, such as C4 or E2.")
    reasoning: str = Field("", description="Why it holds, in one sentence.")


class RelationsResponse(BaseModel):
    """The relations that hold between the concepts shown."""

    relations: list[ProposedRelation]


class CritiqueIssue(BaseModel):
    """One fault that can be mended."""

    concept_id: str = Field("", description="The id of the concept, or empty where it is about all.")
    check: str = Field(description="The point of the checklist that fails.")
    issue: str = Field(description="What is wrong and what would mend it.")


class CritiqueResponse(BaseModel):
    """The quality checklist, point by point."""

    atomicity: bool = Field(description="Each concept holds exactly one idea.")
    distinctness: bool = Field(description="No two concepts say the same.")
    quote_coverage: bool = Field(description="Every quote with an idea supports some concept.")
    relation_accuracy: bool = Field(description="Every relation holds and has the right type and direction.")
    language: bool = Field(description="Everything is written in the language of the content.")
    edge_cases: bool = Field(description="Irony, metaphors, lists and contradictions are treated rightly.")
    issues: list[CritiqueIssue] = Field(default_factory=list)


class RefinedConcept(BaseModel):
    """A concept after mending; an unknown or empty id is a new concept."""

    concept_id: str = Field("", description="The id of the concept to change, or empty for a new one.")
    action: str = Field("keep", description="change, add or remove.")
    title: str = ""
    concept: str = ""
    analysis: str = ""
    summary: str = ""
    summary_short: str = ""
    quote_ids: list[str] = Field(default_factory=list)
    reasoning: str = ""


class RefinementResponse(BaseModel):
    """What to change, and only that."""

    concepts: list[RefinedConcept] = Field(default_factory=list)
    dropped_relations: list[str] = Field(
        default_factory=list, description="Ids of relations that do not hold, such as R3."
    )


CHECKS = (
    "atomicity",
    "distinctness",
    "quote_coverage",
    "relation_accuracy",
    "language",
    "edge_cases",
)
