"""The tutor's nodes."""

from graphs.tutoring.nodes.feedback import feedback_node
from graphs.tutoring.nodes.paraphrasing import paraphrasing_node
from graphs.tutoring.nodes.record import record_node
from graphs.tutoring.nodes.retrieval import retrieval_node, teaching_retrieval_node
from graphs.tutoring.nodes.routing import check_node, intent_router_node
from graphs.tutoring.nodes.teaching import teaching_feedback_node

__all__ = [
    "check_node",
    "feedback_node",
    "intent_router_node",
    "paraphrasing_node",
    "record_node",
    "retrieval_node",
    "teaching_feedback_node",
    "teaching_retrieval_node",
]
