"""`study zettel` in process, and the same over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner, Result

from clients.cli import app
from common.errors import BadInput
from graphs.concept_extraction.knowledge import KnowledgeStore
from service import concept_extraction as routes
from service import errors

SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "quotes" / "cartas.md"
WORK = [str(SAMPLE), "--title", "Cartas", "--author", "Anónimo"]


@pytest.fixture(autouse=True)
def unguarded(no_blocking: Any) -> Iterator[None]:
    """A command has its own event loop and may block it."""
    no_blocking.deactivate()
    yield
    no_blocking.activate()


def study(*words: str, keys: str = "") -> Result:
    return CliRunner().invoke(app, ["zettel", *words], input=keys)


def as_json(*words: str) -> Any:
    result = study(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_ingest_extract_review_search_export_and_undo(tmp_path: Path, data_dir: Path) -> None:
    content = as_json("ingest", *WORK)
    assert content["outcome"] == "ingested"
    waiting = as_json("extract", content["content_uuid"])
    assert waiting["waits"]
    keys = "e\nOtro título\nOtro texto.\nr\nn\n" + "a\n" * 5 + "c\n"
    reviewed = study("review", keys=keys)
    assert "committed" in reviewed.output
    assert "7 concepts" in reviewed.output
    hits = as_json("search", "miedo", "--limit", "2")
    assert len(hits) == 2
    assert "Otro título" in {hit["title"] for hit in as_json("search", "otro título")}
    assert "0." in study("search", "miedo").output
    exported = tmp_path / "vault"
    assert "7 written" in study("export", str(exported)).output
    assert as_json("export", str(exported))["written"] == []
    runs = as_json("undo")
    assert [run["created"] for run in runs] == [7]
    assert runs[0]["run_id"] in study("undo").output
    assert "Removed" in study("undo", runs[0]["run_id"]).output
    assert study("search", "miedo").output == "There are no concepts yet.\n"
    assert list((data_dir / "zettel").iterdir()) == []


def test_approving_everything_and_a_second_time() -> None:
    assert "wait for review" in study("extract", *WORK).output
    assert "committed" in study("review", "--approve").output
    assert "Nothing waits" in study("review").output
    assert "already_processed" in study("extract", *WORK).output
    assert "wait for review" in study("extract", *WORK, "--force").output
    again = study("review", keys="a\n" * 8 + "x\n")
    assert "aborted" in again.output


def test_json_leaves_no_room_for_questions() -> None:
    assert as_json("review") == {"waits": False}
    study("extract", *WORK)
    refused = study("review", "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "--approve" in refused.stderr
    assert as_json("review", "--approve")["outcome"] == "committed"


def test_feedback_from_the_terminal_leads_to_another_round() -> None:
    study("extract", *WORK)
    result = study("review", keys="a\n" * 8 + "f\nmás corto\n" + "q\n")
    assert "round 2" in result.output
    assert result.exit_code == 1
    assert "committed" in study("review", "--approve").output


@pytest.mark.parametrize("words", [["review"], ["extract", *WORK]])
def test_a_commit_that_was_broken_off_is_finished_with_the_answers_given(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise BadInput("The database refuses.")

    study("extract", *WORK)
    with monkeypatch.context() as patched:
        patched.setattr(KnowledgeStore, "apply", broken)
        failed = study("review", keys="r\n" + "a\n" * 7 + "c\n")
        assert (failed.exit_code, "The database refuses." in failed.stderr) == (2, True)
    assert as_json("search", "miedo") == []
    assert "7 concepts" in study(*words).output
    assert "Nothing waits" in study("review").output


def test_a_broken_commit_in_a_folder_goes_on_beside_what_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise BadInput("The database refuses.")

    for name in ("uno", "dos"):
        (tmp_path / f"Nadie - {name}.md").write_text(
            f"# Citas\n\nLa paciencia de {name} enseña a mirar.\n\nEl miedo de {name} cierra las puertas.\n"
        )
    first, second = as_json("extract", str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(KnowledgeStore, "apply", broken)
        assert study("review", first["thread"], keys="r\na\nc\n").exit_code == 2
        again = json.loads(study("extract", str(tmp_path), "--json").stdout)
        assert [row["status"] for row in again] == ["failed", "review_concepts"]
    rows = as_json("extract", str(tmp_path))
    assert [row["status"] for row in rows] == ["committed", "review_concepts"]
    assert [run["created"] for run in as_json("undo")] == [1]
    ended = study("review", first["thread"])
    assert (ended.exit_code, "waits for nothing" in ended.stderr) == (3, True)
    assert second["thread"] == rows[1]["thread"]


def test_a_broken_commit_is_finished_by_its_name_while_others_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise BadInput("The database refuses.")

    for name in ("uno", "dos"):
        (tmp_path / f"Nadie - {name}.md").write_text(f"# Citas\n\nEl {name} enseña.\n")
    first, _ = as_json("extract", str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(KnowledgeStore, "apply", broken)
        assert study("review", first["thread"], "--approve").exit_code == 2
    assert "committed" in study("review", first["thread"]).output


def test_a_key_that_means_nothing_is_asked_again_and_never_taken_for_yes() -> None:
    study("extract", *WORK)
    result = study("review", keys="z\nr\n" + "m\n99\nnobody\n" + "a\n" * 6 + "what\nx\n")
    for told in ("'z' is none of", "There is no 99 above", "'what' is none of", "aborted"):
        assert told in result.output


@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        (["ingest", str(SAMPLE)], "--title", 2),
        (["ingest", "nope.md", "--title", "a", "--author", "b"], "nope.md", 2),
        (
            ["ingest", str(SAMPLE.parents[2] / "pyproject.toml"), "--title", "a", "--author", "b"],
            "no quotes",
            2,
        ),
        (["extract", "nobody"], "nobody", 3),
        (["undo", "nobody"], "nobody", 3),
        (["search", " "], "nothing to search", 2),
        (["review", "nobody"], "Nothing waits", 0),
        (["search", "x", "--url", "http://127.0.0.1:9"], "No server answers", 5),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(words: list[str], told: str, code: int) -> None:
    result = study(*words)
    assert told in result.output + result.stderr
    assert result.exit_code == code


def test_a_thread_that_does_not_wait_is_named() -> None:
    study("extract", *WORK)
    result = study("review", "nobody")
    assert result.exit_code == 3


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    web = FastAPI()
    errors.install(web)
    web.include_router(routes.router)
    with TestClient(web) as client:
        monkeypatch.setattr(
            "clients.on_server.httpx.request",
            lambda method, url, **kw: client.request(method, httpx.URL(url).path, params=kw["params"]),
        )
        yield client


def test_the_same_over_http(served: TestClient) -> None:
    study("extract", *WORK)
    study("review", "--approve")
    url = ["--url", "http://127.0.0.1:1"]
    assert len(as_json("search", "miedo", *url)) == 8
    assert served.get("/api/v1/zettel/contents").json()[0]["title"] == "Cartas"
    assert len(served.get("/api/v1/zettel/graph").json()["nodes"]) == 8 + 9 + 2
    run = as_json("undo", *url)[0]["run_id"]
    assert len(as_json("undo", run, *url)["removed"]) > 8
    assert study("undo", "nobody", *url).exit_code == 3


def test_export_over_http_writes_here_and_keeps_what_a_person_wrote(
    served: TestClient, tmp_path: Path
) -> None:
    study("extract", *WORK)
    study("review", "--approve")
    here, there = tmp_path / "here", tmp_path / "there"
    url = ["--url", "http://127.0.0.1:1/"]
    study("export", str(here))
    assert len(as_json("export", str(there), *url)["written"]) == 8
    notes = {path.name: path.read_bytes() for path in here.iterdir()}
    assert {path.name: path.read_bytes() for path in there.iterdir()} == notes
    assert as_json("export", str(there), *url)["written"] == []
    edited, *_ = sorted(there.iterdir())
    edited.write_text(edited.read_text() + "\nMy own words.\n")
    study("undo", as_json("undo")[0]["run_id"])
    report = as_json("export", str(there), *url)
    assert len(report["removed"]) == 7
    assert [path.name for path in there.iterdir()] == [edited.name]
    assert "My own words." in edited.read_text()
    assert len(as_json("export", str(here))["removed"]) == 8


def test_export_over_http_from_nowhere(tmp_path: Path) -> None:
    result = study("export", str(tmp_path / "x"), "--url", "http://127.0.0.1:9")
    assert result.exit_code == 5
    assert not (tmp_path / "x").exists()
