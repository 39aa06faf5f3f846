"""The smallest program that shows something: delta debugging over programs.

Blocks are left out and control is led past them, then instructions, their parts, declarations, tasks and scopes;
terminators are made plainer and origins are forgotten. A step is kept where the verifier accepts what is left and it
still shows what it should. (Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", 2002.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count, zip_longest
from typing import Any

import attrs

from statemem.ir import Block, Instruction, Operand, Program
from statemem.ir.blocks import ids_of
from statemem.ir.diagnostics import StatememError
from statemem.ir.drafts import Draft
from statemem.ir.origin import NOWHERE
from statemem.ir.rewriting.rewriter import Rewriter
from statemem.ir.terminators import Arm, Branch, Call, End, Fork, Goto, Open, Return, Suspend, Terminator, targets
from statemem.ir.verifier import findings

#: How many of something a program has, and the program without some of them.
Part = tuple[Callable[[Draft], int], Callable[[Draft, set[int]], Draft]]


def smallest(
    program: Program, fails: Callable[[Program], bool], *, tries: int = 1_000, seconds: float = 10.0
) -> Program:
    """The smallest program found that the verifier accepts and of which `fails` is true, by always the same steps.

    It is the program itself where neither that nor anything smaller fails. Ends after so many tries or seconds.

    >>> from statemem.ir import Set, build
    >>> program = build("session:1/").block().set("x", 1).set("y", 2).block().use("y").open()
    >>> found = smallest(program, lambda one: any(isinstance(item, Set) for item in one.instructions))
    >>> [type(item).__name__ for item in found.instructions]
    ['Set']
    """
    search = _Search(program, fails, tries, seconds)
    before = None if fails(program) else program
    while search.program is not before and not search.is_spent:
        before = search.program
        for part in _PARTS:
            search.leave_out(part)
        search.make_plainer()
    return search.program


class _Search:
    """The smallest program so far."""

    def __init__(self, program: Program, fails: Callable[[Program], bool], tries: int, seconds: float) -> None:
        self.program = program
        self._draft = draft_of(program)
        self._fails = fails
        self._tries = tries
        self._end = time.monotonic() + seconds

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is to be tried."""
        return self._tries <= 0 or time.monotonic() > self._end

    def leave_out(self, part: Part) -> None:
        """Leave out runs of a part: halves first, then ever shorter ones, single ones last."""
        number_of, without = part
        size = number_of(self._draft)
        while size:
            begin = 0
            while begin < (total := number_of(self._draft)) and not self.is_spent:
                gone = set(range(begin, min(begin + size, total)))
                if not self._take(without(self._draft, gone)):
                    begin += size
            size //= 2

    def make_plainer(self) -> None:
        """Give blocks a plainer terminator where one will do."""
        for number in range(len(self._draft.blocks)):
            task, block = self._draft.blocks[number]
            for plainer in _plainer(self._draft, block.terminator):
                blocks = list(self._draft.blocks)
                blocks[number] = task, attrs.evolve(block, terminator=plainer)
                if not self.is_spent and self._take(attrs.evolve(self._draft, blocks=blocks)):
                    break

    def _take(self, draft: Draft) -> bool:
        """Go on from a smaller program, if it does."""
        if not draft.blocks or not draft.tasks or draft == self._draft:
            return False
        self._tries -= 1
        program = _accepted(draft)
        if program is None or not self._fails(program):
            return False
        self.program, self._draft = program, draft
        return True


def draft_of(program: Program) -> Draft:
    """A program in the making that says the same; it stands where it stands by name."""
    end = program.other_end
    return Draft(
        program.name,
        program.shape,
        at=None if end is None else program.blocks[end].name,
        scopes=dict(program.scopes),
        declarations=[*program.declarations, *program.requirements],
        metadata=dict(program.metadata),
        tasks=dict(program.tasks),
        blocks=list(zip(program.body, program.blocks, strict=True)),
    )


