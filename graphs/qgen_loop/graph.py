"""The loop: generate, dedupe, validate, accept or reject, until the target or exhaustion."""

from langgraph.graph import START, StateGraph
from langgraph.types import RetryPolicy

from common.errors import retry_on
from graphs.qgen_loop import nodes, routes
from graphs.qgen_loop.context import Context
from graphs.qgen_loop.state import Input, Output, State

retry = RetryPolicy(retry_on=retry_on, max_attempts=3)

builder = StateGraph(State, input_schema=Input, output_schema=Output, context_schema=Context)
builder.add_node("generate_node", nodes.generate_node, retry_policy=retry)
builder.add_node("dedupe_node", nodes.dedupe_node, retry_policy=retry)
builder.add_node("validate_node", nodes.validate_node, retry_policy=retry)
builder.add_node("accept_node", nodes.accept_node)
builder.add_node("reject_node", nodes.reject_node)
builder.add_node("check_exit_node", nodes.check_exit_node)

builder.add_conditional_edges(START, routes.enter, ["generate_node"])
builder.add_conditional_edges("generate_node", routes.after_generate)
builder.add_conditional_edges("dedupe_node", routes.after_dedupe)
builder.add_conditional_edges("validate_node", routes.after_validate)
builder.add_edge("accept_node", "check_exit_node")
builder.add_edge("reject_node", "check_exit_node")
builder.add_conditional_edges("check_exit_node", routes.after_check)

graph = builder.compile()
