"""decide_card: one candidate from the note's words to a decision."""

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from common.errors import retry_on
from graphs.card_decision.context import Context
from graphs.card_decision.state import CardOutput, CardState
from graphs.card_decision.subgraphs import card_routes, steps

_RETRY = RetryPolicy(retry_on=retry_on, max_attempts=3)

builder = StateGraph(CardState, output_schema=CardOutput, context_schema=Context)
builder.add_node("map_card", steps.map_card, retry_policy=_RETRY)
builder.add_node("validate_schema", steps.validate_schema)
builder.add_node("polish_style", steps.polish_style, retry_policy=_RETRY)
builder.add_node("qa_check", steps.qa_check, retry_policy=_RETRY)
builder.add_node("diff_card", steps.diff_card, retry_policy=_RETRY)
builder.add_node("decide", steps.decide)
builder.add_conditional_edges(START, card_routes.from_start, ["map_card", "decide"])
builder.add_edge("map_card", "validate_schema")
builder.add_conditional_edges(
    "validate_schema", card_routes.after_validation, ["map_card", "polish_style", "qa_check", "decide"]
)
builder.add_edge("polish_style", "validate_schema")
builder.add_conditional_edges("qa_check", card_routes.after_qa, ["map_card", "diff_card", "decide"])
builder.add_edge("diff_card", "decide")
builder.add_edge("decide", END)

decide_card = builder.compile()
