"""How fast logs are read and lowered, and how that and memory grow with them.

    python -m benchmarks.throughput [FILE...] [--generated N] [--messages N,N,N] [--json FILE] [--seed N]

Three things are done to each log, each in a process of its own: `json.loads` of it (of each line, where a record is a
line), reading its records, and lowering it, where no program is kept. A row says how many megabytes of text a second
that makes in processor time, how many times as long as `json.loads` it takes, and the peak of resident memory above
that of the process before, of `json.loads` and of lowering.

Without files, logs of invented chats are made: of N, 10 N and 100 N conversations of 40 messages, as lines, packed
lines and one array, where time should grow tenfold and memory stay; and one conversation of 1,000, 10,000 and 100,000
messages, where both should grow tenfold. The columns of growth compare with the log of a tenth of the size. Nothing is
asserted.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.growth import peak_memory
from benchmarks.throughput_logs import MESSAGES, write

T = TypeVar("T")

SUMMARY = "Measure how fast logs are read and lowered beside json.loads, and how time and memory grow."
PHASES = ("loads", "reading", "lowering")
SHAPES = ("lines.jsonl", "packed.jsonl.gz", "array.json")
HEADER = (
    f"{'log':<34}{'MB':>8}{'json.loads':>12}{'reading':>18}{'lowering':>18}{'growth':>8}"
    f"{'loads peak':>12}{'lowering peak':>15}{'growth':>8}"
)


@dataclass(frozen=True)
class Run:
    """One thing done to a log: processor seconds, peak of memory in bytes, and why it could not be done, if so."""

    seconds: float
    peak: int
    problem: str | None = None


@dataclass(frozen=True)
class Row:
    """What was measured of one log of so many bytes of text; `before` is the same shape of a tenth of the size."""

    log: str
    bytes: int
    runs: dict[str, Run]
    before: "Row | None" = None

    @property
    def seconds_growth(self) -> float | None:
        """How much longer lowering takes than of a tenth."""
        return _ratio(self.runs["lowering"].seconds, self.before.runs["lowering"].seconds) if self.before else None

    @property
    def peak_growth(self) -> float | None:
        """How much more memory lowering takes than of a tenth."""
        return _ratio(self.runs["lowering"].peak, self.before.runs["lowering"].peak) if self.before else None

    def rate(self, phase: str) -> float:
        """Megabytes a second."""
        return self.bytes / 1e6 / max(self.runs[phase].seconds, 1e-9)

    def times_loads(self, phase: str) -> float:
        """How many times as long as `json.loads`."""
        return self.runs[phase].seconds / max(self.runs["loads"].seconds, 1e-9)

    def record(self) -> dict[str, object]:
        """The row for JSON."""
        found: dict[str, object] = {"log": self.log, "bytes": self.bytes}
        for phase, one in self.runs.items():
            found[phase] = asdict(one) | {"rate": self.rate(phase), "times_loads": self.times_loads(phase)}
        return found | {"seconds_growth": self.seconds_growth, "peak_growth": self.peak_growth}


# measuring


def run(phase: str, path: str) -> Run:
    """Do one thing to a log in this process."""
    from statemem.ir.diagnostics import StatememError
    from statemem.ir.frontends import frontends

    frontends()
    work = {"loads": _load, "reading": _read, "lowering": _lower}[phase]
    memory, start = peak_memory(), time.process_time()
    problem = None
    try:
        work(path)
    except (StatememError, json.JSONDecodeError) as error:
        problem = str(error).splitlines()[0]
    return Run(time.process_time() - start, peak_memory() - memory, problem)


def _load(path: str) -> None:
    """As people do: the whole file, or line by line where it is not one value."""
    from statemem.ir.frontends.reading.source import pieces

    text = "".join(pieces(path))
    try:
        json.loads(text)
    except json.JSONDecodeError:
        del text
        for line in "".join(pieces(path)).split("\n"):
            if line.strip():
                json.loads(line)


def _read(path: str) -> None:
    from statemem.ir.frontends.reader import read

    for _ in read(path, []).records:
        pass


def _lower(path: str) -> None:
    from statemem.ir.frontends import lower

    for _ in lower(path, []):
        pass


def measured(log: str, path: Path, before: Row | None = None) -> Row:
    """The row of one log."""
    return Row(log, _size(path), {phase: _in_process(run, phase, str(path)) for phase in PHASES}, before)


def generated(conversations: int, messages: Sequence[int], seed: int, folder: Path) -> Iterator[Row]:
    """The rows of made logs: of more and more conversations in each layout, and of longer and longer ones."""
    for shape in SHAPES:
        before = None
        for count in (conversations, 10 * conversations, 100 * conversations):
            before = _made(
                f"{count:,} conversations, {shape.split('.')[0]}", folder / shape, count, MESSAGES, seed, before
            )
            yield before
    before = None
    for count in messages:
        before = _made(f"{count:,} messages in one", folder / SHAPES[0], 1, count, seed, before)
        yield before


def _made(log: str, path: Path, conversations: int, messages: int, seed: int, before: Row | None) -> Row:
    _in_process(write, path, conversations, messages, seed)
    found = measured(log, path, before)
    path.unlink()
    return found


def _size(path: Path) -> int:
    from statemem.ir.frontends.reading.source import pieces

    return sum(len(piece.encode()) for piece in pieces(str(path)))


def _in_process(work: Callable[..., T], *arguments: Any) -> T:
    """A call in a fresh interpreter, whose memory is its own. It begins with the peak of this one."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _ratio(now: float, before: float) -> float | None:
    return now / before if before > 0 else None


# showing


def line(row: Row) -> str:
    """One row as a line; what could not be done is said instead of its figures."""
    loads, lowering = row.runs["loads"], row.runs["lowering"]
    parts = [f"{row.log[-33:]:<34}{row.bytes / 1e6:>8,.1f}{row.rate('loads'):>7,.0f} MB/s"]
    parts += [f"{row.rate(phase):>7,.1f} MB/s{_times(row.times_loads(phase)):>6}" for phase in PHASES[1:]]
    if lowering.problem:
        return "".join(parts[:2]) + f"  {lowering.problem}"
    parts.append(f"{_times(row.seconds_growth):>8}{loads.peak / 1e6:>9,.0f} MB{lowering.peak / 1e6:>12,.0f} MB")
    return "".join([*parts, f"{_times(row.peak_growth):>8}"])


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"x{ratio:.1f}" if ratio < 9.95 else f"x{ratio:.0f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows as they come, write the JSON."""
    options = _options(arguments)
    print(HEADER)
    rows: list[Row] = []
    for row in _rows(options):
        print(line(row), flush=True)
        rows.append(row)
    if options.json:
        options.json.write_text(json.dumps([row.record() for row in rows], indent=1) + "\n", encoding="utf-8")
    return 0


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    for path in options.files:
        yield measured(path.name, path)
    if options.generated or not options.files:
        with tempfile.TemporaryDirectory() as folder:
            yield from generated(options.generated or 20, options.messages, options.seed, Path(folder))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput", description=SUMMARY)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="logs to measure")
    parser.add_argument("--generated", type=int, metavar="N", help="make logs of N, 10 N and 100 N conversations (20)")
    parser.add_argument("--messages", type=_numbers, default=(1_000, 10_000, 100_000), metavar="N,N,N", help="of one")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the made logs (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to FILE")
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part]


if __name__ == "__main__":
    sys.exit(main())
