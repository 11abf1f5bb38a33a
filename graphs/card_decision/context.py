"""What can be set per run: models by role, limits, switches. This is what Studio shows as configuration."""

from typing import Literal

from pydantic import BaseModel, Field

from common.choices import ModelChoice
from graphs.card_decision.schemas import BilingualMode


class Context(BaseModel):
    """Settings of one card_decision run; the defaults are those of the `agents:` file."""

    mapper_model: ModelChoice = Field(
        None, description="Card mapper as provider:model; empty: the profile's."
    )
    style_model: ModelChoice = Field(None, description="Style agent as provider:model; empty: the profile's.")
    qa_model: ModelChoice = Field(None, description="QA agent as provider:model; empty: the profile's.")
    diff_model: ModelChoice = Field(None, description="Diff agent as provider:model; empty: the profile's.")
    temperature: float = Field(0.2, ge=0.0, le=2.0, description="Temperature of the writing agents.")
    max_mapping_retries: int = Field(2, ge=0, le=10, description="How often a card is mapped again, at most.")
    min_qa_score: float = Field(0.8, ge=0.0, le=1.0, description="Below this a card goes to a person.")
    allow_auto_fix: bool = Field(True, description="Map again with the QA's issues before asking a person.")
    allow_content_updates: bool = Field(True, description="Off: changes beyond cosmetics go to a person.")
    max_llm_calls_per_card: int = Field(8, ge=0, le=100, description="Model calls for one card, at most.")
    max_tokens: int = Field(
        1024, ge=16, le=200_000, description="Tokens of one answer, on average over a card."
    )
    style_enabled: bool = Field(True, description="Whether the style agent polishes cards at all.")
    enforce_short_front: bool = Field(True, description="Report fronts longer than max_front_chars.")
    max_front_chars: int = Field(200, ge=20, le=100_000, description="Longest front without a remark.")
    max_back_chars: int = Field(1200, ge=50, le=1_000_000, description="Longest back without a remark.")
    bilingual_mode: BilingualMode = Field(
        "separate_cards", description="A card per language, or both languages on one card."
    )
    default_language: str = Field(
        "en", min_length=2, max_length=3, description="Language of notes that do not say theirs."
    )
    default_deck: str = Field("Study", min_length=1, description="Deck of cards that ask for none.")
    highlight_cloze: bool = Field(False, description="Make gaps of ==highlights== in every note.")
    config_profile: str = Field("default", description="A name for these settings, passed on to the agents.")
    review: Literal["none", "interrupt"] = Field(
        "none", description="`interrupt`: stop and ask about all cards in manual_review at once."
    )
