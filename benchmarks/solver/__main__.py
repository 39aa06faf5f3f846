"""How fast the solver is, beside others that solve the same graphs.

    python -m benchmarks.solver [--quick] [--only NAME] [--runs N] [--seed N] [--budget SECONDS]
                                [--bril PATH] [--peers-env PATH] [--json FILE]

Graphs are made from a seed: logs of a hundred to a hundred thousand blocks (`log100` … `log100k`; `_v20k` with 20,000
cells, `_leak` with cells that are set on one arm only, `_shared` with tasks that are entered from several places), and
adversaries (`nested`, `irreducible`, `component`, `everywhere`, `backwards`). Over each, liveness and reaching
definitions are solved by

- the product: with the program in memory and all that passes share resolved (`solve`); the same with every block asked
  (`every block`, `full sets`); with the ingest counted, so that a new manager resolves everything (`with ingest`); with
  building the program from objects counted too (`with building`). `lazy` rows solve so that any block can be asked,
  `eager` rows make every block's answer;
- a reference in C++ of our own, compiled where a compiler is found: dense bit sets (`C++`) and recycled slots;
- peers, each in a process of its own: two solvers over sets that are written here (`sets`, `networkx`, which take
  blocks in the order they are in; `networkx_ordered` takes them in the order facts flow), numba's live map,
  python-graphs, xDSL's solver, DuckDB's recursive queries, and Bril's `df.py` from the checkout that `--bril` names.
  They are installed into an environment of this benchmark's own (`--peers-env`). What cannot be installed or run is a
  row that says why.

Then a log grows turn by turn (`append`), a lattice that cannot be packed is solved (`generic`), and memory is measured
beyond the program. Time is processor time, the median of `--runs` runs, fewer where they take longer than `--budget`
seconds in all; making a peer's own form of the graph and reading it are not counted. `ratio` is to the product's row.

Every answer is compared with that of a solver of the simplest kind: `same`. Of more than two thousand blocks about five
hundred are compared, all over the graph. The last table sets what was found against what is to be reached. No time is
asserted: the exit code is 1 only where an answer differs. `--quick` takes two small logs and installs nothing;
`--only NAME` (more than once) takes one workload, or `append`.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.solver import compiled, targets
from benchmarks.solver.environment import Peers, cache
from benchmarks.solver.measuring import Measuring
from benchmarks.solver.plan import FULL, FULL_GROWTH, QUICK, QUICK_GROWTH
from benchmarks.solver.rows import HEADER, Row, Rows, line
from benchmarks.solver.timing import BUDGET

SUMMARY = "Measure the solver beside others over graphs made from a seed, and compare all answers."
APPEND = "append"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows as they come, then what is reached; write the JSON."""
    options = _options(arguments)
    rows = Rows()
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder:
        for row in rows.add(_measured(options, Path(folder))):
            print(line(row, rows.ratio(row)), flush=True)
    print("\n" + "\n".join([targets.HEADER, *targets.lines(rows, workloads={row.key.workload for row in rows})]))
    if options.json:
        _write_json(options.json, rows)
    for row in rows.wrong:
        print(f"answers differ: {' '.join(row.key)}: {row.note}", file=sys.stderr)
    return 1 if rows.wrong else 0


def _measured(options: argparse.Namespace, folder: Path) -> Iterator[Row]:
    peers = Peers(options.peers_env, bril=options.bril, installs=not options.quick)
    measuring = Measuring(options.runs, options.budget, options.seed, folder, _reference(), peers)
    workloads, growth = (QUICK, QUICK_GROWTH) if options.quick else (FULL, FULL_GROWTH)
    chosen: Iterable[str] = options.only or [APPEND, *(one.name for one in workloads)]
    for one in workloads:
        if one.name in chosen:
            yield from measuring.workload(one)
    if APPEND in chosen:
        yield from measuring.growth(growth)


def _reference() -> Path | compiled.NoCompiler:
    try:
        return compiled.built(cache())
    except compiled.NoCompiler as reason:
        return reason


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    names = sorted({one.name for one in (*QUICK, *FULL)} | {APPEND})
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver", description=SUMMARY)
    parser.add_argument("--quick", action="store_true", help="two small logs, no peers installed")
    parser.add_argument("--only", choices=names, action="append", metavar="NAME", help="one of " + ", ".join(names))
    parser.add_argument("--runs", type=int, metavar="N", help="runs of each row (5; quick 3)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the graphs (1)")
    parser.add_argument("--budget", type=float, default=BUDGET, metavar="S", help="seconds a row may run again (20)")
    parser.add_argument("--bril", type=Path, metavar="PATH", help="a checkout of Bril")
    parser.add_argument("--peers-env", type=Path, default=cache() / "peers", metavar="PATH", help="the peers' folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows to FILE")
    options = parser.parse_args(arguments)
    options.runs = options.runs or (3 if options.quick else 5)
    return options


def _write_json(path: Path, rows: Rows) -> None:
    measured = [_plain(row) | {"ratio": rows.ratio(row)} for row in rows]
    aims = [
        {"aim": aim.text, "least": aim.least, "most": aim.most, "found": aim.found(rows), "met": aim.met(rows)}
        for aim in targets.aims()
    ]
    path.write_text(json.dumps({"rows": measured, "aims": aims}, indent=1) + "\n", encoding="utf-8")


def _plain(row: Row) -> dict[str, Any]:
    found = {name: value for name, value in asdict(row).items() if name != "key"}
    return row.key._asdict() | found | {"median": row.median, "mean": row.mean}


if __name__ == "__main__":
    sys.exit(main())
