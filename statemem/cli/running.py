"""The command that solves passes over programs and shows what they find: `run`."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from statemem.ir import UNKNOWN, Place, Program
from statemem.ir.diagnostics import Problem, StatememError, UsageError
from statemem.ir.rewriting.rewriter import Rewriter
from statemem.ir.text import dumps
from statemem.ir.values import Value
from statemem.masking import Masker, hider, masked
from statemem.passes import Analysis, Horizon, Manager
from statemem.passes.framework import Pass, PassError, Unsettled
from statemem.passes.framework.errors import raised
from statemem.passes.framework.hooks import Hook, Printing, Time, Timing, Verify
from statemem.passes.framework.laws import broken, law_of
from statemem.passes.framework.pipeline import label, parse_pipeline
from statemem.passes.framework.registry import is_from_file
from statemem.passes.framework.smallest import smallest
from statemem.passes.rendering import Found, View, render, to_dot, to_json, to_text

from .options import horizon_of, lowering, reading, showing, solving
from .shell import BAD_INPUT, FOUND, say, show, warn
from .sources import Sources


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@solving
@reading
@showing
def run(logs: tuple[str, ...], pipeline: str, **options: Any) -> None:
    """Solve passes over a log or a .smir file and show what they find: facts in the program, or findings."""
    chosen = list(dict.fromkeys(parse_pipeline(pipeline)))
    if not chosen:
        raise UsageError("-p names no pass; `statemem passes` lists them")
    problems: list[Problem] = []
    programs = Sources(logs, lowering(problems, options), options["only"])
    running = _Run(chosen, horizon_of(options), options)
    for program in programs:
        running.take(program)
    running.finish()
    warn(problems)
    sys.exit(BAD_INPUT if programs.failed else FOUND if running.warned else 0)


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
        view, version, size = self._view(program), program.version, len(program.blocks)
        try:
            show(self._found(program, view, self._hooks))
        except PassError as error:
            self._say(view.text(str(error)))
            if (program.version, len(program.blocks)) != (version, size):
                self._say("the pass changes the program, which a pass must leave as it is")
                sys.exit(BAD_INPUT)
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
        return View(program if self._show_values else masked(program), hider(program, masker), masker.value)

    def _hidden(self, program: Program, text: str) -> str:
        """What a pass says of a program, without the values of its sensitive cells."""
        return hider(program, Masker.of(program, show_values=self._show_values))(text)

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
