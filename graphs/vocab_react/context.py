"""What a run may be told besides its input: models by role, limits, switches."""

from pydantic import BaseModel, Field

from common.choices import ModelChoice


class Context(BaseModel):
    """Configuration of one run; Studio shows it as a form."""

    agent_model: ModelChoice = Field(
        None, description="Model of the ReAct agent as provider:model, or rules. None: the profile's choice."
    )
    extractor_model: ModelChoice = Field(None, description="Model that proposes words, likewise.")
    extractor_temperature: float = Field(0.5, ge=0, le=2, description="Temperature of the extraction.")
    max_iterations: int = Field(8, ge=1, le=30, description="Turns of the agent before direct extraction.")
    native_tools: bool = Field(False, description="Offer the tools natively, to models that call tools well.")
    online: bool = Field(True, description="Whether lyrics may be looked for on the network.")
    use_cache: bool = Field(True, description="Whether an earlier answer for the song may be used and kept.")
    max_calls: int = Field(20, ge=1, le=200, description="Model calls a run may make.")
    max_tokens: int = Field(100_000, ge=1_000, le=1_000_000_000, description="Tokens a run may use.")
    max_usd: float = Field(1.0, ge=0, le=10_000, description="Money a run may spend, US dollars.")
