"""`repeats`: actions on the world that were done already."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

from statemem.ir import Effect, Program

from .chains import Key, UseDefChains, use_def_chains
from .effects import Done, EffectKey, Effects, is_done, key_of
from .framework import Derivation, Manager, register
from .framework.forking import arms_of
from .reaching import Reaching


class Certainty(enum.Enum):
    """How sure it is that an effect was done before."""

    ALL = "on all paths"
    SOME = "on some path"
    ARMS = "in another arm of the fork"
    POSSIBLE = "possibly: no key tells, but it is the same action with the same entries"


class Repeat(NamedTuple):
    """An effect that was done before: the retry, which must answer with the stored result of the first of `earlier`.

    `path` are the blocks from the nearest of those to this one. Two arms of a fork know no order: there the one that
    was written down later is taken for the retry, and `path` leads to it from the fork.
    """

    instruction: int
    certainty: Certainty
    earlier: tuple[int, ...]
    path: tuple[int, ...]


@register
class Repeats(Derivation):
    """Effects that were done before: by their key, or, without one, with the very same entries as arguments.

    Two arms of a fork are both executed, so that what both do is done twice; a loop may repeat what it does itself.
    Keys that differ are two actions, whatever their arguments.
    """

    needs = (Effects, Reaching)

    def derive(self, program: Program, manager: Manager) -> list[Repeat]:
        """The repeats in the order of the program, of each effect the surest first."""
        ways = _Ways(manager)
        in_arms = _in_arms(manager, ways, ways.keyed.values(), Certainty.ARMS)
        found = [*_with_keys(manager, ways), *in_arms, *_without_keys(manager, ways)]
        order = list(Certainty)
        return sorted(found, key=lambda one: (one.instruction, order.index(one.certainty)))

    def show(self, found: list[Repeat], program: Program) -> list[str]:
        """`refund key "r-15" in t5 was done in t3 on all paths`."""
        return [_shown(one, program) for one in found]


def _shown(one: Repeat, program: Program) -> str:
    effect = program.instructions[one.instruction]
    assert isinstance(effect, Effect)
    here, *before = (program.blocks[program.block_of(number)].name for number in (one.instruction, *one.earlier))
    told = ", ".join(dict.fromkeys(before))
    return f"{key_of(effect) or effect.action} in {here} was done in {told} {one.certainty.value}"


def _with_keys(manager: Manager, ways: _Ways) -> Iterator[Repeat]:
    """What the facts before an effect say of its key."""
    for at, state in manager.solve(Effects).walk():
        key = key_of(at.instruction)
        if at.number is not None and key is not None and is_done(state[key]):
            certainty = Certainty.ALL if state[key] is Done.ALL else Certainty.SOME
            yield from ways.repeat(at.number, ways.keyed[key], certainty)


def _in_arms(manager: Manager, ways: _Ways, alike: Iterable[Sequence[int]], certainty: Certainty) -> Iterator[Repeat]:
    """Effects that are alike in two arms of a fork."""
    groups = [numbers for numbers in alike if len(numbers) > 1]
    forks = arms_of(manager.graph, manager.graph.segments.order).values() if groups else ()
    found: dict[int, dict[int, int]] = {}
    for forked in forks:
        for left, right in combinations((arm.numbers for arm in forked.arms), 2):
            for numbers in groups:
                for one, other in product(left.intersection(numbers) - right, right.intersection(numbers) - left):
                    found.setdefault(max(one, other), {})[min(one, other)] = forked.fork
    for second, firsts in found.items():
        earlier = tuple(sorted(firsts))
        yield Repeat(second, certainty, earlier, ways.from_node(firsts[earlier[0]], second))


def _without_keys(manager: Manager, ways: _Ways) -> Iterator[Repeat]:
    """Effects without a key that saw the same entries; one that saw none is like no other."""
    chains = use_def_chains(manager)
    alike: dict[tuple[str, _Seen], list[int]] = {}
    for number, effect in ways.effects.items():
        seen = _seen(chains, number) if key_of(effect) is None else ()
        if seen and all(seen):
            alike.setdefault((effect.action, seen), []).append(number)
    for (_, seen), numbers in alike.items():
        made = {instruction for entries in seen for instruction, _ in entries}
        for number in numbers:
            again = [one for one in numbers if one != number or not ways.come_round(number, made)]
            yield from ways.repeat(number, again, Certainty.POSSIBLE)
    yield from _in_arms(manager, ways, alike.values(), Certainty.POSSIBLE)


_Seen = tuple[frozenset[Key], ...]


def _seen(chains: UseDefChains, number: int) -> _Seen:
    """The entries that each argument of an effect saw."""
    return tuple(frozenset(chains.seen_by(number, read, met)) for read, met in enumerate(chains.of(number)))


class _Found(NamedTuple):
    """How far a node is on a shortest way, and from which node the way comes to it."""

    far: int
    via: int


class _Ways:
    """The effects of a program that are reached, and the ways between them, on which returns go back to their calls."""

    def __init__(self, manager: Manager) -> None:
        self._program, self._flow, self._segments = manager.program, manager.graph.matched, manager.graph.segments

    @cached_property
    def effects(self) -> dict[int, Effect]:
        """The effects by number, in order."""
        reached = {number for node in self._segments.order for number in self._flow.executed(node)}
        known = ((number, self._program.instructions[number]) for number in sorted(reached))
        return {number: one for number, one in known if isinstance(one, Effect)}

    @cached_property
    def keyed(self) -> dict[EffectKey, list[int]]:
        """The effects that have a key, by that."""
        found: dict[EffectKey, list[int]] = {}
        for number, effect in self.effects.items():
            key = key_of(effect)
            if key is not None:
                found.setdefault(key, []).append(number)
        return found

    def repeat(self, number: int, others: Iterable[int], certainty: Certainty) -> Iterator[Repeat]:
        """The repeat of those among others from which a way leads to an effect, if there are any."""
        earlier = self._distances(number, list(others))
        if earlier:
            nearest = min(earlier, key=lambda other: (earlier[other], -other))
            yield Repeat(number, certainty, tuple(sorted(earlier)), self._path(nearest, number))

    def come_round(self, number: int, made: Iterable[int]) -> bool:
        """Whether a loop that comes back to an effect may make its entries anew on the way."""
        return any(self._path(number, one) and self._path(one, number) for one in made)

    def from_node(self, node: int, number: int) -> tuple[int, ...]:
        """A shortest way from the end of a node to an instruction, in blocks; empty where there is none."""
        copies = self._copies(self._flow.node_of(number))
        found = self._search([node], self._flow.successors, copies)
        return min((self._way(node, copy, found) for copy in copies if copy in found), key=len, default=())

    def _way(self, node: int, target: int, found: Mapping[int, _Found]) -> tuple[int, ...]:
        way = [target, found[target].via]
        while way[-1] != node:
            way.append(found[way[-1]].via)
        return tuple(self._flow.block_of(one) for one in reversed(way))

    def _path(self, first: int, second: int) -> tuple[int, ...]:
        """A shortest way from one instruction to another, which comes after it or in a loop again."""
        node = self._flow.node_of(first)
        if node == self._flow.node_of(second) and first < second:
            return (self._flow.block_of(node),)
        return min(filter(None, (self.from_node(copy, second) for copy in self._copies(node))), key=len, default=())

    def _distances(self, number: int, others: list[int]) -> dict[int, int]:
        """How far an instruction is behind each of some others, in blocks, where a way leads there."""
        own = self._flow.node_of(number)
        copies = {other: self._copies(self._flow.node_of(other)) for other in others}
        wanted = [copy for found in copies.values() for copy in found]
        found = self._search(self._copies(own), self._flow.predecessors, wanted)
        far = {other: [found[copy].far for copy in there if copy in found] for other, there in copies.items()}
        in_one = {other: 0 for other in others if other < number and self._flow.node_of(other) == own}
        return {other: min(known) for other, known in far.items() if known} | in_one

    def _copies(self, node: int) -> list[int]:
        """The nodes of a block under different calls that are reached."""
        return [copy for copy in self._flow.copies_of(node) if copy in self._segments]

    def _search(self, starts: list[int], steps: Sequence[Sequence[int]], wanted: Iterable[int]) -> dict[int, _Found]:
        """The nodes on shortest ways from some to others; no way leads out of the segments between and back."""
        missing = set(wanted)
        among = sorted({self._segments.of(one) for one in (*starts, *missing)})
        found: dict[int, _Found] = {}
        work = deque((one, 0) for one in starts)
        while work and missing:
            one, far = work.popleft()
            for following in steps[one]:
                if following not in found and self._lies(following, among[0], among[-1]):
                    found[following] = _Found(far + 1, one)
                    missing.discard(following)
                    work.append((following, far + 1))
        return found

    def _lies(self, node: int, first: int, last: int) -> bool:
        return node in self._segments and first <= self._segments.of(node) <= last
