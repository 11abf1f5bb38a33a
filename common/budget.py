"""Model calls, tokens and money of one run, kept in state so that they survive a resume."""

from typing import Any

from langchain_core.messages import AIMessage

# Pydantic takes no other TypedDict on Python 3.11, and a graph's Output may hold one.
from typing_extensions import TypedDict


class Spent(TypedDict):
    """What a run has spent so far."""

    calls: int
    input_tokens: int
    output_tokens: int
    usd: float


NOTHING: Spent = {"calls": 0, "input_tokens": 0, "output_tokens": 0, "usd": 0.0}
RESET: dict[str, Any] = {"reset": True}

# US dollars per million tokens, input and output, as the providers list them; first prefix wins.
PRICES: tuple[tuple[str, float, float], ...] = (
    ("openai:gpt-5.1-mini", 0.25, 2.00),
    ("openai:gpt-5.1", 1.25, 10.00),
    ("openai:gpt-5-mini", 0.25, 2.00),
    ("openai:gpt-5", 1.25, 10.00),
    ("google_genai:gemini-2.5-pro", 1.25, 10.00),
    ("google_genai:gemini-2.5-flash-lite", 0.10, 0.40),
    ("google_genai:gemini-2.5-flash", 0.30, 2.50),
)


def add_spent(old: Spent | None, change: Spent | dict[str, Any] | None) -> Spent:
    """Reducer: sums what parallel branches spent; `RESET` empties it for a new run."""
    if change and change.get("reset"):
        return Spent(**NOTHING)
    before, more = old or NOTHING, change or NOTHING
    return {
        "calls": before["calls"] + more["calls"],
        "input_tokens": before["input_tokens"] + more["input_tokens"],
        "output_tokens": before["output_tokens"] + more["output_tokens"],
        "usd": round(before["usd"] + more["usd"], 6),
    }


def price(spec: str, input_tokens: int, output_tokens: int) -> float:
    """What that many tokens cost with this model; local and unknown models cost nothing."""
    for prefix, per_input, per_output in PRICES:
        if spec.startswith(prefix):
            return (input_tokens * per_input + output_tokens * per_output) / 1_000_000
    return 0.0


class Budget:
    """What one node may still spend. Return `delta` under the state's `spent` key."""

    def __init__(
        self,
        spent: Spent | None = None,
        *,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        max_usd: float | None = None,
    ) -> None:
        self._before = spent or NOTHING
        self._max_calls = max_calls
        self._max_tokens = max_tokens
        self._max_usd = max_usd
        self.delta: Spent = Spent(**NOTHING)

    @property
    def total(self) -> Spent:
        """Spent before this node and in it."""
        return add_spent(self._before, self.delta)

    @property
    def exhausted(self) -> str | None:
        """Why nothing more may be spent, or None."""
        total = self.total
        tokens = total["input_tokens"] + total["output_tokens"]
        if self._max_calls is not None and total["calls"] >= self._max_calls:
            return f"the limit of {self._max_calls} model calls is reached"
        if self._max_tokens is not None and tokens >= self._max_tokens:
            return f"the limit of {self._max_tokens} tokens is reached"
        if self._max_usd is not None and total["usd"] >= self._max_usd:
            return f"the limit of {self._max_usd:g} US dollars is reached"
        return None

    def charge(self, spec: str, message: AIMessage | None) -> None:
        """Count one call, with the tokens its answer reports."""
        usage = message.usage_metadata if message is not None else None
        given = _tokens(usage["input_tokens"]) if usage else 0
        taken = _tokens(usage["output_tokens"]) if usage else 0
        call: Spent = {
            "calls": 1,
            "input_tokens": given,
            "output_tokens": taken,
            "usd": price(spec, given, taken),
        }
        self.delta = add_spent(self.delta, call)


def _tokens(reported: object) -> int:
    """What a server reports as used; some report words, nothing, or less than nothing."""
    return reported if isinstance(reported, int) and reported > 0 else 0
