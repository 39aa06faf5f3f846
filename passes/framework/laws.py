"""The laws that lattices and analyses must keep, tried on samples. What is broken is told as texts.

Each text begins with the name of the law and a colon. A law that holds on a sample may be broken elsewhere; one that
is broken there is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise, product
from typing import Any

from .analysis import At
from .keyed import Keyed
from .lattices import Lattice, MapOf, Product
from .solution import Solution

Show = Callable[[Any], str]
#: How many facts are tried with each other, how many of them in threes, and at how many instructions.
MOST_FACTS, MOST_IN_THREES, MOST_INSTRUCTIONS = 10, 5, 60
#: How many members of a fact are told.
_TOLD = 6


def broken(solution: Solution) -> list[str]:
    """The laws that an analysis breaks on facts of its solution: those of its lattice, and that it is monotone."""
    facts, show = facts_met(solution), _shower(solution)
    lattice = solution.analysis.facts
    return broken_laws(lattice, facts, show) or broken_transfer(solution, [*facts, *_joins(lattice, facts)], show)


def broken_laws(lattice: Lattice[Any], facts: Iterable[Any], show: Show = str) -> list[str]:
    """The laws of a join semilattice that some facts break, each law once.

    >>> from .scalars import Maximum
    >>> class Last(Maximum):
    ...     def join(self, left, right):
    ...         return right
    >>> broken_laws(Maximum(), [1, 2]), broken_laws(Last(), [1, 2])[0]
    ([], 'commutative: joining 1 and 2 gives 2, the other way round 1')
    """
    known = list(facts)
    found: dict[str, str] = {}
    for law, check in _LAWS.items():
        sample = known[:MOST_IN_THREES] if check is _associative else known
        try:
            told = next(check(lattice, sample, show), None)
        except Exception as error:  # a lattice may be anybody's
            told = f"raised {type(error).__name__}: {error}"
        if told is not None:
            found[law] = f"{law}: {told}"
    return list(found.values())


def broken_transfer(solution: Solution, facts: Sequence[Any], show: Show = str) -> list[str]:
    """The first instruction at which an analysis turns more facts into fewer; empty where it is monotone.

    A pair of facts for which its methods raise says nothing: they need not hold together.
    """
    lattice = solution.analysis.facts
    pairs = [(low, high) for low, high in product(facts, facts) if low is not high and lattice.leq(low, high)]
    for at in islice(_instructions(solution), MOST_INSTRUCTIONS):
        for low, high in pairs:
            moved = _moved(solution, at, low, high)
            if moved is not None and not lattice.leq(*moved):
                where = f"instruction {at.number} of block {at.block.name!r}"
                return [
                    f"monotone: {show(low)} lies below {show(high)}, "
                    f"but across {where} {show(moved[0])} does not lie below {show(moved[1])}"
                ]
    return []


def law_of(text: str) -> str:
    """The law of which a text tells that it is broken."""
    return text.partition(":")[0]


def facts_met(solution: Solution) -> list[Any]:
    """Different facts of a solution from all over the program; not the one where nothing is known at all."""
    matched = solution.graph.matched
    reached = (node for node in solution.graph.segments.order if node not in matched.landings)
    nodes = list(dict.fromkeys(map(matched.plain, reached)))
    found: list[Any] = []
    for node in nodes[:: max(1, len(nodes) // (2 * MOST_FACTS))]:
        for fact in (solution.at_start(node), solution.at_end(node)):
            if fact is not None and fact not in found and len(found) < MOST_FACTS:
                found.append(fact)
    return found


def _joins(lattice: Lattice[Any], facts: Sequence[Any]) -> list[Any]:
    return [lattice.join(one, two) for one, two in pairwise(facts)]


def _instructions(solution: Solution) -> Iterator[At]:
    """The points of instructions all over the program, with what needed passes know there."""
    nodes = solution.graph.segments.order
    for node in nodes[:: max(1, len(nodes) // MOST_INSTRUCTIONS)]:
        yield from (at for at in solution.at_node(node).points if at.number is not None)


def _moved(solution: Solution, at: At, *facts: Any) -> list[Any] | None:
    """Facts carried across an instruction; None where that raises."""
    assert at.number is not None
    moved = []
    for fact in facts:
        state = solution.analysis.facts.open(fact)
        try:
            solution.transfer.instruction(at.number, state, at)
        except Exception:  # of methods that may be anybody's
            return None
        moved.append(state.freeze())
    return moved


def _shower(solution: Solution) -> Show:
    """Shows facts as the analysis does, the first members of each."""

    def show(fact: Any) -> str:
        texts = [str(text) for text in solution.analysis.show(fact)]
        more = [f"… {len(texts) - _TOLD} more"] if len(texts) > _TOLD else []
        return f"{{{', '.join([*texts[:_TOLD], *more])}}}"

    return show


# the laws


def _idempotent(lattice: Lattice[Any], facts: Sequence[Any], show: Show) -> Iterator[str]:
    for one in facts:
        joined = lattice.join(one, one)
        if not _same(lattice, joined, one):
            yield f"joining {show(one)} with itself gives {show(joined)}"


def _commutative(lattice: Lattice[Any], facts: Sequence[Any], show: Show) -> Iterator[str]:
    for one, two in product(facts, facts):
        left, right = lattice.join(one, two), lattice.join(two, one)
        if not _same(lattice, left, right):
            yield f"joining {show(one)} and {show(two)} gives {show(left)}, the other way round {show(right)}"


def _associative(lattice: Lattice[Any], facts: Sequence[Any], show: Show) -> Iterator[str]:
    for one, two, three in product(facts, facts, facts):
        left = lattice.join(lattice.join(one, two), three)
        right = lattice.join(one, lattice.join(two, three))
        if not _same(lattice, left, right):
            told = ", ".join(map(show, (one, two, three)))
            yield f"of {told} the first two joined first give {show(left)}, the last two {show(right)}"


def _bottom(lattice: Lattice[Any], facts: Sequence[Any], show: Show) -> Iterator[str]:
    for one in facts:
        joined = lattice.join(lattice.bottom, one)
        if not _same(lattice, joined, one):
            yield f"joining the bottom with {show(one)} gives {show(joined)}"
        if not lattice.leq(lattice.bottom, one):
            yield f"the bottom does not lie below {show(one)}"


def _order(lattice: Lattice[Any], facts: Sequence[Any], show: Show) -> Iterator[str]:
    for one, two in product(facts, facts):
        is_below = _same(lattice, lattice.join(one, two), two)
        if lattice.leq(one, two) is not is_below:
            told = "does not say so" if is_below else "says so"
            yield f"{show(one)} {'lies' if is_below else 'does not lie'} below {show(two)} by `join`, but `leq` {told}"


def _unchanging(lattice: Lattice[Any], facts: Sequence[Any], show: Show) -> Iterator[str]:
    """Facts that can be changed in place are soon one and the same at every point."""
    for one in facts if not isinstance(lattice, Keyed) else ():
        if isinstance(one, (set, list, bytearray)):
            yield f"a fact is a {type(one).__name__}, which can be changed in place; use a frozenset, a tuple"


_LAWS = {
    "unchanging": _unchanging,
    "idempotent": _idempotent,
    "commutative": _commutative,
    "associative": _associative,
    "bottom": _bottom,
    "order": _order,
}


def _same(lattice: Lattice[Any], one: Any, other: Any) -> bool:
    """Whether two facts are one; a map that names a default is the map that leaves it out."""
    if isinstance(lattice, Product):
        return all(_same(part, left, right) for part, left, right in zip(lattice.parts, one, other, strict=True))
    if not isinstance(lattice, MapOf) or one is None or other is None:
        return bool(one == other)
    values = ((one.get(key, _MISSING), other.get(key, _MISSING), key) for key in {**one, **other})
    return all(
        _same(lattice.values, _held(lattice, left, key), _held(lattice, right, key)) for left, right, key in values
    )


_MISSING = object()


def _held(lattice: MapOf[Any, Any], value: Any, key: Any) -> Any:
    return lattice.default(key) if value is _MISSING else value
