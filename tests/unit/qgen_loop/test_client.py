"""`study qgen`: a document, a corpus, a report; and evidence checked by another hand."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from clients.cli import app
from clients.qgen_corpus import Board, counting, documents, job_for
from clients.runner import Done
from common.errors import NotFound
from graphs.qgen_loop import results
from graphs.qgen_loop.corpus import load_corpus
from graphs.qgen_loop.report import bars, html, make_report
from graphs.qgen_loop.schemas import QAPair
from graphs.qgen_loop.statistics import own_statistics
from tests.fakes import qgen_documents as made
from tests.fakes import qgen_models as says

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples" / "documents"
CORPUS = "name: Lights\ncorpus_context: Notes.\nscenarios:\n  quiz: {name: Quiz, description: Facts.}\n"


@pytest.fixture(autouse=True)
def quick(settings: Callable[..., None]) -> None:
    settings(embeddings="ngram")


def study(*words: object) -> Result:
    return CliRunner().invoke(app, ["qgen", *map(str, words)])


def evidence_stands(pair: dict[str, Any]) -> bool:
    """Written without any code of ours: the quote stands in the cited lines of the file."""
    lines = Path(pair["source_document"]).read_text(encoding="utf-8").split("\n")
    cited = " ".join(lines[pair["evidence"]["start_line"] - 1 : pair["evidence"]["end_line"]])
    return re.sub(r"\s+", "", pair["evidence"]["quote"]) in re.sub(r"\s+", "", cited)


def test_five_honest_questions_without_a_model() -> None:
    result = study("document", SAMPLES / "rock-lights.md", "--target", 5, "--json")
    values = json.loads(result.stdout)
    assert (result.exit_code, values["status"], len(values["accepted"])) == (0, "target_reached", 5)
    for pair in values["accepted"]:
        assert evidence_stands(pair)
        assert (pair["origin"], pair["validated"]) == ("rules", False)
        assert pair["answer"] not in pair["question"]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_evidence_in_pdf_and_jats_by_other_readers(tmp_path: Path) -> None:
    """The quotes stand in what PyMuPDF and lxml themselves read from the files."""
    import pymupdf
    from lxml import etree

    pages = [made.show(made.FACTS[:6]), made.show(made.FACTS[6:])]
    (tmp_path / "notes.pdf").write_bytes(made.pages_pdf(pages))
    body = "".join(f"<p>{fact}</p>" for fact in made.FACTS)
    (tmp_path / "notes.nxml").write_text(f"<article><body>{body}</body></article>")
    with pymupdf.open(tmp_path / "notes.pdf") as opened:
        shown = [squeezed(page.get_text()) for page in opened]
    raw = squeezed("".join(etree.parse(tmp_path / "notes.nxml").getroot().itertext()))
    for name in ("notes.pdf", "notes.nxml"):
        values = json.loads(study("document", tmp_path / name, "--target", 4, "--json").stdout)
        assert len(values["accepted"]) == 4
        for pair in values["accepted"]:
            where = shown[pair["evidence"]["page"] - 1] if name.endswith("pdf") else raw
            assert squeezed(pair["evidence"]["quote"]) in where


def test_files_and_a_table(tmp_path: Path) -> None:
    files = ["--output", tmp_path / "out.json", "--ragas", tmp_path / "out.jsonl"]
    corpus = ["--corpus", SAMPLES / "corpus.yaml", "--scenario", "quiz"]
    result = study("document", SAMPLES / "rock-lights.md", "--target", 2, *corpus, *files)
    assert result.exit_code == 0, result.output
    assert "target_reached" in result.stdout
    written = json.loads((tmp_path / "out.json").read_text())
    assert set(written) == {"accepted", "rejected", "stats"}
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(rows) == 2
    # The columns of ragas' SingleTurnSample that a test set has.
    assert all(
        set(row) == {"user_input", "reference", "reference_contexts", "reference_context_ids"} for row in rows
    )
    assert all(isinstance(row["reference_contexts"], list) for row in rows)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["document", "nothing.pdf"], 3, "no document"),
        (["document", "."], 2, "is a folder"),
        (["document", SAMPLES / "rock-lights.md", "--mode", "smell"], 2, "--mode"),
        (["document", SAMPLES / "rock-lights.md", "--strategy", "luck"], 2, "--strategy"),
        (["document", SAMPLES / "rock-lights.md", "--scenario", "quiz"], 2, "needs --corpus"),
        (
            ["document", SAMPLES / "rock-lights.md", "--corpus", SAMPLES, "--scenario", "no"],
            3,
            "Choose one of",
        ),
        (
            ["document", SAMPLES / "rock-lights.md", "--generator", "a:x", "--validator", "a:x"],
            2,
            "same model",
        ),
        (["document", SAMPLES / "rock-lights.md", "--mode", "visual"], 2, "needs a generator that sees"),
        (["corpus", SAMPLES / "rock-lights.md"], 2, "not a folder"),
        (["report", "nothing.sqlite3"], 3, "no statistics file"),
    ],
)
def test_bad_words_end_in_one_line(words: list[Any], code: int, said: str) -> None:
    result = study(*words)
    assert result.exit_code == code, result.output
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_results_are_not_written_over_a_folder(tmp_path: Path) -> None:
    for option in ("--output", "--ragas"):
        result = study("document", SAMPLES / "rock-lights.md", option, tmp_path)
        assert result.exit_code == 2
        assert option in result.stderr
    assert not own_statistics().path.exists()


def test_square_brackets_are_shown_as_they_are(
    tmp_path: Path, scripted: Callable[[str, list[Any]], Any]
) -> None:
    path = made.text_file(tmp_path, name="m[b]arks.txt")
    asked = "When was the lighthouse [/u] on Skarn Rock finished?"
    scripted("maker", [says.submission(0, question=asked)])
    scripted("reader", says.answered("1811"))
    words = ("--target", 1, "--generator", "scripted:maker", "--validator", "scripted:reader")
    shown = study("document", path, *words)
    assert shown.exit_code == 0, shown.output
    assert "[/u]" in shown.stdout
    assert "1 question is accepted." in shown.stdout
    assert path.name in study("report").stdout


def test_a_run_that_fails_says_why(tmp_path: Path, scripted: Callable[[str, list[Any]], Any]) -> None:
    scripted("maker", [says.submission(0, quote="five words that nobody wrote")] * 5)
    scripted("reader", [])
    words = ("--generator", "scripted:maker", "--validator", "scripted:reader")
    shown = " ".join(study("document", made.text_file(tmp_path), *words).stdout.split())
    assert "exhausted: 5 attempts in a row failed." in shown
    assert "Rejected: validation_failed 5; the last one: quote_not_found" in shown


def corpus_folder(folder: Path, count: int) -> Path:
    folder.mkdir()
    (folder / "corpus.yaml").write_text(CORPUS)
    for number in range(count):
        made.text_file(folder, [*made.FACTS, f"This is copy {number} of the notes."], f"notes-{number}.txt")
    return folder


def test_a_corpus_with_rules(tmp_path: Path) -> None:
    folder = corpus_folder(tmp_path / "corpus", 2)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing more")
    (folder / "twin.txt").write_bytes((folder / "notes-0.txt").read_bytes())
    output = tmp_path / "questions.json"
    first = study("corpus", folder, "--target", 3, "--output", output)
    assert first.exit_code == 1
    assert "broken.pdf" in first.stderr
    assert "same content" in first.stderr
    written = json.loads(output.read_text())
    assert set(written) == {"corpus_name", "corpus_path", "scenario", "mode", "questions", "timestamp"}
    assert len(written["questions"]) == 6
    assert all(evidence_stands(pair) for pair in written["questions"])
    (folder / "broken.pdf").unlink()
    again = study("corpus", folder, "--target", 3, "--json")
    assert json.loads(again.stdout)["questions"] == written["questions"]
    assert len(own_statistics().rows("attempts")) == 6
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no documents" in study("corpus", empty).stderr


def test_a_corpus_that_moved_names_its_present_place(tmp_path: Path) -> None:
    folder = corpus_folder(tmp_path / "corpus", 1)
    assert study("corpus", folder, "--target", 2).exit_code == 0
    moved = folder.rename(tmp_path / "moved")
    questions = json.loads(study("corpus", moved, "--target", 2, "--json").stdout)["questions"]
    assert {pair["source_document"] for pair in questions} == {str(moved / "notes-0.txt")}
    alone = json.loads(study("document", moved / "notes-0.txt", "--target", 2, "--json").stdout)["accepted"]
    other = (moved / "notes-0.txt").rename(tmp_path / "elsewhere.txt")
    again = json.loads(study("document", other, "--target", 3, "--json").stdout)["accepted"]
    assert [pair["question"] for pair in again[:2]] == [pair["question"] for pair in alone]
    assert {pair["source_document"] for pair in again} == {str(other)}
    assert len(own_statistics().rows("attempts")) == 5


def test_a_report_in_the_terminal_and_as_a_page(tmp_path: Path) -> None:
    assert study("document", SAMPLES / "rock-lights.md", "--target", 3).exit_code == 0
    shown = study("report")
    assert "accepted" in shown.stdout
    page = tmp_path / "report.html"
    assert study("report", own_statistics().path, "--html", page).exit_code == 0
    text = page.read_text()
    assert "<svg" in text
    assert "rock-lights.md" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    numbers = json.loads(study("report", "--json").stdout)
    assert (numbers["accepted"], numbers["acceptance"]) == (3, 1.0)


def answers(monkeypatch: pytest.MonkeyPatch, body: Any) -> None:
    def request(method: str, url: str, **_: object) -> httpx.Response:
        assert (method, url) == ("GET", "http://study/api/v1/qgen/report")
        return httpx.Response(200, json=body)

    monkeypatch.setattr("clients.on_server.httpx.request", request)


def test_a_report_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert study("document", SAMPLES / "rock-lights.md", "--target", 3).exit_code == 0
    here = json.loads(study("report", "--json").stdout)
    own_statistics().path.unlink()
    answers(monkeypatch, here)
    there = study("report", "--url", "http://study/", "--json", "--html", tmp_path / "report.html")
    assert json.loads(there.stdout) == here
    assert "rock-lights.md" in (tmp_path / "report.html").read_text()
    assert "3/3" in study("report", "--url", "http://study").stdout
    both = study("report", "some.sqlite3", "--url", "http://study")
    assert (both.exit_code, "exclude each other" in both.stderr) == (2, True)
    answers(monkeypatch, {"detail": "something else"})
    assert "in another form" in study("report", "--url", "http://study").stderr


def shown(board: Board) -> list[list[str]]:
    table = board.table()
    return [list(row) for row in zip(*(list(column.cells) for column in table.columns), strict=True)]


def test_the_live_table_counts_attempts_here_and_on_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = corpus_folder(tmp_path / "corpus", 2)
    assert study("corpus", folder, "--target", 2).exit_code == 0
    described = load_corpus(folder)
    jobs = [job_for(path, described, "quiz", "textual", 3, False) for path in documents(folder)]
    rows = [
        ["notes-0.txt", "[default]running[/]", "2/3", "2"],
        ["notes-1.txt", "[default]running[/]", "2/3", "2"],
    ]
    assert shown(Board(jobs, counting(None))) == rows
    said = json.loads(study("report", "--json").stdout)
    own_statistics().path.unlink()
    answers(monkeypatch, said)
    board = Board(jobs, counting("http://study"))
    assert shown(board) == rows
    board.note(Done(jobs[0], error=NotFound("It is gone.")))
    assert shown(board)[0] == ["notes-0.txt", "[default]error[/]", "0/3", "0"]
    away = Board(jobs, counting("http://127.0.0.1:9"))
    monkeypatch.undo()
    assert shown(away)[1] == ["notes-1.txt", "[default]waiting[/]", "0/3", "0"]


def test_a_page_is_safe_and_an_empty_report_is_one(tmp_path: Path) -> None:
    assert "&lt;b&gt;" in bars({"<b>": 1.0}, "x")
    assert "0 questions accepted" in html(make_report(own_statistics()))


def test_ragas_rows_of_visual_questions() -> None:
    pair = QAPair.model_validate(
        {
            "question": "q", "answer": "a", "source_document": "d.pdf", "category": "visual",
            "generation_metadata": {"generator_model": "g", "validator_model": "v", "attempt_number": 1},
            "visual_evidence": {"page": 2, "ref": "Figure 1"},
        }
    )  # fmt: skip
    row = json.loads(results.ragas_jsonl([pair]))
    assert row["reference_context_ids"] == ["d.pdf#page=2"]


async def test_the_report_over_http() -> None:
    from fastapi import FastAPI
    from httpx import ASGITransport, AsyncClient

    from service.qgen_loop import router

    served = FastAPI()
    served.include_router(router)
    async with AsyncClient(transport=ASGITransport(app=served), base_url="http://test") as client:
        assert (await client.get("/api/v1/qgen/report")).json()["accepted"] == 0
        page = await client.get("/qgen/report")
    assert page.headers["content-type"].startswith("text/html")
    assert "<svg" in page.text
