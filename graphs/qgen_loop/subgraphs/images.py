"""Pages as images in messages: kept out of state, put in just before a model is called."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.messages import BaseMessage, HumanMessage, ToolMessage

from common.models import Role, split_spec
from common.settings import get_settings
from graphs.qgen_loop.documents.document import Document

Delivery = Literal["user_message", "tool_message"]
PAGES = "pages"


def delivery_for(role: Role, wanted: str) -> Delivery:
    """How this provider and API take images: only OpenAI's Responses API takes them inside tool answers."""
    in_tools = split_spec(role.spec)[0] == "openai" and get_settings().openai_responses
    return "tool_message" if wanted == "tool_message" and in_tools else "user_message"


def pages_message(pages: list[int]) -> HumanMessage:
    """One user message that stands for the images of several pages."""
    named = ", ".join(str(page) for page in pages)
    return HumanMessage(f"Here is page {named} as you asked.", additional_kwargs={PAGES: pages})


async def with_images(messages: Sequence[BaseMessage], document: Document) -> list[BaseMessage]:
    """The messages as they are sent: where pages are named, their images are added."""
    return [await _with_images(message, document) for message in messages]


async def _with_images(message: BaseMessage, document: Document) -> BaseMessage:
    pages = message.additional_kwargs.get(PAGES)
    if not pages or not isinstance(message, (HumanMessage, ToolMessage)):
        return message
    blocks: list[Any] = [{"type": "text", "text": str(message.text)}]
    for page in pages:
        blocks.append(await _image(document, page))
    return message.model_copy(update={"content": blocks, "additional_kwargs": {}})


async def _image(document: Document, page: int) -> dict[str, Any]:
    view = await asyncio.to_thread(document.view_page, page)
    if view.status != "image":
        return {"type": "text", "text": str(view)}
    return {"type": "image", "base64": view.base64, "mime_type": view.mime}
