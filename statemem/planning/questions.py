"""What has to be asked: what tasks require, what references mean, what is read unknown, which entities may be one."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from statemem.actions import Action, Kind
from statemem.ir import Cell, Effect, How, Reference, Scope
from statemem.ir.cells import path_text
from statemem.ir.entries import Entry
from statemem.ir.instructions import Enter
from statemem.ir.meaning.names import UNBOUND
from statemem.passes import Lookalike, Missing, lookalikes_at
from statemem.passes.collection.in_force import names_at
from statemem.passes.missing import MissingCell, UnclearReference, missing_at, unclear_at
from statemem.passes.tasks.undefined_reads import UndefinedRead, undefined_reads
from statemem.selectors import slashed

from .situation import Situation

#: How many facts are told of an entity that a reference may mean.
_MOST_FACTS = 3


def questions(situation: Situation) -> Iterator[Action]:
    """All questions at a point."""
    yield from (_missing(one, situation) for one in missing_at(situation.manager, situation.point))
    yield from _references(situation)
    yield from _guarded(situation)
    for read in undefined_reads(situation.manager):
        if _is_asked(read, situation):
            yield _undefined(read, situation)
    yield from (_alike(one, situation) for one in lookalikes_at(situation.manager, situation.point))


def _missing(found: MissingCell, situation: Situation) -> Action:
    """An open task lacks a cell that it requires; what is known under that name elsewhere may be the answer."""
    words, name = situation.words, found.cell.path[-1].text if found.cell.path else ""
    known = [one for one in situation.standings if one.in_force and _ends(one.cell, name) and one.cell != found.cell]
    candidates = [f"{words.text(str(one.cell))} = {words.masker.shown(one.cell, one.entry.value)}" for one in known]
    kind = _kind(found.task, situation)
    is_there = any(one.in_force and one.cell.overlaps(found.cell) for one in situation.standings)
    where = " on every path" if is_there else ""
    return Action(
        kind=Kind.ASK,
        code="SM911",
        cell=found.cell,
        task=found.task,
        candidates=tuple(dict.fromkeys(candidates)),
        reason=f"task {words.text(found.task)} is open and requires {words.cell(found.cell)}, which is not known"
        f"{where}{kind}",
        basis="observation",
        unless=f"{words.cell(found.cell)} were given on every path, or the task were ended",
        step=situation.now,
    )


def _kind(task: str, situation: Situation) -> str:
    entered = (one for one in situation.program.instructions if isinstance(one, Enter) and one.task == task)
    kind = next((one.kind for one in entered if one.kind), task)
    return f"; it is of the kind {situation.words.text(kind)}" if kind != task else ""


def _ends(cell: Cell, name: str) -> bool:
    return bool(cell.path) and cell.path[-1].text == name


def _references(situation: Situation) -> Iterator[Action]:
    """References on which effects depend and that nobody has cleared up since; what leads to one question is one."""
    told: dict[tuple[int, str, tuple[Cell, ...], bool], Action] = {}
    for one in situation.manager.result(Missing):
        if isinstance(one, UnclearReference) and situation.is_past(one.effect) and not _is_answered(one, situation):
            action, key = _unclear(one, situation), (one.effect, one.reference, one.candidates, one.unbound)
            before = told.setdefault(key, action)
            told[key] = attrs.evolve(before, proof=tuple(dict.fromkeys((*before.proof, *action.proof))))
    yield from told.values()


def _is_answered(found: UnclearReference, situation: Situation) -> bool:
    """Whether the reference has come to point to one of what it may have meant, and to nothing else."""
    targets = names_at(situation.manager, situation.point).references.get(found.reference, UNBOUND)
    return len(targets) == 1 and not targets.isdisjoint(found.candidates)


def _unclear(found: UnclearReference, situation: Situation) -> Action:
    """An effect depends on a reference that may mean several entities, or none."""
    effect = situation.program.instructions[found.effect]
    assert isinstance(effect, Effect)
    what = f"the effect {situation.words.text(effect.action)}"
    return _which(found, situation, "SM912", found.effect, what)


def _guarded(situation: Situation) -> Iterator[Action]:
    """Guarded cells that are written through references which are not clear."""
    for number, place in _guarded_writes(situation):
        what = f"a change of the guarded {situation.words.text(str(place))}"
        unclear = (one for one in unclear_at(situation.manager, number) if not _is_answered(one, situation))
        yield from (_which(one, situation, "SM913", number, what) for one in unclear)


def _guarded_writes(situation: Situation) -> Iterator[tuple[int, Reference]]:
    for number, instruction in enumerate(situation.program.instructions if situation.policy.guards else ()):
        for write in instruction.writes() if situation.is_past(number) else ():
            if isinstance(write.place, Reference) and _is_guarded(write.place, number, situation):
                yield number, write.place


def _is_guarded(place: Reference, number: int, situation: Situation) -> bool:
    targets = situation.manager.accesses.names(number).denoted(place)
    written = [one.place for one in situation.manager.accesses.writes(number)]
    return any(situation.policy.guard_of(cell) for cell in [*written, *(target.cell for target in targets)])


def _which(found: UnclearReference, situation: Situation, code: str, number: int, what: str) -> Action:
    words, step = situation.words, situation.words.step(number)
    name = words.text(str(Reference(found.reference)))
    entities = [words.text(slashed(one)) for one in found.candidates]
    told = " or ".join([*entities, *(["nothing"] if found.unbound else [])])
    scope = found.candidates[0] if found.candidates else Cell(situation.program.scope_of(0), ())
    return Action(
        kind=Kind.ASK,
        code=code,
        cell=scope,
        candidates=tuple(_described(one, situation) for one in found.candidates),
        others=found.candidates[1:],
        reason=f"step {step}: {what} depends on {name}, which may mean {told}",
        basis="observation",
        unless=f"{name} pointed to one of them alone",
        step=step,
        instruction=number,
        proof=_behind(found, situation),
    )


def _behind(found: UnclearReference, situation: Situation) -> tuple[str, ...]:
    if found.where == found.effect:
        return ()
    made = situation.program.instructions[found.where].id
    words = situation.words
    return (f"step {words.step(found.where)}: {words.text(made or 'an entry')} was read or written through it",)


def _described(entity: Cell, situation: Situation) -> str:
    """An entity with a few of its facts, by which a person tells it from others."""
    words = situation.words
    facts = [one for one in situation.in_force_of(entity) if one.cell != entity]
    told = (f"{_below(entity, one.cell, situation)} {words.masker.shown(one.cell, one.entry.value)}" for one in facts)
    listed = ", ".join(list(dict.fromkeys(told))[:_MOST_FACTS])
    return words.text(slashed(entity)) + (f": {listed}" if listed else "")


def _below(entity: Cell, cell: Cell, situation: Situation) -> str:
    return situation.words.text(slashed(Cell(Scope("any", ""), cell.path[len(entity.path) :])))


def _undefined(found: UndefinedRead, situation: Situation) -> Action:
    """A cell is read where nothing was ever known of it; what another task knows under that name may be meant."""
    words, step = situation.words, situation.words.step(found.instruction)
    return Action(
        kind=Kind.ASK,
        code="SM914",
        cell=found.cell,
        candidates=tuple(f"{words.text(str(one.cell))} = {words.value(one.id)}" for one in found.near),
        reason=f"step {step} reads {words.text(str(found.cell))}, of which nothing is known there",
        basis="observation",
        unless="something had been written to it before",
        step=step,
        instruction=found.instruction,
    )


def _is_asked(found: UndefinedRead, situation: Situation) -> bool:
    """Whether nothing was ever known of it; what was known and is gone is a stale use, or deleted."""
    read = situation.program.instructions[found.instruction].reads()[found.read]
    return situation.is_past(found.instruction) and read.how is How.USED and not found.ended_by and read.was is None


def _alike(found: Lookalike, situation: Situation) -> Action:
    """Two entities may be one; it is about the later one, which may be a new spelling of the earlier."""
    words = situation.words
    left, right = (words.text(path_text(one.path)) for one in (found.left, found.right))
    pairs = (f"{words.value(one.id)} and {words.value(two.id)}" for one, two in found.differing)
    differing = "; ".join(list(pairs)[:_MOST_FACTS])
    then = f"; as one they would contradict each other: {differing}" if differing else ""
    first = found.shown_by[1][0].instruction
    return Action(
        kind=Kind.ASK,
        code="SM915",
        cell=found.right,
        candidates=tuple(_described(one, situation) for one in (found.left, found.right)),
        others=(found.left,),
        reason=f"{left} and {right} differ only in case or form and may be one{then}",
        basis="observation",
        unless="`same` united them, or they were told apart",
        step=words.step(first),
        instruction=first,
        proof=tuple(
            _speaks(one, entries[0], situation) for one, entries in zip((left, right), found.shown_by, strict=True)
        ),
    )


def _speaks(entity: str, entry: Entry, situation: Situation) -> str:
    words = situation.words
    return f"step {words.step(entry.instruction)}: {words.value(entry.id)} speaks of {entity}"
