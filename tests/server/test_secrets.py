"""A secret in every setting and in a device's configuration, all five graphs run, then looked for everywhere.

The models are out of reach in the worst way: their server repeats what it was sent, key and all.
"""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

import graphs
from tests.server.serving import ROOT, Server, files_in, product_graphs

ANNA = "anna-token-0123456789abcdef"
KEPT = [
    ANNA,
    "planted-openai-key",
    "planted-google-key",
    "planted-nim-key",
    "planted-url-password",
    base64.b64encode(b"someone:planted-url-password").decode(),
    "planted-login",
    "planted-enable",
    "planted-anki-key",
]
# What a student pastes: seen by the checks only with its passwords masked.
CONFIGURED = ["planted-vty", "planted-hash", "planted-community"]
CONFIG = """hostname R1
enable secret 5 planted-hash
snmp-server community planted-community RO
interface GigabitEthernet0/0
 ip address 10.0.0.1 255.255.255.0
line vty 0 4
 password planted-vty
 login
"""
NOTE = "# Question (EN)\nWhat causes the tides?\n\n## Answer (EN)\nThe Moon's gravity.\n"
QUOTES = "# Quotes\n\n## I\n\nTime is the only thing that is truly ours.\n12\n"


class _Echo(BaseHTTPRequestHandler):
    """Refuses, and repeats what it was sent."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        told = {"error": {"message": f"bad key {self.headers.get('authorization')} at {self.path}"}}
        self.send_response(401)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    do_GET = do_POST

    def log_message(self, *_: object) -> None:
        """Silent."""


@contextmanager
def echoing() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("planted")
    with echoing() as port:
        roles = graphs.model_roles()
        models = {
            f"STUDY_MODELS__{graph.upper()}_{role.upper()}": f"{'nim' if place % 2 else 'vllm'}:echo"
            for graph, names in roles.items()
            for place, role in enumerate(names)
        }
        server = Server(
            folder,
            product_graphs(),
            STUDY_API_TOKENS=f"anna={ANNA}",
            STUDY_INPUT_FOLDERS=json.dumps([str(ROOT / "samples")]),
            OPENAI_API_KEY="planted-openai-key",
            GOOGLE_API_KEY="planted-google-key",
            STUDY_API_KEYS__NIM="planted-nim-key",
            STUDY_BASE_URLS__NIM=f"http://127.0.0.1:{port}/v1",
            STUDY_BASE_URLS__VLLM=f"http://someone:planted-url-password@127.0.0.1:{port}/v1",
            STUDY_DEVICE_PASSWORDS__R1="planted-login",
            STUDY_DEVICE_ENABLE_SECRETS__R1="planted-enable",
            STUDY_ANKI_KEY="planted-anki-key",
            STUDY_LYRICS_ONLINE="false",
            LOG_LEVEL="DEBUG",
            **models,
        )
        server.data_dir.mkdir(parents=True)
        devices = "devices:\n  R1: {host: 127.0.0.1, port: 9, username: someone}\n"
        (server.data_dir / "devices.yaml").write_text(devices, encoding="utf-8")
        server.start()
        yield server
        server.kill()


def inputs() -> dict[str, dict[str, Any]]:
    history = [
        {"command": "show running-config", "output": f"R1#show running-config\n{CONFIG}", "prompt": ""}
    ]
    return {
        "card_decision": {"note_path": "tides.md", "note_text": NOTE},
        "vocab_react": {"song": "故郷", "artist": "文部省唱歌"},
        "qgen_loop": {
            "document_path": str(ROOT / "samples" / "documents" / "rock-lights.md"),
            "target_count": 1,
        },
        "tutoring": {
            "student_question": "Read the running config of R1: what is still missing?",
            "current_lab": "01-basic-routing",
            "running_configs": {"R1": CONFIG},
            "cli_history": history,
        },
        "concept_extraction": {"text": QUOTES, "title": "Letters", "author": "Anon"},
    }


def everything(server: Server, client: httpx.Client) -> Iterator[tuple[str, str]]:
    """All that a run can be read from: its stream, its thread, its history, the pages that show it."""
    for graph, given in inputs().items():
        thread = client.post("/threads", json={}).json()["thread_id"]
        modes = ["values", "updates", "messages-tuple", "custom", "debug"]
        body = {"assistant_id": graph, "input": given, "stream_mode": modes, "stream_subgraphs": True}
        yield f"{graph}: stream", client.post(f"/threads/{thread}/runs/stream", json=body).text
        for path in ("", "/state", "/history", "/runs"):
            yield f"{graph}: {path}", client.get(f"/threads/{thread}{path}").text
        yield f"{graph}: page", client.get(f"/app/api/threads/{graph}/{thread}").text
        broken = {"assistant_id": graph, "input": {"song": 7, "note_text": 7, "text": 7}}
        yield f"{graph}: error", client.post("/runs/wait", json=broken).text
    for path in (
        "/healthz", "/openapi.json", "/info", "/metrics", "/app/", "/app/review", "/app/api/home",
        "/app/api/reviews", "/app/api/tutor", "/api/v1/waiting", "/api/v1/qgen/report", "/api/v1/cache",
        "/api/v1/zettel/graph", "/api/v1/zettel/runs", "/threads/none",
    ):  # fmt: skip
        yield path, client.get(path).text
    yield "store", client.post("/store/items/search", json={"namespace_prefix": []}).text
    yield "log", server.log


def test_no_secret_of_the_settings_is_anywhere(planted: Server) -> None:
    headers = {"authorization": f"Bearer {ANNA}"}
    with httpx.Client(base_url=planted.url, headers=headers, timeout=120) as client:
        shown = dict(everything(planted, client))
    assert "the server answered 401" in "".join(shown.values())
    stored = files_in(planted.folder)
    found = [
        (secret, place)
        for secret in [*KEPT, *CONFIGURED]
        for place in [
            *(f"{name} …{around(text, secret)}" for name, text in shown.items() if secret in text),
            *(Path(name).name for name, data in stored.items() if secret.encode() in data),
        ]
    ]
    assert not found, "\n".join(map(str, found))


def around(text: str, secret: str) -> str:
    at = text.index(secret)
    return text[max(0, at - 120) : at + 60]
