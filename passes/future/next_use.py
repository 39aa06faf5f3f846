"""`next_use`: how soon each cell is used, and how often it is expected to be before it is replaced."""

from __future__ import annotations

import enum
import heapq
import math
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from statemem.ir import Cell, Program

from ..framework import Equation, Estimate, Manager, NoFact, register
from ..framework.estimate import solved
from .use_sites import Layout, Sites


class Sink(enum.Enum):
    """What a use is for: a reply, or an argument: of a tool, an effect or a conclusion."""

    ARGUMENT = "argument"
    REPLY = "reply"


class Site(NamedTuple):
    """One unknown: the uses of a cell for a sink that are expected from where a block begins.

    `node` is that of the control-flow graph, `weight` for how many a use counts in the arms of a fork, `most` how many
    uses there are in a block at most.
    """

    cell: Cell
    sink: Sink
    node: int
    weight: int
    most: float


@register
class NextUse(Estimate):
    """The expected number of uses of each cell before it is replaced, each block further away counting for less.

    x[n] = uses in n before a replacement + γ · (1 − replaced in n) · Σ p(n → m) · x[m], with γ = 1 − 1/`horizon`.
    Branches go by their weights, or evenly; what may not happen does so half the time, or as often as it was counted.
    An unknown stands where a block touches the cell and where a straight run of blocks begins, as far as a use may
    follow; a run in between is a power of γ. `next_uses` tells of every block. (Discounted Markov reward; Puterman,
    Markov decision processes, 1994, section 6.1.)
    """

    horizon: int = 20

    def __attrs_post_init__(self) -> None:
        if self.horizon < 1:
            raise ValueError(f"horizon must be at least 1, not {self.horizon}")

    @property
    def discount(self) -> float:
        """What a use counts for that is one block further away."""
        return 1 - 1 / self.horizon

    def equations(self, program: Program, manager: Any) -> Mapping[Site, Equation]:
        """Those of one cell and sink after the other; they rest on no others."""
        return {site: one for group in self._groups(Layout(manager)) for site, one in group.items()}

    def estimate(self, program: Program, manager: Any) -> dict[Site, float]:
        """Cell by cell, and of each cell loop by loop, from the end on: what is solved rests on little that is not."""
        layout = Layout(manager)
        found: dict[Site, float] = {}
        for group in self._groups(layout):
            for _, part in groupby(group, lambda site: layout.segment_of(site.node)):
                self._solve({site: group[site] for site in part}, found)
        return found

    def _solve(self, part: Mapping[Site, Equation], found: dict[Site, float]) -> None:
        """Solve equations that rest on each other and on what is found; errors add up to no more than the tolerance."""
        left: dict[Site, Equation] = {}
        for site, one in part.items():
            known = one.constant + sum(share * found[term] for term, share in one.terms.items() if term in found)
            terms = {term: share for term, share in one.terms.items() if term not in found}
            if terms or left:
                left[site] = Equation(known, terms)
            else:
                found[site] = known
        if left:
            found.update(solved(left, self.tolerance / (2 * self.horizon), self.name))

    def bounds(self, unknown: Site) -> tuple[float, float]:
        """Between none and the most there can be in every block."""
        return 0.0, unknown.most * self.horizon

    def show(self, found: Mapping[Site, float], program: Program) -> list[str]:
        """`color at t3: 0.95 for reply`, wherever a block touches the cell or a straight run begins."""
        return [
            f"{site.cell} at {program.blocks[site.node].name}: {quantity:.4g} for {site.sink.value}"
            for site, quantity in found.items()
            if site.node < len(program.blocks) and site.weight == 1
        ]

    def _groups(self, layout: Layout) -> Iterator[dict[Site, Equation]]:
        for cell in sorted(layout.touches):
            for sink in Sink:
                site = _first(layout, cell, sink)
                if site.most:
                    yield self._group(Sites(layout, cell, for_reply=sink is Sink.REPLY), site)

    def _group(self, sites: Sites, first: Site) -> dict[Site, Equation]:
        """The equations of one cell and sink."""
        found: dict[Site, Equation] = {}
        work = [first._replace(node=node) for node in sites.starts]
        for site in work:
            if site not in found:
                found[site] = self._equation(sites, site)
                work.extend(found[site].terms)
        return {site: found[site] for site in sorted(found, key=sites.late_first)}

    def _equation(self, sites: Sites, site: Site) -> Equation:
        terms: dict[Site, float] = {}
        passes = sites.passes(site.node)
        for step in sites.steps(site.node, site.weight) if passes else ():
            target = site._replace(node=step.node, weight=step.weight)
            coefficient = passes * step.share * self.discount**step.blocks
            if coefficient:
                terms[target] = terms.get(target, 0.0) + coefficient
        return Equation(site.weight * sites.uses(site.node), terms)


