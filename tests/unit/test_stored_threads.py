"""A thread that waited under an earlier version goes on under this one."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from clients.runner import open_runner
from tests.stored.cases import CASES, Case

STORED = sorted((Path(__file__).resolve().parents[1] / "stored").glob("waiting-*.sqlite.gz"))


@pytest.fixture(autouse=True)
def unguarded(no_blocking: Any) -> Iterator[None]:
    """A runner has its own event loop and may block it."""
    no_blocking.deactivate()
    yield
    no_blocking.activate()


def test_there_is_one() -> None:
    assert STORED


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.graph))
@pytest.mark.parametrize("stored", STORED, ids=lambda path: str(path.name))
def test_it_is_listed_and_takes_its_answer(stored: Path, case: Case, data_dir: Path) -> None:
    data_dir.mkdir(parents=True, exist_ok=True)
    (data_dir / "checkpoints.sqlite").write_bytes(gzip.decompress(stored.read_bytes()))
    with open_runner() as runner:
        if case.before:
            runner.run(case.graph, case.before, thread_id=str(uuid4()))
        waiting = {each.thread_id: each.interrupt for each in runner.waiting(case.graph)}
        request = waiting[case.thread]["action_requests"][0]
        assert request["name"] == case.asks
        answer = {"decisions": [{"type": "approve"}], "review_id": request["args"]["review_id"]}
        outcome = runner.resume(case.graph, case.thread, answer, context=case.context)
    assert not outcome.waits, outcome.interrupt
    if case.graph == "concept_extraction":
        assert (outcome.values["outcome"], outcome.values["errors"]) == ("committed", [])
        assert {path.stem for path in (data_dir / "zettel").iterdir()} == {
            "Nadie es libre si teme",
            "Sólo el tiempo es nuestro",
        }
    else:
        assert outcome.values["decisions"]
