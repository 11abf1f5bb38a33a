"""The batch strategy: the same checks, far fewer calls; and calls per question by the fixed script."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graphs.qgen_loop.documents import open_document
from graphs.qgen_loop.graph import builder
from graphs.qgen_loop.passages import passages
from tests.fakes import qgen_documents as made
from tests.fakes import qgen_models as says

Make = Callable[[str, list[Any]], Any]
CONTEXT = {"generator_model": "scripted:maker", "validator_model": "scripted:reader",
           "judge_model": "scripted:judge", "deduplicator_model": "scripted:twin"}  # fmt: skip


@pytest.fixture(autouse=True)
def quick(settings: Callable[..., None]) -> None:
    settings(model_attempts=1, embeddings="ngram")


async def run(
    document: Path, target: int, saver: InMemorySaver | None = None, **context: Any
) -> dict[str, Any]:
    graph = builder.compile(checkpointer=saver or InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    given: Any = {"document_path": str(document), "target_count": target}
    return await graph.ainvoke(given, config, context={**CONTEXT, **context})


def only_passages(messages: list[Any]) -> str:
    """A validator that answers from what it is shown, and from nothing else."""
    return says.batch_answers(messages)


async def test_calls_per_question_batch(tmp_path: Path, scripted: Make) -> None:
    bad = {"question": "Is Skarn Rock in the sea?", "answer": "Yes"}
    first = json.loads(says.proposals([0, 1, 2, 3, 4, 5]))["questions"]
    second = json.loads(says.proposals([6, 7, 8, 9, 10, 11]))["questions"]
    batches = [
        [*first[:4], {**first[0], **bad}, *first[4:]],
        [*second[:3], {**second[0], **bad}, *second[3:]],
    ]
    scripted("maker", [json.dumps({"questions": batch}) for batch in batches])
    scripted("reader", [says.batch_answers])
    scripted("judge", [])
    scripted("twin", [lambda _: json.dumps({"duplicate": False})])
    result = await run(made.text_file(tmp_path), 10, strategy="batch")
    assert (result["status"], len(result["accepted"])) == ("target_reached", 10)
    assert {item["rejection_reason"] for item in result["rejected"]} == {"trivial"}
    assert result["spent"]["calls"] / 10 <= 1.5
    assert all(pair["validated"] for pair in result["accepted"])


async def test_calls_per_question_agent(tmp_path: Path, scripted: Make) -> None:
    script: list[Any] = []
    for number in range(10):
        script += says.attempt(number)
        if number % 4 == 3:
            script += says.attempt(number, quote="words that stand nowhere in the document")
    scripted("maker", script)
    scripted("reader", [says.knows_all])
    scripted("judge", [])
    scripted("twin", [lambda _: json.dumps({"duplicate": False})])
    result = await run(made.text_file(tmp_path), 10)
    assert (result["status"], len(result["rejected"])) == ("target_reached", 2)
    assert result["spent"]["calls"] / 10 <= 9


async def test_evidence_of_batches_is_checked_too(tmp_path: Path, scripted: Make) -> None:
    scripted(
        "maker",
        [says.proposals([0, 1], quote="words that stand nowhere in the document"), says.proposals([4])],
    )
    scripted("reader", [says.batch_answers])
    result = await run(made.text_file(tmp_path), 1, strategy="batch")
    assert [item["rejection_detail"].split(":")[0] for item in result["rejected"]] == ["quote_not_found"] * 2
    assert result["accepted"][0]["answer"] == "Grey Heron"


async def test_what_the_group_cannot_answer_goes_to_the_agent(tmp_path: Path, scripted: Make) -> None:
    scripted("maker", [says.proposals([0, 4])])
    reader = scripted(
        "reader", [json.dumps({"answers": [{"number": 1, "answerable": False}]}), says.knows_all]
    )
    result = await run(made.text_file(tmp_path), 1, strategy="batch")
    assert result["status"] == "target_reached"
    assert len(reader.calls) == 4


async def test_the_group_is_blind_and_never_sees_cited_lines_alone(tmp_path: Path, scripted: Make) -> None:
    scripted("maker", [says.proposals([4])])
    reader = scripted("reader", [says.batch_answers])
    await run(made.text_file(tmp_path), 1, strategy="batch")
    shown = str(reader.calls[0][-1].text)
    assert says.ASKED[4][0] in shown
    assert len([line for line in made.FACTS if line in shown]) > 1


async def test_nothing_to_ask_ends_when_all_was_shown(tmp_path: Path, scripted: Make) -> None:
    scripted("maker", [lambda _: json.dumps({"questions": []})])
    scripted("reader", [])
    result = await run(made.text_file(tmp_path), 1, strategy="batch", window_lines=10)
    assert result["status"] == "exhausted"
    assert "whole document" in result["reason"]
    assert all("no_submission" in item["rejection_detail"] for item in result["rejected"])


@pytest.mark.parametrize("who", ["maker", "reader"])
async def test_a_dead_line_suspends_a_batch(tmp_path: Path, scripted: Make, who: str) -> None:
    models = {
        "maker": scripted("maker", [says.proposals([0, 4])]),
        "reader": scripted("reader", [says.batch_answers]),
    }
    good = list(models[who].replies)
    models[who].replies = [lambda _: ConnectionError("gone")]
    saver, document = InMemorySaver(), made.text_file(tmp_path)
    assert (await run(document, 2, saver, strategy="batch"))["status"] == "suspended"
    models[who].replies = good
    assert (await run(document, 2, saver, strategy="batch"))["status"] == "target_reached"


@pytest.mark.parametrize("who", ["maker", "reader"])
async def test_nonsense_fails_the_attempt(tmp_path: Path, scripted: Make, who: str) -> None:
    models = {
        "maker": scripted("maker", [says.proposals([0])]),
        "reader": scripted("reader", [says.batch_answers]),
    }
    models[who].replies = [lambda _: "well, hm"]
    result = await run(made.text_file(tmp_path), 1, strategy="batch", max_attempts=1)
    assert [item["rejection_reason"] for item in result["rejected"]] == ["validation_failed"]


def test_passages_find_what_a_question_is_about(tmp_path: Path) -> None:
    document = open_document(made.text_file(tmp_path))
    assert "Grey Heron" in passages(document, "What was the first supply boat of the light?")
    assert "no passage" in passages(document, "Xyzzy plugh?")
    for number in range(6):
        other = open_document(
            made.text_file(tmp_path, [f"number {number} stands here alone"], f"{number}.txt")
        )
        assert str(number) in passages(other, "What stands alone?")
