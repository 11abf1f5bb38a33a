"""A real, weak model in both roles: the loop comes to its end, and what it accepts has evidence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graphs.qgen_loop.graph import builder
from tests.fakes import qgen_documents as made

ENDED = {"target_reached", "exhausted", "budget"}


async def run(document: Path, saver: InMemorySaver, **context: Any) -> dict[str, Any]:
    graph = builder.compile(checkpointer=saver)
    models = {
        "generator_model": "local:smollm2",
        "validator_model": "second:smollm2",
        "allow_same_family": True,
    }
    limits: dict[str, Any] = {
        "window_lines": 10,
        "batch_size": 3,
        "generator_calls": 2,
        "validator_calls": 2,
        "max_consecutive_failures": 2,
        "max_calls": 4,
    }
    given: Any = {"document_path": str(document), "target_count": 2}
    config: Any = {"configurable": {"thread_id": "1"}}
    chosen: Any = {**models, **limits, **context}
    return await graph.ainvoke(given, config, context=chosen)


@pytest.mark.parametrize("strategy", ["agent", "batch"])
async def test_smollm2_runs_the_loop_to_its_end(
    small_model: str, settings: Callable[..., None], tmp_path: Path, strategy: str
) -> None:
    both = f'{{"local": "{small_model}", "second": "{small_model}"}}'
    settings(base_urls=both, num_predict="80", model_timeout="900", embeddings="ngram")
    document = made.text_file(tmp_path)
    result = await run(document, InMemorySaver(), strategy=strategy)
    assert result["status"] in ENDED, result["reason"]
    assert result["spent"]["calls"] >= 1
    text = " ".join(document.read_text().split())
    assert all(pair["evidence"]["quote"] in text for pair in result["accepted"])
    assert all(item["rejection_detail"] for item in result["rejected"])


async def test_a_dead_validator_beside_a_living_generator(
    small_model: str, settings: Callable[..., None], tmp_path: Path
) -> None:
    """With the validator's server gone nothing is accepted; when it is back, the run goes on."""
    settings(
        base_urls=f'{{"local": "{small_model}", "second": "http://127.0.0.1:9/v1"}}',
        num_predict="80", model_timeout="900", model_attempts="1", embeddings="ngram",
    )  # fmt: skip
    document, saver = made.text_file(tmp_path), InMemorySaver()
    rules_write = {"generator_model": "rules", "validator_model": "second:smollm2"}
    result = await run(document, saver, **rules_write)
    assert (result["status"], result["accepted"]) == ("suspended", [])
    settings(base_urls=f'{{"second": "{small_model}"}}')
    result = await run(document, saver, **rules_write)
    assert result["status"] in ENDED
    assert result["stats"]["total_attempts"] >= 1
