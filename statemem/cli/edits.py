"""The command `edit`: take out of a program what it should no longer say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from statemem.analysis import lower_all, pick
from statemem.ir import Cell, PathError, Program, parse_cell, redact, redact_entry, retract, separate
from statemem.ir.diagnostics import UsageError
from statemem.ir.text import dumps
from statemem.masking import masked

from .files import write_whole
from .options import read_with, reading, showing
from .shell import say, show


@click.command()
@click.argument("program", metavar="FILE")
@click.option("--redact", "texts", multiple=True, metavar="TEXT", help="Take a text out of every value and name.")
@click.option("--redact-entry", "entries", multiple=True, metavar="ID", help="Take an entry's value out, likewise.")
@click.option("--retract", "withdrawn", multiple=True, metavar="ID", help="Withdraw an entry, as if it was never said.")
@click.option(
    "--separate", "pairs", nargs=2, multiple=True, metavar="CELL CELL", help="Withdraw that two names are one entity's."
)
@click.option("-o", "--output", metavar="FILE", help="Write the program to a file, nothing in it masked.")
@reading
@showing
def edit(program: str, output: str | None, show_values: bool, **options: Any) -> None:
    """Take something out of a .smir file, or out of what a log lowers to, and show what is left, as .smir.

    Of several programs in it --only names the one; the others stay as they are.
    """
    programs = list(lower_all(program, **read_with(options)))
    done = list(_edited(pick(iter(programs), options["only"]), options))
    if not done:
        raise UsageError("nothing to edit: give --redact, --redact-entry, --retract or --separate")
    if output is None:
        show(dumps(programs if show_values else map(masked, programs)).rstrip("\n"))
    else:
        write_whole(Path(output), dumps(programs), [program])
    for line in done:
        say(line)


def _edited(program: Program, options: dict[str, Any]) -> Iterator[str]:
    """Carries out the edits, telling of each where it changed something."""
    for entry in options["withdrawn"]:
        yield f"retracted {entry}, written in block {_name(program, program.block_of(retract(program, entry)))}"
    for left, right in options["pairs"]:
        number = separate(program, _cell(program, left), _cell(program, right))
        yield f"separated {left} and {right}, united in block {_name(program, program.block_of(number))}"
    for entry in options["entries"]:
        yield f"redacted {entry}: {_names(program, redact_entry(program, entry))}"
    for text in options["texts"]:
        yield f"redacted a text of {len(text)} characters: {_names(program, redact(program, text))}"


def _cell(program: Program, text: str) -> Cell:
    try:
        return parse_cell(text, next(iter(program.tasks.values())).scope)
    except PathError as error:
        raise UsageError(str(error)) from None


def _name(program: Program, block: int) -> str:
    return program.blocks[block].name


def _names(program: Program, blocks: list[int]) -> str:
    named = ", ".join(_name(program, block) for block in blocks[:5])
    more = f" and {len(blocks) - 5} more" if len(blocks) > 5 else ""
    return f"changed block {named}{more}" if blocks else "no block held it"
