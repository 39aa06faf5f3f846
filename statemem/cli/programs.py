"""Commands over programs and what can be done to them: `run`, `check`, `passes`, `formats`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click
import msgspec

from statemem.analysis import horizon_named, lower_all
from statemem.ir import Program, frontends
from statemem.ir.diagnostics import InputError, Problem, StatememError, UsageError
from statemem.ir.frontends.reader import read_text
from statemem.ir.text import Fact, dumps
from statemem.ir.verifier import check_text, verify
from statemem.masking import Masker, masked
from statemem.passes import Analysis, Derivation, Manager
from statemem.passes.framework import Pass, find
from statemem.passes.framework import passes as known_passes
from statemem.report.layout import plural

from .options import read_with, reading, showing
from .shell import BAD_INPUT, FOUND, say, show, warn
from .sources import Sources

_MOST_TEXTS = 8


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option(
    "-p", "--passes", "names", required=True, metavar="PASSES", help="Names or FILE.py:Class, between commas."
)
@click.option("--horizon", default="open", metavar="open|closed", help="What is known of the future.")
@reading
@showing
def run(logs: tuple[str, ...], names: str, horizon: str, show_values: bool, **options: Any) -> None:
    """Solve passes over a log or a .smir file and print the program with the facts at the end of every block."""
    chosen = [find(name.strip()) for name in names.split(",") if name.strip()]
    if not chosen:
        raise UsageError("-p names no pass; `statemem passes` lists them")
    problems: list[Problem] = []
    programs = Sources(logs, _reader(problems, options), options["only"])
    for program in programs:
        manager = Manager(program, horizon_named(horizon))
        show("\n".join(_shown(manager, chosen, Masker.of(program, show_values=show_values))))
    warn(problems)
    sys.exit(BAD_INPUT if programs.failed else 0)


def _reader(problems: list[Problem], options: dict[str, Any]) -> Callable[[str], Iterator[Program]]:
    """Lowers a log, taking warnings down."""
    return partial(lower_all, **read_with(options), problems=problems)


def _shown(manager: Manager, chosen: list[type[Pass]], masker: Masker) -> list[str]:
    """What passes found, as lines; one that cannot show it is told of by what it raised."""
    try:
        return list(_solved(manager, chosen, masker))
    except StatememError:
        raise
    except Exception as error:  # a pass may be anybody's
        raise UsageError(f"a pass cannot show what it found: {type(error).__name__}: {error}") from error


def _solved(manager: Manager, chosen: list[type[Pass]], masker: Masker) -> Iterator[str]:
    """The program with the facts of the analyses, then what the derivations found, as comments of the text form."""
    program = manager.program
    analyses = [one for one in chosen if issubclass(one, Analysis)]
    facts = [fact for one in analyses for fact in _facts(manager, one)]
    if analyses:
        shown = program if masker.show_values else masked(program)
        yield dumps(shown, [fact._replace(texts=tuple(map(masker.text, fact.texts))) for fact in facts]).rstrip("\n")
    for one in chosen:
        if issubclass(one, Derivation):
            found = one().show(manager.result(one), program)
            yield f"# {program.name}, {one.name}: {len(found)} found"
            yield from (f"#   {masker.text(line)}" for line in found)


def _facts(manager: Manager, one: type[Analysis]) -> Iterator[Fact]:
    """The facts at the end of every block: in full where they are few, else what changed since the block before."""
    program = manager.program
    before: list[str] = []
    for block, fact in manager.solve(one).block_ends().items():
        texts = one().show(fact)
        after = len(program.blocks[block].instructions)
        if len(texts) <= _MOST_TEXTS:
            yield Fact(0, block, after, one.name, "=", tuple(texts))
        else:
            yield from _changes(block, after, one.name, before, texts)
        before = texts


def _changes(block: int, after: int, name: str, before: list[str], texts: list[str]) -> Iterator[Fact]:
    known, kept = set(before), set(texts)
    new = tuple(text for text in texts if text not in known)
    gone = tuple(text for text in before if text not in kept)
    if new:
        yield Fact(0, block, after, name, "+=", new)
    if gone:
        yield Fact(0, block, after, name, "-=", gone)


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
    for program in Sources((file,), _reader(problems, options), options["only"]).strictly():
        problems.extend(verify(program, file=file))
    return problems


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def passes(as_json: bool) -> None:
    """List the passes: their kind, direction and what each finds."""
    rows = [{"name": one.name, "kind": _kind(one), "title": one.title()} for one in known_passes().values()]
    _listed(rows, as_json)


def _kind(one: type[Pass]) -> str:
    return f"analysis, {one.direction.value}" if issubclass(one, Analysis) else "derivation"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def formats(as_json: bool) -> None:
    """List the log formats, with an example record each."""
    found = [{"name": one.name, "title": one.title, "example": one.example} for one in frontends.frontends().values()]
    if as_json:
        _listed(found, as_json)
        return
    for one in found:
        show(f"{one['name']:<10} {one['title']}\n           {one['example']}")


def _listed(rows: list[dict[str, str]], as_json: bool) -> None:
    if as_json:
        show(msgspec.json.encode(rows).decode())
        return
    for row in rows:
        show("  ".join(f"{value:<20}" for value in row.values()).rstrip())
