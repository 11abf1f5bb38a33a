"""The tutor's nodes."""

from graphs.tutoring.steps.feedback import feedback_node
from graphs.tutoring.steps.paraphrasing import paraphrasing_node
from graphs.tutoring.steps.record import record_node
from graphs.tutoring.steps.retrieval import retrieval_node, teaching_retrieval_node
from graphs.tutoring.steps.routing import check_node, intent_router_node
from graphs.tutoring.steps.teaching import teaching_feedback_node

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
