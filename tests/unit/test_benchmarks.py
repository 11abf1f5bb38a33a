"""The frame of `make bench`: what each line says, and that one graph's failure stays its own."""

from pathlib import Path

import pytest

from benchmarks import run
from benchmarks.measure import Measure, Room


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (Measure("m", 4, "ms", 5), "yes"),
        (Measure("m", 99, "%", 95, better="higher", note="of 400"), "yes (of 400)"),
        (Measure("m", 6, "ms", 5, note="a slow disk"), "missed by 1 ms (20 %): a slow disk"),
        (Measure("m", 90, "%", 95, better="higher"), "missed by 5 % (5 %): no reason is known"),
        (Measure("m", 2, "calls", 0), "missed by 2 calls: no reason is known"),
    ],
)
def test_reached_or_missed_by_how_much_and_why(measure: Measure, said: str) -> None:
    assert measure.verdict == said


def test_a_room_that_cannot_be_measured_is_told_and_others_are_shown() -> None:
    broken = run.measure("no_such_room")
    assert "ModuleNotFoundError" in broken.failure
    rooms = [broken, Room("tutoring", [Measure("a|b", 1, "ms", 2, peer="p", theirs=3)], 1.0)]
    text = run.markdown(rooms)
    assert "1 of 1 goals reached. Not measured: no_such_room." in text
    assert "| a\\|b | 1 ms | ≤ 2 ms | yes | p | 3 ms | 3.00 × |" in text
    assert run.table(rooms).row_count == 4


def test_results_name_no_folder_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    failure = f"FileNotFoundError: {run.ROOT}/samples and {Path.home()}/x"
    text = run.markdown([Room("tutoring", [], 1.0, failure)])
    assert str(run.ROOT) not in text
    assert str(Path.home()) not in text


def test_an_unknown_graph_is_refused() -> None:
    assert run.chosen([]) == run.registered()
    with pytest.raises(SystemExit, match="tutoring"):
        run.chosen(["nonsense"])