def _accepted(draft: Draft) -> Program | None:
    """The program of a draft, if it is one and the verifier finds no error in it."""
    try:
        program = draft.program()
    except (StatememError, ValueError):
        return None
    return program if all(finding.severity != "error" for finding in findings(program)) else None


# blocks


def _without_blocks(draft: Draft, gone: set[int]) -> Draft:
    """Leaves blocks out; what led to one leads to where that led."""
    kept = [pair for number, pair in enumerate(draft.blocks) if number not in gone]
    past = _past({draft.blocks[number][1].name: draft.blocks[number][1].terminator for number in sorted(gone)})
    blocks = [(task, attrs.evolve(block, terminator=_led(draft, block.terminator, past))) for task, block in kept]
    ids = {one for number in gone for one in ids_of(draft.blocks[number][1])}
    at = past.get(draft.at, draft.at) if isinstance(draft.at, str) else draft.at
    return _unseen(attrs.evolve(draft, blocks=blocks, at=at), ids)


def _past(gone: dict[str, Terminator]) -> dict[str, str | None]:
    """The first block behind each of some that are gone; None where control ends among them."""
    past: dict[str, str | None] = {}
    for name in reversed(gone):  # later ones first, so that a long row is gone through once
        seen, work = set[str](), [name]
        while work and past.get(name) is None:
            one = work.pop()
            past[name] = past.get(one) if one in gone else one
            if one in gone and one not in seen:
                seen.add(one)
                work.extend(reversed(targets(gone[one])))
    return past


def _led(draft: Draft, terminator: Terminator, past: dict[str, str | None]) -> Terminator:
    """A terminator that leads past blocks that are gone."""
    if not past.keys() & set(targets(terminator)) and not (isinstance(terminator, Fork) and terminator.join in past):
        return terminator
    leads = [past.get(target, target) for target in targets(terminator)]
    left = list(dict.fromkeys(target for target in leads if target is not None))
    if not left:
        return _end(draft)
    if isinstance(terminator, Branch) and len(left) > 1:
        return Branch(tuple(map(Arm, left)))
    if isinstance(terminator, Fork) and len(left) > 1:
        return Fork(tuple(left), past.get(terminator.join, terminator.join) or left[0])
    return attrs.evolve(terminator, then=left[0]) if isinstance(terminator, (Call, Suspend)) else Goto(left[0])


def _end(draft: Draft) -> Terminator:
    """An end that a program of this shape has."""
    return Open() if draft.shape == "trace" else End()


# instructions


def _without_instructions(draft: Draft, gone: set[int]) -> Draft:
    """Leaves instructions out, counted over all blocks."""
    number = count()
    numbered = [(task, block, [(next(number), one) for one in block.instructions]) for task, block in draft.blocks]
    ids = {one.id for _, _, items in numbered for at, one in items if at in gone and one.id is not None}
    kept = ((task, block, tuple(one for at, one in items if at not in gone)) for task, block, items in numbered)
    blocks = [(task, _with_instructions(block, left)) for task, block, left in kept]
    return _unseen(attrs.evolve(draft, blocks=blocks), ids)


def _with_instructions(block: Block, left: tuple[Instruction, ...]) -> Block:
    is_same = all(one is other for one, other in zip_longest(block.instructions, left))
    return block if is_same else attrs.evolve(block, instructions=left)


def _unseen(draft: Draft, ids: set[str]) -> Draft:
    """Nobody saw entries that are not made any more, and nothing is said of them."""
    if not ids:
        return draft
    blocks = [(task, _Unseen(ids).block(block)) for task, block in draft.blocks]
    return attrs.evolve(draft, blocks=blocks, metadata={k: v for k, v in draft.metadata.items() if k not in ids})


