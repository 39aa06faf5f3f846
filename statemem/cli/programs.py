"""Commands that look at programs and formats: `check`, `formats`."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec

from statemem.ir import frontends
from statemem.ir.diagnostics import InputError, Problem, StatememError
from statemem.ir.frontends.reader import read_text
from statemem.ir.verifier import check_text, verify
from statemem.report.layout import plural

from .options import lowering, reading
from .shell import BAD_INPUT, FOUND, say, show, warn
from .sources import Sources


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@reading
@click.option("--warnings/--no-warnings", default=True, help="Show warnings too; they never fail the check.")
def check(files: tuple[str, ...], warnings: bool, **options: Any) -> None:
    """Verify programs: .smir files, or logs by what they lower to. Exits with 1 where there is an error."""
    found: list[int] = []
    unread = False
    for file in files:
        try:
            found.append(_check(file, warnings, options))
        except StatememError as error:
            unread = True
            say(str(error))
    sys.exit(BAD_INPUT if unread else FOUND if any(found) else 0)


def _check(file: str, warnings: bool, options: dict[str, Any]) -> int:
    """Verify one file, show what was found, and return the number of errors."""
    problems = _checked(file, options)
    errors = [problem for problem in problems if problem.severity == "error"]
    notes = len(problems) - len(errors)
    warn(problems if warnings else errors, most=1000)
    show(f"{file}: {plural(len(errors), 'error')}, {plural(notes, 'warning')}" if problems else f"{file}: no errors")
    return len(errors)


def _checked(file: str, options: dict[str, Any]) -> list[Problem]:
    if file.endswith(".smir"):
        found = check_text(read_text(file), file=file)
        unread = [one for one in found if one.code.startswith("TX")]
        if unread:
            raise InputError(*unread)
        return found
    problems: list[Problem] = []
    for program in Sources((file,), lowering(problems, options), options["only"]).strictly():
        problems.extend(verify(program, file=file))
    return problems


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def formats(as_json: bool) -> None:
    """List the log formats, with an example record each."""
    found = [{"name": one.name, "title": one.title, "example": one.example} for one in frontends.frontends().values()]
    if as_json:
        show(msgspec.json.encode(found).decode())
        return
    widest = max(len(one["name"]) for one in found)
    for one in found:
        show(f"{one['name']:<{widest}}  {one['title']}\n{'':<{widest}}  {one['example']}")
