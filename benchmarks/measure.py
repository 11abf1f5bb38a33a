"""One line of the benchmark table, and all of one graph's."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Literal


@dataclass(frozen=True)
class Measure:
    """A number of ours, its goal, and a peer's number from the same run where there is one."""

    name: str
    ours: float
    unit: str
    goal: float
    goal_text: str = ""
    peer: str = ""
    theirs: float | None = None
    better: Literal["lower", "higher"] = "lower"
    note: str = ""

    @property
    def reached(self) -> bool:
        return self.ours <= self.goal if self.better == "lower" else self.ours >= self.goal

    @property
    def verdict(self) -> str:
        """Reached, or missed by how much and why."""
        if self.reached:
            return f"yes ({self.note})" if self.note else "yes"
        short = abs(self.ours - self.goal)
        far = f" ({100 * short / self.goal:.0f} %)" if self.goal else ""
        return f"missed by {short:.3g} {self.unit}{far}: {self.note or 'no reason is known'}"

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer; None without one."""
        if self.theirs is None or not self.ours or not self.theirs:
            return None
        return self.theirs / self.ours if self.better == "lower" else self.ours / self.theirs


@dataclass(frozen=True)
class Room:
    """One graph's measures, or why there are none."""

    graph: str
    measures: list[Measure]
    seconds: float
    failure: str = ""


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The median time of a piece of work."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)
