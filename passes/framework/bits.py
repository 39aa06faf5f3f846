"""Solving the sets of one segment as bits of integers.

Members have numbers of the segment's own. Each node is solved twice: had no member come into the segment, and had all
come. What comes to a node in both cases comes for sure; what comes only in the second passes through from before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_, or_
from typing import Any

from .deltas import Delta, Root
from .ways import Ways

#: The bit that stands for every member of which the segment does not speak.
_REST = 1


class Block:
    """The solved sets of one segment, as bits."""

    def __init__(self, ways: Ways, effects: Mapping[int, Mapping[Any, bool]], *, dominant: bool) -> None:
        self.visits = 0
        self._ways = ways
        self._union = dominant
        members = dict.fromkeys(member for effect in effects.values() for member in effect)
        number = {member: bit for bit, member in enumerate(members, 1)}
        self._members = list(number)
        self._all = (_REST << len(number) + 1) - 1
        self._gen: dict[int, int] = {}
        self._keep: dict[int, int] = {}
        for node, effect in effects.items():
            self._gen[node], touched = _masks(number, effect)
            self._keep[node] = self._all & ~touched
        self._without, self._with_all = self._solve(0), self._solve(self._all)

    def delta(self, node: int) -> Delta:
        """What comes to a node, as changes to what comes into the segment."""
        return self._told(self._without[node], self._with_all[node])

    def leaving(self) -> Delta:
        """What goes on from the segment."""
        return self._told(self._out(self._without), self._out(self._with_all))

    def _solve(self, base: int) -> dict[int, int]:
        """What comes to each node where `base` comes into the segment; a worklist swept in the order facts flow."""
        union, sources, nodes = self._union, self._ways.sources, self._ways.nodes
        least = 0 if union else self._all
        begins = {node: base if root is Root.BASE else 0 for node, root in self._ways.begins.items()}
        arriving, left = dict.fromkeys(nodes, least), dict.fromkeys(nodes, least)
        dirty = set(nodes)
        while dirty:
            for node in nodes:
                if node not in dirty:
                    continue
                dirty.remove(node)
                self.visits += 1
                comes = begins.get(node, least)
                for source in sources[node]:
                    comes = comes | left[source] if union else comes & left[source]
                arriving[node] = comes
                leaves = comes & self._keep[node] | self._gen[node]
                if leaves != left[node]:
                    left[node] = leaves
                    dirty.update(self._ways.onward[node])
        return arriving

    def _out(self, arriving: dict[int, int]) -> int:
        left = (arriving[node] & self._keep[node] | self._gen[node] for node in self._ways.leads)
        return reduce(or_, left, 0) if self._union else reduce(and_, left, self._all)

    def _told(self, without: int, with_all: int) -> Delta:
        """Members that come in both cases or in neither, and over what the rest lies."""
        settled = ~(without ^ with_all)
        changed = {
            member: bool(without >> bit & 1) for bit, member in enumerate(self._members, 1) if settled >> bit & 1
        }
        if not settled & _REST:
            return Delta(Root.BASE, changed)
        return Delta(Root.BOUNDARY if self._union or not without & _REST else Root.LEAST, changed)


def _masks(number: Mapping[Any, int], effect: Mapping[Any, bool]) -> tuple[int, int]:
    """The bits of the members that an effect puts in, and of all it touches."""
    gen = touched = 0
    for member, holds in effect.items():
        bit = 1 << number[member]
        touched |= bit
        if holds:
            gen |= bit
    return gen, touched
