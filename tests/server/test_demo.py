"""`make demo`: all graphs on the samples with no key, one review resumed, nothing left behind."""

import io
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import pytest
from rich.console import Console

from clients import demo, demo_shows, own_server
from clients.demo_shows import SHOWS
from common.errors import StudyError
from tests.server.serving import ROOT, Server, product_graphs


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    recorded = Console(record=True, width=100, file=io.StringIO())
    monkeypatch.setattr(demo, "console", recorded)
    return recorded


def test_every_graph_has_its_part() -> None:
    assert set(product_graphs()) <= set(SHOWS)


def test_the_whole_demo(console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "never used")
    monkeypatch.setenv("STUDY_PROFILE", "openai")
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(own_server, "START_SECONDS", 600.0)
    try:
        code = demo.main()
    finally:
        signal.signal(signal.SIGTERM, before)
    text = console.export_text()
    assert code == 0, text
    assert all(SHOWS[graph].title in text for graph in product_graphs())
    if "concept_extraction" in product_graphs():
        assert "It stopped and asked a person." in text
        assert "committed" in text
    assert "make dev" in text
    assert list(tmp_path.iterdir()) == []
    url = re.search(r"http://127\.0\.0\.1:\d+", text)
    assert url
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url[0]}/ok")


def heed_ctrl_c() -> None:
    """Shells make their background jobs deaf to it, and a test may run in one."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_leaves_no_server(tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "clients.demo"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    ) as process:
        assert process.stdout is not None
        url = ""
        for line in process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                url = found[0]
                break
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "nothing was left behind" in rest
    assert "Traceback" not in rest
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/ok")


async def test_what_cannot_be_shown_is_said_and_the_others_go_on(
    product: Server, console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(demo_shows, "SAMPLES", tmp_path)
    broken = SHOWS["vocab_react"]._replace(given=lambda: {"song": ""})
    monkeypatch.setattr(demo, "SHOWS", {"card_decision": SHOWS["card_decision"], "vocab_react": broken})
    assert await demo.show_all(product.url) == ["vocab_react"]
    text = console.export_text()
    assert "Its sample is missing" in text
    assert "There is no sample for this graph yet." in text
    assert "It failed" in text


def test_a_server_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"graphs": {"none": "./graphs/none.py:graph"}, "dependencies": ["."]}
    monkeypatch.setattr(own_server, "registered", lambda: broken)
    with pytest.raises(StudyError, match="ended at once"), own_server.own_server(tmp_path):
        pass
