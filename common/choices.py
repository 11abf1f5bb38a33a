"""What people choose per run, spelled alike in every graph's Context: Studio shows it as a form."""

from typing import Annotated

from pydantic import Field

_MODELS = ["rules", "ollama:qwen3:8b", "google_genai:gemini-2.5-flash", "openai:gpt-5.1-mini"]

ModelChoice = Annotated[str | None, Field(max_length=200, examples=_MODELS)]
"""A role's model as provider:model, or `rules`; None is the profile's choice."""

EmbedderChoice = Annotated[
    str | None, Field(max_length=200, examples=["use", "ngram", "ollama:mxbai-embed-large"])
]
"""The embedder likewise."""
