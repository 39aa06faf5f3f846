"""One peer over one graph in a process of its own, in the environment where the peer is.

    python -m benchmarks.solver.peers.run PEER live|reaching GRAPH [--runs N] [--budget SECONDS] [--bril PATH]

Prints JSON: processor seconds of each run, and the fingerprint of the answer at the end of each block. Reading the
graph and making the peer's own form of it are not in the time. There are fewer runs where one takes long.
"""

import argparse
import gc
import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.solver.graphs import load
from benchmarks.solver.prints import Printer
from benchmarks.solver.timing import repeated


def main() -> None:
    options = _options()
    peer = import_module(f"benchmarks.solver.peers.{options.peer}")
    graph = load(options.graph)
    given = _prepared(peer, graph, options.bril)
    answer = "live_met" if options.analysis == "live" and hasattr(peer, "live_met") else options.analysis
    solve: Callable[[Any], Any] = getattr(peer, answer)
    seconds, found = repeated(lambda: given, solve, options.runs, options.budget)
    ends = peer.ends(given, found) if hasattr(peer, "ends") else found
    prints = Printer(graph.cells if options.analysis == "live" else graph.first[-1]).all(ends)
    json.dump({"seconds": seconds, "answer": answer, "prints": list(prints.items())}, sys.stdout)


def _prepared(peer: Any, graph: Any, bril: str | None) -> Any:
    gc.collect()
    if bril is not None:
        return peer.prepared(graph, bril)
    return peer.prepared(graph) if hasattr(peer, "prepared") else graph


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver.peers.run")
    parser.add_argument("peer")
    parser.add_argument("analysis", choices=("live", "reaching"))
    parser.add_argument("graph", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--bril")
    return parser.parse_args()


if __name__ == "__main__":
    main()
