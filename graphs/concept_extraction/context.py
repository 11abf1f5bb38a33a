"""What one run may choose: models by role, limits, switches. Never a secret."""

from pydantic import BaseModel, Field

from common.choices import EmbedderChoice, ModelChoice


class Context(BaseModel):
    """Settings of one extraction; Studio shows them as configuration."""

    reasoning_model: ModelChoice = Field(
        None, description="provider:model that extracts, relates, refines and works in feedback."
    )
    checking_model: ModelChoice = Field(
        None, description="provider:model that judges duplicates and criticises; the reasoning model without."
    )
    simple_model: ModelChoice = Field(
        None, description="provider:model for summaries and search texts; a small one is enough."
    )
    embedder: EmbedderChoice = Field(None, description="Embedder as provider:model, `use` or `ngram`.")
    quotes_per_call: int = Field(40, ge=1, le=200, description="Quotes shown to the model at once.")
    concurrency: int = Field(4, ge=1, le=16, description="Branches and model calls at the same time.")
    max_concepts: int = Field(
        1_000, ge=1, le=5_000, description="Candidates of one run at most; what is left over is said."
    )
    top_k: int = Field(50, ge=1, le=200, description="Nearest concepts looked at for each candidate.")
    threshold: float | None = Field(
        None, ge=0.0, le=1.0, description="Least score of a neighbour; the embedder's own without (0.7)."
    )
    pairs_per_concept: int = Field(3, ge=1, le=20, description="Possible duplicates put to a model, each.")
    refine_rounds: int = Field(10, ge=0, le=10, description="Rounds of critique and refinement at most.")
    review_rounds: int = Field(20, ge=1, le=20, description="Rounds of review before the last one.")
    max_calls: int = Field(400, ge=1, le=10_000, description="Model calls of one run at most.")
    max_tokens: int = Field(4_000_000, ge=1_000, le=1_000_000_000, description="Tokens of one run at most.")
    max_usd: float = Field(5.0, ge=0.0, le=10_000, description="US dollars of one run at most.")
    ask_above_usd: float = Field(
        0.5,
        ge=0.0,
        le=10_000,
        description="Estimates above this are shown to a person before anything is spent.",
    )
    write_notes: bool = Field(True, description="Write Obsidian notes after the commit.")
