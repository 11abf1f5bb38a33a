"""The tutor's graph: a router, two paths, the lab's checks, and the record of what was learned."""

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from common.errors import retry_on
from graphs.tutoring import nodes, routes
from graphs.tutoring.context import Context
from graphs.tutoring.state import Input, Output, State

NETWORK = RetryPolicy(retry_on=retry_on, max_attempts=3)
PATHS = ["teaching_retrieval_node", "retrieval_node"]


def create_tutoring_graph() -> StateGraph[State, Context, Input, Output]:
    """The builder: compile it with a checkpointer and a store of your own, or as it is for the server."""
    graph = StateGraph(State, input_schema=Input, output_schema=Output, context_schema=Context)
    graph.add_node("intent_router_node", nodes.intent_router_node)
    graph.add_node("check_node", nodes.check_node)
    graph.add_node("teaching_retrieval_node", nodes.teaching_retrieval_node, retry_policy=NETWORK)
    graph.add_node("teaching_feedback_node", nodes.teaching_feedback_node, retry_policy=NETWORK)
    graph.add_node("retrieval_node", nodes.retrieval_node, retry_policy=NETWORK)
    graph.add_node("feedback_node", nodes.feedback_node, retry_policy=NETWORK)
    graph.add_node("paraphrasing_node", nodes.paraphrasing_node, retry_policy=NETWORK)
    graph.add_node("record_node", nodes.record_node)

    graph.add_edge(START, "intent_router_node")
    graph.add_conditional_edges("intent_router_node", routes.after_router, ["check_node", *PATHS, END])
    graph.add_conditional_edges("check_node", routes.by_intent, PATHS)
    graph.add_edge("teaching_retrieval_node", "teaching_feedback_node")
    graph.add_edge("teaching_feedback_node", "record_node")
    graph.add_edge("retrieval_node", "feedback_node")
    graph.add_edge("feedback_node", "paraphrasing_node")
    graph.add_edge("paraphrasing_node", "record_node")
    graph.add_edge("record_node", END)
    return graph


builder = create_tutoring_graph()
graph = builder.compile()
