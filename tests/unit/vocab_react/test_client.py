"""`study vocab`."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner, Result

from clients import cli
from clients.vocab_react import _anki, _table_text


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setattr("common.logs.configure", lambda _level: None)
    monkeypatch.setenv("COLUMNS", "160")
    return lambda *arguments: CliRunner().invoke(cli.app, ["vocab", *arguments])


def test_generate(study: Callable[..., Result]) -> None:
    shown = study("generate", "故郷", "文部省唱歌")
    assert shown.exit_code == 0, shown.output
    assert "furusato" in shown.stdout
    answer = json.loads(study("generate", "故郷", "文部省唱歌", "--json").stdout)
    assert len(answer["vocabulary"]) == 5
    rows = list(
        csv.DictReader(io.StringIO(study("generate", "故郷", "文部省唱歌", "--csv", "--count", "6").stdout))
    )
    assert [row["kanji"] for row in rows][:1] == ["故郷"]
    assert len(rows) == 6
    cards = study("generate", "故郷", "文部省唱歌", "--anki").stdout.splitlines()
    assert cards[0] == "#separator:tab"
    assert all(line.count("\t") == 3 for line in cards[4:])
    assert "故郷" in study("cache").stdout
    assert json.loads(study("cache", "--json").stdout)["total"] == 1
    assert study("forget", "故郷", "文部省唱歌").exit_code == 0
    assert study("forget", "故郷", "文部省唱歌").exit_code == 3
    assert "No song" in study("cache").stdout


def test_a_lyrics_file(study: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "song.txt"
    path.write_text("title: 空\n\n青い空を鳥が飛ぶ\n遠い海を見る\n", encoding="utf-8")
    answer = json.loads(study("generate", "空", "--lyrics-file", str(path), "--json").stdout)
    assert answer["source"] == "supplied"
    assert len(answer["vocabulary"]) == 5
    short = study("generate", "空", "--lyrics-file", str(path), "--count", "60", "--json")
    assert "fewer than asked" in short.stderr
    assert "fewer than asked" in " ".join(
        study("generate", "空", "--lyrics-file", str(path), "--count", "60").stdout.split()
    )


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["generate", "夢", "--count", "0"], 2, "Use 5 to 400"),
        (["generate", "夢", "--count", "401"], 2, "Use 5 to 400"),
        (["generate", "夢", "--count", "x"], 2, "--count"),
        (["generate", " "], 2, "title"),
        (["generate", "x" * 10_000], 2, "more than 200"),
        (["generate", "夢", "--json", "--csv"], 2, "exclude each other"),
        (["generate", "zzz"], 3, "No lyrics were found"),
        (["generate", "夢", "--lyrics-file", "/nowhere/x.txt"], 2, "cannot be read"),
        (["generate", "夢", "--profile", "magic"], 2, "profile"),
    ],
)
def test_bad_input(
    study: Callable[..., Result], arguments: list[str], code: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDY_PROFILE", "embedded")
    result = study(*arguments)
    assert result.exit_code == code
    assert told.lower() in result.stderr.lower()
    assert "Traceback" not in result.output


def test_the_cache_of_a_server(study: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    away = study("cache", "--url", "http://127.0.0.1:9")
    assert away.exit_code == 5
    assert "No server answers" in away.stderr
    listed = {
        "total": 1,
        "songs": [{"song": "夢", "artist": "誰か", "words": 5, "source": "x", "model": "rules"}],
    }
    answers = [(200, listed), (200, {"deleted": 1}), (404, {"error": "no 夢"}), (503, {"error": "unusable"})]
    asked: list[str] = []

    def request(method: str, url: str, **_: object) -> httpx.Response:
        asked.append(f"{method} {url}")
        status, body = answers.pop(0)
        return httpx.Response(status, json=body)

    monkeypatch.setattr("clients.on_server.httpx.request", request)
    url = "http://study/"
    assert "夢" in study("cache", "--url", url).stdout
    codes = [
        study(*words, "--url", url).exit_code for words in (("forget", "夢"), ("forget", "夢"), ("cache",))
    ]
    assert codes == [0, 3, 5]
    assert asked[:2] == ["GET http://study/api/v1/cache", "DELETE http://study/api/v1/cache"]


def test_a_pdf(study: Callable[..., Result], tmp_path: Path) -> None:
    pdf = tmp_path / "song.pdf"
    pdf.write_bytes(b"%PDF-1.7 \x00")
    result = study("generate", "夢", "--lyrics-file", str(pdf))
    assert result.exit_code == 2
    assert "not a text file" in result.stderr


def test_cells_cannot_be_formulas_or_break_lines() -> None:
    word = {
        "kanji": "=1+1",
        "romaji": "x",
        "english": "a\tb\nc",
        "line": None,
        "level": None,
        "reading": None,
    }
    assert "'=1+1" in _table_text([word], ",")
    assert _anki([word]).splitlines()[-1].count("\t") == 3
