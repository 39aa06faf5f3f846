"""The command `lower`: the program of a log as text, as a picture, or with what linked each of its instructions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from statemem.analysis import lower_all
from statemem.ir import Program, attach
from statemem.ir.diagnostics import Problem, UsageError
from statemem.ir.text import dumps, statement, to_dot
from statemem.masking import masked
from statemem.report.layout import cut, pad

from .files import write_whole
from .options import read_with, reading, showing
from .shell import BAD_INPUT, show, warn
from .sources import Sources

_STEP, _RULE, _SURE = 6, 22, 6


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@reading
@showing
@click.option(
    "--explain", "explained", is_flag=True, help="Show for each instruction the rule and confidence that linked it."
)
@click.option("--dot", "as_dot", is_flag=True, help="Show the control-flow graph, for Graphviz.")
@click.option("--one-user", metavar="NAME", help="Put all conversations together, as those of one user.")
@click.option("-o", "--output", metavar="FILE", help="Write it to a file.")
def lower(
    logs: tuple[str, ...], explained: bool, as_dot: bool, one_user: str | None, output: str | None, **options: Any
) -> None:
    """Show the program a log is lowered to, in the text form (.smir)."""
    if explained and as_dot:
        raise UsageError("--explain and --dot are two ways to show a program; give one of them")
    problems: list[Problem] = []
    read = partial(lower_all, **read_with(options), problems=problems)
    programs = Sources(logs, read, options["only"])
    write = _as_links if explained else to_dot if as_dot else _as_text
    found: Iterable[Program] = programs if one_user is None else _attached(programs, one_user)
    texts = _written(found, write, problems, show_values=options["show_values"])
    if output is None:
        for number, text in enumerate(texts):
            show(f"\n{text}" if number else text)
    else:
        whole = "\n\n".join(texts) + "\n"
        if not programs.failed:
            write_whole(Path(output), whole, programs.logs)
    sys.exit(BAD_INPUT if programs.failed else 0)


def _written(
    programs: Iterable[Program], write: Callable[[Program], str], problems: list[Problem], *, show_values: bool
) -> Iterator[str]:
    """Each program as text, after the warnings met on the way to it."""
    for program in programs:
        warn(problems)
        problems.clear()
        yield write(program if show_values else masked(program))
        del program  # only one conversation is held at a time
    warn(problems)


def _as_links(program: Program) -> str:
    return "\n".join(_links(program))


def _as_text(program: Program) -> str:
    return dumps(program).rstrip("\n")


def _attached(programs: Iterable[Program], name: str) -> Iterator[Program]:
    """All conversations as one, if there are any."""
    if not name.strip():
        raise UsageError("--one-user names nobody")
    logs = list(programs)
    if logs:
        yield attach(logs, name, user=name)


def _links(program: Program) -> Iterator[str]:
    """A line an instruction: step, rule, confidence, statement."""
    yield f"{program.name}"
    yield f"{'step':>{_STEP}}  {pad('rule', _RULE)}{'sure':>{_SURE}}  statement"
    for number in range(len(program.blocks)):
        for _, instruction in program.numbered(number):
            origin = instruction.origin
            sure = "" if origin.rule is None else f"{1.0 if origin.confidence is None else origin.confidence:.1f}"
            text = statement(instruction, program.scope_of(number))
            rule = cut(origin.rule or "stated by the log", _RULE - 1)
            yield f"{program.step_of(number):>{_STEP}}  {pad(rule, _RULE)}{sure:>{_SURE}}  {text}"
