"""The values of question generation, and the shapes a model must return."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from common.origins import Origin

Mode = Literal["textual", "visual"]
GenerationMode = Mode
Strategy = Literal["agent", "batch"]
RejectionReason = Literal[
    "validation_failed", "duplicate", "unanswerable", "wrong_answer", "ambiguous", "trivial"
]
Status = Literal["target_reached", "exhausted", "suspended", "no_visual_content", "budget"]


class VisualElement(BaseModel):
    """A figure, table, image or diagram of a document."""

    type: Literal["figure", "table", "image", "diagram"]
    page: int = 1
    line: int | None = None
    ref: str = ""
    label: str = ""
    caption: str = ""
    target: str = ""
    note: str = ""

    def __str__(self) -> str:
        place = f"page {self.page}" if self.line is None else f"line {self.line}"
        words = [part for part in (self.label, self.caption) if part]
        described = ": ".join(words) if words else "no caption"
        return f"[{self.ref}] {self.type}, {place}: {described}" + (f" ({self.note})" if self.note else "")


class Evidence(BaseModel):
    """Where a textual answer stands: lines, page, and the words themselves."""

    start_line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    page: int = Field(default=1, ge=1)
    quote: str


class VisualEvidence(BaseModel):
    """Where a visual answer can be seen."""

    page: int = Field(ge=1)
    ref: str


class GenerationMetadata(BaseModel):
    """Who wrote and who checked a question, and at which attempt."""

    generator_model: str
    validator_model: str
    attempt_number: int = Field(ge=1)


class QAPair(BaseModel):
    """A question with its ground truth and the evidence for it."""

    question: str
    answer: str
    source_document: str
    category: Mode
    content_refs: list[str] = Field(default_factory=list)
    generation_metadata: GenerationMetadata
    evidence: Evidence | None = None
    visual_evidence: VisualEvidence | None = None
    origin: Origin = "llm"
    validated: bool = False
    notes: list[str] = Field(default_factory=list)


class RejectedQA(BaseModel):
    """A candidate that was not taken, and why."""

    question: str
    answer: str
    rejection_reason: RejectionReason
    rejection_detail: str
    duplicate_of: str | None = None
    attempt_number: int = 0


class GenerationStats(BaseModel):
    """The run of one document in numbers."""

    document_path: str
    mode: str
    target_count: int
    accepted_count: int
    rejected_count: int
    total_attempts: int
    validation_pass_rate: float
    dedup_rejection_rate: float
    exhausted: bool
    rejection_reasons: dict[str, int]


class GenerationResult(BaseModel):
    """What one document gave."""

    accepted: list[QAPair]
    rejected: list[RejectedQA]
    stats: GenerationStats


class CorpusGenerationResult(BaseModel):
    """What a whole corpus gave: questions only; the numbers stay in the statistics database."""

    corpus_name: str
    corpus_path: str
    scenario: str
    mode: GenerationMode
    questions: list[QAPair]
    timestamp: str


class Scenario(BaseModel):
    """One way of asking: for whom, in which style."""

    model_config = ConfigDict(str_strip_whitespace=True)

    name: str = Field(min_length=1, max_length=200)
    description: str = Field(min_length=1, max_length=8000)


class CorpusConfig(BaseModel):
    """What a corpus is, and the scenarios in which it is asked about."""

    model_config = ConfigDict(str_strip_whitespace=True)

    name: str = Field(min_length=1, max_length=200)
    corpus_context: str = Field(min_length=1, max_length=8000)
    scenarios: dict[str, Scenario] = Field(min_length=1)


class ProposedQuestion(BaseModel):
    """One candidate of a batch."""

    question: str = Field(description="One question that asks for one fact.")
    answer: str = Field(description="The exact answer, at most 40 words.")
    start_line: int = Field(ge=1, description="First line of the passage that holds the answer.")
    end_line: int = Field(ge=1, description="Last line of that passage.")
    quote: str = Field(description="The words of those lines that prove the answer, copied exactly.")


class ProposedBatch(BaseModel):
    """Several candidates from one window of the document."""

    questions: list[ProposedQuestion]


class BlindAnswer(BaseModel):
    """What the validator says about one question without knowing the proposed answer."""

    number: int = Field(0, description="The number of the question.")
    answerable: bool = Field(description="Whether the text answers the question.")
    answer: str = Field("", description="The answer found, in a few words; empty if there is none.")
    trivial: bool = Field(False, description="Whether one could answer without reading the document.")
    ambiguous: bool = Field(False, description="Whether several different answers would be right.")
    relevant: bool = Field(True, description="Whether the question fits the corpus and the purpose.")
    reason: str = Field("", description="One sentence on what is wrong, if anything.")


class BlindAnswers(BaseModel):
    """One answer per question of a group."""

    answers: list[BlindAnswer]


class Judgement(BaseModel):
    """Whether two answers agree and whether the evidence bears the first."""

    same_answer: bool = Field(description="Whether both answers state the same fact.")
    evidence_supports: bool = Field(description="Whether the quoted evidence supports the proposed answer.")
    reason: str = Field("", description="One sentence.")


class DuplicateDecision(BaseModel):
    """Whether a new question asks what an accepted one already asks."""

    duplicate: bool = Field(description="Whether an answer to one question is an answer to the other.")
    number: int = Field(0, description="The number of the accepted question that it repeats; 0 if none.")
    reason: str = Field("", description="One sentence.")
