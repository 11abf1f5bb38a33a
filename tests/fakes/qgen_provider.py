"""An OpenAI-compatible server on loopback that plays generator and validator over the sample document.

It keeps a count of every submission and every answer, so that a test can kill the asking process and see
whether anything is asked for twice.
"""

import json
import re
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from langchain_core.messages import AIMessage

from tests.fakes.qgen_models import ASKED, call, submission


class Provider(ThreadingHTTPServer):
    """Models `maker` and `reader` at `url`; a model named in `down` answers 503 as a dead one would."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, delay: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), Endpoint)
        self.delay = delay
        self.down: set[str] = set()
        self.lock = Lock()
        self.submitted: Counter[tuple[str, str]] = Counter()
        self.answered: Counter[tuple[str, str]] = Counter()
        self.requests = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def start(self) -> "Provider":
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def stop(self) -> None:
        self.shutdown()
        self.server_close()

    def reply(self, body: dict[str, Any]) -> AIMessage:
        """What the model of this request says next."""
        messages = body["messages"]
        told = "\n".join(str(message.get("content")) for message in messages[:2])
        found = re.search(r"The document (\S+) has", told)
        name = found.group(1) if found else ""
        if body["model"] == "maker":
            return self._submit(name, told)
        asked = next(pair for pair in ASKED if pair[0] in told)
        if not any(message["role"] == "tool" for message in messages):
            return call("search", pattern="Skarn")
        with self.lock:
            self.answered[name, asked[0]] += 1
        return call("submit_answer", answerable=True, answer=asked[1])

    def _submit(self, name: str, told: str) -> AIMessage:
        number = next(n for n, pair in enumerate(ASKED) if pair[0] not in told)
        with self.lock:
            self.submitted[name, ASKED[number][0]] += 1
        return submission(number)


class Endpoint(BaseHTTPRequestHandler):
    """Chat Completions, as far as tool calls go."""

    server: Provider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests += 1
        time.sleep(self.server.delay)
        if body["model"] in self.server.down:
            self._send(503, {"error": {"message": "the model is down"}})
        else:
            answer = completion(self.server.reply(body))
            self._stream(answer) if body.get("stream") else self._send(200, answer)

    def _stream(self, answer: dict[str, Any]) -> None:
        """The same answer as server-sent events: one chunk with everything, then the end."""
        choice = answer["choices"][0]
        calls = [{**call, "index": number} for number, call in enumerate(choice["message"]["tool_calls"])]
        delta = {"role": "assistant", "content": "", "tool_calls": calls}
        chunk = {**answer, "object": "chat.completion.chunk", "usage": None}
        chunk["choices"] = [{"index": 0, "delta": delta, "finish_reason": None}]
        last = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
        total = {**chunk, "choices": [], "usage": answer["usage"]}
        lines = [f"data: {json.dumps(each)}\n\n" for each in (chunk, last, total)] + ["data: [DONE]\n\n"]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join(lines).encode())

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: Any) -> None: ...


def completion(message: AIMessage) -> dict[str, Any]:
    """A message in the shape of a chat completion."""
    calls = [
        {
            "id": c["id"],
            "type": "function",
            "function": {"name": c["name"], "arguments": json.dumps(c["args"])},
        }
        for c in message.tool_calls
    ]
    told = {"role": "assistant", "content": None, "tool_calls": calls}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": told}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }
