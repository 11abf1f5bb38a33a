"""The knowledge base on a real Neo4j: the same contract as SQLite, and what only a server can do wrong."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase

from clients import neo4j_server
from clients.neo4j_server import USER, Neo4jServer, fetch, missing_tools
from common.errors import BadInput, Conflict, Unavailable
from graphs.concept_extraction.knowledge import KnowledgeStore
from graphs.concept_extraction.knowledge.neo4j import Neo4jBackend
from tests.fakes.concept_extraction_reader import Reader
from tests.server.serving import free_port
from tests.unit.concept_extraction.contract import (
    DIMENSION,
    KnowledgeContract,
    plan_for,
    saved,
    vectors_of,
)
from tests.unit.concept_extraction.flow import Flow, snapshot, titles
from tests.unit.concept_extraction.test_kill import check, run_killer

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def jars() -> Path:
    if lacking := missing_tools():
        pytest.skip(f"Neo4j needs {' and '.join(lacking)}")
    try:
        return fetch(ROOT / ".study" / "neo4j")
    except Unavailable as exc:
        pytest.skip(str(exc))


@pytest.fixture(scope="module")
def server(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jServer]:
    neo4j_server.START_SECONDS = 900.0  # another test may need this machine as well
    running = Neo4jServer(jars, tmp_path_factory.mktemp("neo4j"), port=free_port(), brief=True)
    running.start()
    yield running
    running.stop(kill=True)


@pytest.fixture
async def mortal(server: Neo4jServer) -> AsyncIterator[Neo4jServer]:
    """The same server for a test that kills it; it is up again for the next one."""
    await wiped(server, indexes=True)
    yield server
    if not server.running:
        await asyncio.to_thread(server.start)


async def wiped(server: Neo4jServer, *, indexes: bool = False) -> None:
    """Everything gone but the schema; the vector indexes too where another dimension is to come."""
    async with AsyncGraphDatabase.driver(server.uri, auth=(USER, server.password)) as driver:
        await driver.execute_query("MATCH (n) DETACH DELETE n")
        for name in ("quote_embeddings_index", "concept_embeddings_index") if indexes else ():
            await driver.execute_query(f"DROP INDEX {name} IF EXISTS")


def opened(server: Neo4jServer, password: str | None = None) -> KnowledgeStore:
    backend = Neo4jBackend(server.uri, USER, password or server.password)
    return KnowledgeStore(backend, "test", DIMENSION)


class TestNeo4j(KnowledgeContract):
    @pytest.fixture
    async def store(self, server: Neo4jServer) -> AsyncIterator[KnowledgeStore]:
        await wiped(server)
        async with opened(server) as ready:
            yield ready


async def test_a_wrong_password_says_which_settings(server: Neo4jServer) -> None:
    with pytest.raises(BadInput, match="STUDY_NEO4J_PASSWORD"):
        async with opened(server, "not the password"):
            pass


async def test_the_seeds_indexes_bear_their_names(server: Neo4jServer) -> None:
    await wiped(server)
    async with opened(server):
        pass
    async with AsyncGraphDatabase.driver(server.uri, auth=(USER, server.password)) as driver:
        found = await driver.execute_query("SHOW VECTOR INDEXES YIELD name, labelsOrTypes, options")
    indexes = {row["name"]: row for row in found.records}
    assert indexes["quote_embeddings_index"]["labelsOrTypes"] == ["Quote"]
    assert indexes["concept_embeddings_index"]["labelsOrTypes"] == ["Concept"]
    config = indexes["concept_embeddings_index"]["options"]["indexConfig"]
    assert (config["vector.dimensions"], config["vector.similarity_function"].lower()) == (
        DIMENSION,
        "cosine",
    )


async def test_an_index_of_another_dimension_is_refused(server: Neo4jServer) -> None:
    await wiped(server)
    async with opened(server):
        pass
    with pytest.raises(Conflict, match=r"concept_embeddings_index|quote_embeddings_index"):
        async with KnowledgeStore(Neo4jBackend(server.uri, USER, server.password), "test", 99):
            pass


async def test_concurrent_writers_come_one_after_another(server: Neo4jServer) -> None:
    await wiped(server)
    async with opened(server) as store:
        content, quotes = await saved(store)
        plans = [plan_for(content, quotes, ["El tiempo", "La muerte"], run=str(at)) for at in range(6)]
        receipts = await asyncio.gather(*(store.apply(plan, vectors_of(plan)) for plan in plans))
        assert sum(len(receipt.created) for receipt in receipts) == 2
        assert len(await store.concepts()) == 2


async def test_down_in_the_middle_of_a_commit_leaves_nothing_then_all(mortal: Neo4jServer) -> None:
    async with opened(mortal) as store:
        content, quotes = await saved(store)
        before = await store.snapshot()
        plan = plan_for(content, quotes, ["El tiempo", "La muerte"])

        async def dies(tx: object) -> None:
            await tx.put_records("run", {"x": {}})  # type: ignore[attr-defined]
            await asyncio.to_thread(mortal.stop, kill=True)
            await tx.records("run")  # type: ignore[attr-defined]

        with pytest.raises(Unavailable, match="make neo4j"):
            await store.backend.execute(dies, write=True)
    with pytest.raises(Unavailable, match="does not answer"):
        async with opened(mortal):
            pass
    await asyncio.to_thread(mortal.start)
    async with opened(mortal) as store:
        assert await store.snapshot() == before
        await store.apply(plan, vectors_of(plan))
        assert len(await store.concepts()) == 2


async def test_killed_twenty_times_at_the_steps_of_the_commit(server: Neo4jServer, tmp_path: Path) -> None:
    await wiped(server)
    target = f"{server.uri} {USER} {server.password}"
    check(await run_killer(target, tmp_path / "notes", 20), 20)


async def test_the_same_quotes_give_the_same_graph_on_both_databases(
    server: Neo4jServer, settings: Any, data_dir: Path
) -> None:
    await wiped(server, indexes=True)
    said = {"relations": [{"source_id": "C1", "relation": "SUPPORTS", "target_id": "C2"}]}
    graphs, notes = [], []
    for uri in ("", server.uri):
        settings(neo4j_uri=uri, neo4j_password=server.password, zettel_dir=data_dir / f"notes-{bool(uri)}")
        flow = Flow(Reader(relations=said), threshold=0.0)
        await flow.start()
        uuid = flow.asked["concepts"][0]["id"]
        await flow.answer("edit", concepts=[{"id": uuid, "decision": "edit", "title": "Otro título"}])
        assert flow.out["outcome"] == "committed"
        graphs.append(plain(await snapshot()))
        notes.append({path.name: path.read_bytes() for path in (data_dir / f"notes-{bool(uri)}").iterdir()})
        await flow.start(force=True)
        assert (await flow.answer())["receipt"]["created"] == []
        assert plain(await snapshot()) == graphs[-1]
    assert graphs[0] == graphs[1]
    assert notes[0] == notes[1]


def plain(graph: dict[str, Any]) -> dict[str, Any]:
    """Without the times of day."""
    times = ("created_at", "processed_date")
    nodes = [{name: value for name, value in item.items() if name not in times} for item in graph["nodes"]]
    return {**graph, "nodes": nodes}


async def test_down_in_the_middle_of_a_run_then_up_again(mortal: Neo4jServer, settings: Any) -> None:
    settings(neo4j_uri=mortal.uri, neo4j_password=mortal.password)
    flow = Flow()
    await flow.start()
    await asyncio.to_thread(mortal.stop, kill=True)
    with pytest.raises(Unavailable, match="does not answer"):
        await flow.answer()
    await asyncio.to_thread(mortal.start)
    flow.out = await flow.graph.ainvoke(None, flow.config, context=flow.context)  # type: ignore[call-overload]
    # The approval was kept with the thread: nobody is asked again.
    assert flow.out["outcome"] == "committed"
    assert len(await titles()) == 3


async def test_down_in_the_middle_of_reading_then_up_again(
    mortal: Neo4jServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = KnowledgeStore.nearest_concepts

    async def dies(store: KnowledgeStore, *args: Any, **more: Any) -> Any:
        monkeypatch.setattr(KnowledgeStore, "nearest_concepts", look)
        await asyncio.to_thread(mortal.stop, kill=True)
        return await look(store, *args, **more)

    monkeypatch.setattr(KnowledgeStore, "nearest_concepts", dies)
    settings(neo4j_uri=mortal.uri, neo4j_password=mortal.password)
    flow = Flow()
    with pytest.raises(Unavailable, match="does not answer"):
        await flow.start()
    await asyncio.to_thread(mortal.start)
    flow.out = await flow.graph.ainvoke(None, flow.config, context=flow.context)  # type: ignore[call-overload]
    # What could not be compared is said, and the person decides.
    checks = [item["duplicate_check"]["verdict"] for item in flow.asked["concepts"]]
    assert "unchecked" in checks
    assert any("not compared" in error for error in flow.asked["errors"])
    assert (await flow.answer())["outcome"] == "committed"
    assert len(await titles()) == 3
