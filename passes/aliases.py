"""`aliases`: what references point to and which entities are one, at every point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from statemem.ir import Bind, Cell, ControlFlow, Instruction, Program
from statemem.ir.flow.segments import Segments
from statemem.ir.meaning.names import UNBOUND, Names

from .framework import Analysis, At, Horizon, Solution, register
from .framework.accesses import NO_NAMES, Accesses, uses_names
from .framework.solver import solve
from .framework.states import Boxed
from .framework.transfer import Graph


class NamesLattice:
    """What is known of names: targets and possible unions grow where paths meet, certain unions shrink.

    A reference that one path never bound may be unbound after the join; `None` is the point nothing reaches.
    """

    bottom: Names | None = None

    def join(self, left: Names | None, right: Names | None) -> Names | None:
        """What may be on either path and must be on both."""
        if left is None or right is None or left == right:
            return right if left is None else left
        return Names(
            references=_joined(left.references, right.references),
            may_be_one=left.may_be_one | right.may_be_one,
            must_be_one=left.must_be_one & right.must_be_one,
        )

    def leq(self, left: Names | None, right: Names | None) -> bool:
        """Whether `right` allows all that `left` does and promises no more."""
        return self.join(left, right) == right

    def open(self, fact: Names | None) -> Boxed[Any]:
        """A box."""
        return Boxed(fact or Names(), self.join)


def _joined(
    left: Mapping[str, frozenset[Cell | None]], right: Mapping[str, frozenset[Cell | None]]
) -> dict[str, frozenset[Cell | None]]:
    names = dict.fromkeys((*left, *right))
    return {name: left.get(name, UNBOUND) | right.get(name, UNBOUND) for name in names}


@register
class Aliases(Analysis):
    """What each reference may point to, and which entities may and must be one.

    `@it -> c` replaces the targets of `@it`; `same a, b` unites from there on. Solved before all other passes: it turns
    each instruction into the places it reads and writes.
    """

    facts = NamesLattice()

    def boundary(self, program: Program) -> Names:
        """No reference is bound, no two entities are one."""
        return Names()

    def on_bind(self, reference: str, target: Cell, state: Boxed[Names], at: At) -> None:
        """Points the reference to its new target alone."""
        state.value = state.value.bound(reference, target)

    def on_unite(self, left: Cell, right: Cell, state: Boxed[Names], at: At) -> None:
        """Unites the two."""
        state.value = state.value.united(left, right)

    def on_join(self, before: Names | None, arms: Sequence[Names | None], at: At) -> Names | None:
        """Every arm was executed: what one united is one, and a reference is what the arms left that bind it."""
        known = [(arm, own) for arm, own in zip(arms, at.arms, strict=True) if arm is not None]
        if not known:
            return None
        names = dict.fromkeys(name for arm, _ in known for name in arm.references)
        return Names(
            references={name: _after_arms(name, known, at.program) for name in names},
            may_be_one=frozenset().union(*(arm.may_be_one for arm, _ in known)),
            must_be_one=frozenset().union(*(arm.must_be_one for arm, _ in known)),
        )

    def show(self, fact: Names | None) -> list[str]:
        """`@it -> a | unbound` and `a = b`, with `~` where it is only possible."""
        if fact is None:
            return []
        bound = [f"@{name} -> {_targets(targets)}" for name, targets in fact.references.items()]
        return sorted(bound) + [
            f"{left} {'=' if (left, right) in fact.must_be_one else '~'} {right}"
            for left, right in sorted(fact.may_be_one)
        ]


def _after_arms(name: str, arms: Sequence[tuple[Names, Set[int]]], program: Program) -> frozenset[Cell | None]:
    """The targets of a reference in the arms that may bind it; if none does, in all of them."""
    binding = [arm for arm, own in arms if any(_binds(program.instructions[number], name) for number in own)]
    found = (arm.references.get(name, UNBOUND) for arm in binding or [arm for arm, _ in arms])
    return frozenset().union(*found)


def _binds(instruction: Instruction, name: str) -> bool:
    return isinstance(instruction, Bind) and instruction.reference == name


def _targets(targets: frozenset[Cell | None]) -> str:
    named = sorted(str(target) for target in targets if target is not None)
    return " | ".join([*named, *(["unbound"] if None in targets else [])])


class Naming:
    """What this pass knows of names before each instruction."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._solution = Solution(Aliases(), graph, {}, solve(Aliases(), graph, {}))
        self._before: dict[int, Names] = {}
        self._look(0)

    def before(self, number: int) -> Names:
        """What is known before an instruction; nothing before one that is never reached."""
        return self._before.get(number, NO_NAMES)

    def grow(self, first: int) -> set[int]:
        """Take in that a program has grown from a segment on; the instructions before which other names are known."""
        self._solution.grow(first)
        return self._look(first)

    def _look(self, first: int) -> set[int]:
        """Take down what is known from a segment on; the instructions before which it is other than it was."""
        changed: set[int] = set()
        segments = self._graph.segments
        nodes = (node for segment in range(first, len(segments)) for node in segments.nodes(segment))
        for node in dict.fromkeys(map(self._graph.matched.plain, nodes)):
            following = self._solution.follow(node)
            for at in following.points:
                if at.number is not None and self._before.get(at.number) != following.state.value:
                    changed.add(at.number)
                    self._before[at.number] = following.state.value
        return changed


def resolved(program: Program, flow: ControlFlow, matched: ControlFlow, horizon: Horizon) -> Graph:
    """A program with the accesses of its instructions, every name resolved as far as this pass knows it."""
    segments = Segments(matched)
    graph = Graph(program, flow, matched, segments, Accesses(program, matched, segments), horizon)
    if uses_names(program):
        graph.accesses.naming = Naming(graph)
    return graph
