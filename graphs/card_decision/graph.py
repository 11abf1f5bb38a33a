"""card_decision: a note's cards, each decided by its own run of decide_card."""

from langgraph.graph import END, START, StateGraph

from graphs.card_decision import nodes, routes
from graphs.card_decision.context import Context
from graphs.card_decision.state import Input, Output, State
from graphs.card_decision.subgraphs.decide_card import decide_card

builder = StateGraph(State, input_schema=Input, output_schema=Output, context_schema=Context)
builder.add_node("parse_note", nodes.parse_note)
builder.add_node("decide_card", decide_card)
builder.add_node("collect", nodes.collect)
builder.add_node("review", nodes.review)
builder.add_edge(START, "parse_note")
builder.add_conditional_edges("parse_note", routes.fan_out, ["decide_card", "collect"])
builder.add_edge("decide_card", "collect")
builder.add_conditional_edges("collect", routes.after_collect, ["review", END])
builder.add_conditional_edges("review", routes.after_review, ["decide_card", END])

graph = builder.compile()