def _first(layout: Layout, cell: Cell, sink: Sink) -> Site:
    """A site of a cell and sink, from which the others are made."""
    touches = layout.touches.get(cell, {}).values()
    most = max((touch.uses(for_reply=sink is Sink.REPLY) for touch in touches), default=0.0)
    return Site(cell, sink, 0, 1, most * layout.widest)


class NextUses:
    """What is expected of the cells of a program at the start of any block. A block that a task is called from several
    places has the mean of what is expected under each of the calls.

    >>> from statemem.ir import build
    >>> program = build().set("a", 1).block().block().use("a", purpose="reply").block().use("a").program
    >>> uses = next_uses(Manager(program), horizon=10)
    >>> cell = program.entries[0].cell
    >>> uses.least_distance(cell, 1), uses.least_distance(cell, 1, Sink.ARGUMENT)
    (1, 2)
    >>> round(uses.expected(cell, 1, Sink.REPLY), 6), round(uses.expected(cell, 1), 6)
    (0.9, 1.71)
    """

    def __init__(self, manager: Manager, horizon: int = 20) -> None:
        self._estimate = NextUse(horizon=horizon)
        self._found: Mapping[Site, float] = manager.result(self._estimate)
        self._layout = Layout(manager)
        self._sites: dict[tuple[Cell, Sink], tuple[Sites, Site]] = {}
        self._distances: dict[tuple[Cell, Sink], dict[int, int]] = {}

    def expected(self, cell: Cell, block: int, sink: Sink | None = None) -> float:
        """The discounted uses of a place from the start of a block on; for both sinks where none is named."""
        nodes = self._nodes(block)
        sinks = Sink if sink is None else (sink,)
        return sum(self._expected(cell, node, one) for node in nodes for one in sinks) / len(nodes)

    def least_distance(self, cell: Cell, block: int, sink: Sink | None = None) -> float:
        """How many blocks lie between the start of a block and the nearest use; infinite where there is none."""
        sinks = Sink if sink is None else (sink,)
        return min(self._distance(cell, node, one) for node in self._nodes(block) for one in sinks)

    def ranked(self, block: int) -> list[tuple[Cell, float]]:
        """The cells that are expected to be used, the most expected first."""
        found = ((cell, self.expected(cell, block)) for cell in self._layout.touches)
        return sorted((one for one in found if one[1] > 0), key=lambda one: (-one[1], one[0]))

    def _nodes(self, block: int) -> list[int]:
        flow = self._layout.flow
        found = [node for node in flow.copies_of(block) if node in self._layout.at]
        if not found:
            raise NoFact(f"block {block} cannot be reached, so nothing is expected there")
        return found

    def _expected(self, cell: Cell, node: int, sink: Sink) -> float:
        sites, first = self._of(cell, sink)
        site = first._replace(node=node)
        if site in self._found:
            return self._found[site]
        if node in sites.touches:
            return 0.0  # nothing follows
        steps = ((site._replace(node=one.node, weight=one.weight), one) for one in sites.steps(node))
        discount = self._estimate.discount
        return sum(self._found.get(target, 0.0) * one.share * discount**one.blocks for target, one in steps)

    def _of(self, cell: Cell, sink: Sink) -> tuple[Sites, Site]:
        if (cell, sink) not in self._sites:
            sites = Sites(self._layout, cell, for_reply=sink is Sink.REPLY)
            self._sites[cell, sink] = sites, _first(self._layout, cell, sink)
        return self._sites[cell, sink]

    def _distance(self, cell: Cell, node: int, sink: Sink) -> float:
        sites, _ = self._of(cell, sink)
        if (cell, sink) not in self._distances:
            self._distances[cell, sink] = _distances(sites)
        known = self._distances[cell, sink]
        if node in known or node in sites.touches:
            return known.get(node, math.inf)
        return min((one.blocks + known.get(one.node, math.inf) for one in sites.steps(node)), default=math.inf)


def _distances(sites: Sites) -> dict[int, int]:
    """The blocks to the nearest use, from every node at which something is said (Dijkstra, 1959)."""
    before: dict[int, list[tuple[int, int]]] = {}
    for node in sites.starts:
        for step in sites.steps(node) if sites.passes(node) else ():
            before.setdefault(step.node, []).append((node, step.blocks))
    queue = [(0, node) for node in sites.starts if sites.uses(node) > 0]
    found: dict[int, int] = {}
    while queue:
        distance, node = heapq.heappop(queue)
        if node not in found:
            found[node] = distance
            for earlier, blocks in before.get(node, ()):
                heapq.heappush(queue, (distance + blocks, earlier))
    return found


def next_uses(manager: Manager, horizon: int = 20) -> NextUses:
    """What is expected of the cells of a program, with a horizon of so many blocks."""
    return NextUses(manager, horizon)
