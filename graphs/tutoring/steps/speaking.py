"""How an answer reaches the student: phases as custom events, text in pieces, messages for chat clients."""

import re
import uuid
from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, HumanMessage, RemoveMessage
from langgraph.config import get_stream_writer
from langgraph.graph.message import push_message

from graphs.tutoring.language import Language, language_of
from graphs.tutoring.retrieval import load_cards
from graphs.tutoring.schemas import Card
from graphs.tutoring.state import State

Phase = Literal["prepare", "tool-check", "execute-tools", "stream-response"]
THINKERS = re.compile(r"nemotron|deepseek-r1|qwq|qwen3|magistral|reason|think", re.IGNORECASE)
PIECE = re.compile(r"\S+\s*|\s+")


def thinks_aloud(spec: str) -> bool:
    """Whether a model may write its thoughts into its answer: such answers are cleaned first."""
    return THINKERS.search(spec) is not None


def announce(phase: Phase, **details: Any) -> None:
    """Tell watchers where the answer stands."""
    get_stream_writer()({"phase": phase, **details})


def say(text: str) -> str:
    """Stream a text that is written already, word by word; returns the message's id."""
    message_id = f"tutor-{uuid.uuid4()}"
    for piece in PIECE.findall(text):
        push_message(AIMessageChunk(content=piece, id=message_id), state_key=None)
    return message_id


def exchange(state: State, text: str, message_id: str) -> dict[str, Any]:
    """The turn as chat messages: the question, where it came alone, and the answer.

    A turn that is run again after a crash takes its earlier messages back.
    """
    stale = set(state.get("turn_messages") or [])
    known = [message for message in state.get("messages") or [] if message.id not in stale]
    added: list[AnyMessage] = [AIMessage(content=text, id=message_id, name="tutor")]
    question = state.get("question", "")
    if question and not (known and isinstance(known[-1], HumanMessage)):
        added.insert(0, HumanMessage(content=question, id=f"student-{message_id}"))
    gone = [RemoveMessage(id=message.id) for message in state.get("messages") or [] if message.id in stale]
    return {"messages": [*gone, *added], "turn_messages": [str(message.id) for message in added]}


def spoken_in(state: State) -> Language:
    """The student's language in this turn."""
    return language_of(state.get("question", ""), state.get("conversation_history") or [])


def cards_of(state: State) -> list[Card]:
    """The cards that retrieval chose."""
    known = load_cards()
    return [known[source["id"]] for source in state.get("sources") or [] if source["id"] in known]


def shown(documents: Sequence[str]) -> str:
    """The cards as the prompts show them."""
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(documents, 1)) or "(none)"


def recent(state: State) -> str:
    """The last exchanges as text."""
    turns = (state.get("conversation_history") or [])[-6:]
    return "\n".join(f"{turn['role']}: {turn['content'][:600]}" for turn in turns) or "(nothing yet)"
