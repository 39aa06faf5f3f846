"""How time and memory grow with the length of a program: build, verify, print, parse, compare.

    python -m benchmarks.ir_growth [--sizes 10000,100000,1000000] [--seed N] [--only KIND] [--json FILE]

Programs like that of a log, of five instructions a block, are built to each number of instructions, verified, printed,
read from their text, and compared with what is read; and two kinds that press where it hurts, `united` and `bound`, to
a hundredth of each number. Every one has a process of its own. The log runs twice: as programs do, and with Python's
collector of cyclic garbage off, which goes through all objects again and again while they become more, so that its
time can be told from that of the work. Time is processor time; memory is what a phase adds to the resident memory of
the process. The columns of growth compare with a program of a tenth of the size: it is linear where they are near 10.
Nothing is asserted but that the program is sound and the same once it is read again.
"""

import argparse
import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from benchmarks.growth import peak_memory
from benchmarks.ir_growth_programs import A_BLOCK, KINDS, program_of
from statemem.ir.text import dumps, parse
from statemem.ir.verifier import verify

T = TypeVar("T")

SUMMARY = "Measure time and memory of building, verifying, printing and parsing growing programs."
SIZES = (10_000, 100_000, 1_000_000)
PHASES = ("build", "verify", "print", "parse", "compare")
#: The parts of each size that a kind is measured at, and whether with the collector off as well.
SHARES = {"log": (1, (True, False)), "united": (100, (True,)), "bound": (100, (True,))}
HEADER = "kind        size  gc  phase            time     a second  growth         memory      each  growth"
#: The pages of this process, where the system says them in a file.
STATM = Path("/proc/self/statm")


@dataclass(frozen=True)
class Row:
    """One phase of one program, beside that of a program of a tenth of the size."""

    kind: str
    size: int
    gc: bool
    phase: str
    seconds: float
    bytes: int
    growth: float | None
    growth_of_bytes: float | None

    @property
    def rate(self) -> float:
        """Instructions a second."""
        return self.size / max(self.seconds, 1e-9)

    @property
    def bytes_each(self) -> float:
        """Bytes for each instruction."""
        return self.bytes / self.size


@dataclass(frozen=True)
class Run:
    """What one process measured: seconds and bytes of each phase, the text, and the peak of memory."""

    kind: str
    size: int
    gc: bool
    seconds: dict[str, float]
    bytes: dict[str, int]
    text_bytes: int
    text_lines: int
    peak: int


# measuring


def run(kind: str, size: int, seed: int, collects: bool) -> Run:
    """Measure all phases in this process."""
    parse(dumps(program_of(kind, A_BLOCK, seed)))  # imports what is needed and builds the parser
    if not collects:
        gc.disable()
    seconds: dict[str, float] = {}
    added: dict[str, int] = {}
    phase = _measuring(seconds, added)
    program = phase("build", lambda: program_of(kind, size, seed))
    problems = phase("verify", lambda: verify(program))
    text = phase("print", lambda: dumps(program))
    [again] = phase("parse", lambda: parse(text))
    same = phase("compare", lambda: again.same_as(program))
    assert same
    assert not problems
    return Run(kind, size, collects, seconds, added, len(text.encode()), text.count("\n"), peak_memory())


def rows(now: Run, before: Run | None) -> Iterator[Row]:
    """The phases of one run, beside those of the run of a tenth of the size."""
    for phase in PHASES:
        seconds, added = now.seconds[phase], now.bytes[phase]
        growth = _ratio(seconds, before.seconds[phase]) if before else None
        growth_of_bytes = _ratio(added, before.bytes[phase]) if before else None
        yield Row(now.kind, now.size, now.gc, phase, seconds, added, growth, growth_of_bytes)


def line(row: Row) -> str:
    """One row as a line."""
    growth, growth_of_bytes = ("" if one is None else f"x{one:.1f}" for one in (row.growth, row.growth_of_bytes))
    return (
        f"{row.kind:<7}{row.size:>9}  {'on' if row.gc else 'off':<4}{row.phase:<8}{row.seconds:>11.3f} s"
        f"{row.rate:>13,.0f}{growth:>8}{row.bytes / 1e6:>12,.1f} MB{row.bytes_each:>10,.0f}{growth_of_bytes:>8}"
    )


def summary(one: Run) -> str:
    """What a run says of its text and of its memory as a whole."""
    return (
        f"{one.kind:<7}{one.size:>9}  {one.text_bytes / one.size:,.1f} bytes of text an instruction, "
        f"{one.text_lines / one.seconds['parse']:,.0f} lines parsed a second, peak {one.peak / 1e6:,.0f} MB"
    )


def measure(kind: str, sizes: Sequence[int], seed: int) -> Iterator[tuple[Run, list[Row]]]:
    """The runs of one kind with their rows, as they are measured."""
    share, collecting = SHARES[kind]
    runs: dict[tuple[int, bool], Run] = {}
    for size in (size // share // A_BLOCK * A_BLOCK for size in sizes):
        for collects in collecting if size else ():
            now = runs[size, collects] = _in_process(kind, size, seed, collects)
            yield now, list(rows(now, runs.get((size // 10, collects))))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows as they come, write the JSON."""
    options = _options(arguments)
    print(HEADER)
    runs: list[Run] = []
    found: list[Row] = []
    for kind in options.only or KINDS:
        for now, its_rows in measure(kind, options.sizes, options.seed):
            print("\n".join([*map(line, its_rows), summary(now)]), flush=True)
            runs.append(now)
            found.extend(its_rows)
    if options.json:
        _write_json(options.json, runs, found)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ir_growth", description=SUMMARY)
    parser.add_argument("--sizes", type=_sizes, default=SIZES, metavar="N,N", help="numbers of instructions")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the programs (1)")
    parser.add_argument("--only", choices=KINDS, action="append", metavar="KIND", help="one of " + ", ".join(KINDS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to FILE")
    return parser.parse_args(arguments)


def _sizes(text: str) -> list[int]:
    return sorted(map(int, text.split(",")))


def _write_json(path: Path, runs: list[Run], found: list[Row]) -> None:
    phases = [asdict(row) | {"rate": row.rate, "bytes_each": row.bytes_each} for row in found]
    path.write_text(json.dumps({"phases": phases, "runs": list(map(asdict, runs))}, indent=1) + "\n", encoding="utf-8")


def _in_process(kind: str, size: int, seed: int, collects: bool) -> Run:
    """A run in a fresh interpreter, whose memory is its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(run, kind, size, seed, collects).result()


def _measuring(seconds: dict[str, float], added: dict[str, int]) -> Callable[[str, Callable[[], T]], T]:
    def measured(phase: str, work: Callable[[], T]) -> T:
        memory, start = _resident(), time.process_time()
        found = work()
        seconds[phase] = time.process_time() - start
        added[phase] = _resident() - memory
        return found

    return measured


def _resident() -> int:
    """The resident memory of this process in bytes; its peak so far where only that is known."""
    if not STATM.exists():
        return peak_memory()
    return int(STATM.read_text(encoding="ascii").split()[1]) * resource.getpagesize()


def _ratio(now: float, before: float) -> float | None:
    return now / before if before > 0 else None


if __name__ == "__main__":
    sys.exit(main())
