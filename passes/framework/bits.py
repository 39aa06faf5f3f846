"""Solving the sets of one segment as bits of integers.

Members have numbers of the segment's own. Each node is solved twice: had no member come into the segment, and had all
come. What comes to a node in both cases comes for sure; what comes only in the second passes through from before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_, or_

from .deltas import Delta, Root
from .ways import Ways

#: The bit that stands for every member of which the segment does not speak.
_REST = 1


class Block:
    """The solved sets of one segment, as bits. `effects` are those of its nodes on members by their numbers."""

    def __init__(self, ways: Ways, effects: Mapping[int, Mapping[int, bool]], *, dominant: bool) -> None:
        self.visits = 0
        self.effects = effects
        self._ways = ways
        self._union = dominant
        members = dict.fromkeys(member for effect in effects.values() for member in effect)
        self._bits = {member: 1 << bit for bit, member in enumerate(members, 1)}
        self._width = len(members) + 1
        #: The two problems lie side by side in one integer: had nothing come in, and above it, had all come.
        self._all = (_REST << self._width) - 1
        self._come = self._solve()

    def delta(self, node: int) -> Delta:
        """What comes to a node, as changes to what comes into the segment."""
        return self._told(self._come[node])

    def leaving(self) -> Delta:
        """What goes on from the segment."""
        left = (self._through(node, self._come[node]) for node in self._ways.leads)
        return self._told(reduce(or_, left, 0) if self._union else reduce(and_, left, self._both(self._all)))

    def _both(self, bits: int) -> int:
        """The same bits in both problems."""
        return bits << self._width | bits

    def _through(self, node: int, bits: int) -> int:
        gen, keep = self._masks[node]
        return bits & keep | gen

    def _solve(self) -> dict[int, int]:
        """What comes to each node: sweeps in the order facts flow, until what goes back against it is settled."""
        self._masks = {node: self._masked(self.effects[node]) for node in self._ways.nodes}
        union, sources, begins, returns = self._union, self._ways.sources, self._begins(), self._ways.returns
        least = 0 if union else self._both(self._all)
        come: dict[int, int] = {}
        left = dict.fromkeys(self._ways.nodes, least)
        unsettled = True
        while unsettled:
            unsettled = False
            self.visits += len(left)
            for node, (gen, keep) in self._masks.items():
                comes = begins.get(node, least)
                for source in sources[node]:
                    comes = comes | left[source] if union else comes & left[source]
                come[node] = comes
                leaves = comes & keep | gen
                if leaves != left[node]:
                    left[node] = leaves
                    unsettled = unsettled or node in returns
        return come

    def _begins(self) -> dict[int, int]:
        """What comes to nodes from outside: from before the segment nothing and all, from an end nothing."""
        base = self._all << self._width
        return {node: base if root is Root.BASE else 0 for node, root in self._ways.begins.items()}

    def _masked(self, effect: Mapping[int, bool]) -> tuple[int, int]:
        """The bits that an effect puts in, and those it leaves."""
        gen = touched = 0
        bits = self._bits
        for member, holds in effect.items():
            bit = bits[member]
            touched |= bit
            if holds:
                gen |= bit
        keep, width = self._all ^ touched, self._width
        return gen << width | gen, keep << width | keep

    def _told(self, both: int) -> Delta:
        """Members that come in both cases or in neither, and over what the rest lies."""
        without = both & self._all
        settled = ~(without ^ both >> self._width)
        changed = {member: without & bit != 0 for member, bit in self._bits.items() if settled & bit}
        if not settled & _REST:
            return Delta(Root.BASE, changed)
        return Delta(Root.BOUNDARY if self._union or not without & _REST else Root.LEAST, changed)
