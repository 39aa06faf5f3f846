"""Commands over programs and what can be done to them: `run`, `check`, `passes`, `formats`."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click
import msgspec

from statemem.analysis import horizon_named, lower_all
from statemem.ir import UNKNOWN, Place, Program, frontends
from statemem.ir.diagnostics import InputError, Problem, StatememError, UsageError
from statemem.ir.frontends.reader import read_text
from statemem.ir.rewriting.rewriter import Rewriter
from statemem.ir.text import dumps
from statemem.ir.values import Value
from statemem.ir.verifier import check_text, verify
from statemem.masking import Masker, masked
from statemem.passes import Analysis, Horizon, Manager
from statemem.passes.framework import Pass, PassError, Unsettled
from statemem.passes.framework import passes as known_passes
from statemem.passes.framework.errors import raised
from statemem.passes.framework.hooks import Hook, Printing, Time, Timing, Verify
from statemem.passes.framework.laws import broken, law_of
from statemem.passes.framework.pipeline import Option, label, options_of, parse_pipeline
from statemem.passes.framework.registry import is_from_file, kind_of
from statemem.passes.framework.smallest import smallest
from statemem.passes.rendering import Found, View, render, to_dot, to_json, to_text
from statemem.report.layout import plural

from .options import read_with, reading, showing, solving
from .shell import BAD_INPUT, FOUND, say, show, warn
from .sources import Sources


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@solving
@reading
@showing
def run(logs: tuple[str, ...], pipeline: str, horizon: str, **options: Any) -> None:
    """Solve passes over a log or a .smir file and show what they find: facts in the program, or findings."""
    chosen = list(dict.fromkeys(parse_pipeline(pipeline)))
    if not chosen:
        raise UsageError("-p names no pass; `statemem passes` lists them")
    problems: list[Problem] = []
    programs = Sources(logs, _reader(problems, options), options["only"])
    running = _Run(chosen, horizon_named(horizon), options)
    for program in programs:
        running.take(program)
    running.finish()
    warn(problems)
    sys.exit(BAD_INPUT if programs.failed else FOUND if running.warned else 0)


def _reader(problems: list[Problem], options: dict[str, Any]) -> Callable[[str], Iterator[Program]]:
    """Lowers a log, taking warnings down."""
    return partial(lower_all, **read_with(options), problems=problems)


_WRITERS: dict[str, Callable[[Found], str]] = {"json": to_json, "dot": to_dot}


class _Run:
    """Passes run over one program after the other, with the hooks that were asked for."""

    def __init__(self, chosen: list[Pass], horizon: Horizon, options: dict[str, Any]) -> None:
        self._chosen = chosen
        self._horizon = horizon
        self._show_values: bool = options["show_values"]
        self._write = _WRITERS.get(options["form"]) or partial(to_text, every=options["every"])
        self._timing = Timing()
        hooks: dict[str, Hook] = {"verified": Verify(), "timed": self._timing}
        hooks["printed"] = Printing(self._say, self._told)
        self._hooks = [hook for name, hook in hooks.items() if options[name]]
        #: Whether a pass was found to break a law.
        self.warned = False

    def take(self, program: Program) -> None:
        """Show what the passes find in one program, and warn of those that break a law; ends at a pass that fails."""
        try:
            show(self._found(program, self._view(program), self._hooks))
        except PassError as error:
            self._say(self._hidden(program, str(error)))
            cause = _cause(error)
            if cause is not None:
                self._show_smallest(program, lambda one: cause == self._failure(one))
            sys.exit(BAD_INPUT)
        for one in self._chosen:
            if isinstance(one, Analysis) and is_from_file(type(one)):
                self._check_laws(program, one)

    def finish(self) -> None:
        """Tell the times, those of one pass over all programs together."""
        spent: dict[str, list[Time]] = {}
        for row in self._timing.rows:
            spent.setdefault(label(row.one), []).append(row)
        if spent:
            say("  own s  whole s  pass")
        for name, rows in spent.items():
            say(f"{sum(row.own for row in rows):7.3f}  {sum(row.whole for row in rows):7.3f}  {name}")

    def _found(self, program: Program, view: View, hooks: Sequence[Hook] = ()) -> str:
        """What the passes find, in the form that was asked for. Raises `PassError` for what any of them raises."""
        manager = Manager(program, self._horizon, hooks=hooks)
        try:
            return self._write(Found.by(manager, self._chosen, view))
        except StatememError:
            raise
        except Exception as error:  # a pass may be anybody's, and so may what it shows
            raise raised(self._guilty(manager), error) from error

    def _guilty(self, manager: Manager) -> str:
        """The pass that cannot show what it found."""
        for one in self._chosen:
            try:
                render(one, manager.result(one), manager.program)
            except Exception:
                return one.name
        return label(self._chosen[0])

    # failures and breaches

    def _failure(self, program: Program) -> object:
        """In what way the passes fail on a program, if they do."""
        try:
            self._found(program, View(program))
        except PassError as error:
            return _cause(error)
        return None

    def _check_laws(self, program: Program, one: Analysis) -> None:
        told = next(iter(self._broken(program, one)), None)
        if told is None:
            return
        self.warned, law = True, law_of(told)
        said = f"warning: pass {one.name!r} breaks a law, so what it finds cannot be relied on; {told}"
        self._say(self._hidden(program, said))
        self._show_smallest(program, lambda other: law in map(law_of, self._broken(other, one)))

    def _broken(self, program: Program, one: Analysis) -> list[str]:
        try:
            return broken(Manager(program, self._horizon).solve(one))
        except PassError:
            return []

    def _show_smallest(self, program: Program, fails: Callable[[Program], bool]) -> None:
        """Cut down what people may see, since a smaller program may not say any more that a cell is sensitive."""
        shown = self._view(program).program
        if fails(shown):
            self._say("smallest program that shows it:")
            self._say(dumps(smallest(shown, fails)).rstrip("\n"))
        else:
            self._say("smallest program that shows it, without its values, since with masked ones it does not show it:")
            self._say(dumps(masked(_Valueless().program(smallest(program, fails)))).rstrip("\n"))

    # what people see

    def _view(self, program: Program) -> View:
        masker = Masker.of(program, show_values=self._show_values)
        return View(program if self._show_values else masked(program), masker.text, masker.value)

    def _hidden(self, program: Program, text: str) -> str:
        """What a pass says of a program, in which values may stand that are sensitive for the cells that hold them."""
        masker = Masker.of(program, show_values=self._show_values)
        values = ((one.value, masker.value(one.cell, one.value)) for one in program.entries)
        for value, shown in values:
            text = text.replace(value, str(shown)) if isinstance(value, str) and shown != value else text
        return text

    def _say(self, text: str) -> None:
        say(text, as_it_is=self._show_values)

    def _told(self, one: Pass, result: Any, program: Program) -> str:
        found = Found(program, {one: result}, self._view(program), self._horizon)
        return f"# after {label(one)}\n{to_text(found)}"


class _Valueless(Rewriter):
    """Takes the values out of a program."""

    def value(self, value: Value, place: Place | None) -> Value:
        if place is not None:
            return UNKNOWN
        return {} if isinstance(value, dict) else None


def _cause(error: PassError) -> object:
    """What the program brought about, and where; None where the pass fails whatever the program says."""
    cause = error.__cause__
    if cause is None:
        return Unsettled if isinstance(error, Unsettled) else None
    frame = traceback.extract_tb(cause.__traceback__)[-1]
    return type(cause), frame.filename, frame.lineno


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
    """List the passes: their kind, direction, options and what each finds."""
    rows = list(map(_described, known_passes().values()))
    if as_json:
        _listed(rows, as_json)
        return
    for row in rows:
        kind = row["kind"] if row["direction"] is None else f"{row['kind']}, {row['direction']}"
        show(f"{row['name']:<20}  {kind:<20}  {row['title']}")
        for option in row["options"]:
            default = "required" if option["default"] is None else f"by default {option['default']}"
            show(f"{'':<20}  {'':<20}    {option['name']}: {option['type']}, {default}")


def _described(one: type[Pass]) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": kind_of(one),
        "direction": one.direction.value if issubclass(one, Analysis) else None,
        "options": [_option(option) for option in options_of(one)],
        "title": one.title(),
    }


def _option(option: Option) -> dict[str, str | None]:
    default = None if option.is_required else option.text(option.default)
    return {"name": option.name, "type": option.type, "default": default}


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


def _listed(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        show(msgspec.json.encode(rows).decode())
        return
    for row in rows:
        show("  ".join(f"{value:<20}" for value in row.values()).rstrip())
