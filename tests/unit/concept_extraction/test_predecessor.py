"""Each mistake that the system before this one made, as a test that would fail on it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from common.embeddings import get_embedder
from common.errors import Unavailable
from graphs.concept_extraction.graph import builder
from graphs.concept_extraction.state import IngestState, State
from graphs.concept_extraction.steps import duplicates
from graphs.concept_extraction.subgraphs.quote_parse import quote_parse
from tests.fakes.concept_extraction_reader import PASSES, Reader, concept
from tests.unit.concept_extraction.flow import Flow, base, files, snapshot, titles

TWO = {"concepts": [concept("Una idea", "Q1", "Q2"), concept("Otra cosa", "Q3")]}
FAILS = {
    **PASSES,
    "atomicity": False,
    "issues": [{"concept_id": "C1", "check": "atomicity", "issue": "dos ideas"}],
}


async def test_ten_rounds_of_refinement_leave_two_concepts_two() -> None:
    rounds = iter(range(100))

    def refine(_: str) -> dict[str, Any]:
        changed = {"concept_id": "C1", "action": "change", "concept": f"Versión {next(rounds)}."}
        repeated = [{"concept_id": "", "action": "add", **item} for item in TWO["concepts"]]
        return {"concepts": [changed, *repeated]}

    flow = Flow(Reader(extract=TWO, critique=FAILS, refine=refine))
    await flow.start()
    assert set(flow.concepts) == {"Una idea", "Otra cosa"}
    assert len(flow.reader.prompts("refine")) == 10
    state = await flow.state()
    assert state["phase_1_iteration"] == 11
    assert len(state["critique_log"]) == 11
    assert len(state["duplicate_detections"]) == len(state["novel_concepts"]) == 2


async def test_a_refinement_that_changes_nothing_ends_the_loop() -> None:
    flow = Flow(Reader(extract=TWO, critique=FAILS))
    await flow.start()
    assert len(flow.reader.prompts("refine")) == 1
    assert flow.asked["critique"]["overall_passes"] is False


def watched(spec: Any, returned: dict[str, set[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, node in spec.nodes.items():
        inner = getattr(node.runnable, "afunc", None)
        if inner is None:
            continue

        def wrap(inner: Callable[..., Awaitable[Any]], name: str) -> Callable[..., Awaitable[Any]]:
            async def called(*args: Any, **kwargs: Any) -> Any:
                result = await inner(*args, **kwargs)
                returned.setdefault(name, set()).update(result)
                return result

            return called

        monkeypatch.setattr(node.runnable, "afunc", wrap(inner, name))


async def test_every_key_that_a_node_returns_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    returned: dict[str, set[str]] = {}
    watched(builder, returned, monkeypatch)
    watched(quote_parse.builder, returned, monkeypatch)
    said = {"relations": [{"source_id": "C1", "relation": "OPPOSES", "target_id": "C2"}]}
    flow = Flow(Reader(critique=[FAILS, {**PASSES, "issues": []}], relations=said), threshold=0.0)
    await flow.start()
    await flow.answer("reject", message="otra vuelta")
    await flow.answer()
    assert set(returned) >= set(builder.nodes) - {"quote_parse"}
    declared = set(State.__annotations__) | set(IngestState.__annotations__)
    assert {name: keys - declared for name, keys in returned.items() if keys - declared} == {}


async def test_relations_and_files_are_written(data_dir: Path) -> None:
    said = {"relations": [{"source_id": "C1", "relation": "OPPOSES", "target_id": "C2"}]}
    flow = Flow(Reader(extract=TWO, relations=said), threshold=0.0)
    await flow.start()
    await flow.answer()
    assert "OPPOSES" in {edge["type"] for edge in (await snapshot())["edges"]}
    notes = files(data_dir)
    assert set(notes) == {"Una idea.md", "Otra cosa.md"}
    assert "[[Otra cosa|Otra cosa]]" in notes["Una idea.md"].decode()


async def test_the_answer_to_the_interrupt_counts() -> None:
    flow = Flow(Reader(extract=TWO))
    await flow.start()
    await flow.answer("edit", concepts=[{"id": flow.concepts["Una idea"]["id"], "title": "La mía"}])
    assert await titles() == {"La mía", "Otra cosa"}


async def test_prompts_hold_the_concepts_themselves() -> None:
    flow = Flow(Reader(extract=TWO, critique=[FAILS, {**PASSES, "issues": []}]), threshold=0.0)
    await flow.start()
    await flow.answer("reject", message="otra vuelta")
    for kind in ("critique", "refine", "queries", "relations"):
        for text in flow.reader.prompts(kind):
            assert "Una idea" in text, kind
            assert "La idea es que una idea." in text, kind
    for kind in ("extract", "critique", "refine"):
        for text in flow.reader.prompts(kind):
            assert "Nadie es libre si teme." in text, kind
    assert "dos ideas" in flow.reader.prompts("refine")[0]


async def test_one_failed_branch_does_not_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = duplicates.compare, []

    async def fails_once(*args: Any) -> Any:
        calls.append(args[0])
        if len(calls) == 1:
            raise Unavailable("the base went away")
        return await real(*args)

    monkeypatch.setattr(duplicates, "compare", fails_once)
    flow = Flow()
    await flow.start()
    assert len(flow.concepts) == 3
    assert "went away" in flow.asked["errors"][0]
    verdicts = [item["duplicate_check"]["verdict"] for item in flow.asked["concepts"]]
    assert verdicts.count("unchecked") == len(calls[0])
    assert (await flow.answer())["outcome"] == "committed"


async def test_concepts_are_stored_with_their_embedding() -> None:
    flow = Flow(Reader(extract=TWO))
    await flow.start()
    await flow.answer()
    query = get_embedder("use").embed_sync(["Una idea. La idea es que una idea."])
    async with base() as store:
        hits = (await store.nearest_concepts(query, limit=1))[0]
    assert hits[0].concept.title == "Una idea"
    assert hits[0].score == pytest.approx(1.0, abs=1e-3)


async def test_ids_are_fixed_and_writes_are_one_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = Flow(Reader(extract=TWO))
    out = await flow.start(ingest_only=True)
    before = await snapshot()
    await flow.start(content_uuid=out["content_uuid"])
    from graphs.concept_extraction.knowledge.sqlite import SqliteTransaction

    async def breaks(*_: Any) -> None:
        raise Unavailable("in the middle of the commit")

    with monkeypatch.context() as patch:
        patch.setattr(SqliteTransaction, "put_edges", breaks)
        with pytest.raises(Unavailable):
            await flow.answer()
    assert await snapshot() == before
    flow.out = await flow.graph.ainvoke(None, flow.config, context=flow.context)  # type: ignore[call-overload]
    assert flow.out["outcome"] == "committed"
    assert len(await titles()) == 2


async def test_candidates_are_compared_with_each_other() -> None:
    double = [concept("El hábito forma el carácter", "Q1"), concept("El Hábito forma el carácter.", "Q2")]
    near = concept("La costumbre forma el carácter", "Q3")
    flow = Flow(
        Reader(extract={"concepts": [*double, near]}, duplicate={"same": True, "reasoning": "sinónimos"})
    )
    await flow.start()
    assert [item["proposal"] for item in flow.asked["concepts"]] == ["create", "merge"]
    out = await flow.answer()
    assert len(out["receipt"]["created"]) == 1
    assert out["receipt"]["supports"] == 3


async def test_a_contradiction_in_the_same_words_is_never_merged() -> None:
    pair = [concept("El poder corrompe", "Q1"), concept("El poder no corrompe", "Q2")]
    flow = Flow(Reader(extract={"concepts": pair}, duplicate={"same": True, "reasoning": "muy parecidas"}))
    await flow.start()
    assert [item["proposal"] for item in flow.asked["concepts"]] == ["create", "create"]
    nearest = flow.concepts["El poder no corrompe"]["nearest"][0]
    assert nearest["score"] > 0.9
    assert "denies" in nearest["reason"]


async def test_a_failed_checker_decides_nothing() -> None:
    pair = [
        concept("El hábito forma el carácter", "Q1"),
        concept("La costumbre moldea la manera de ser", "Q2"),
    ]
    flow = Flow(Reader(extract={"concepts": pair}, duplicate=RuntimeError("down")))
    await flow.start()
    checks = [item["duplicate_check"] for item in flow.asked["concepts"]]
    assert checks[1]["verdict"] == "unsure"
    assert flow.asked["concepts"][1]["proposal"] == "create"
