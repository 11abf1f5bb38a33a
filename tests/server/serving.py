"""Starts, kills and restarts a real `langgraph dev` in a folder of its own."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 300.0
STOP_SECONDS = 120.0

CONFIG: dict[str, Any] = {
    "python_version": "3.11",
    "dependencies": [str(ROOT)],
    "checkpointer": {"backend": "custom", "path": f"{ROOT}/common/checkpoints.py:open_checkpointer"},
    "store": {"path": f"{ROOT}/common/store.py:open_store"},
    "auth": {"path": f"{ROOT}/service/auth.py:auth", "disable_studio_auth": True},
    "http": {"app": f"{ROOT}/service/app.py:app", "cors": {"allow_origins": []}},
}

DEMO = {
    "demo": {
        "path": f"{ROOT}/tests/server/demo.py:graph",
        "description": "Thinks about a topic and asks a person what to do with the thought.",
    }
}


def product_graphs() -> dict[str, Any]:
    """The graphs that the product's langgraph.json registers, by absolute path."""
    config = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))

    def absolute(entry: Any) -> Any:
        if isinstance(entry, dict):
            return {**entry, "path": absolute(entry["path"])}
        return str(ROOT / entry) if entry.startswith("./") else entry

    return {name: absolute(entry) for name, entry in config["graphs"].items()}


def free_port() -> int:
    """One that stays free until it is used: the system hands out none of these to anybody who asks for any,
    and each of the processes that run tests side by side has some of its own."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    first = 20_000 + 1_000 * (worker % 12)
    for port in random.sample(range(first, first + 1_000), 1_000):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")


def wait_for(condition: Callable[[], Any], seconds: float = 300) -> None:
    """Until it holds; only on a machine that stands still it never does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def files_in(folder: Path) -> dict[str, bytes]:
    """What lies in a folder by its path; what a running server takes away while it is read is not there."""
    found = {}
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            if path.is_file():
                found[str(path)] = path.read_bytes()
    return found


class Server:
    """One server and its data folder; it may be started again after it was stopped or killed."""

    def __init__(self, folder: Path, graphs: dict[str, Any] | None = None, **environment: str) -> None:
        self.folder = folder
        self.data_dir = folder / "study-data"
        self.environment = environment
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        config = {**CONFIG, "graphs": graphs or DEMO}
        (folder / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text(encoding="utf-8", errors="replace")

    def start(self) -> "Server":
        command = [str(Path(sys.executable).parent / "langgraph"), "dev", "--no-browser", "--no-reload"]
        command += ["--port", str(self.port), "--n-jobs-per-worker", "8"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._wait_until_it_answers()
        return self

    def kill(self) -> None:
        """As `kill -9`: no warning, no last words."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As Ctrl-C."""
        self._end(signal.SIGINT)

    def _environment(self) -> dict[str, str]:
        outbound = {
            "LANGGRAPH_CLI_NO_ANALYTICS": "1",
            "LANGGRAPH_NO_VERSION_CHECK": "true",
            "LANGSMITH_TRACING": "false",
        }
        kept = {key: value for key, value in os.environ.items() if not key.startswith("STUDY_")}
        logs = {"LOG_JSON": "true", "LOG_LEVEL": "INFO"}
        own = {"STUDY_DATA_DIR": str(self.data_dir), "PYTHONPATH": str(ROOT)}
        return kept | outbound | logs | own | self.environment

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            assert self.process is not None
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended at once:\n{self.log[-3000:]}")
            try:
                if httpx.get(f"{self.url}/ok", timeout=2).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.1)
        self.kill()
        raise RuntimeError(f"the server never answered:\n{self.log[-3000:]}")

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            os.killpg(self.process.pid, how)
        try:
            self.process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None
