"""The last word on a troubleshooting answer: cleaned by rules, reworded by a model only where it must be."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from common.budget import Budget
from common.models import role_for
from common.prompts import fence, load
from common.structured import ask
from graphs.tutoring import rules
from graphs.tutoring.cleaning import clean_reply, needs_rewording
from graphs.tutoring.context import Context
from graphs.tutoring.schemas import ParaphrasedReply
from graphs.tutoring.state import State


async def paraphrasing_node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Clean the answer of preambles, internal codes and tool names."""
    if state.get("origin") == "rules":
        return {}
    text = state.get("feedback_message", "")
    cleaned = clean_reply(text)
    context = runtime.context or Context()
    budget = Budget(state.get("spent"), max_calls=context.max_calls, max_usd=context.max_usd)
    origin, warnings = state.get("origin", "llm"), list(state.get("warnings") or [])
    if needs_rewording(cleaned):
        answer = await ask(
            ParaphrasedReply,
            load("tutoring", "paraphrase").render(answer=fence(text, "answer")),
            role=role_for("tutoring", "paraphrase", context.paraphrase_model),
            twin=lambda: rules.paraphrase(text),
            budget=budget,
        )
        cleaned = rules.paraphrase(answer.value.message).message or rules.paraphrase(text).message
        warnings += answer.warnings
    update: dict[str, Any] = {"origin": origin, "warnings": warnings, "spent": budget.delta}
    if cleaned and cleaned != text:
        message = AIMessage(content=cleaned, id=state.get("answer_id"), name="tutor")
        update |= {"feedback_message": cleaned, "messages": [message]}
    return update
