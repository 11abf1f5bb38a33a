"""Budgets add up over branches and end in a reason, never a crash."""

import pytest
from langchain_core.messages import AIMessage
from pydantic import BaseModel

from common.budget import NOTHING, RESET, Budget, Spent, add_spent, price


def message(given: int = 1_000, taken: int = 500) -> AIMessage:
    usage = {"input_tokens": given, "output_tokens": taken, "total_tokens": given + taken}
    return AIMessage("x", usage_metadata=usage)


ONE: Spent = {"calls": 1, "input_tokens": 2, "output_tokens": 3, "usd": 0.1}


def test_reducer() -> None:
    assert add_spent(None, None) == NOTHING
    assert add_spent(ONE, ONE)["calls"] == 2
    assert add_spent(ONE, RESET) == NOTHING


def test_price_is_the_providers() -> None:
    assert price("openai:gpt-5.1", 1_000_000, 0) == 1.25
    assert price("openai:gpt-5.1-mini", 0, 1_000_000) == 2.0
    assert price("ollama:mistral", 1_000_000, 1_000_000) == 0.0


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_calls": 1}, "1 model calls"),
        ({"max_tokens": 1_500}, "1500 tokens"),
        ({"max_usd": 0.001}, "0.001 US dollars"),
    ],
)
def test_limits(limits: dict[str, float], words: str) -> None:
    budget = Budget(**limits)  # type: ignore[arg-type]
    assert budget.exhausted is None
    budget.charge("openai:gpt-5.1", message())
    assert words in (budget.exhausted or "")


def test_delta_is_only_this_nodes() -> None:
    budget = Budget(ONE, max_calls=3)
    budget.charge("ollama:x", None)
    assert budget.delta["calls"] == 1
    assert budget.total["calls"] == 2
    assert budget.exhausted is None


def test_what_was_spent_may_stand_in_an_output() -> None:
    class Output(BaseModel):
        spent: Spent

    assert Output(spent=ONE).model_dump() == {"spent": ONE}


@pytest.mark.parametrize("reported", ["many", None, -5, 1.5])
def test_odd_reports_of_usage_count_as_nothing(reported: object) -> None:
    said = message()
    said.usage_metadata = {"input_tokens": reported, "output_tokens": 3, "total_tokens": 3}  # type: ignore[typeddict-item]
    budget = Budget()
    budget.charge("openai:gpt-5.1", said)
    assert budget.delta == {"calls": 1, "input_tokens": 0, "output_tokens": 3, "usd": 3e-05}
