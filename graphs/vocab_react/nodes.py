"""The four nodes: a turn of the model, the step it asked for, extraction with no model, the answer."""

from graphs.vocab_react.steps.act import act
from graphs.vocab_react.steps.agent import agent
from graphs.vocab_react.steps.answer import direct_extraction, finish

__all__ = ["act", "agent", "direct_extraction", "finish"]
