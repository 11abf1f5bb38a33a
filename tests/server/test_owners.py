"""What graphs keep beside threads (knowledge, statistics, songs, progress) is each owner's own."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.server.serving import ROOT, Server, product_graphs

ANNA, BEN = "anna-token-0123456789abcdef", "ben-token-0123456789abcdef"
QUOTES = "# Quotes\n\n## I\n\nTime is the only thing that is truly ours.\n12\n"
# Where each graph's own data is shown, and a word of Anna's in it.
SHOWN = {
    "/api/v1/zettel/contents": "Letters of hers",
    "/api/v1/zettel/graph": "Letters of hers",
    "/qgen/report": "1 questions accepted",
    "/api/v1/cache": "故郷",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(
        tmp_path_factory.mktemp("house"),
        product_graphs(),
        STUDY_API_TOKENS=f"anna={ANNA},ben={BEN}",
        STUDY_INPUT_FOLDERS=json.dumps([str(ROOT / "samples")]),
        STUDY_LYRICS_ONLINE="false",
    ).start()
    yield server
    server.kill()


def caller(server: Server, token: str) -> httpx.Client:
    return httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {token}"}, timeout=120)


@pytest.fixture(scope="module")
def hers(house: Server) -> None:
    """Anna has run what leaves something behind."""
    document = str(ROOT / "samples" / "documents" / "rock-lights.md")
    given: dict[str, dict[str, Any]] = {
        "concept_extraction": {
            "text": QUOTES,
            "title": "Letters of hers",
            "author": "Anon",
            "ingest_only": True,
        },
        "vocab_react": {"song": "故郷", "artist": "文部省唱歌"},
        "qgen_loop": {"document_path": document, "target_count": 1},
    }
    with caller(house, ANNA) as anna:
        for graph, input in given.items():
            answer = anna.post("/runs/wait", json={"assistant_id": graph, "input": input})
            assert "__error__" not in answer.json(), answer.text


@pytest.mark.parametrize("path", SHOWN)
def test_ones_own_is_shown_and_anothers_is_not(house: Server, hers: None, path: str) -> None:
    with caller(house, ANNA) as anna, caller(house, BEN) as ben:
        assert SHOWN[path] in anna.get(path).text
        told = ben.get(path)
        assert told.status_code == 200
        assert SHOWN[path] not in told.text


def test_numbers_are_ones_own_too(house: Server, hers: None) -> None:
    with caller(house, ANNA) as anna, caller(house, BEN) as ben:
        assert anna.get("/api/v1/qgen/report").json()["accepted"] == 1
        assert ben.get("/api/v1/qgen/report").json()["accepted"] == 0
        assert ben.delete("/api/v1/cache", params={"song": "故郷", "artist": "文部省唱歌"}).status_code == 404
        assert anna.get("/api/v1/cache").json()["total"] == 1


def test_each_owners_files_lie_in_a_folder_of_theirs(house: Server, hers: None) -> None:
    names = {path.name for path in (house.data_dir / "owners" / "anna").iterdir()}
    assert {"knowledge.sqlite", "qgen", "vocab_cache.sqlite"} <= names
    assert not (house.data_dir / "knowledge.sqlite").exists()
