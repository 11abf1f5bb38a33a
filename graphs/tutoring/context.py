"""The tutor's settings per run: what Studio shows as configuration."""

from pydantic import BaseModel, Field

from common.choices import EmbedderChoice, ModelChoice


class Context(BaseModel):
    """Models by role, limits and switches of one run."""

    teaching_model: ModelChoice = Field(
        None, description="Model that explains, as provider:model or `rules`; empty for the profile's choice."
    )
    feedback_model: ModelChoice = Field(
        None, description="Model that helps with faults, as provider:model or `rules`."
    )
    paraphrase_model: ModelChoice = Field(
        None, description="Model that rewords an answer where cleaning by rules is not enough."
    )
    embeddings: EmbedderChoice = Field(None, description="Embedder of the cards; empty for the profile's.")
    reasoning: bool = Field(True, description="Ask the feedback model to think in detail.")
    use_devices: bool = Field(True, description="Let the tutor read lab devices over SSH.")
    quiz: bool = Field(True, description="A short question may follow an explanation.")
    max_tool_turns: int = Field(3, ge=1, le=3, description="Model calls of one answer, tool turns included.")
    max_calls: int = Field(6, ge=1, le=50, description="Model calls of one turn, at most.")
    max_usd: float | None = Field(
        None, gt=0, le=10_000, description="Money one turn may cost, in US dollars."
    )
    temperature: float = Field(0.2, ge=0, le=1.5, description="Freedom of the explaining models.")
