"""`flows`: labelled values that come to where they may do harm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from statemem.ir import Cell, Definition, Effect, Program
from statemem.ir.entries import Entry
from statemem.ir.meaning.resolve import PlaceWrite

from ..collection.generations import PROFILE
from ..framework import After, At, Derivation, GaveUp, Manager, Solution, register
from ..framework.accesses import Accesses
from ..reaching import Reaching
from .rules import STANDARD, FlowRule, Labels, Sink, SinkKind, TrustRules, matches
from .taint import Taint, read_labels
from .trails import Step, Trails


class Flow(NamedTuple):
    """A label that came to a sink against a rule.

    `instruction` is that of the sink, `cell` what it writes, None for an effect. `entry` carries the label there, and
    `path` tells how it came to it from its source. Each entry of the path would lose the label if one of `confirmers`
    stated the same value before the next step.
    """

    rule: FlowRule
    sink: Sink
    label: str
    instruction: int
    cell: Cell | None
    entry: Entry
    path: tuple[Step, ...] | GaveUp
    confirmers: tuple[str, ...]


@register
class Flows(Derivation):
    """Labelled values that come to effects, pins, lasting facts and instructions, with the whole way they took.

    To quote a value in a reply is no flow. What is confirmed by a source without labels before it arrives is none
    either.
    """

    needs = (Reaching,)
    rules: TrustRules = STANDARD

    def derive(self, program: Program, manager: Manager) -> list[Flow]:
        """The flows in the order of the program, one for each rule, sink, label and entry that carries it."""
        sinks = _Sinks(program, manager.accesses, self.rules)
        return self._flows(manager, sinks) if sinks.effects or sinks.writes else []

    def _flows(self, manager: Manager, sinks: _Sinks) -> list[Flow]:
        trails, confirmers = Trails(manager, self.rules), self.rules.confirmers()
        found: dict[tuple[Any, ...], Flow] = {}
        for rule, sink, number, cell, one, label in _arrivals(manager.solve(Taint(rules=self.rules)), sinks):
            key = (rule.code, number, cell, one[:2], label)
            if key not in found:
                path = trails.back(one, label)
                found[key] = Flow(rule, sink, label, number, cell, trails.entry(one), path, confirmers)
        return sorted(found.values(), key=lambda one: one.instruction)

    def show(self, found: list[Flow], program: Program) -> list[str]:
        """`SM811 untrusted e2 -> e3 -> effect send_invoice`."""
        return [_shown(one, program) for one in found]


def _shown(flow: Flow, program: Program) -> str:
    action = program.instructions[flow.instruction]
    ids = ["…", flow.entry.id] if isinstance(flow.path, GaveUp) else [step.entry.id for step in flow.path]
    where = action.action if isinstance(action, Effect) else flow.cell
    return f"{flow.rule.code} {flow.label} {' -> '.join([*ids, f'{flow.sink.kind.value} {where}'])}"


class _Arrival(NamedTuple):
    """A labelled entry at a sink."""

    rule: FlowRule
    sink: Sink
    number: int
    cell: Cell | None
    one: Definition
    label: str


def _arrivals(solution: Solution, sinks: _Sinks) -> Iterator[_Arrival]:
    """Every label that comes to a sink whose rule speaks of it."""
    for at, state in solution.walk() if sinks.effects else ():
        for rule, sink in () if at.number is None else sinks.effects.get(at.number, ()):
            yield from _carried(rule, sink, at.number, None, _read(at, state))
    for number, labels in _behind_each(solution) if sinks.writes else ():
        for write, rule, sink in sinks.writes.get(number, ()):
            yield from _carried(rule, sink, number, write.place, {write.made: labels(write.made)})


def _behind_each(solution: Solution) -> Iterator[tuple[int, Callable[[Definition], Labels]]]:
    """The labels behind every instruction, from one walk; a walk does not stop behind the last one of a landing."""
    last: tuple[int, int] | None = None
    for at, state in solution.walk():
        if last is not None:
            yield last[0], state.__getitem__ if at.node == last[1] else _looked_up(solution, last[0])
        last = None if at.number is None else (at.number, at.node)
    if last is not None:
        yield last[0], _looked_up(solution, last[0])


def _looked_up(solution: Solution, number: int) -> Callable[[Definition], Labels]:
    return partial(solution.value, point=After(number))


def _read(at: At, state: Any) -> Mapping[Definition, Labels]:
    assert at.number is not None
    return read_labels(at.accesses, at.number, state, at.facts[Reaching])


def _carried(
    rule: FlowRule, sink: Sink, number: int | None, cell: Cell | None, found: Mapping[Definition, Labels]
) -> Iterator[_Arrival]:
    assert number is not None
    for one, labels in sorted(found.items()):
        for label in sorted(labels.intersection(rule.labels)):
            yield _Arrival(rule, sink, number, cell, one, label)


class _Sinks:
    """Which rules speak of which instructions, each with the first of its sinks that does."""

    def __init__(self, program: Program, accesses: Accesses, rules: TrustRules) -> None:
        self._program, self._accesses, self._rules = program, accesses, rules
        self._pinned = [one.pattern for one in program.declarations if one.pinned]
        effects = ((number, list(self._of_effect(number))) for number in range(len(program.instructions)))
        writes = ((number, list(self._of_writes(number))) for number in range(len(program.instructions)))
        #: The rules about the actions of effects, and about writes that make entries, by instruction.
        self.effects = {number: rules for number, rules in effects if rules}
        self.writes = {number: rules for number, rules in writes if rules}

    def _of_effect(self, number: int) -> Iterator[tuple[FlowRule, Sink]]:
        effect = self._program.instructions[number]
        if isinstance(effect, Effect):
            yield from self._first(number, effect.action, lambda sink: sink.kind is SinkKind.EFFECT)

    def _of_writes(self, number: int) -> Iterator[tuple[PlaceWrite, FlowRule, Sink]]:
        for write in self._accesses.writes(number) if self._program.instructions[number].makes_entry else ():
            if not write.made.is_tombstone:
                is_written = partial(self._is_written, number=number, write=write)
                found = self._first(number, str(write.place), is_written)
                yield from ((write, rule, sink) for rule, sink in found)

    def _first(self, number: int, what: str, speaks: Callable[[Sink], bool]) -> Iterator[tuple[FlowRule, Sink]]:
        actor = self._accesses.actor(number)
        for rule in self._rules.flows:
            fitting = (one for one in rule.sinks if matches(one.what, what) and one.who.fits(actor) and speaks(one))
            sink = next(fitting, None)
            if sink is not None:
                yield rule, sink

    def _is_written(self, sink: Sink, number: int, write: PlaceWrite) -> bool:
        if sink.kind is SinkKind.PIN:
            names = [target.cell for target in self._accesses.names(number).denoted(write.place)]
            return any(pattern.overlaps(name) for pattern in self._pinned for name in names)
        if sink.kind is SinkKind.LASTING:
            ids = self._program.names_of(number, write.made.leaf)
            return any(self._program.metadata.get(one, {}).get("generation") == PROFILE.value for one in ids)
        return sink.kind in (SinkKind.INSTRUCTION, SinkKind.CELL)
