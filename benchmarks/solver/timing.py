"""Processor time of work that is done again and again."""

import gc
import time
from collections.abc import Callable
from typing import TypeVar

G = TypeVar("G")
F = TypeVar("F")

#: Seconds after which work that takes long is not done again.
BUDGET = 20.0


def repeated(
    given: Callable[[], G], work: Callable[[G], F], runs: int, budget: float = BUDGET
) -> tuple[list[float], F]:
    """Seconds of each run and what the last one found; what a run is given is made before its time begins."""
    seconds: list[float] = []
    while True:
        ready = given()
        gc.collect()
        start = time.process_time()
        found = work(ready)
        seconds.append(time.process_time() - start)
        if len(seconds) >= runs or sum(seconds) > budget:
            return seconds, found
        del found, ready
