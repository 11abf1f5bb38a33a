"""One model call: streaming tags, tools, waits, sizes."""

import asyncio
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph

from common.budget import Budget
from common.calls import call, estimate_tokens, native_format
from common.errors import ModelFailed
from common.models import Role
from tests.fakes.model_server import model_server, status

ROLE = Role(graph="g", name="n", spec="scripted:m")
HELLO = [HumanMessage("hello")]


class State(TypedDict, total=False):
    said: str


def one_node(stream: bool) -> Any:
    async def speak(state: State) -> State:
        await call(ROLE, HELLO, budget=Budget())
        return {"said": str((await call(ROLE, HELLO, budget=Budget(), stream=stream)).text)}

    builder = StateGraph(State)
    builder.add_node("speak", speak)
    builder.add_edge(START, "speak")
    builder.add_edge("speak", END)
    return builder.compile()


@pytest.mark.parametrize(("stream", "words"), [(True, "the answer aloud"), (False, "")])
async def test_only_the_answer_is_streamed(scripted: Any, stream: bool, words: str) -> None:
    scripted("m", ["inner thoughts", "the answer aloud"])
    heard = [chunk.content async for chunk, _ in one_node(stream).astream({}, stream_mode="messages")]
    assert "".join(heard) == words


async def test_tools_are_handed_over(scripted: Any) -> None:
    @tool
    def search(query: str) -> str:
        """Search the document."""
        return query

    wanted = AIMessage("", tool_calls=[{"name": "search", "args": {"query": "x"}, "id": "1"}])
    model = scripted("m", [wanted])
    message = await call(ROLE, HELLO, budget=Budget(), tools=[search], stop=["Observation:"])
    assert message.tool_calls[0]["name"] == "search"
    assert model.bound[0]["tools"] == [search]
    assert model.bound[0]["stop"] == ["Observation:"]


async def test_each_event_loop_has_its_own_client(settings: Callable[..., None]) -> None:
    with model_server("fine") as server:
        settings(base_urls__local=server.openai_url)
        role = Role(graph="g", name="n", spec="local:x")

        def in_another_loop() -> str:
            return str(asyncio.run(call(role, HELLO, budget=Budget())).text)

        assert str((await call(role, HELLO, budget=Budget())).text) == "fine"
        assert await asyncio.to_thread(in_another_loop) == "fine"
        assert str((await call(role, HELLO, budget=Budget())).text) == "fine"


@pytest.mark.parametrize(
    ("code", "words"), [(401, "key"), (404, "no model 'x'"), (429, "STUDY_MODEL_RATE"), (500, "study doctor")]
)
async def test_remedies(settings: Callable[..., None], code: int, words: str) -> None:
    with model_server(status(code)) as server:
        settings(base_urls__local=server.openai_url, model_attempts=1)
        with pytest.raises(ModelFailed) as caught:
            await call(Role(graph="g", name="n", spec="local:x"), HELLO, budget=Budget())
    assert caught.value.infrastructure
    assert words in str(caught.value)


def test_tokens_are_guessed_with_caution() -> None:
    assert estimate_tokens([HumanMessage("abcd" * 10)]) == 10
    assert estimate_tokens([HumanMessage("山" * 10)]) == 10


def test_gemini_is_told_the_shape_its_own_way() -> None:
    told = native_format("google_genai:gemini-2.5-pro", {"type": "object"})
    assert told == {"response_mime_type": "application/json", "response_json_schema": {"type": "object"}}


async def test_what_cannot_be_written_is_left_out(scripted: Any) -> None:
    wild = {
        "name": "search",
        "args": {"query": "a\ud800b", "more": ["\x00c", 3]},
        "id": "1",
        "type": "tool_call",
    }
    scripted("m", [AIMessage("half \udc00 a \x00 character", tool_calls=[wild])])
    reply = await call(ROLE, HELLO, budget=Budget())
    assert reply.content == "half  a  character"
    assert reply.tool_calls[0]["args"] == {"query": "ab", "more": ["c", 3]}
