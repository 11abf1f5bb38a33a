"""Visual mode: pages as images, in the request bodies that the real clients send."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage

from common.errors import BadInput
from graphs.qgen_loop.graph import graph
from tests.fakes import qgen_documents as made
from tests.fakes import qgen_models as says

Make = Callable[[str, list[Any]], Any]
CONTEXT = {
    "generator_model": "scripted:gpt-4-eye",
    "validator_model": "scripted:gemini-eye",
    "judge_model": "scripted:judge",
}
QUESTION = "Which bar of the oil chart is the tallest one?"
LOOK = [
    says.call("list_visual_content"),
    says.calls(("view_page", {"page_number": 2}), ("view_page", {"page_number": 1})),
]
SUBMIT = says.call(
    "submit_qa", question=QUESTION, answer="the tenth", page=2, ref="Figure 1", content_refs=["Figure 1"]
)
ANSWER = says.call("submit_answer", answerable=True, answer="the tenth")


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("visual") / "chart.pdf"
    path.write_bytes(made.figure_pdf())
    return path


async def run(document: Path, target: int = 1, context: dict[str, Any] | None = None) -> dict[str, Any]:
    given: Any = {"document_path": str(document), "target_count": target, "mode": "visual"}
    return await graph.ainvoke(given, context={**CONTEXT, **(context or {})})  # type: ignore[arg-type]


async def test_pages_follow_all_tool_answers_as_one_message(document: Path, scripted: Make) -> None:
    maker = scripted("gpt-4-eye", [*LOOK, SUBMIT])
    scripted("gemini-eye", [*LOOK, ANSWER])
    result = await run(document)
    assert result["status"] == "target_reached"
    pair = result["accepted"][0]
    assert (pair["category"], pair["content_refs"]) == ("visual", ["Figure 1"])
    assert pair["visual_evidence"] == {"page": 2, "ref": "Figure 1"}
    *_, first, second, images = maker.calls[2]
    assert isinstance(first, ToolMessage)
    assert isinstance(second, ToolMessage)
    assert isinstance(images, HumanMessage)
    assert [block["type"] for block in images.content] == ["text", "image", "image"]


async def test_viewed_pages_are_carried_over(document: Path, scripted: Make) -> None:
    compound = says.call(
        "submit_qa",
        question="What is it and why is it so?",
        answer="x y",
        page=2,
        ref="Figure 1",
        content_refs=[],
    )
    maker = scripted("gpt-4-eye", [LOOK[1], compound, SUBMIT])
    scripted("gemini-eye", [*LOOK, ANSWER])
    await run(document)
    assert "earlier attempts: 1, 2" in str(maker.calls[2][1].text)


@pytest.mark.parametrize(
    ("submitted", "detail"),
    [
        ({"page": 1}, "not on page 1"),
        ({"ref": "Figure 9"}, "not listed"),
        ({}, "never viewed"),
    ],
)
async def test_visual_evidence_is_checked(
    document: Path, scripted: Make, submitted: dict[str, Any], detail: str
) -> None:
    args = {
        "question": QUESTION,
        "answer": "the tenth",
        "page": 2,
        "ref": "Figure 1",
        "content_refs": [],
        **submitted,
    }
    scripted("gpt-4-eye", [says.call("submit_qa", **args)])
    scripted("gemini-eye", [])
    result = await run(document, context={"max_attempts": 1})
    assert detail in result["rejected"][0]["rejection_detail"]


async def test_the_validator_must_look_too(document: Path, scripted: Make) -> None:
    scripted("gpt-4-eye", [*LOOK, SUBMIT])
    scripted("gemini-eye", [ANSWER])
    result = await run(document, context={"max_attempts": 1})
    assert "page_not_viewed" in result["rejected"][0]["rejection_detail"]


async def test_a_document_with_nothing_visual_ends_politely(tmp_path: Path) -> None:
    result = await run(made.text_file(tmp_path))
    assert (result["status"], result["accepted"], result["stats"]["exhausted"]) == (
        "no_visual_content",
        [],
        False,
    )


async def test_figures_that_nobody_can_show_end_politely(tmp_path: Path, scripted: Make) -> None:
    maker = scripted("gpt-4-eye", [])
    scripted("gemini-eye", [])
    path = tmp_path / "notes.md"
    path.write_text("# Notes\n\n![The oil chart](oil.png)\n")
    result = await run(path)
    assert (result["status"], maker.calls) == ("no_visual_content", [])
    assert "needs a PDF" in result["reason"]


async def test_eyes_are_needed(document: Path) -> None:
    with pytest.raises(BadInput, match="Visual mode needs a generator that sees"):
        await run(document, context={"generator_model": "ollama:mistral"})
    with pytest.raises(BadInput, match="Visual mode needs a validator that sees"):
        await run(document, context={"validator_model": "rules"})


async def test_exhaustion_counts_pages(document: Path, scripted: Make) -> None:
    give_up = says.call("report_exhausted", reason="nothing to see")
    scripted("gpt-4-eye", [give_up, LOOK[1], give_up])
    scripted("gemini-eye", [])
    result = await run(document)
    assert (result["status"], len(result["rejected"])) == ("exhausted", 1)
    assert "exhaustion_refused" in result["rejected"][0]["rejection_detail"]


class Provider(ThreadingHTTPServer):
    """A loopback server that speaks Chat Completions and Responses and keeps every request body."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Endpoint)
        self.bodies: list[dict[str, Any]] = []
        self.script: list[Any] = []


