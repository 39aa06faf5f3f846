"""The ten instructions and the two marks for tasks: what each reads, what each writes.

Passes rely on `reads` and `writes` alone; nobody needs to tell the classes apart.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import NamedTuple

import attrs

from .cells import Cell, Place, Scope
from .origin import NOWHERE, Origin
from .values import Leaf, Value, flatten


class Mode(enum.Enum):
    """How a write meets what was in force (2-ir, Meaning 3); `END` is the end of a scope."""

    REPLACE = "replace"
    EXTEND = "extend"
    FILL = "fill"
    DELETE = "delete"
    END = "end"


class How(enum.Enum):
    """How a read uses what it reads; only `USED` keeps a cell alive."""

    USED = "used"
    EXPOSED = "exposed"
    CARRIED = "carried"


class Operand(NamedTuple):
    """A place that is read, and the id of the entry the log says was seen there."""

    place: Place
    was: str | None = None


class Read(NamedTuple):
    """One read of an instruction."""

    place: Place
    how: How
    was: str | None = None


class Write(NamedTuple):
    """One write of an instruction: the leaves it gives below `place`, none for a delete."""

    place: Place
    mode: Mode
    leaves: tuple[Leaf, ...] = ()


#: The purpose of a Use that says only that the cell stood in the prompt.
EXPOSURE = "exposure"


@attrs.frozen(kw_only=True)
class Instruction:
    """What every instruction has: the id of the entry it makes, its origin, and whether it may not happen."""

    id: str | None = None
    origin: Origin = NOWHERE
    maybe: bool = False

    def reads(self) -> tuple[Read, ...]:
        """The reads, in the order written; they come before the writes."""
        return ()

    def writes(self) -> tuple[Write, ...]:
        """The writes."""
        return ()

    @property
    def makes_entry(self) -> bool:
        """Whether the instruction writes a cell and so has an entry id."""
        return False


@attrs.frozen
class Assignment(Instruction):
    """An instruction that gives a cell a value."""

    target: Place
    value: Value
    leaves: tuple[Leaf, ...] = attrs.field(init=False, repr=False, eq=False)

    mode = Mode.REPLACE

    def __attrs_post_init__(self) -> None:
        whole = self.mode is Mode.EXTEND or not isinstance(self.value, (dict, list))
        leaves = (((), self.value),) if whole else tuple(flatten(self.value))
        object.__setattr__(self, "leaves", leaves)

    def writes(self) -> tuple[Write, ...]:
        """The one write."""
        return (Write(self.target, self.mode, self.leaves),)

    @property
    def makes_entry(self) -> bool:
        """Every assignment makes an entry a leaf."""
        return True

    def carried(self) -> tuple[Read, ...]:
        """The read of the target by a write that builds on what is there."""
        return (Read(self.target, How.CARRIED),)


@attrs.frozen
class Set(Assignment):
    """`c = set "white"`: replaces c."""


@attrs.frozen
class Derive(Assignment):
    """`c = derive "ships to Lyon" from a, b`: replaces c by a conclusion from a and b."""

    premises: tuple[Operand, ...] = ()

    def reads(self) -> tuple[Read, ...]:
        """The premises."""
        return tuple(Read(place, How.USED, was) for place, was in self.premises)


@attrs.frozen
class Append(Assignment):
    """`c = append "note"`: stands beside what is there."""

    mode = Mode.EXTEND

    def reads(self) -> tuple[Read, ...]:
        """Carries the target."""
        return self.carried()


@attrs.frozen
class Add(Assignment):
    """`c = add 2`: a number added to what is there."""

    mode = Mode.EXTEND

    def reads(self) -> tuple[Read, ...]:
        """Carries the target."""
        return self.carried()


@attrs.frozen
class Default(Assignment):
    """`c = default "email"`: a value only where none is in force."""

    mode = Mode.FILL

    def reads(self) -> tuple[Read, ...]:
        """Carries the target."""
        return self.carried()


@attrs.frozen
class Delete(Instruction):
    """`delete c`: replaces c by a tombstone."""

    target: Place

    def writes(self) -> tuple[Write, ...]:
        """The tombstone."""
        return (Write(self.target, Mode.DELETE),)

    @property
    def makes_entry(self) -> bool:
        """A tombstone has an id too, so that one can name it."""
        return True


@attrs.frozen
class Use(Instruction):
    """`use a, b was e12 for reply`: a step that used cells, or was merely shown them (`for exposure`)."""

    operands: tuple[Operand, ...]
    purpose: str | None = None

    def reads(self) -> tuple[Read, ...]:
        """The operands."""
        how = How.EXPOSED if self.purpose == EXPOSURE else How.USED
        return tuple(Read(place, how, was) for place, was in self.operands)


@attrs.frozen
class Bind(Instruction):
    """`@it -> order["W15"]`: what a reference points to from here on."""

    reference: str
    target: Cell


@attrs.frozen
class Same(Instruction):
    """`same order["W15"], order["A-15"]`: two names of one entity, from here on."""

    left: Cell
    right: Cell


@attrs.frozen
class Effect(Instruction):
    """`effect refund(order["W15"].id) key "r-15"`: an action on the world; its arguments are used."""

    action: str
    arguments: tuple[Operand, ...] = ()
    key: Value = None

    def reads(self) -> tuple[Read, ...]:
        """The arguments."""
        return tuple(Read(place, How.USED, was) for place, was in self.arguments)


@attrs.frozen
class Enter(Instruction):
    """`enter f1 is broadband`: opens a task or takes it up again."""

    task: str
    kind: str | None = None


@attrs.frozen
class Leave(Instruction):
    """`leave f1`: puts a task aside; with `ended`, the cells of its scope end."""

    task: str
    ended: bool = False


def written(instruction: Instruction) -> Iterator[Place]:
    """The places an instruction writes, and the cells it binds or unites."""
    yield from (write.place for write in instruction.writes())
    if isinstance(instruction, Bind):
        yield instruction.target
    elif isinstance(instruction, Same):
        yield from (instruction.left, instruction.right)


def places(instruction: Instruction) -> Iterator[Place]:
    """Every place an instruction names, what it writes first."""
    yield from written(instruction)
    yield from (read.place for read in instruction.reads())


def scopes_of(instruction: Instruction) -> list[Scope]:
    """The scopes of all cells an instruction names, each once."""
    return list(dict.fromkeys(place.scope for place in places(instruction) if isinstance(place, Cell)))
