"""How the time of some work grows with its size: that is the same on every machine, as seconds are not."""

import gc
import time
from collections.abc import Callable

TRIES = 3


def growth(work: Callable[[int], object], size: int, times: int = 8) -> float:
    """How much longer the work takes on `times` as much: about `times`, or its square if it begins anew at
    each piece."""
    return seconds(lambda: work(size * times)) / max(seconds(lambda: work(size)), 1e-3)


def seconds(work: Callable[[], object]) -> float:
    """What this thread computes for it at its best, undisturbed by the collection of garbage."""
    taken = []
    for _ in range(TRIES):
        gc.disable()
        try:
            began = time.thread_time()
            work()
            taken.append(time.thread_time() - began)
        finally:
            gc.enable()
    return min(taken)
