"""Memory that an analysis takes beyond the program: the peak that tracemalloc sees, in a process of its own."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.solver.graphs import load
from benchmarks.solver.product import prepared
from benchmarks.solver.programs import program_of
from statemem.passes import Liveness, Manager
from statemem.passes.chains import use_def_chains


def liveness(path: Path) -> dict[str, int]:
    """Bytes of liveness beyond the program, and with what passes share counted."""
    program = program_of(load(path))
    manager = prepared(program)
    solving = _peak(lambda: manager.solve(Liveness))
    return {"solve": solving, "with ingest": _peak(lambda: Manager(program).solve(Liveness))}


def chains(path: Path) -> dict[str, int]:
    """Bytes of all use-def chains beyond the program."""
    manager = prepared(program_of(load(path)))
    return {"use-def chains": _peak(lambda: list(use_def_chains(manager)))}


def _peak(work: Callable[[], Any]) -> int:
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return peak - before
