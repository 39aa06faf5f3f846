"""`lookalikes`: entities that may be one, since their keys are equal but for case or the space around them."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from statemem.ir import UNKNOWN, Add, Append, Cell, Definition, Program, Scope, Segment
from statemem.ir.entries import Entry

from .aliases import Aliases
from .collection.in_force import in_force_at, names_at
from .framework import BlockEnd, Derivation, Manager, Point, register
from .program_ends import shown_at_ends, told_ends
from .reaching import Reaching

#: The entities that look alike, each with what is in force of it.
Forms = dict[Cell, list[Definition]]


class Lookalike(NamedTuple):
    """Two entities of one family that may be one; `left` is the one that was written first.

    `shown_by` are the entries in force of the one and of the other. `differing` are pairs of them, one of each, that
    would contradict each other if the two were one.
    """

    left: Cell
    right: Cell
    shown_by: tuple[tuple[Entry, ...], tuple[Entry, ...]]
    differing: tuple[tuple[Entry, Entry], ...]


@register
class Lookalikes(Derivation):
    """Pairs of entities in force of one scope and family whose keys differ in case, or in the space around them, alone.

    Keys are data and stay apart: that two of them may be one is a question, and no union. A pair that `same` surely
    united is none. Told at the current end of a log and at every end of a workflow; of any other point `lookalikes_at`
    tells.
    """

    needs = (Reaching, Aliases)

    def derive(self, program: Program, manager: Manager) -> dict[int, list[Lookalike]]:
        """The pairs by the block that ends."""
        return {block: lookalikes_at(manager, BlockEnd(block)) for block in told_ends(manager)}

    def show(self, found: dict[int, list[Lookalike]], program: Program) -> list[str]:
        """`person["DGQ"] may be person["dgq"]: e1 against e4`."""
        return shown_at_ends(found, program, _shown)


def lookalikes_at(manager: Manager, point: Point) -> list[Lookalike]:
    """The pairs at a point, in the order in which their entities were written.

    >>> from statemem.ir import build
    >>> program = build().set("person[DGQ].team", "red").set("person[dgq].team", "blue").open()
    >>> for one in lookalikes_at(Manager(program), BlockEnd(0)):
    ...     print(one.left, one.right, [(left.id, right.id) for left, right in one.differing])
    session:1/person["DGQ"] session:1/person["dgq"] [('e1', 'e2')]
    """
    names = names_at(manager, point)
    alike = _alike(manager, in_force_at(manager, point))
    first = _first_writes(manager, {one for forms in alike for one in forms}) if alike else {}
    return [
        _pair(manager, point, forms, left, right)
        for forms in alike
        for left, right in combinations(sorted(forms, key=lambda one: (first[one], one)), 2)
        if not names.are_one(left, right)
    ]


def _alike(manager: Manager, there: Sequence[Definition]) -> list[Forms]:
    """The entities in force, those together that look alike; of each at least two.

    A mere mention, `name["DGQ"]` with its own name for a value, states nothing that another could contradict.
    """
    found: dict[tuple[Scope, tuple[Segment, ...], str], Forms] = {}
    for one in there:
        for depth, part in enumerate(one.cell.path):
            if part.kind == "key" and not _is_mention(manager, one, depth):
                family = one.cell.scope, one.cell.path[:depth], folded(part.text)
                entity = Cell(one.cell.scope, one.cell.path[: depth + 1])
                found.setdefault(family, {}).setdefault(entity, []).append(one)
    return [forms for forms in found.values() if len(forms) > 1]


def _is_mention(manager: Manager, one: Definition, depth: int) -> bool:
    """Whether all that is stated of an entity is its name."""
    value = _entry(manager, one).value
    key = one.cell.path[depth].text
    return depth == len(one.cell.path) - 1 and isinstance(value, str) and folded(value) == folded(key)


def _first_writes(manager: Manager, entities: Collection[Cell]) -> dict[Cell, int]:
    """The instruction that first wrote of each entity."""
    first: dict[Cell, int] = {}
    for number in range(len(manager.program.instructions)):
        for one in manager.accesses.writes(number):
            for depth in range(1, len(one.place.path) + 1):
                entity = Cell(one.place.scope, one.place.path[:depth])
                if entity in entities:
                    first.setdefault(entity, number)
    return first


def folded(key: str) -> str:
    """A key without what makes no difference to a reader (Unicode, canonical caseless matching, D145).

    >>> folded(" DGQ ") == folded("dgq"), folded("Straße") == folded("STRASSE"), folded("jo_li") == folded("jo-li")
    (True, True, False)
    """
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", key).casefold()).strip()


def _pair(manager: Manager, point: Point, forms: Forms, left: Cell, right: Cell) -> Lookalike:
    differing = _differing(manager, point, _below(forms[left], left), _below(forms[right], right))
    shown_by = (_entries(manager, forms[left]), _entries(manager, forms[right]))
    return Lookalike(
        left, right, shown_by, tuple((_entry(manager, one), _entry(manager, two)) for one, two in differing)
    )


def _below(there: list[Definition], entity: Cell) -> dict[tuple[Segment, ...], list[Definition]]:
    """What is in force of an entity by the path below it."""
    found: dict[tuple[Segment, ...], list[Definition]] = {}
    for one in there:
        found.setdefault(one.cell.path[len(entity.path) :], []).append(one)
    return found


def _differing(
    manager: Manager,
    point: Point,
    left: Mapping[tuple[Segment, ...], list[Definition]],
    right: Mapping[tuple[Segment, ...], list[Definition]],
) -> Iterator[tuple[Definition, Definition]]:
    """Pairs that both would be in force at one place, if the entities were one, and state different values."""
    reaching, judge = manager.solve(Reaching).fact(point), manager.accesses.judge
    for path in (path for path in left if path in right):
        cells = [left[path][0].cell, right[path][0].cell]
        together = judge.in_force_together([reaching[cell] for cell in cells])
        for one, two in product(left[path], right[path]):
            is_known = all(side in together and _states(manager, side) for side in (one, two))
            if is_known and not judge.equal(one, two):
                yield one, two


def _states(manager: Manager, one: Definition) -> bool:
    """Whether a definition states a value of its own that is known; what nobody knows differs from nothing."""
    is_added = isinstance(manager.program.instructions[one.instruction], (Append, Add))
    return not is_added and _entry(manager, one).value is not UNKNOWN


def _entry(manager: Manager, one: Definition) -> Entry:
    return manager.program.entries_of(one.instruction)[one.leaf]


def _entries(manager: Manager, there: list[Definition]) -> tuple[Entry, ...]:
    """The entries of some definitions, each once."""
    return tuple(_entry(manager, one) for one in {one[:2]: one for one in there}.values())


def _shown(one: Lookalike) -> str:
    differing = " and ".join(f"{left.id} against {right.id}" for left, right in one.differing)
    return f"{one.left} may be {one.right}{f': {differing}' if differing else ''}"
