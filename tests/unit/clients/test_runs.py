"""Chunks from either place become the same events, and a server's errors keep their meaning."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage, ToolMessage
from langgraph_sdk.errors import ConflictError

from clients.on_server import OnServer, ask_route, token_header, told
from clients.runner import open_runner
from clients.runs import Event, ThreadState, read_events, without_marks
from common.errors import BadInput, Conflict, NotFound, StudyError, Unavailable
from tests.fakes.http_answers import answering


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (AIMessageChunk("word"), "word"),
        (AIMessageChunk([{"type": "text", "text": "a"}, {"type": "image"}, "b"]), "a"),
        ({"type": "AIMessageChunk", "content": "word"}, "word"),
        ({"type": "ai", "content": [{"type": "text", "text": "word"}]}, "word"),
        ({"type": "human", "content": "question"}, ""),
        (HumanMessage("question"), ""),
        (ToolMessage("result", tool_call_id="1"), ""),
        (AIMessageChunk(""), ""),
    ],
)
def test_only_what_the_model_says_is_a_message(message: Any, text: str) -> None:
    events = list(read_events("messages", ("sub:1",), (message, {"langgraph_node": "agent"})))
    assert events == ([Event("message", "agent", text, ("sub:1",))] if text else [])


def test_the_platforms_marks_are_left_out() -> None:
    chunk = {"work": {"a": 1}, "__interrupt__": [], "__metadata__": {}}
    assert [event.node for event in read_events("updates", (), chunk)] == ["work"]
    assert without_marks({"a": 1, "__interrupt__": []}) == {"a": 1}
    assert without_marks(None) == {}
    assert list(read_events("debug", (), {})) == []


def test_a_state_without_questions_asks_nothing() -> None:
    assert ThreadState(values={}).interrupt is None
    assert ThreadState(values={}, interrupts=(("id", {"q": 1}),)).interrupt == {"q": 1}


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        ({"error": "BadInput", "message": "Count is 0."}, BadInput, "Count is 0."),
        ({"error": "ValidationError", "message": "1 error\n  count"}, BadInput, "1 error count"),
        ({"error": "KeyError", "message": "'x'"}, StudyError, "KeyError: 'x'"),
        ({"error": "retry_on", "message": "no class"}, StudyError, "no class"),
        ("plain", StudyError, "plain"),
    ],
)
def test_errors_of_a_run_on_a_server(data: Any, kind: type[StudyError], said: str) -> None:
    error = told(data)
    assert type(error) is kind
    assert said in str(error)


def test_a_token_is_shown_to_the_server_only_where_one_is_set(settings: Callable[..., None]) -> None:
    assert token_header() == {}
    settings(api_token="t-1")
    assert token_header() == {"authorization": "Bearer t-1"}


def test_a_server_that_asks_for_a_token(settings: Callable[..., None]) -> None:
    answers = {"GET /ok": (200, {}), "GET /api/v1/waiting?graph=demo": (401, {"error": "Who is there?"})}
    with answering(answers) as (url, _), open_runner(url) as runner:
        with pytest.raises(StudyError, match="Who is there") as caught:
            runner.waiting("demo")
        assert "STUDY_API_TOKEN" in caught.value.remedy


def test_our_own_routes_are_asked_with_the_token(
    settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(api_token="t-1")

    def request(method: str, url: str, **sent: Any) -> httpx.Response:
        return httpx.Response(200, json=[method, url, sent["headers"]["authorization"]])

    with monkeypatch.context() as patched:
        patched.setattr(httpx, "request", request)
        assert ask_route("http://study/", "/a") == ["GET", "http://study/a", "Bearer t-1"]


def test_our_own_routes_refuse_in_our_own_words() -> None:
    answers = {"GET /no": (404, {"error": "Gone."}), "GET /page": (200, b"<html>")}
    with answering(answers) as (url, _):
        with pytest.raises(NotFound, match="Gone"):
            ask_route(url, "/no")
        with pytest.raises(Unavailable, match="as ours would"):
            ask_route(url, "/page")
    with pytest.raises(Unavailable, match="No server answers"):
        ask_route("http://127.0.0.1:9", "/no")


def test_refusals_and_broken_lines() -> None:
    place, request = OnServer("http://127.0.0.1:2024/"), httpx.Request("GET", "http://127.0.0.1:2024")
    refused = ConflictError(
        "busy", response=httpx.Response(409, request=request), body={"detail": "is running"}
    )
    assert isinstance(place._failed(refused), Conflict)
    assert "is running" in str(place._failed(refused))
    assert isinstance(place._failed(httpx.ReadTimeout("slow", request=request)), Unavailable)
    assert type(place._failed(httpx.TooManyRedirects("round", request=request))) is StudyError
