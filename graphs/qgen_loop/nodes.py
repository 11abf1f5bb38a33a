"""The nodes of the loop, named as the graph shows them."""

from graphs.qgen_loop.steps.dedupe import dedupe_node
from graphs.qgen_loop.steps.generate import generate_node
from graphs.qgen_loop.steps.outcome import accept_node, check_exit_node, reject_node
from graphs.qgen_loop.steps.validate import validate_node

__all__ = ["accept_node", "check_exit_node", "dedupe_node", "generate_node", "reject_node", "validate_node"]
