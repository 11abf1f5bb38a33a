"""Corpus runs that are killed: in a process of their own, and on a real server."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import qgen_documents as made
from tests.fakes.qgen_provider import Provider
from tests.server.serving import Server, wait_for

ROOT = Path(__file__).resolve().parents[2]
CORPUS = "name: Lights\ncorpus_context: Notes.\nscenarios:\n  quiz: {name: Quiz, description: Facts.}\n"
GRAPH = {"qgen_loop": {"path": f"{ROOT}/graphs/qgen_loop/graph.py:graph", "description": "Questions."}}


def evidence_stands(pair: dict[str, Any]) -> bool:
    """Written without any code of ours: the quote stands in the cited lines of the file."""
    lines = Path(pair["source_document"]).read_text(encoding="utf-8").split("\n")
    cited = " ".join(lines[pair["evidence"]["start_line"] - 1 : pair["evidence"]["end_line"]])
    return re.sub(r"\s+", "", pair["evidence"]["quote"]) in re.sub(r"\s+", "", cited)


def corpus_folder(folder: Path, count: int) -> Path:
    folder.mkdir()
    (folder / "corpus.yaml").write_text(CORPUS)
    for number in range(count):
        made.text_file(folder, [*made.FACTS, f"This is copy {number} of the notes."], f"notes-{number}.txt")
    return folder


@pytest.fixture
def provider() -> Iterator[Provider]:
    server = Provider(delay=0.02).start()
    yield server
    server.stop()


def environment(provider: Provider, data_dir: Path) -> dict[str, str]:
    return {
        **os.environ,
        "STUDY_DATA_DIR": str(data_dir),
        "STUDY_BASE_URLS__FAKE": provider.url,
        "STUDY_MODELS__QGEN_LOOP_GENERATOR": "fake:maker",
        "STUDY_MODELS__QGEN_LOOP_VALIDATOR": "fake:reader",
        "STUDY_EMBEDDINGS": "ngram",
        "STUDY_MODEL_ATTEMPTS": "1",
    }


def start(provider: Provider, data_dir: Path, *words: object) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "clients.cli", "qgen", *map(str, words)]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment(provider, data_dir), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def finish(process: "subprocess.Popen[bytes]") -> tuple[int, str, str]:
    out, err = process.communicate(timeout=600)
    return process.returncode, out.decode(), err.decode()


def test_a_killed_corpus_run_asks_nothing_twice(tmp_path: Path, provider: Provider) -> None:
    folder, data_dir = corpus_folder(tmp_path / "corpus", 3), tmp_path / "data"
    words = ("corpus", folder, "--target", 4, "-n", 2, "--output", tmp_path / "all.json")
    running = start(provider, data_dir, *words)
    wait_for(lambda: sum(provider.answered.values()) >= 5)
    running.send_signal(signal.SIGKILL)
    finish(running)
    before = provider.submitted.copy()
    code, _, err = finish(start(provider, data_dir, *words))
    assert code == 0, err
    written = json.loads((tmp_path / "all.json").read_text())
    assert len(written["questions"]) == 12
    assert all(evidence_stands(pair) and pair["validated"] for pair in written["questions"])
    # Two documents were under way: at most their attempts in flight may be asked for again.
    assert sum(before.values()) >= 5
    assert sum(count - 1 for count in provider.submitted.values()) <= 2
    asked = provider.requests
    assert finish(start(provider, data_dir, *words))[0] == 0
    assert provider.requests == asked


def test_a_dead_validator_accepts_nothing_until_it_is_back(tmp_path: Path, provider: Provider) -> None:
    document, data_dir = made.text_file(tmp_path), tmp_path / "data"
    words = ("document", document, "--target", 2, "--json")
    provider.down = {"reader"}
    code, out, _ = finish(start(provider, data_dir, *words))
    assert (code, json.loads(out)["status"], json.loads(out)["accepted"]) == (5, "suspended", [])
    provider.down = set()
    code, out, err = finish(start(provider, data_dir, *words))
    assert (code, json.loads(out)["status"]) == (0, "target_reached"), err
    assert max(provider.submitted.values()) == 1


def test_a_corpus_on_a_server_that_is_killed(tmp_path: Path, provider: Provider) -> None:
    folder = corpus_folder(tmp_path / "corpus", 3)
    chosen = {
        k: v for k, v in environment(provider, tmp_path).items() if k.startswith("STUDY_") and "DIR" not in k
    }
    chosen["STUDY_INPUT_FOLDERS"] = json.dumps([str(folder)])
    server = Server(tmp_path / "server", GRAPH, **chosen).start()
    words = ("corpus", folder, "--target", 4, "-n", 3, "--output", tmp_path / "all.json", "--url", server.url)
    try:
        running = start(provider, tmp_path / "client", *words)
        wait_for(lambda: sum(provider.answered.values()) >= 5)
        server.kill()
        running.kill()  # by itself it tries for a minute to find the server again
        finish(running)
        server.start()
        # The server itself takes up the runs that were in flight; whoever comes too early is told so.
        for _ in range(20):
            code, _, err = finish(start(provider, tmp_path / "client", *words))
            if code == 0:
                break
            time.sleep(2)
        assert code == 0, err
        told = finish(start(provider, tmp_path / "client", "report", "--json", "--url", server.url))[1]
    finally:
        server.kill()
    assert sorted((run["accepted"], run["status"]) for run in json.loads(told)["runs"]) == (
        [(4, "target_reached")] * 3
    )
    written = json.loads((tmp_path / "all.json").read_text())
    assert len(written["questions"]) == 12
    assert all(evidence_stands(pair) for pair in written["questions"])
    assert sum(count - 1 for count in provider.submitted.values()) <= 3
