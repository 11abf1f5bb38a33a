"""A `langgraph dev` of our own for a while: on a free port of this machine, all its data in one folder."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from common.errors import StudyError, Unavailable

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 180.0
STOP_SECONDS = 15.0
# Nothing of the caller's: no model, no key, no tracing; what the server does is the same everywhere.
_LEFT_OUT = ("STUDY_", "LANGSMITH_", "LANGCHAIN_", "OPENAI_", "GOOGLE_", "DATABASE_URI")
_QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
}


def registered() -> dict[str, Any]:
    """langgraph.json as it stands."""
    config: dict[str, Any] = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    return config


@contextmanager
def own_server(folder: Path, **settings: str) -> Iterator[str]:
    """Serve every graph from `folder`, give the address, and stop when the work is done or broken off."""
    port = _free_port()
    (folder / "langgraph.json").write_text(json.dumps(_absolute(registered())), encoding="utf-8")
    log = folder / "server.log"
    process = _start(folder, port, log, settings)
    try:
        _wait_until_it_answers(process, port, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        _stop(process)


def _absolute(value: Any) -> Any:
    """The paths of a configuration, so that it holds in another folder."""
    if isinstance(value, dict):
        return {key: _absolute(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_absolute(inner) for inner in value]
    if isinstance(value, str) and (value == "." or value.startswith("./")):
        return str(ROOT / value.removeprefix("./")) if value != "." else str(ROOT)
    return value


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _start(folder: Path, port: int, log: Path, settings: dict[str, str]) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    own = {
        "STUDY_DATA_DIR": str(folder / "study"),
        "STUDY_INPUT_FOLDERS": json.dumps([str(ROOT / "samples")]),
    }
    langgraph = Path(sys.executable).with_name("langgraph")
    command = [str(langgraph), "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1"]
    with log.open("wb") as output:
        # Its own session: Ctrl-C reaches us alone, and we stop the server in our own time.
        return subprocess.Popen(  # noqa: S603 - our own program, our own arguments
            [*command, "--port", str(port), "--n-jobs-per-worker", "10"],
            cwd=folder,
            env=kept | _QUIET | own | settings,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _wait_until_it_answers(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise StudyError(f"The server ended at once: {_last_words(log)}")
        try:
            if httpx.get(f"http://127.0.0.1:{port}/ok", timeout=2).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise Unavailable(f"The server did not answer within {START_SECONDS:.0f} seconds: {_last_words(log)}")


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return " ".join(lines[-3:])[-600:] or "it said nothing"


def _stop(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGINT, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, how)
        try:
            process.wait(timeout=STOP_SECONDS)
            return
        except subprocess.TimeoutExpired:
            continue
