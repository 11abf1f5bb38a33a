"""What can be set for one run: models by role, limits, switches."""

from typing import Literal

from pydantic import BaseModel, Field

from common.choices import ModelChoice
from graphs.qgen_loop.schemas import Strategy


class Context(BaseModel):
    """Settings of question generation; nothing here is a secret."""

    generator_model: ModelChoice = Field(
        None, description="Writes questions, as provider:model or `rules`; the profile's choice if empty."
    )
    validator_model: ModelChoice = Field(
        None, description="Answers blind. Must not be the generator's model; `rules` checks evidence only."
    )
    deduplicator_model: ModelChoice = Field(
        None, description="Compares a question with similar accepted ones; a small model is enough."
    )
    judge_model: ModelChoice = Field(
        None, description="Compares two answers where words differ; the validator's model if empty."
    )
    strategy: Strategy = Field(
        "agent", description="`agent` explores with tools; `batch` proposes several questions per call."
    )
    allow_same_family: bool = Field(
        False, description="Allow generator and validator of one model family; recorded as a warning."
    )
    max_consecutive_failures: int = Field(
        5, ge=1, le=50, description="Failed attempts in a row after which a document counts as exhausted."
    )
    max_attempts: int = Field(
        0, ge=0, le=5000, description="Attempts in one run at most; 0 means ten per question and twenty more."
    )
    coverage_threshold: float = Field(
        0.6, ge=0, le=1, description="Share of the document that must be read before exhaustion is believed."
    )
    generator_calls: int = Field(12, ge=1, le=60, description="Model calls the generator has per attempt.")
    validator_calls: int = Field(10, ge=1, le=60, description="Model calls the validator has per question.")
    tool_calls: int = Field(40, ge=1, le=200, description="Tool calls an agent has per attempt.")
    batch_size: int = Field(8, ge=1, le=8, description="Questions per call in the batch strategy.")
    window_lines: int = Field(160, ge=10, le=1000, description="Lines shown per call in the batch strategy.")
    image_delivery: Literal["auto", "user_message", "tool_message"] = Field(
        "auto", description="How pages reach a model: after all tool answers, or inside them (Responses API)."
    )
    max_calls: int | None = Field(None, ge=1, description="Model calls one run may take in all.")
    max_tokens: int | None = Field(
        None, ge=1, le=1_000_000_000, description="Tokens one run may take in all."
    )
    max_usd: float | None = Field(None, gt=0, le=10_000, description="US dollars one run may cost.")
