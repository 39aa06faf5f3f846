"""The verifier: what a program says that cannot be meant, all of it in one run.

Errors are what no program may hold. Warnings are what real logs hold and what is still worth a look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .diagnostics import InputError, Location, Problem
from .origin import NOWHERE, Origin
from .program import Program
from .rules import calls, declared, definitions, forks, scoping, structure, unions
from .rules.finding import Finding, Spot

#: Every code of the verifier with what it means; from IR100 on they are warnings.
CODES = {
    "IR001": "control goes to a block that does not exist",
    "IR002": "two blocks have one name",
    "IR003": "two entries have one id",
    "IR004": "a cell lies in a scope that is not declared",
    "IR005": "a cell lies in a scope that its block cannot see",
    "IR006": "`was` names an entry that does not exist",
    "IR007": "`was` names an entry of another cell",
    "IR008": "a task is left that is not open",
    "IR009": "`same` unites a cell with a part of itself",
    "IR010": "`same` unites cells of scopes that are neither one nor parent and child",
    "IR011": "a scope is its own ancestor",
    "IR012": "an end or a call that this shape of program does not have",
    "IR013": "a task is called that does not exist",
    "IR014": "a call gives more or fewer arguments than its task has parameters",
    "IR015": "control goes into another task otherwise than by a call",
    "IR016": "an arm of a fork that does not come to its join, or meets another arm before it",
    "IR017": "a cell is declared to depend on itself",
    "IR018": "two parameters of a task have one name",
    "IR019": "a log stands at a block from which it has gone on, or a workflow stands anywhere",
    "IR020": "a task that is called has no scope of its own",
    "IR101": "a cell is read that nothing has written before",
    "IR102": "a reference is used that nothing has bound before",
    "IR103": "a step comes after a later one",
    "IR104": "a task is entered and never left",
    "IR105": "no control leads to a block",
    "IR106": "a call takes a result from a task that returns none",
    "IR107": "a task calls itself",
    "IR108": "a kind of task needs something, and no task is of it",
}

_RULES: tuple[Callable[[Program], Iterator[Finding]], ...] = (
    calls.shapes,
    structure.lost_jumps,
    structure.block_names,
    structure.entry_ids,
    structure.unopened_tasks,
    calls.calls,
    calls.bodies,
    calls.scopes_of_called,
    forks.forks,
    declared.dependencies,
    declared.parameters,
    declared.current_end,
    scoping.scopes,
    unions.unions,
    definitions.seen_entries,
    definitions.undefined,
    structure.steps,
    structure.unfinished_tasks,
    calls.unreached,
    calls.recursion,
    declared.requirements,
)


def verify(program: Program, *, file: str | None = None) -> list[Problem]:
    """Everything wrong with a program, located in the log it came from where its origins say.

    >>> from statemem.ir import Goto, build
    >>> program = build("session:1/").block("user").use("topic").goto("t9").program
    >>> for problem in verify(program, file="chat.jsonl"):
    ...     print(problem)
    chat.jsonl: error IR001: block 't1' goes to 't9', which does not exist
    chat.jsonl: warning IR101: nothing has written session:1/topic before it is read
    """
    return [_problem(program, finding, file) for finding in findings(program)]


def findings(program: Program) -> Iterator[Finding]:
    """What the rules find, errors first."""
    for rule in _RULES:
        yield from rule(program)


def check_text(text: str, file: str | None = None) -> list[Problem]:
    """Everything wrong with a text: what stops it from being read, else what the verifier finds, from top to bottom.

    >>> print(check_text('program "tea"')[0])
    <input>:1:14: error TX003: the text ends in the middle of a program: expected cell, entry, scope or task
    program "tea"
                 ^
    """
    from .text.parser import read  # programs from logs are verified without the parser

    try:
        document = read(text, file=file)
    except InputError as error:
        return list(error.problems)
    if not document.programs:
        return [document.source.problem("TX012", "the text holds no program", 1)]
    problems = [
        document.problem(number, finding)
        for number, program in enumerate(document.programs)
        for finding in findings(program)
    ]
    return sorted(problems, key=lambda one: (one.location.line or 0, one.location.column or 0))


def _problem(program: Program, finding: Finding, file: str | None) -> Problem:
    origin = _origin(program, finding.spot)
    where = Location(file=file or origin.file, line=origin.line, record=origin.record, pointer=origin.pointer)
    return Problem(
        code=finding.code, message=finding.message, severity=finding.severity, location=where, hint=finding.hint
    )


def _origin(program: Program, spot: Spot) -> Origin:
    if spot.part == "instruction":
        return program.instructions[spot.number].origin
    return program.blocks[spot.number].origin if spot.part in ("block", "terminator") else NOWHERE
