"""`taint`: which cells hold what nobody vouches for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, NamedTuple

import attrs

from statemem.ir import Cell, Default, Definition, Derive, How, Instruction, Mode, Program, Reference
from statemem.ir.meaning.force import Definitions
from statemem.ir.meaning.names import UNBOUND
from statemem.ir.meaning.resolve import PlaceWrite

from ..framework import Analysis, At, MapOf, Powerset, register
from ..framework.accesses import Accesses
from ..reaching import Reaching, read_in_force
from .rules import NO_LABELS, STANDARD, UNKNOWN_PREMISES, Labels, TrustRules, Writing


class Turn(NamedTuple):
    """What a model was shown in one turn: a block, or all blocks of one step."""

    step: int | None
    block: int | None


#: Among the labels of a turn: on some path nothing was read in it yet.
NOTHING_READ = "(nothing read)"


def _missing(key: Any) -> Labels:
    return frozenset([NOTHING_READ]) if isinstance(key, Turn) else NO_LABELS


@register
class Taint(Analysis):
    """Labels of what cells hold: untrusted, of unknown premises, and those of one's own rules.

    A conclusion takes the labels of all its premises, whatever is written those of its source: a lattice of sets of
    labels (Denning, "A lattice model of secure information flow", 1976), kept for each definition in force. What a
    model writes without naming premises takes the labels of all it was shown before in that turn, as in FIDES (Costa
    and others, "Securing AI agents with information-flow control", 2025), and `unknown` where the log names no read.
    A value that a source without labels states as well is one without labels, whichever of the two came first; a model
    that names no premises confirms nothing.
    """

    needs = (Reaching,)
    rules: TrustRules = STANDARD
    facts = MapOf(Powerset[str](), _missing)

    def boundary(self, program: Program) -> dict[Any, Labels]:
        """Nothing is labelled."""
        return {}

    def transfer(self, instruction: Instruction, state: Any, at: At) -> None:
        """All writes of one instruction, with what was read before any of them."""
        assert at.number is not None
        self._begin_turn(state, at)
        self._note_reads(instruction, state, at)  # before its own write may end what it read
        writes = at.accesses.writes(at.number)
        if writes:
            making = self._making(instruction, writes, state, at)
            for write in writes:
                with nullcontext() if write.definite else state.maybe():
                    self._perform(write, making, state, at)

    def on_join(self, before: Labels, arms: Sequence[Labels], at: At) -> Labels:
        """All arms were executed: what one of them replaced or confirmed is so; what one made has its labels there."""
        if isinstance(at.key, Turn):
            return NO_LABELS.union(*arms)
        making = [arm for arm, own in zip(arms, at.arms, strict=True) if at.key.instruction in own]
        return NO_LABELS.union(*making) if making else arms[0].intersection(*arms)

    def show(self, fact: Any) -> list[str]:
        """`note: unknown | untrusted`; cells without labels are left out."""
        return sorted(f"{cell}: {' | '.join(sorted(labels))}" for cell, labels in tainted(fact).items())

    # writes

    def _making(self, instruction: Instruction, writes: Iterable[PlaceWrite], state: Any, at: At) -> _Making:
        inherited = self._inherited(instruction, state, at)
        labels = {
            write.place: self._labels(inherited, write.place, at) for write in writes if not write.made.is_tombstone
        }
        confirms = not any(labels.values()) and not self._guesses(instruction, at)
        return _Making(labels, confirms, _REACHED.over(_Below(at.facts[Reaching]), {}))

    def _inherited(self, instruction: Instruction, state: Any, at: At) -> Labels:
        """The labels of what a write rests on."""
        assert at.number is not None
        if self._guesses(instruction, at):
            shown: Labels = state[turn_of(at.program, at.block_number)]
            return shown - {NOTHING_READ} | {UNKNOWN_PREMISES} if NOTHING_READ in shown else shown
        if not isinstance(instruction, Derive):
            return NO_LABELS
        found = _all_labels(read_labels(at.accesses, at.number, state, at.facts[Reaching]))
        is_unclear = self.rules.is_model(at.actor) and not are_resolved(at.accesses, at.number)
        return found | {UNKNOWN_PREMISES} if is_unclear else found

    def _guesses(self, instruction: Instruction, at: At) -> bool:
        """Whether a model writes here and does not say from what."""
        return self.rules.is_model(at.actor) and not getattr(instruction, "premises", ())

    def _labels(self, inherited: Labels, place: Cell, at: At) -> Labels:
        writing = writing_of(at.accesses, at.number, place)
        return (inherited | self.rules.given(writing)) - self.rules.taken(writing)

    def _perform(self, write: PlaceWrite, making: _Making, state: Any, at: At) -> None:
        before, after = making.reached(write, at)
        made, labels = write.made, making.labels.get(write.place, NO_LABELS)
        if write.mode is Mode.REPLACE and made in after and not write.by.is_tombstone:
            labels = NO_LABELS if _is_known(before, write, state, at) else labels
            if making.confirms:
                _confirm(after, write, state, at)
        for gone in before - after:
            state[gone] = NO_LABELS
        if made.is_tombstone or after.isdisjoint((made, as_made(made))):
            return
        if write.mode is Mode.FILL or made in before:  # this time it may not have been written, but in an earlier turn
            labels |= state[as_made(made)]
        state[as_made(made)] = labels
        if made in after:
            state[made] = labels

    # turns

    def _begin_turn(self, state: Any, at: At) -> None:
        """What was shown in an earlier turn of a loop was shown in another turn."""
        turn = turn_of(at.program, at.block_number)
        if turn.step is None and at.number == at.program.executed(at.block_number).start:
            state[turn] = _missing(turn)

    def _note_reads(self, instruction: Instruction, state: Any, at: At) -> None:
        """What a model reads it was shown, used or not; what an append builds on it was not.

        Of a reference that may be unbound nobody knows what was shown.
        """
        assert at.number is not None
        if not (self.rules.is_model(at.actor) and _is_shown_something(instruction)):
            return
        turn = turn_of(at.program, at.block_number)
        found = _all_labels(read_labels(at.accesses, at.number, state, at.facts[Reaching]))
        unclear = NO_LABELS if are_resolved(at.accesses, at.number) else frozenset([UNKNOWN_PREMISES])
        state[turn] = (state[turn] - {NOTHING_READ}) | found | unclear


@attrs.frozen
class _Making:
    """What one instruction makes: the labels at each place, whether it confirms, and what reaches as it goes on."""

    labels: Mapping[Cell, Labels]
    confirms: bool
    reaching: Any

    def reached(self, write: PlaceWrite, at: At) -> tuple[Definitions, Definitions]:
        """What reaches the place of a write before and after it, as `reaching` has it."""
        before = self.reaching[write.place]
        at.write = write
        with nullcontext() if write.definite else self.reaching.maybe():
            if write.mode is Mode.FILL:
                _REACHING.on_fill(write.place, self.reaching, at)
            else:
                _REACHING.on_write(write.place, write.mode, self.reaching, at)
        at.write = None
        return before, self.reaching[write.place]


_REACHING = Reaching()
_REACHED: Any = Reaching.facts


@attrs.frozen
class _Below:
    """The state of a needed pass as what lies below another state."""

    state: Any

    def get(self, key: Any, default: Any, /) -> Any:
        return self.state[key]

    def items(self) -> Any:
        return self.state.items()


def _is_known(before: Definitions, write: PlaceWrite, state: Any, at: At) -> bool:
    """Whether a value is surely a fact already that has no labels, so that another source adds nothing to it."""
    there = at.judge.in_force(before)
    return bool(there) and all(at.judge.equal(one, write.by) and not state[one] for one in there)


def _confirm(after: Definitions, write: PlaceWrite, state: Any, at: At) -> None:
    """The same value from a source without labels: those that stated it before lose theirs."""
    for one in after:
        if not one.yields and one != write.made and at.judge.equal(one, write.by):
            state[one] = state[as_made(one)] = NO_LABELS


def as_made(one: Definition) -> Definition:
    """The key of the labels that an entry has whether or not it is in force; those it has in force end with that."""
    return one._replace(yields=True)


def turn_of(program: Program, block: int) -> Turn:
    """The turn of a block."""
    step = program.blocks[block].step
    return Turn(None, block) if step is None else Turn(step, None)


def writing_of(accesses: Accesses, number: int | None, place: Cell) -> Writing:
    """What rules are asked about the write of a place by an instruction."""
    assert number is not None
    program = accesses.program
    instruction, block = program.instructions[number], program.blocks[program.block_of(number)]
    return Writing(
        actor=accesses.actor(number),
        cell=str(place),
        trust=instruction.origin.trust or block.origin.trust,
        rule=instruction.origin.rule or "",
        is_derived=isinstance(instruction, Derive),
    )


def read_labels(accesses: Accesses, number: int, state: Any, reaching: Any) -> dict[Definition, Labels]:
    """The definitions that an instruction reads, with their labels there, given what both passes know before it.

    A read that names an entry saw that one, in force or not.
    """
    found: dict[Definition, Labels] = {}
    for read, how in enumerate(one.how for one in accesses.program.instructions[number].reads()):
        if how is not How.CARRIED:
            named = _named(accesses, number, read)
            is_sure = bool(named) and all(_is_earlier(accesses, one, number) for one in named)
            there = () if is_sure else read_in_force(accesses, number, read, reaching)
            keys = [*named, *(definition for definition in there if not definition.is_tombstone)]
            found.update((definition, state[definition]) for definition in keys)
    return found


def _named(accesses: Accesses, number: int, read: int) -> list[Definition]:
    """The entries that a read names, at the places of the read at which they were written."""
    was = accesses.program.instructions[number].reads()[read].was
    if was is None:
        return []
    places = {found.place for found in accesses.reads(number) if found.read == read}
    return [
        as_made(write.made)
        for entry in accesses.program.named(was)
        for write in accesses.writes(entry.instruction)
        if write.place in places and write.made.leaf == entry.leaf
    ]


def _is_earlier(accesses: Accesses, named: Definition, before: int) -> bool:
    """Whether an entry that a read names surely was written before; a default may have found something there."""
    number = named.instruction
    is_default = isinstance(accesses.program.instructions[number], Default)
    return number < before and not is_default and accesses.is_certain(number, named.cell)


def are_resolved(accesses: Accesses, number: int) -> bool:
    """Whether it is known of every read of an instruction where it looks: no reference is unbound there, or may be."""
    places = [read.place for read in accesses.program.instructions[number].reads()]
    bound = accesses.names(number).references
    return not any(isinstance(one, Reference) and None in bound.get(one.name, UNBOUND) for one in places)


def _is_shown_something(instruction: Instruction) -> bool:
    return any(read.how is not How.CARRIED for read in instruction.reads())


def _all_labels(found: Mapping[Definition, Labels]) -> Labels:
    return NO_LABELS.union(*found.values())


def tainted(fact: Mapping[Any, Labels] | None) -> dict[Cell, Labels]:
    """The cells that hold something labelled, with the labels, given what the pass found at a point.

    >>> from statemem.ir import build
    >>> from statemem.passes import solve
    >>> program = build().block("tool:search").set("page", "Buy now!").block("user").set("size", 42).open()
    >>> {str(cell): sorted(labels) for cell, labels in tainted(solve(program, Taint).at_end(1)).items()}
    {'session:1/page': ['untrusted']}
    """
    found: dict[Cell, Labels] = {}
    for key, labels in (fact or {}).items():
        if labels and isinstance(key, Definition) and not key.yields:
            found[key.cell] = found.get(key.cell, NO_LABELS) | labels
    return dict(sorted(found.items()))
