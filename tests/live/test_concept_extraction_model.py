"""A real, weak model: whatever it says, the review is complete and the commit is sound."""

from collections.abc import Callable

from tests.unit.concept_extraction.flow import BOOK, Flow, snapshot


async def test_smollm2_runs_the_graph_to_a_commit(small_model: str, settings: Callable[..., None]) -> None:
    local = f'{{"local": "{small_model}"}}'
    settings(base_urls=local, num_predict="200", model_timeout="900", model_attempts="1")
    roles = {"reasoning_model": "local:smollm2", "checking_model": "rules", "simple_model": "rules"}
    flow = Flow(**roles, max_calls=3, refine_rounds=0)
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
