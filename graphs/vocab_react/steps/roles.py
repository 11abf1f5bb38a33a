"""The roles and limits of a run, and what found lyrics change in its state."""

from typing import Any

from common.budget import Budget
from common.errors import NotFound
from common.files import content_hash
from common.models import Role, role_for
from graphs.vocab_react.context import Context
from graphs.vocab_react.state import State

Update = dict[str, Any]


def agent_role(context: Context) -> Role:
    return role_for("vocab_react", "agent", context.agent_model)


def extractor_role(context: Context) -> Role:
    chosen = context.extractor_model or context.agent_model
    return role_for("vocab_react", "extractor", chosen, temperature=context.extractor_temperature)


def budget_of(state: State, context: Context) -> Budget:
    return Budget(
        state.get("spent"),
        max_calls=context.max_calls,
        max_tokens=context.max_tokens,
        max_usd=context.max_usd,
    )


def name_of(text: str) -> str:
    return content_hash(text)[:12]


def no_lyrics(result: dict[str, Any]) -> NotFound:
    """What get_lyrics said, as the end of the run."""
    remedy = result["remedy"]
    return NotFound(result["error"].removesuffix(remedy).strip(), remedy=remedy)


def found(result: dict[str, Any], state: State) -> Update:
    text, metadata = result["lyrics"], result["metadata"]
    warnings = [*state.get("warnings", []), *result.get("warnings", [])]
    return {
        "lyrics": text,
        "lyrics_id": name_of(text),
        "source": metadata["source"],
        "provider": metadata["provider"],
        "warnings": warnings,
    }
