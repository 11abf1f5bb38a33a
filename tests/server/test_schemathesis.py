"""Schemathesis on our own routes: whatever is sent, no 5xx and no hang.

It cannot share an environment with the platform (both pin jsonschema-rs), so it gets one of its own.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import graphs
from common.files import content_hash
from service.app import create_app
from tests.server.serving import ROOT, Server

PINNED = Path(__file__).with_name("schemathesis.txt")
TOKEN = "anna-token-0123456789abcdef"
CACHE = (
    Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    / "study-graphs"
    / f"schemathesis-{content_hash(PINNED.read_bytes())[:12]}"
)
INSTALLED = graphs.installed()


@pytest.fixture(scope="module")
def schemathesis() -> str:
    program = CACHE / "bin" / "schemathesis"
    if not program.exists():
        shutil.rmtree(CACHE, ignore_errors=True)
        pip = [str(CACHE / "bin" / "python"), "-m", "pip", "install", "-q", "-r", str(PINNED)]
        for command in ([sys.executable, "-m", "venv", str(CACHE)], pip):
            done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
            if done.returncode:
                pytest.skip(f"schemathesis cannot be installed: {done.stderr[-300:]}")
    return str(program)


class Nothing(BaseHTTPRequestHandler):
    """The lyrics services of a world without songs."""

    def do_GET(self) -> None:
        self.send_response(200 if "search" in self.path else 404)
        self.end_headers()
        self.wfile.write(b"[]")

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture(scope="module")
def outside() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Nothing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, outside: str) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("fuzzed")
    running = Server(
        folder,
        {name: f"{ROOT}/graphs/{name}/graph.py:graph" for name in INSTALLED},
        STUDY_API_TOKENS=f"anna={TOKEN}",
        STUDY_LRCLIB_URL=outside,
        STUDY_SEARCH_URL=f"{outside}/search",
    )
    (folder / "samples").symlink_to(ROOT / "samples")
    running.start()
    yield running
    running.kill()


def test_our_routes_answer_anything_sensibly(server: Server, schemathesis: str, tmp_path: Path) -> None:
    spec = tmp_path / "openapi.json"
    spec.write_text(json.dumps(create_app().openapi()), encoding="utf-8")
    command = [
        schemathesis,
        "run",
        str(spec),
        "--url",
        server.url,
        "--header",
        f"Authorization: Bearer {TOKEN}",
    ]
    command += [
        "--checks",
        "not_a_server_error",
        "--request-timeout",
        "120",
        "--max-time",
        "60",
        "--seed",
        "7",
    ]
    command += ["--max-examples", "20", "--phases", "examples,coverage,fuzzing", "--no-color", "--no-shrink"]
    command += ["--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