class _Unseen(Rewriter):
    """Forgets that some entries were seen."""

    def __init__(self, ids: set[str]) -> None:
        self._ids = ids

    def block(self, block: Block) -> Block:
        block = _with_instructions(block, tuple(map(self.instruction, block.instructions)))
        last = block.terminator
        return attrs.evolve(block, terminator=self.terminator(last)) if isinstance(last, (Call, Return)) else block

    def instruction(self, one: Instruction) -> Instruction:
        return super().instruction(one) if any(read.was is not None for read in one.reads()) else one

    def operand(self, operand: Operand) -> Operand:
        is_gone = operand.was is not None and not self._ids.isdisjoint({operand.was, operand.was.partition("/")[0]})
        return operand._replace(was=None) if is_gone else operand


def _without_details(draft: Draft, gone: set[int]) -> Draft:
    """Leaves out what instructions read, and fields of the objects they write, counted over all of them."""
    number = count()
    blocks = [
        (task, _with_instructions(block, tuple(_thinned(one, number, gone) for one in block.instructions)))
        for task, block in draft.blocks
    ]
    return attrs.evolve(draft, blocks=blocks)


def _thinned(one: Instruction, number: Iterator[int], gone: set[int]) -> Instruction:
    changed: dict[str, Any] = {}
    for name, parts in _parts(one):
        items = parts.items() if isinstance(parts, dict) else parts
        left = type(parts)(part for part in items if next(number) not in gone)
        changed |= {name: left} if len(left) < len(parts) else {}
    return attrs.evolve(one, **changed) if changed else one


def _parts(one: Instruction) -> Iterator[tuple[str, Any]]:
    """What of an instruction has several parts."""
    found = ((name, getattr(one, name, None)) for name in ("premises", "operands", "arguments", "value"))
    return ((name, parts) for name, parts in found if isinstance(parts, (tuple, dict)))


def _details(draft: Draft) -> int:
    return sum(len(parts) for _, block in draft.blocks for one in block.instructions for _, parts in _parts(one))


# everything else


def _of_field(name: str) -> Part:
    """What stands in a list or a map of a draft; one that something rests on cannot be left out."""

    def without(draft: Draft, gone: set[int]) -> Draft:
        parts = getattr(draft, name)
        items = enumerate(parts.items() if isinstance(parts, dict) else parts)
        return attrs.evolve(draft, **{name: type(parts)(part for number, part in items if number not in gone)})

    return (lambda draft: len(getattr(draft, name)), without)


def _without_scopes(draft: Draft, gone: set[int]) -> Draft:
    left = dict(part for number, part in enumerate(draft.scopes.items()) if number not in gone)
    return attrs.evolve(draft, scopes={one: parent if parent in left else None for one, parent in left.items()})


def _without_origins(draft: Draft, gone: set[int]) -> Draft:
    """Forgets where the instructions of some blocks come from."""
    blocks = [(task, _plain(block) if at in gone else block) for at, (task, block) in enumerate(draft.blocks)]
    return attrs.evolve(draft, blocks=blocks)


def _plain(block: Block) -> Block:
    instructions = tuple(attrs.evolve(one, origin=NOWHERE) for one in block.instructions)
    last = block.terminator
    last = attrs.evolve(last, origin=NOWHERE) if isinstance(last, (Call, Return)) else last
    return attrs.evolve(block, instructions=instructions, terminator=last, origin=NOWHERE, step=None)


def _plainer(draft: Draft, terminator: Terminator) -> Iterator[Terminator]:
    """Terminators that say less than one does."""
    if targets(terminator):
        yield _end(draft)
    if not isinstance(terminator, Goto):
        yield from map(Goto, dict.fromkeys(targets(terminator)))
    if isinstance(terminator, (Open, Return)):
        yield type(terminator)()


_PARTS = (
    (lambda draft: len(draft.blocks), _without_blocks),
    (lambda draft: sum(len(block.instructions) for _, block in draft.blocks), _without_instructions),
    (_details, _without_details),
    _of_field("declarations"),
    _of_field("metadata"),
    _of_field("tasks"),
    (lambda draft: len(draft.scopes), _without_scopes),
    (lambda draft: len(draft.blocks), _without_origins),
)
