"""A song becomes Japanese vocabulary: agent and act in turns, direct extraction where they fail, finish."""

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from common.errors import retry_on
from graphs.vocab_react.context import Context
from graphs.vocab_react.nodes import act, agent, direct_extraction, finish
from graphs.vocab_react.routes import after_act, after_agent
from graphs.vocab_react.state import Input, Output, State

_network = RetryPolicy(retry_on=retry_on, max_attempts=3)

builder = StateGraph(State, input_schema=Input, output_schema=Output, context_schema=Context)
builder.add_node("agent", agent, retry_policy=_network)
builder.add_node("act", act, retry_policy=_network)
builder.add_node("direct_extraction", direct_extraction, retry_policy=_network)
builder.add_node("finish", finish)

builder.add_edge(START, "agent")
builder.add_conditional_edges("agent", after_agent)
builder.add_conditional_edges("act", after_act)
builder.add_edge("direct_extraction", "finish")
builder.add_edge("finish", END)

graph = builder.compile()
