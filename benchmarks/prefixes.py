"""Every pass after every prefix of logs: what appending carries on against what is solved from scratch.

    python -m benchmarks.prefixes LOG... [--every N] [--passes NAMES] [--json FILE]

A log is lowered and grown block by block. After each block the results of all registered passes, carried on from the
block before, are compared at every point with those of a manager that sees the grown program for the first time. With
`--every N` every Nth conversation is taken. Ends with 1 where anything differs.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import attrs

from statemem import lower_all
from statemem.ir import Open, Program
from statemem.passes import Manager
from statemem.passes.framework import Derivation, Estimate, Pass, Solution, find, passes

SUMMARY = "Compare the passes of growing logs with the same passes solved from scratch, after every prefix."


@dataclass
class Prefixes:
    """What was compared, how each pass came to its results, and what differs."""

    conversations: int = 0
    prefixes: int = 0
    results: int = 0
    carried: Counter[str] = field(default_factory=Counter)
    resolved: int = 0
    differences: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares, prints, and returns the exit code."""
    options = _options().parse_args(arguments)
    chosen = [find(name) for name in options.passes.split(",")] if options.passes else list(passes().values())
    found, start = Prefixes(), time.process_time()
    for number, program in enumerate(program for log in options.logs for program in lower_all(log)):
        if number % options.every == 0:
            compare(program, [one() for one in chosen], found)
    for line in _lines(found, time.process_time() - start):
        print(line)
    if options.json:
        options.json.write_text(json.dumps(asdict(found), indent=2) + "\n", encoding="utf-8")
    return 1 if found.differences else 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prefixes", description=SUMMARY)
    parser.add_argument("logs", nargs="+", help="logs in any format that statemem reads")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth conversation")
    parser.add_argument("--passes", metavar="NAMES", help="these passes only, between commas")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON")
    return parser


def compare(program: Program, chosen: Sequence[Pass], found: Prefixes) -> None:
    """Grows a copy of a program and compares after each block."""
    found.conversations += 1
    grown = Program(program.name, program.tasks["main"].scope)
    for scope, parent in program.scopes.items():
        grown.add_scope(scope, parent)
    for declaration in program.declarations:
        grown.declare(declaration)
    manager = Manager(grown)
    for one in chosen:
        manager.result(one)
    for block in program.blocks:
        grown.extend(attrs.evolve(block, terminator=Open()))
        found.prefixes += 1
        found.resolved += not manager.grow()
        found.differences.extend(_differences(manager, Manager(grown), chosen, found))


def _differences(manager: Manager, scratch: Manager, chosen: Sequence[Pass], found: Prefixes) -> Iterator[str]:
    for one in chosen:
        found.results += 1
        found.carried[one.name] += manager.holds(one)
        if told(one, manager) != told(one, scratch):
            yield f"{manager.program.name}, {len(manager.program.blocks)} blocks: {one.name}"


def told(one: Pass, manager: Manager) -> Any:
    """What a pass found, at every point that its result speaks of."""
    result = manager.result(one)
    if isinstance(result, Solution):
        return result.block_ends()
    assert isinstance(one, (Derivation, Estimate))
    return one.show(result, manager.program)


def _lines(found: Prefixes, seconds: float) -> Iterator[str]:
    yield f"{found.conversations} conversations, {found.prefixes} prefixes, {found.results} results, {seconds:.0f} s"
    yield f"{found.resolved} prefixes gave earlier instructions another meaning, and all was solved again"
    for name, count in sorted(found.carried.items()):
        yield f"  {name:<12} carried on {count:>7} times"
    yield f"{len(found.differences)} differences"
    yield from (f"  {line}" for line in found.differences[:20])


if __name__ == "__main__":
    sys.exit(main())
