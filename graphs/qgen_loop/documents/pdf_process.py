"""Runs `pdf_worker.py` as a child with limits and reads its answer, whatever the child does."""

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("pdf_worker.py")
# The worker prints only what it is asked for; a larger answer is a bomb.
MAX_ANSWER_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """What one child may use; `stall` is how long it may be silent while it computes: one endless page is
    noticed early."""

    wall: float = 90.0
    stall: float = 12.0
    cpu_seconds: int = 90
    memory_bytes: int = 2 * 1024**3
    max_pages: int = 5000


class ChildEnded(Exception):
    """The child was stopped or died before its answer was complete."""


def _environment() -> dict[str, str]:
    keep = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "HOME")
    return {name: os.environ[name] for name in keep if name in os.environ} | {"OMP_NUM_THREADS": "1"}


def _start(request: dict[str, Any], limits: Limits) -> "subprocess.Popen[bytes]":
    child = subprocess.Popen(  # noqa: S603 - our own interpreter and our own file
        [sys.executable, "-I", str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
        close_fds=True,
    )
    full = {
        **request,
        "cpu_seconds": limits.cpu_seconds,
        "memory_bytes": limits.memory_bytes,
        "max_pages": limits.max_pages,
    }
    assert child.stdin is not None
    try:
        child.stdin.write(json.dumps(full).encode() + b"\n")
        child.stdin.close()
    except BrokenPipeError:
        pass  # it died at once; reading its empty answer says so
    return child


def _chunks(child: "subprocess.Popen[bytes]", limits: Limits) -> Iterator[bytes]:
    """What the child writes, as it comes; ends it when it is silent or busy for too long."""
    assert child.stdout is not None
    deadline = time.monotonic() + limits.wall
    received, used = 0, 0.0
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            patience = min(limits.stall, deadline - time.monotonic())
            if patience <= 0:
                raise ChildEnded("it took too long")
            if not selector.select(patience):
                if _starved(child.pid, used, limits.stall):
                    continue
                raise ChildEnded("it took too long")
            used = _cpu_seconds(child.pid) or used
            chunk = os.read(child.stdout.fileno(), 1 << 16)
            if not chunk:
                return
            received += len(chunk)
            if received > MAX_ANSWER_BYTES:
                raise ChildEnded("its text is too large")
            yield chunk


def _starved(pid: int, used: float, stall: float) -> bool:
    """Whether a silent child was hardly let run: on a busy machine silence says nothing about the file."""
    now = _cpu_seconds(pid)
    return now is not None and now - used < stall / 2


def _cpu_seconds(pid: int) -> float | None:
    """What a process has computed so far; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2]
    except OSError:
        return None
    user, system = fields.split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def records(request: dict[str, Any], limits: Limits) -> Iterator[dict[str, Any]]:
    """The JSON lines of one child; raises `ChildEnded` when it stops short of `done` or `error`."""
    child = _start(request, limits)
    buffer = b""
    try:
        for chunk in _chunks(child, limits):
            buffer += chunk
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                record: dict[str, Any] = json.loads(line)
                yield record
                if "done" in record or "error" in record:
                    return
        raise ChildEnded("the reader stopped without an answer")
    finally:
        _end(child)


def image(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    """The rendered page: a JSON head and the image's bytes."""
    child = _start(request, limits)
    try:
        answer = b"".join(_chunks(child, limits))
    finally:
        _end(child)
    head, _, data = answer.partition(b"\n")
    if not head:
        raise ChildEnded("the reader stopped without an answer")
    described: dict[str, Any] = json.loads(head)
    if "error" not in described and len(data) != described["bytes"]:
        raise ChildEnded("the image is incomplete")
    return described, data


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Nothing of ours keeps running: kill, reap, close."""
    if child.poll() is None:
        child.kill()
    child.wait()
    if child.stdout is not None:
        child.stdout.close()
