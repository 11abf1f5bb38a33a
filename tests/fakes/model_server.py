"""A server on loopback that speaks OpenAI's and Ollama's chat protocols, and fails as real ones do.

A behaviour is a reply text, or one of the `Fault`s below. Each request takes the next behaviour; the
last one stays for ever. `requests` holds the bodies that the real clients sent.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATIENCE = 120.0


@dataclass(frozen=True)
class Fault:
    """One way in which a server or its line fails."""

    kind: str
    value: Any = None


HANG = Fault("hang")
ENDLESS = Fault("endless whitespace")
CUT = Fault("cut in the middle")
BAD_UTF8 = Fault("bytes that are not UTF-8")
HTML = Fault("an HTML page")
NO_CHOICES = Fault("no choices")
REFUSAL = Fault("refusal", "I cannot help with that.")


def status(code: int, **headers: str) -> Fault:
    """An HTTP error, perhaps with headers such as Retry-After."""
    return Fault("status", (code, headers))


def tool_call(name: str, args: dict[str, Any]) -> Fault:
    """A tool call instead of an answer."""
    return Fault("tool call", (name, args))


def truncated(text: str) -> Fault:
    """An answer that stopped at the token limit."""
    return Fault("truncated", text)


@dataclass
class ModelServer:
    """The running server."""

    behaviours: list[str | Fault]
    requests: list[dict[str, Any]] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def openai_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def ollama_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def next_behaviour(self, body: dict[str, Any]) -> str | Fault:
        with self.lock:
            self.requests.append(body)
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


@contextmanager
def model_server(*behaviours: str | Fault) -> Iterator[ModelServer]:
    """Serve these behaviours until the block ends."""
    server = ModelServer(list(behaviours))

    class Handler(_Handler):
        model = server

    httpd = _Listener(("127.0.0.1", 0), Handler)
    server.port = httpd.server_address[1]
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        httpd.shutdown()
        httpd.server_close()
        thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        behaviour = self.model.next_behaviour(body)
        dialect = _Ollama() if self.path.startswith("/api/") else _OpenAI()
        try:
            self._behave(behaviour, dialect, bool(body.get("stream", isinstance(dialect, _Ollama))))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _behave(self, behaviour: str | Fault, dialect: "_OpenAI | _Ollama", stream: bool) -> None:
        if isinstance(behaviour, str):
            return self._send(dialect.answer(behaviour, stream), dialect.media(stream))
        match behaviour.kind:
            case "status":
                code, headers = behaviour.value
                error = json.dumps(
                    {"error": {"message": f"status {code}"}}
                    if stream is False
                    else {"error": f"status {code}"}
                )
                self._send(error.encode(), "application/json", code, headers)
            case "hang":
                self.model.stopping.wait(PATIENCE)
                self.close_connection = True
            case "endless whitespace":
                self._endless(dialect, stream)
            case "cut in the middle":
                self._cut(dialect.answer('{"word": "half an ans', stream), dialect.media(stream))
            case "bytes that are not UTF-8":
                self._send(
                    dialect.answer("MARK", stream).replace(b"MARK", b"\xff\xfe\xfa"), dialect.media(stream)
                )
            case "an HTML page":
                self._send(b"<html><body>Welcome to the captive portal</body></html>", "text/html")
            case "no choices":
                self._send(b'{"id": "x", "object": "chat.completion", "choices": []}', "application/json")
            case "refusal":
                self._send(dialect.answer("", stream, refusal=behaviour.value), dialect.media(stream))
            case "tool call":
                self._send(dialect.answer("", stream, tool=behaviour.value), dialect.media(stream))
            case "truncated":
                self._send(dialect.answer(behaviour.value, stream, finish="length"), dialect.media(stream))
            case _:
                raise AssertionError(behaviour)
        return None

    def _send(self, data: bytes, media: str, code: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(code)
        self.send_header("content-type", media)
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def _cut(self, data: bytes, media: str) -> None:
        self.send_response(200)
        self.send_header("content-type", media)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()
        self.close_connection = True

    def _endless(self, dialect: "_OpenAI | _Ollama", stream: bool) -> None:
        self.send_response(200)
        self.send_header("content-type", dialect.media(stream))
        self.send_header("connection", "close")
        self.end_headers()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not self.model.stopping.wait(0.01):
            self.wfile.write(dialect.piece(" \n ") if stream else b"  ")
            self.wfile.flush()
        self.close_connection = True


class _OpenAI:
    def media(self, stream: bool) -> str:
        return "text/event-stream" if stream else "application/json"

    def answer(
        self,
        text: str,
        stream: bool,
        *,
        finish: str = "stop",
        refusal: str | None = None,
        tool: tuple[str, dict[str, Any]] | None = None,
    ) -> bytes:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if refusal:
            message = {"role": "assistant", "content": None, "refusal": refusal}
        if tool:
            function = {"name": tool[0], "arguments": json.dumps(tool[1])}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": function}],
            }
            finish = "tool_calls"
        if stream:
            return self._events(message, finish)
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return json.dumps({**self._head("chat.completion"), "choices": [choice], "usage": _USAGE}).encode()

    def piece(self, text: str) -> bytes:
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
        return self._event({**self._head("chat.completion.chunk"), "choices": [choice]})

    def _events(self, message: dict[str, Any], finish: str) -> bytes:
        for number, call in enumerate(message.get("tool_calls", [])):
            call["index"] = number
        chunk = self._head("chat.completion.chunk")
        delta = {"index": 0, "delta": message, "finish_reason": None}
        end = {"index": 0, "delta": {}, "finish_reason": finish}
        events = [
            {**chunk, "choices": [delta]},
            {**chunk, "choices": [end]},
            {**chunk, "choices": [], "usage": _USAGE},
        ]
        return b"".join(map(self._event, events)) + b"data: [DONE]\n\n"

    def _event(self, data: dict[str, Any]) -> bytes:
        return f"data: {json.dumps(data)}\n\n".encode()

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "fake"}


_USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


class _Ollama:
    def media(self, stream: bool) -> str:
        return "application/x-ndjson" if stream else "application/json"

    def answer(
        self,
        text: str,
        stream: bool,
        *,
        finish: str = "stop",
        refusal: str | None = None,
        tool: tuple[str, dict[str, Any]] | None = None,
    ) -> bytes:
        message: dict[str, Any] = {"role": "assistant", "content": refusal or text}
        if tool:
            message["tool_calls"] = [{"function": {"name": tool[0], "arguments": tool[1]}}]
        end = {"done": True, "done_reason": finish, "prompt_eval_count": 11, "eval_count": 7}
        if not stream:
            return self._line({"message": message, **end})
        return self._line({"message": message, "done": False}) + self._line(
            {"message": {"role": "assistant", "content": ""}, **end}
        )

    def piece(self, text: str) -> bytes:
        return self._line({"message": {"role": "assistant", "content": text}, "done": False})

    def _line(self, data: dict[str, Any]) -> bytes:
        head = {"model": "fake", "created_at": "2026-01-01T00:00:00Z"}
        return (json.dumps({**head, **data}) + "\n").encode()
