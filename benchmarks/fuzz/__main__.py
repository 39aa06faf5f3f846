"""Inputs from a seed until the time is over, and the smallest that do what none may.

    python -m benchmarks.fuzz text|frontends [--seed N] [--seconds N | --count N | --number N]

`text` feeds texts to the reader of the text form and to the verifier: random ones, and ones that read with a little
damage. Each must end in programs that are written and read again as the same, or in an error with its code, line and
column, within two seconds of processor time. `frontends` feeds bytes to all frontends, by content and by name: random
ones, and logs of every format with a little damage. Each must end in sound programs that are written and read again as
the same, or in problems of its file, within five seconds. What does not is printed once for each place where that
shows, reduced, with the seed and the number that repeat it, and the exit code is 1. The same seed and `--count` give
the same inputs and the same output, of `frontends` with the same real logs in STATEMEM_DATA; only how fast it went,
which is said on standard error, differs.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from benchmarks.fuzz.findings import Finding, Outcome
from benchmarks.fuzz.forms import FORMS, Form, T

SUMMARY = "Feed inputs made from a seed to what reads them, and print the smallest that fail."
#: An input that takes too long does so at every trial.
TRIALS_IF_LATE = 30
SHOWN = 2_000


class Tally:
    """How many inputs were read, how many refused by code, and how many failed by kind of finding."""

    def __init__(self) -> None:
        self.read = 0
        self.refused: Counter[str] = Counter()
        self.failed: Counter[tuple[str, str]] = Counter()

    @property
    def inputs(self) -> int:
        """How many inputs there were."""
        return self.read + self.refused.total() + self.failed.total()

    def add(self, found: Outcome) -> None:
        """Count what became of one input."""
        if found.finding is not None:
            self.failed[found.finding.kind] += 1
        elif found.refused:
            self.refused[found.refused[0]] += 1
        else:
            self.read += 1

    def __str__(self) -> str:
        codes = ", ".join(f"{code} {number:,}" for code, number in sorted(self.refused.items()))
        lines = [f"{self.inputs:,} inputs: {self.read:,} read, {self.refused.total():,} refused ({codes or 'none'})"]
        lines += [f"{number:,} failed: {demand} {where}" for (demand, where), number in self.failed.items()]
        return "\n".join(lines)


def fuzz(form: Form[T], seed: int, numbers: Iterable[int]) -> Tally:
    """Feed the inputs of these numbers, and print each kind of finding when it is first met."""
    form.warm_up()
    tally = Tally()
    for number in numbers:
        given = form.input(seed, number)
        found = form.outcome(given)
        if found.finding is not None and found.finding.kind not in tally.failed:
            print(report(form, found.finding, given, f"--seed {seed} --number {number}"), flush=True)
        tally.add(found)
    return tally


def report(form: Form[T], finding: Finding, given: T, repeated_by: str) -> str:
    """A finding with the smallest input that shows it."""
    trials = TRIALS_IF_LATE if finding.late else form.trials
    small = form.shrunk(given, lambda part: _kind(form, part) == finding.kind, trials)
    shown = "\n".join(f"  {line!r}" for line in small.splitlines(keepends=True))
    return "\n".join(
        [
            f"demanded: {finding.demand}",
            f"where:    {finding.where or 'in the result'}",
            f"but:      {finding.how[:SHOWN]}",
            f"by:       python -m benchmarks.fuzz {form.name} {repeated_by}",
            f"{len(small):,} of {len(given):,} {form.unit}:",
            shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…",
            "",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Feed inputs, print findings and the tally; 1 if there are any findings."""
    options = _options(arguments)
    start = time.monotonic()
    tally = fuzz(FORMS[options.form], options.seed, _numbers(options, start))
    print(tally)
    print(f"{tally.inputs / (time.monotonic() - start):,.0f} inputs a second", file=sys.stderr)
    return 1 if tally.failed else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=SUMMARY)
    parser.add_argument("form", choices=FORMS, help="what is fed: texts of the IR, or logs")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the inputs (1)")
    long = parser.add_mutually_exclusive_group()
    long.add_argument("--seconds", type=float, default=60.0, metavar="N", help="go on for so long (60)")
    long.add_argument("--count", type=int, metavar="N", help="stop after N inputs")
    long.add_argument("--number", type=int, metavar="N", help="feed the one input of that number")
    return parser.parse_args(arguments)


def _numbers(options: argparse.Namespace, start: float) -> Iterator[int]:
    if options.number is not None:
        return iter([options.number])
    if options.count is not None:
        return iter(range(options.count))
    return _until(start + options.seconds)


def _until(end: float) -> Iterator[int]:
    for number in count():
        if time.monotonic() >= end:
            return
        yield number


def _kind(form: Form[T], part: T) -> tuple[str, str] | None:
    finding = form.outcome(part).finding
    return None if finding is None else finding.kind


if __name__ == "__main__":
    sys.exit(main())