class Endpoint(BaseHTTPRequestHandler):
    """Answers each request with the next tool calls of the script."""

    server: Provider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        message = self.server.script.pop(0)
        made_answer = responses(message) if self.path.endswith("/responses") else completion(message)
        data = json.dumps(made_answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: Any) -> None: ...


def completion(message: Any) -> dict[str, Any]:
    calls = [
        {
            "id": c["id"],
            "type": "function",
            "function": {"name": c["name"], "arguments": json.dumps(c["args"])},
        }
        for c in message.tool_calls
    ]
    choice = {
        "index": 0,
        "finish_reason": "tool_calls",
        "message": {"role": "assistant", "content": None, "tool_calls": calls},
    }
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }


def responses(message: Any) -> dict[str, Any]:
    output = [
        {
            "type": "function_call",
            "id": f"fc_{c['id']}",
            "call_id": c["id"],
            "name": c["name"],
            "arguments": json.dumps(c["args"]),
            "status": "completed",
        }
        for c in message.tool_calls
    ]
    usage = {
        "input_tokens": 9,
        "output_tokens": 3,
        "total_tokens": 12,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": f"r-{message.tool_calls[0]['id']}",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "output": output,
        "status": "completed",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "temperature": 1,
        "top_p": 1,
    }


@pytest.fixture
def provider() -> Iterator[Provider]:
    server = Provider()
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


async def sent(
    provider: Provider,
    document: Path,
    scripted: Make,
    monkeypatch: pytest.MonkeyPatch,
    settings: Callable[..., None],
    *,
    responses_api: bool,
    **context: Any,
) -> list[dict[str, Any]]:
    """Run visual mode with OpenAI's real client as generator, and give the request bodies."""
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{provider.server_address[1]}/v1")
    settings(openai_responses=responses_api)
    provider.script = [*LOOK, SUBMIT]
    scripted("gemini-eye", [*LOOK, ANSWER])
    chosen = {"generator_model": "openai:gpt-5.1", **context}
    assert (await run(document, context=chosen))["status"] == "target_reached"
    return provider.bodies


async def test_images_in_chat_completions(
    provider: Provider,
    document: Path,
    scripted: Make,
    monkeypatch: pytest.MonkeyPatch,
    settings: Callable[..., None],
) -> None:
    # Asking for images inside tool answers changes nothing here: this API refuses them.
    bodies = await sent(
        provider,
        document,
        scripted,
        monkeypatch,
        settings,
        responses_api=False,
        image_delivery="tool_message",
    )
    messages = bodies[-1]["messages"]
    assert [message["role"] for message in messages[-4:]] == ["assistant", "tool", "tool", "user"]
    parts = messages[-1]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url", "image_url"]
    assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")
    assert all(isinstance(message["content"], str) for message in messages if message["role"] == "tool")


async def test_images_in_the_responses_api(
    provider: Provider,
    document: Path,
    scripted: Make,
    monkeypatch: pytest.MonkeyPatch,
    settings: Callable[..., None],
) -> None:
    bodies = await sent(provider, document, scripted, monkeypatch, settings, responses_api=True)
    items = bodies[-1]["input"]
    assert [item.get("type") for item in items[-3:-1]] == ["function_call_output"] * 2
    assert [part["type"] for part in items[-1]["content"]] == ["input_text", "input_image", "input_image"]
    assert items[-1]["role"] == "user"


async def test_images_inside_tool_answers(
    provider: Provider,
    document: Path,
    scripted: Make,
    monkeypatch: pytest.MonkeyPatch,
    settings: Callable[..., None],
) -> None:
    bodies = await sent(
        provider, document, scripted, monkeypatch, settings, responses_api=True, image_delivery="tool_message"
    )
    outputs = [item for item in bodies[-1]["input"] if item.get("type") == "function_call_output"]
    assert [part["type"] for part in outputs[-1]["output"]] == ["input_text", "input_image"]
    assert not any(item.get("role") == "user" for item in bodies[-1]["input"][2:])
