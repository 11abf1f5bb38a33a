"""A real, weak model: whatever it says, the review is complete and the commit is sound."""

from collections.abc import Callable

from tests.unit.concept_extraction.flow import BOOK, Flow, snapshot


async def test_smollm2_runs_the_graph_to_a_commit(small_model: str, settings: Callable[..., None]) -> None:
    settings(base_urls=f'{{"local": "{small_model}"}}', num_predict="300", model_timeout="60")
    roles = {f"{role}_model": "local:smollm2" for role in ("reasoning", "checking", "simple")}
    flow = Flow(**roles, max_calls=12, refine_rounds=1)
    await flow.start(**BOOK)
    if flow.name == "approve_budget":
        await flow.answer()
    assert flow.name == "review_concepts"
    assert flow.asked["cost"]["calls"] >= 1
    out = await flow.answer()
    assert out["outcome"] == "committed"
    graph = await snapshot()
    quotes = {item["uuid"] for item in graph["nodes"] if item["label"] == "Quote"}
    concepts = {item["uuid"] for item in graph["nodes"] if item["label"] == "Concept"}
    supports = [e for e in graph["edges"] if e["type"] == "SUPPORTS" and e["source"] not in concepts]
    assert all(edge["source"] in quotes and edge["target"] in concepts for edge in supports)
    assert all(any(edge["target"] == uuid for edge in supports) for uuid in concepts)
