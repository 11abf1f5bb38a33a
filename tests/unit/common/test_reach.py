"""What is reachable is said with a remedy, in two seconds at most, and never a secret."""

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from common import reach
from common.reach import Check, Survey, roles_of, survey
from common.settings import get_settings
from tests.fakes.http_answers import answering

ROLES = {"vocab_react": ["agent"], "card_decision": ["mapper", "qa"]}
Settings = Callable[..., None]


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seconds are for people; whoever answers here may be kept waiting by a busy machine."""
    if request.node.name != "test_nobody_is_waited_for_long":
        monkeypatch.setattr(reach, "PATIENCE", 120.0)


def by_name(found: Survey) -> dict[str, Check]:
    return {check.name: check for check in found.checks}


async def test_a_fresh_installation_is_well() -> None:
    found = await survey(ROLES)
    assert found.ok
    assert found.profile == "embedded"
    assert found.models == {
        "vocab_react": {"agent": "rules"},
        "card_decision": {"mapper": "rules", "qa": "rules"},
    }
    assert found.embedder == "use"
    assert found.database == "SQLite"
    assert found.versions["langgraph"][0].isdigit()
    assert by_name(found)["data folder"].ok
    assert not by_name(found)["Anki"].needed


async def test_ollama_is_asked_for_the_models_that_are_wanted(settings: Settings) -> None:
    tags = {
        "models": [{"name": "mistral:latest"}, {"name": "qwen3:32b"}, {"name": "mxbai-embed-large:latest"}]
    }
    with answering({"GET /api/tags": (200, tags)}) as (url, _):
        settings(profile="ollama", ollama_base_url=url)
        ollama = by_name(await survey(ROLES))["Ollama"]
        assert not ollama.ok
        assert ollama.remedy == "ollama pull qwen3:14b"
        assert by_name(await survey({"vocab_react": ["agent"]}))["Ollama"].ok


@pytest.mark.parametrize("answer", [(500, {}), (200, b"<html>"), (200, []), (200, {"models": [1]})])
async def test_something_else_at_ollamas_address(settings: Settings, answer: tuple[int, object]) -> None:
    with answering({"GET /api/tags": answer}) as (url, _):
        settings(profile="ollama", ollama_base_url=url)
        ollama = by_name(await survey(ROLES))["Ollama"]
    assert not ollama.ok
    assert "ollama serve" in ollama.remedy


async def test_compatible_servers_are_looked_at(settings: Settings) -> None:
    with answering({"GET /v1/models": (401, {}), "GET /v2/models": (503, {})}) as (url, _):
        settings(
            base_urls__nim=f"{url}/v1", base_urls__vllm=f"{url}/v2", base_urls__gone="http://127.0.0.1:9/v1"
        )
        checks = by_name(await survey({}))
        assert checks["nim"].ok
        assert "503" in checks["vllm"].detail
        assert "STUDY_BASE_URLS__GONE" in checks["gone"].remedy


async def test_keys_are_told_to_be_set_but_never_shown(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    settings(
        profile="openai",
        base_urls__nim="http://user:hidden@127.0.0.1:9/v1",
        database_uri="postgresql://me:pass-word@127.0.0.1:9/study",
    )
    found = await survey({"card_decision": ["mapper"], "qgen_loop": ["validator"]})
    checks = by_name(found)
    assert checks["openai"].ok
    assert "GOOGLE_API_KEY" in checks["google_genai"].remedy
    assert not found.ok, "PostgreSQL is needed and does not answer"
    assert checks["PostgreSQL"].needed
    said = found.model_dump_json()
    assert not [secret for secret in ("sk-very-secret", "hidden", "pass-word") if secret in said]


async def test_a_port_that_listens_is_found(settings: Settings) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        settings(database_uri=f"postgresql://127.0.0.1:{listening.getsockname()[1]}/study")
        assert by_name(await survey({}))["PostgreSQL"].ok


async def test_nobody_is_waited_for_long(settings: Settings) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        settings(profile="ollama", ollama_base_url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        # Nobody there ever answers: what waited longer would wait for ever.
        found = await asyncio.wait_for(survey(ROLES), 300)
    assert not by_name(found)["Ollama"].ok


async def test_a_data_folder_that_cannot_be_written_is_a_failure(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings(data_dir=tmp_path / "file")
    found = await survey({})
    assert not found.ok
    assert "STUDY_DATA_DIR" in by_name(found)["data folder"].remedy


async def test_anki_is_greeted(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering({"POST /": (200, {"result": 6, "error": None})}) as (url, asked):
        chosen = get_settings()
        monkeypatch.setitem(chosen.__dict__, "anki_url", url)
        assert by_name(await survey({}))["Anki"].detail.startswith("AnkiConnect 6")
        assert asked == ["POST /"]


async def test_an_embedder_without_its_key_is_named(settings: Settings) -> None:
    settings(embeddings="openai:text-embedding-3-small")
    assert "OPENAI_API_KEY" in by_name(await survey({}))["embedder"].remedy


async def test_a_missing_encoder_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.embeddings.find_spec", lambda _name: None)
    embedder = by_name(await survey({}))["embedder"]
    assert (embedder.ok, embedder.detail) == (False, "use is missing, ngram stands in")


EMBEDDED = {"embeddings": [[0.1, 0.2]], "data": [{"embedding": [0.1], "index": 0}]}


@pytest.mark.parametrize(
    ("status", "ok", "said"),
    [
        (200, True, ""),
        (404, False, "ollama pull mxbai"),
        (401, False, "STUDY_API_KEYS__OLLAMA"),
        (500, False, "STUDY_EMBEDDINGS=use"),
    ],
)
async def test_a_local_embedder_is_asked_for_a_vector(
    settings: Settings, status: int, ok: bool, said: str
) -> None:
    with answering({"POST /api/embed": (status, EMBEDDED)}) as (url, asked):
        settings(embeddings="ollama:mxbai", ollama_base_url=url)
        embedder = by_name(await survey({}))["embedder"]
        assert "POST /api/embed" in asked
    assert embedder.ok is ok
    assert said in embedder.remedy


async def test_an_embedder_on_a_compatible_server_is_asked_with_its_key(settings: Settings) -> None:
    with answering({"POST /v1/embeddings": (200, EMBEDDED), "GET /v1/models": (200, {})}) as (url, _):
        settings(embeddings="nim:emb", base_urls__nim=f"{url}/v1", api_keys__nim="nim-very-secret")
        assert by_name(await survey({}))["embedder"].detail == "nim:emb embeds"
    gone = by_name(await survey({}))["embedder"]
    assert not gone.ok
    assert "STUDY_EMBEDDINGS=use" in gone.remedy


async def test_an_embedder_that_says_nothing_is_not_waited_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("common.reach.PATIENCE", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        settings(embeddings="ollama:mxbai", ollama_base_url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        embedder = by_name(await survey({}))["embedder"]
    assert not embedder.ok
    assert "ask again" in embedder.remedy


async def test_a_clouds_embedder_needs_a_key_and_is_not_called(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    settings(embeddings="openai:text-embedding-3-small")
    embedder = by_name(await survey({}))["embedder"]
    assert (embedder.ok, embedder.detail) == (True, "openai:text-embedding-3-small, a key is set")


async def test_models_that_nobody_would_ask_are_named(settings: Settings) -> None:
    settings(models__vocab_react_agnet="ollama:mistral", models__vocab_react_agent="bogus:model")
    told = [check for check in (await survey(ROLES)).checks if check.name == "models"]
    assert [check.detail for check in told] == [
        "STUDY_MODELS__VOCAB_REACT_AGNET names no role",
        "nobody here serves bogus:model",
    ]
    assert "vocab_react_agent" in told[0].remedy
    assert "STUDY_BASE_URLS__BOGUS" in told[1].remedy


def test_roles_are_read_from_the_context() -> None:
    class Context(BaseModel):
        mapper_model: str | None = None
        qa_model: str | None = None
        count: int = 5

    assert roles_of(Context) == ["mapper", "qa"]
    assert asyncio.run(survey({"g": roles_of(Context)})).models == {"g": {"mapper": "rules", "qa": "rules"}}


def test_a_validator_of_the_generators_family_is_told(settings: Any) -> None:
    settings(models__qgen_loop_generator="ollama:qwen3:32b", models__qgen_loop_validator="ollama:qwen3:8b")
    found = asyncio.run(survey({"qgen_loop": ["generator", "validator"]}))
    told = next(check for check in found.checks if check.name == "qgen_loop")
    assert "STUDY_MODELS__QGEN_LOOP_VALIDATOR" in told.remedy
    assert found.ok
