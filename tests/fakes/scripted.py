"""A chat model that says what a test wrote down, in order, and remembers what it was asked."""

from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from pydantic import Field

Reply = str | AIMessage | Exception | Callable[[list[BaseMessage]], Any]


class ScriptedModel(BaseChatModel):
    """Replies in order; the last one may be a callable, which answers for ever."""

    replies: list[Any] = Field(default_factory=list)
    calls: list[list[BaseMessage]] = Field(default_factory=list)
    bound: list[dict[str, Any]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(tools=tools, **kwargs)

    def _next(self, messages: list[BaseMessage], kwargs: dict[str, Any]) -> AIMessage:
        self.calls.append(messages)
        self.bound.append(kwargs)
        if not self.replies:
            raise AssertionError(f"the script is over after {len(self.calls) - 1} calls")
        reply = self.replies[0] if callable(self.replies[0]) else self.replies.pop(0)
        if callable(reply):
            reply = reply(messages)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, AIMessage):
            return reply
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        return AIMessage(content=reply, usage_metadata=usage)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        message = self._next(messages, {**kwargs, "stop": stop})
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        message = self._next(messages, {**kwargs, "stop": stop})
        words = str(message.text).split(" ")
        for number, word in enumerate(words):
            text = word if number == len(words) - 1 else f"{word} "
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=text))
            if run_manager:
                run_manager.on_llm_new_token(text, chunk=chunk)
            yield chunk
        if message.tool_calls or message.usage_metadata:
            yield ChatGenerationChunk(message=_tail(message))


def _tail(message: AIMessage) -> AIMessageChunk:
    import json

    chunks = [
        {
            "name": call["name"],
            "args": json.dumps(call["args"]),
            "id": call["id"],
            "index": number,
            "type": "tool_call_chunk",
        }
        for number, call in enumerate(message.tool_calls)
    ]
    return AIMessageChunk(content="", tool_call_chunks=chunks, usage_metadata=message.usage_metadata)
