"""Analyses and derivations: what an author of a pass writes."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, ClassVar, dataclass_transform

import attrs

from statemem.ir import Actor, Block, Cell, How, Instruction, Mode, Program
from statemem.ir.entries import Entry
from statemem.ir.meaning.force import Judge
from statemem.ir.meaning.resolve import PlaceWrite

from .accesses import Accesses
from .declared import check_declared
from .errors import PassError
from .lattices import DualPowerset, Lattice, Powerset


class Direction(enum.Enum):
    """Which way facts flow."""

    FORWARD = "forward"
    BACKWARD = "backward"


#: Facts that are sets of cells, joined by union.
Cells: Powerset[Cell] = Powerset()
#: Facts that are sets of cells, joined by intersection.
CertainCells: DualPowerset[Cell] = DualPowerset()


class NeededFacts(dict[type, Any]):
    """What the needed passes of one pass know at a point, by their classes."""

    def __init__(self, name: str, facts: Mapping[type, Any]) -> None:
        super().__init__(facts)
        self._name = name

    def __missing__(self, one: type) -> Any:
        known = ", ".join(need.__name__ for need in self) or "none"
        raise PassError(
            f"pass {self._name!r} looks at the facts of {one.__name__}, which it does not need; it needs {known}"
        )


@attrs.define
class At:
    """The point of an event: the instruction, its block, and the facts of the passes that were asked for.

    At the end of a block `number` is None. `node` is that of the control-flow graph: the block, or a landing of a
    call. `write` is the definition made, during events of writing; `was` the entry that a read names; `closes` whether
    the end of the program speaks of every cell. At the join of a fork `key` is the member or key that is judged, and
    `arms` are the instructions that each of the arms may have executed.
    """

    program: Program
    accesses: Accesses
    block_number: int
    number: int | None = None
    node: int = -1
    write: PlaceWrite | None = None
    was: str | None = None
    closes: bool = False
    key: Any = None
    arms: Sequence[Set[int]] = ()
    facts: Mapping[type, Any] = attrs.field(factory=dict)

    @property
    def block(self) -> Block:
        """The block."""
        return self.program.blocks[self.block_number]

    @property
    def instruction(self) -> Instruction | None:
        """The instruction."""
        return None if self.number is None else self.program.instructions[self.number]

    @property
    def actor(self) -> Actor:
        """Who acts: the instruction's own actor, or the block's."""
        instruction = self.instruction
        own = instruction.origin.actor if instruction is not None else None
        return own or self.block.actor

    @property
    def step(self) -> int:
        """The step of the block."""
        return self.program.step_of(self.block_number)

    @property
    def judge(self) -> Judge:
        """Rank and equality of definitions."""
        return self.accesses.judge

    @property
    def outrankable(self) -> bool:
        """Whether some definition of the place stays in force against the one being made."""
        return self.write is not None and self.accesses.may_be_outranked(self.write)

    @property
    def entry(self) -> Entry | None:
        """The memory entry that is being written."""
        return self.program.entry_of(self.write.made) if self.write else None


class Polarity(enum.Enum):
    """Which way the facts of a needed pass work: with more of them a `may` need finds more, a `must` need less."""

    MAY = "may"
    MUST = "must"


@attrs.frozen
class Need:
    """A pass whose result another looks at, and which way it works there, if that is told."""

    one: type[Pass]
    polarity: Polarity | None = None


def may(one: type[Pass]) -> Need:
    """A need whose facts only add: the more of them there are, the more is found."""
    return Need(one, Polarity.MAY)


def must(one: type[Pass]) -> Need:
    """A need whose facts only take away: the more of them there are, the less is found."""
    return Need(one, Polarity.MUST)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(attrs.field,))
class Pass:
    """What all passes share: a name, a documentation, the passes they need, and options.

    A pass is a frozen object. Attributes that its class annotates are its options, each with a default; two passes of
    one class with equal options are one.
    """

    name: ClassVar[str] = ""
    needs: ClassVar[tuple[type[Pass] | Need, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        if "__init__" in cls.__dict__:
            raise TypeError(
                f"{cls.__name__} has an __init__; a pass is frozen: annotate its options, as in most: int = 3"
            )
        attrs.define(cls, frozen=True, slots=False, kw_only=True)
        check_declared(cls)

    def __str__(self) -> str:
        """The pass as a pipeline names it: `values{most=3}`."""
        from .pipeline import pass_text

        return pass_text(self)

    @classmethod
    def needed(cls) -> tuple[Need, ...]:
        """The passes that this one needs, each with its polarity if that is told."""
        return tuple(one if isinstance(one, Need) else Need(one) for one in cls.needs)

    @classmethod
    def title(cls) -> str:
        """The first line of the documentation."""
        return (cls.__doc__ or "").strip().partition("\n")[0]


class Analysis(Pass):
    """Facts of a lattice, propagated over the control-flow graph.

    A method describes an event that happens; where one may not happen, the solver joins the state with and without
    it. Every method does nothing unless it is given. Methods must be monotone: more facts in, no fewer out.
    """

    direction: ClassVar[Direction] = Direction.FORWARD
    facts: ClassVar[Lattice[Any]] = Cells

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not isinstance(cls.direction, Direction):
            raise TypeError(f"{cls.__name__}.direction must be Direction.FORWARD or Direction.BACKWARD")

    def boundary(self, program: Program) -> Any:
        """The fact at the entry of the program; backwards, at its ends before `on_end`."""
        return self.facts.open(self.facts.bottom).freeze()

    def on_read(self, cell: Cell, how: How, state: Any, at: At) -> None:
        """A place is read."""

    def on_write(self, cell: Cell, mode: Mode, state: Any, at: At) -> None:
        """A place is replaced or extended."""

    def on_fill(self, cell: Cell, state: Any, at: At) -> None:
        """A place is filled if nothing is in force there: by default a write that may happen."""
        with state.maybe():
            self.on_write(cell, Mode.REPLACE, state, at)

    def on_delete(self, cell: Cell, state: Any, at: At) -> None:
        """A place is emptied: deleted, or gone with a whole object that lacks it."""

    def on_bind(self, reference: str, target: Cell, state: Any, at: At) -> None:
        """A reference is bound."""

    def on_unite(self, left: Cell, right: Cell, state: Any, at: At) -> None:
        """Two entities become one."""

    def on_effect(self, action: str, state: Any, at: At) -> None:
        """The world is acted on."""

    def on_scope_end(self, cell: Cell, state: Any, at: At) -> None:
        """A place ends with its scope: by default as deleted."""
        self.on_delete(cell, state, at)

    def on_edge(self, source: int, target: int, state: Any, at: At) -> None:
        """Control goes from one block to another, by their numbers."""

    def on_join(self, before: Any, arms: Sequence[Any], at: At) -> Any:
        """What holds at the join of a fork, all of whose arms were executed, of the member or key `at.key`.

        `before` is what held at the fork, `arms` what each arm left, some of which is not as before: truth values of a
        member, values of a key, or whole facts of a lattice without keys; `at.arms` tells the instructions of each arm.
        Not called unless it is given; else the arms are joined as branches are. A fork with one arm is a straight line.
        """
        raise NotImplementedError

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """What an instruction does to the facts, instead of events; not called unless it is given."""
        raise NotImplementedError

    def on_end(self, expected: Iterable[Cell], state: Any, at: At) -> None:
        """The program ends here, or is open; `expected` are the places a future is known to read."""

    def show(self, fact: Any) -> list[str]:
        """A fact as sorted texts, for printing and for comparison with expected facts."""
        if isinstance(fact, Mapping):
            return sorted(f"{key}: {_shown(value)}" for key, value in fact.items())
        if isinstance(fact, (frozenset, set)):
            return sorted(map(str, fact))
        return [] if fact is None else [_shown(fact)]


class Derivation(Pass):
    """A pure function of a program and the solutions of the passes it needs."""

    def derive(self, program: Program, manager: Any) -> Any:
        """What follows; `manager.solve` and `manager.result` give what the needed passes found."""
        raise NotImplementedError

    def show(self, found: Any, program: Program) -> list[str]:
        """What was found as texts, for printing and for comparison with expected facts."""
        return [str(one) for one in found]


def _shown(fact: Any) -> str:
    """A fact that stands at a key, in one text; the members of a set in order."""
    if isinstance(fact, enum.Enum):
        return str(fact.value)
    return f"{{{', '.join(sorted(map(str, fact)))}}}" if isinstance(fact, (frozenset, set)) else str(fact)
