"""A small HTTP server on loopback that gives prepared answers and remembers what it was asked."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def answering(answers: dict[str, tuple[int, Any]]) -> Iterator[tuple[str, list[str]]]:
    """`{"GET /api/tags": (200, {...})}`; gives the address and the growing list of requests."""
    asked: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            request = f"{self.command} {self.path}"
            asked.append(request)
            status, body = answers.get(request, (404, {"error": "not found"}))
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = answer

        def log_message(self, format: str, *args: Any) -> None:
            """Tests speak for themselves."""

    class Listener(ThreadingHTTPServer):
        request_queue_size = 128

    server = Listener(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
