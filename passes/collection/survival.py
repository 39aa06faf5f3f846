"""`survival`: how many collections each entry of a log has survived, and in which other sessions it was used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from statemem.ir import How, Program, Scope
from statemem.ir.entries import Entry
from statemem.ir.flow.routes import path_to_end

from ..chains import use_def_chains
from ..framework import BlockEnd, Derivation, Manager, register
from ..premises.facts import Key
from ..reaching import Reaching


class Survived(NamedTuple):
    """An entry, the steps of the collections it survived, and the sessions other than its own in which it was used."""

    entry: Entry
    collections: tuple[int, ...]
    sessions: tuple[Scope, ...]


@register
class Survival(Derivation):
    """The collections that entries survived, and the other sessions that used them; what is promoted rests on it.

    A collection takes place at each multiple of `every` steps that a log has come to, when all that leads to its end up
    to that step has happened. An entry survives it if it is in force there, and was made or used not more than `every`
    steps before. (Ungar, "Generation scavenging", 1984.)
    """

    needs = (Reaching,)
    every: int = 5

    def __attrs_post_init__(self) -> None:
        if self.every < 1:
            raise ValueError(f"every must be at least 1, not {self.every}")

    def derive(self, program: Program, manager: Manager) -> list[Survived]:
        """Of each entry made on the way to where a log stands, in order; nothing of a workflow, which has no steps."""
        return list(_Survival(program, manager, self.every).all()) if program.is_trace else []

    def show(self, found: list[Survived], program: Program) -> list[str]:
        """`e3 survived 5 and 10; used in session:2/`; entries of which neither is so are left out."""
        return [f"{one.entry.id} {_told(one)}" for one in found if one.collections or one.sessions]


def _told(one: Survived) -> str:
    survived = f"survived {' and '.join(map(str, one.collections))}" if one.collections else ""
    used = f"used in {' and '.join(map(str, one.sessions))}" if one.sessions else ""
    return "; ".join(filter(None, [survived, used]))


def survived(manager: Manager, every: int = 5) -> list[Survived]:
    """What each entry of a log survived, with a collection every so many steps.

    >>> from statemem.ir import build
    >>> builder = build().set("size", 42)
    >>> for _ in range(5):
    ...     builder = builder.block().use("size")
    >>> [one.collections for one in survived(Manager(builder.program), every=2)]
    [(2, 4, 6)]
    """
    found: list[Survived] = manager.result(Survival(every=every))
    return found


class _Survival:
    def __init__(self, program: Program, manager: Manager, every: int) -> None:
        self._program = program
        self._manager = manager
        self._every = every
        self._path = [block for block in path_to_end(program) if block in manager.graph.segments]
        self._position = {block: number for number, block in enumerate(self._path)}
        self._collected = dict(self._collections())
        self._touched = self._made()
        self._take_uses()

    def all(self) -> Iterator[Survived]:
        for key, blocks in self._touched.items():
            entry = self._program.entries_of(key[0])[key[1]]
            own = _session(self._program, entry.block)
            sessions = dict.fromkeys(_session(self._program, block) for block in blocks)
            others = tuple(one for one in sessions if one is not None and one != own)
            yield Survived(entry, tuple(sorted(self._survived(key, blocks))), others)

    def _collections(self) -> Iterator[tuple[int, int]]:
        """Each collection that something made or used can survive, with the position of the block behind which it is.

        It is where the log first goes on beyond its step; in a gap of the steps only the first ones matter.
        """
        now, every = 0, self._every
        steps = [self._program.step_of(block) for block in self._path]
        for position, step in enumerate([*steps, None]):
            beyond = now + 1 if step is None else min(step, now + every + 1)
            if position:
                yield from ((at, position - 1) for at in self._multiples(now, beyond))
            now = now if step is None else max(now, step)

    def _multiples(self, first: int, beyond: int) -> range:
        begin = -(-max(first, 1) // self._every) * self._every
        return range(begin, beyond, self._every)

    def _made(self) -> dict[Key, list[int]]:
        made = sorted(number for block in self._path for number in self._program.executed(block))
        entries = (entry for number in made for entry in self._program.entries_of(number))
        return {(entry.instruction, entry.leaf): [entry.block] for entry in entries}

    def _take_uses(self) -> None:
        chains = use_def_chains(self._manager)
        for chain in chains:
            block = self._program.block_of(chain.instruction)
            reads = self._program.instructions[chain.instruction].reads()
            if block in self._position and reads[chain.read].how is How.USED:
                for key in chains.seen_by(*chain):
                    if key in self._touched:
                        self._touched[key].append(block)

    def _survived(self, key: Key, blocks: list[int]) -> set[int]:
        """The steps of collections not long after one of the blocks in which an entry was made or used."""
        found: set[int] = set()
        for block in blocks:
            step = self._program.step_of(block)
            for at in self._multiples(step, step + self._every + 1):
                position = self._collected.get(at, -1)
                if at not in found and position >= self._position[block] and self._is_in_force(key, position):
                    found.add(at)
        return found

    def _is_in_force(self, key: Key, position: int) -> bool:
        solution, point = self._manager.solve(Reaching), BlockEnd(self._path[position])
        written = self._manager.accesses.writes(key[0])
        made = (write.made for write in written if write.made.leaf == key[1])
        return any(one in solution.value(one.cell, point) for one in made)


def _session(program: Program, block: int) -> Scope | None:
    """The session that a block is part of: its own scope, or the nearest one around it."""
    for scope in (program.scope_of(block), program.tasks[program.body[block]].scope):
        around: Scope | None = scope
        while around is not None:
            if around.kind == "session":
                return around
            around = program.scopes.get(around)
    return None
