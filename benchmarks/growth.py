"""How time and memory grow with the length of a log.

    python -m benchmarks.growth [--json FILE] [--seed N] [--limit N] [--only NAME]

Logs of invented content, made from a seed, of a few sizes that differ tenfold: `steps` logs up to 10^5 steps and
`openai` chats of one conversation up to 10^4 messages, then three that put everything in one place: a fact
restated at every step, a fact that gets a new version at every step, a value that every result holds. Every log
is measured twice, each time in a process of its own: once stage by stage (reading and lowering, the passes, the
plan), once as the whole `statemem.analyze`, with the peak of resident memory above that of the imported package.
Time is processor time. The last column compares a log with one of a tenth: growth is linear where it is near 10.
Nothing is asserted.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.growth_logs import LOGS, write

SUMMARY = "Measure time and peak memory of lowering, passes, plan and the whole analysis over growing logs."
SIZES = {
    "steps": (1_000, 10_000, 100_000),
    "openai": (1_000, 10_000),
    "restated": (200, 2_000),
    "versioned": (500, 5_000),
    "common": (500, 5_000),
}
UNITS = {"lowering": "µs", "passes": "µs", "plan": "µs", "analyze": "µs", "peak": "bytes"}
MAX_RSS_BYTES = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes there, in KiB elsewhere


@dataclass(frozen=True)
class Row:
    """One measure of one log: the whole in seconds or bytes, and the ratio to the log of a tenth of the size."""

    log: str
    size: int
    measure: str
    whole: float
    ratio: float | None

    @property
    def each(self) -> float:
        """Microseconds or bytes for each step or message."""
        return self.whole * (1 if self.measure == "peak" else 1e6) / self.size


def stages(path: str) -> dict[str, float]:
    """Seconds of each stage; every one starts from what the one before left."""
    from statemem import lower
    from statemem.passes import Awaited, Conflicts, Endings, LastUse, Manager, Observed, Reaching, StaleUses, Undecided
    from statemem.passes.framework import at_step
    from statemem.planning import plan
    from statemem.policy import Policy

    solved = (Reaching, Awaited, Observed, Undecided, LastUse, Endings, StaleUses, Conflicts)
    _warm_up(path)
    seconds: dict[str, float] = {}
    with_time = _timing(seconds)
    program = with_time("lowering", lambda: lower(path))
    manager = Manager(program)
    with_time("passes", lambda: [manager.result(one) for one in solved])
    now = program.step_of(len(program.blocks) - 1)
    point = at_step(program, now)
    assert point is not None
    with_time("plan", lambda: plan(manager, point, now, Policy()))
    return seconds


def whole(path: str) -> dict[str, float]:
    """Seconds of the whole analysis, and the bytes of resident memory it took at its peak."""
    from statemem import analyze

    _warm_up(path)
    seconds: dict[str, float] = {}
    before = peak_memory()
    report = _timing(seconds)("analyze", lambda: analyze(path))
    assert report.entries
    return {**seconds, "peak": peak_memory() - before}


def peak_memory() -> int:
    """The largest resident memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAX_RSS_BYTES


def measure(name: str, seed: int, limit: int) -> Iterator[Row]:
    """The rows of one kind of log up to a size, as they are measured."""
    before: dict[str, float] = {}
    for size in (size for size in SIZES[name] if size <= limit):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.jsonl"
            write(path, LOGS[name](size, seed))
            now = {**_in_process(stages, path), **_in_process(whole, path)}
        yield from (Row(name, size, one, now[one], _ratio(now, before, one)) for one in UNITS)
        before = now


def line(row: Row) -> str:
    """One row as a line."""
    ratio = "" if row.ratio is None else f"x{row.ratio:.1f}"
    total = f"{row.whole / 1e6:.1f} MB" if row.measure == "peak" else f"{row.whole:.3f} s"
    each = f"{row.each:,.1f} {UNITS[row.measure]}"
    return f"{row.log:<10}{row.size:>8}  {row.measure:<10}{total:>12}{each:>18}{ratio:>8}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows as they come, write the JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=SUMMARY)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to FILE")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the logs (1)")
    parser.add_argument(
        "--limit", type=int, default=100_000, metavar="N", help="leave out logs of more than N (100000)"
    )
    parser.add_argument("--only", choices=SIZES, action="append", metavar="NAME", help="one of " + ", ".join(SIZES))
    options = parser.parse_args(arguments)
    print(f"{'log':<10}{'size':>8}  {'measure':<10}{'whole':>12}{'each':>18}{'growth':>8}")
    rows = []
    for name in options.only or SIZES:
        for row in measure(name, options.seed, options.limit):
            print(line(row), flush=True)
            rows.append(row)
    if options.json:
        text = json.dumps([asdict(row) | {"each": row.each} for row in rows], indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


def _in_process(work: Callable[[str], dict[str, float]], path: Path) -> dict[str, float]:
    """What a function finds in a fresh interpreter, whose peak of memory is its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, str(path)).result()


def _warm_up(path: str) -> None:
    """Import everything an analysis needs, by one of the first record of a log."""
    from statemem import analyze

    with open(path, encoding="utf-8") as log:
        str(analyze([json.loads(log.readline())]))


def _timing(seconds: dict[str, float]) -> Callable[[str, Callable[[], Any]], Any]:
    def timed(name: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        found = work()
        seconds[name] = time.process_time() - start
        return found

    return timed


def _ratio(now: dict[str, float], before: dict[str, float], measure: str) -> float | None:
    return now[measure] / before[measure] if before.get(measure) else None


if __name__ == "__main__":
    sys.exit(main())
