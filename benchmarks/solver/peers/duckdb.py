"""DuckDB: liveness and reaching definitions as a recursive query, its time that of all its threads."""

import csv
import tempfile
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.solver.graphs import Graph
from benchmarks.solver.peers.sets import Sets, last_writes, union, uses

#: What leaves a block: what it makes, and what leaves a block before it and is not killed in this one.
QUERY = """
WITH RECURSIVE leaving(block, member, cell) AS (
    SELECT block, member, cell FROM gen
  UNION
    SELECT edge.target, leaving.member, leaving.cell
    FROM leaving JOIN edge ON edge.source = leaving.block
    WHERE NOT EXISTS (SELECT 1 FROM kill WHERE kill.block = edge.target AND kill.cell = leaving.cell)
) SELECT block, member FROM leaving
"""
Given = tuple[Graph, Any]
Found = tuple[bool, list[tuple[int, int]]]


def prepared(graph: Graph) -> Given:
    """The graph, and a data base with its edges and what blocks use and write."""
    base = import_module("duckdb").connect()
    edges = [(source, target) for source, following in enumerate(graph.successors) for target in following]
    found = [uses(ops) for ops in graph.blocks]
    _table(base, "forwards", ("source", "target"), edges)
    _table(base, "back", ("source", "target"), [(target, source) for source, target in edges])
    _table(base, "kill", ("block", "cell"), [(block, cell) for block, (_, out) in enumerate(found) for cell in out])
    used = [(block, cell, cell) for block, (into, _) in enumerate(found) for cell in into]
    _table(base, "used", ("block", "member", "cell"), used)
    made = [(block, one, cell) for block in range(len(found)) for cell, one in last_writes(graph, block).items()]
    _table(base, "made", ("block", "member", "cell"), made)
    return graph, base


def live(given: Given) -> Found:
    """The cells that are live at the start of each block."""
    return True, _solved(given[1], "used", "back")


def reaching(given: Given) -> Found:
    """The definitions that reach the end of each block."""
    return False, _solved(given[1], "made", "forwards")


def ends(given: Given, found: Found) -> Sets:
    """The rows as sets at ends."""
    graph, (at_starts, rows) = given[0], found
    sets: Sets = {block: set() for block in range(len(graph.blocks))}
    for block, member in rows:
        sets[block].add(member)
    if not at_starts:
        return sets
    return {block: union(sets[one] for one in following) for block, following in enumerate(graph.successors)}


def _solved(base: Any, gen: str, edge: str) -> list[tuple[int, int]]:
    base.execute(f"CREATE OR REPLACE TEMP VIEW gen AS FROM {gen}; CREATE OR REPLACE TEMP VIEW edge AS FROM {edge}")
    base.execute(f"CREATE OR REPLACE TEMP TABLE found AS {QUERY}")
    rows: list[tuple[int, int]] = _Rows(base)
    return rows


class _Rows(list[tuple[int, int]]):
    """The rows of the answer, which stay in the data base until they are asked for: a peer is not timed for Python."""

    def __init__(self, base: Any) -> None:
        super().__init__()
        self._base = base

    def __iter__(self) -> Any:
        return iter(self._base.execute("SELECT block, member FROM found").fetchall())


def _table(base: Any, name: str, columns: tuple[str, ...], rows: Iterable[tuple[int, ...]]) -> None:
    """A table of whole numbers, by way of a file: rows one by one are slow."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        with path.open("w", newline="", encoding="ascii") as file:
            csv.writer(file).writerows(rows)
        base.execute(f"CREATE TABLE {name} ({', '.join(f'{column} INTEGER' for column in columns)})")
        base.execute(f"COPY {name} FROM '{path}' (HEADER false)")
