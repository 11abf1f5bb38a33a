"""The commit plan: everything one run wants to write, fixed before anything is written."""

from pydantic import BaseModel, Field

from graphs.concept_extraction.schemas import Concept, RelationType


class PlannedConcept(BaseModel):
    """A concept to create; `edited` says that a person's words replace what is stored."""

    concept: Concept
    edited: bool = False


class PlannedAlias(BaseModel):
    """Another name for a stored concept, from a merge."""

    concept_uuid: str
    title: str


class PlannedRelation(BaseModel):
    source: str
    type: RelationType
    target: str
    reasoning: str = ""


class PlannedSupport(BaseModel):
    quote_uuid: str
    concept_uuid: str
    reasoning: str = ""
    confidence: float = 0.8


class Verdict(BaseModel):
    """Two concepts are the same, or are not, and who said so."""

    first: str
    second: str
    same: bool
    by: str
    reason: str = ""

    @property
    def id(self) -> str:
        return pair_id(self.first, self.second)


class CommitPlan(BaseModel):
    """One run's writes. Three nodes fill it; the last of them applies it whole."""

    run_id: str
    content_uuid: str
    processed_date: str
    concepts: list[PlannedConcept] = Field(default_factory=list)
    aliases: list[PlannedAlias] = Field(default_factory=list)
    relations: list[PlannedRelation] = Field(default_factory=list)
    supports: list[PlannedSupport] = Field(default_factory=list)
    verdicts: list[Verdict] = Field(default_factory=list)


class Receipt(BaseModel):
    """What a commit did. The same plan applied again gives the same receipt."""

    run_id: str
    created: list[str] = Field(default_factory=list)
    changed: list[str] = Field(default_factory=list)
    relations: int = 0
    supports: int = 0
    processed_date: str | None = None


class UndoReport(BaseModel):
    """What an undo removed or set back, and what it left because somebody touched it since."""

    run_id: str
    removed: list[str] = Field(default_factory=list)
    restored: list[str] = Field(default_factory=list)
    kept: list[str] = Field(default_factory=list)


def pair_id(first: str, second: str) -> str:
    return "|".join(sorted((first, second)))
