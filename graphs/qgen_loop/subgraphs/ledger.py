"""Every model call of an attempt goes through here, so that the statistics know each one."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from common.budget import Budget, Spent
from common.calls import call
from common.models import Role
from common.structured import Answer, ask

T = TypeVar("T", bound=BaseModel)


class Ledger:
    """Calls models on one budget and writes down what each call took."""

    def __init__(self, node: str, budget: Budget) -> None:
        self.node = node
        self.budget = budget
        self.rows: list[dict[str, Any]] = []

    async def call(self, role: Role, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> AIMessage:
        """One turn of an agent."""
        before = self.budget.total
        try:
            return await call(role, messages, budget=self.budget, tools=tools)
        finally:
            self._enter(role, before)

    async def ask(
        self, schema: type[T], messages: list[BaseMessage], role: Role, twin: Callable[[], T]
    ) -> Answer[T]:
        """One structured question, with its repair turn if it takes one."""
        before = self.budget.total
        answer = await ask(schema, messages, role=role, twin=twin, budget=self.budget)
        self._enter(role, before)
        return answer

    def _enter(self, role: Role, before: Spent) -> None:
        after = self.budget.total
        if after["calls"] > before["calls"]:
            self.rows.append(
                {
                    "node": self.node,
                    "role": role.name,
                    "model": role.spec,
                    "calls": after["calls"] - before["calls"],
                    "input_tokens": after["input_tokens"] - before["input_tokens"],
                    "output_tokens": after["output_tokens"] - before["output_tokens"],
                    "usd": round(after["usd"] - before["usd"], 6),
                }
            )
