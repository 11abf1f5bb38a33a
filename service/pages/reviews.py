"""The inbox: everything that waits for a person, read from the checkpoints, and the answers to it."""

from datetime import datetime
from pathlib import PurePath
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from common.errors import Conflict, NotFound
from common.waiting import Waiting
from service.pages import platform
from service.security.door import owner_of
from service.security.intake import TooLarge
from service.security.ownership import owned

LONGEST_ANSWER = 500_000

router = APIRouter(prefix="/app/api/reviews", tags=["pages"])


class Review(BaseModel):
    """One thread that waits, in a line."""

    thread_id: str
    graph: str
    since: datetime
    name: str = Field(description="What is asked, for example review_cards.")
    title: str = Field(description="What it is about.")
    review_id: str
    error: str = Field("", description="Why the last answer was not taken.")


class FullReview(Review):
    """The same with everything that the person looks at."""

    args: dict[str, Any]
    description: str


class Answer(BaseModel):
    """What the person decided. `review_id` names the state of the review that was looked at."""

    review_id: str = Field(min_length=1, max_length=64)
    type: Literal["approve", "edit", "response", "reject"]
    args: dict[str, Any] = Field(default_factory=dict)
    message: str = Field("", max_length=20_000)


class Started(BaseModel):
    thread_id: str
    run_id: str


@router.get("", summary="Everything that waits for you, longest waiting first")
async def inbox(request: Request) -> list[Review]:
    found = await request.app.state.checkpoints.waiting(None)
    return [_review(each) for each in owned(found, request.scope)]


@router.get("/{thread_id}", summary="One review with all there is to see")
async def review(request: Request, thread_id: str) -> FullReview:
    return _full(await _waiting(request, thread_id))


@router.post("/{thread_id}", summary="Answer a review")
async def answer(request: Request, thread_id: str, sent: Answer) -> Started:
    """Refused where the review was answered or has changed since it was looked at: nothing is lost then."""
    if platform.size_of(sent.args) > LONGEST_ANSWER:
        raise TooLarge(
            f"The answer is longer than {LONGEST_ANSWER // 1000} KB.",
            remedy="Shorten the edits; your draft is kept in this browser.",
        )
    waiting = await _waiting(request, thread_id)
    current = _review(waiting)
    if current.review_id != sent.review_id:
        raise Conflict(
            "This review has changed since you opened it.",
            remedy="Look at the current one; your draft is kept.",
        )
    run_id = await platform.begin(
        waiting.graph, waiting.thread_id, owner=owner_of(request.scope), resume=_decision(sent)
    )
    return Started(thread_id=waiting.thread_id, run_id=run_id)


def _decision(sent: Answer) -> dict[str, Any]:
    """The answer in the dialect that every reviewing node reads."""
    decision: dict[str, Any] = {"type": sent.type, "review_id": sent.review_id}
    if sent.type == "edit":
        decision["args"] = sent.args
    if sent.message:
        decision["message"] = sent.message
    return {"decisions": [decision]}


async def _waiting(request: Request, thread_id: str) -> Waiting:
    found = await request.app.state.checkpoints.waiting(None)
    for each in owned(found, request.scope):
        if each.thread_id == thread_id:
            return each
    raise NotFound(
        "This review waits no more: it was answered, perhaps in another tab.",
        remedy="The inbox shows what waits now.",
    )


def _request(waiting: Waiting) -> dict[str, Any]:
    """The one action request; anything a stranger's graph asks is shown as it is."""
    asked = waiting.interrupt
    requests = asked.get("action_requests") if isinstance(asked, dict) else None
    first = requests[0] if isinstance(requests, list) and requests else None
    return first if isinstance(first, dict) else {"name": "question", "args": {"question": asked}}


def _review(waiting: Waiting) -> Review:
    asked = _request(waiting)
    args = asked.get("args") or {}
    return Review(
        thread_id=waiting.thread_id,
        graph=waiting.graph,
        since=waiting.since,
        name=str(asked.get("name") or "question"),
        title=_title(args, str(asked.get("description") or "")),
        review_id=str(args.get("review_id") or waiting.interrupt_id),
        error=str(args.get("error") or ""),
    )


def _full(waiting: Waiting) -> FullReview:
    asked = _request(waiting)
    return FullReview(
        **_review(waiting).model_dump(),
        args=dict(asked.get("args") or {}),
        description=str(asked.get("description") or ""),
    )


def _title(args: dict[str, Any], description: str) -> str:
    content = args.get("content")
    named = content.get("title") if isinstance(content, dict) else None
    note = PurePath(str(args.get("note_path") or "")).name
    title = named or args.get("title") or note or description.split("\n")[0]
    return str(title)[:200]
