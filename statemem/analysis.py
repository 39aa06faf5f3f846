"""The two calls most people need: `lower` a source to programs, `analyze` it to a report.

A source is a path, `-` for standard input, a list of messages or records, or a `Program`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from statemem.horizons import horizon_named
from statemem.ir import Program, frontends
from statemem.ir.diagnostics import InputError, Location, Problem, UsageError, suggestion
from statemem.ir.frontends.domain import Domain
from statemem.ir.frontends.reader import read_text
from statemem.ir.text import read as read_document
from statemem.ir.verifier import findings, verify
from statemem.passes import Horizon, Manager
from statemem.policy import Baseline, Policy
from statemem.report import Report

Source = Any


def lower_all(
    source: Source,
    *,
    format: str | None = None,
    strict: bool = False,
    zone: str | None = None,
    domain: str | Path | Domain | None = None,
    problems: list[Problem] | None = None,
) -> Iterator[Program]:
    """The programs of a source, one a conversation, as they are read.

    `zone`, such as `Europe/Paris`, is that of times which name none; without it they are taken as UTC. `domain` is a
    TOML file, or a `Domain`, that says what the log does not of its tools and entities. Warnings are added to
    `problems`; with `strict` a bad line is an error. Raises `InputError` where nothing can be read.
    """
    if isinstance(source, Program):
        yield source
        return
    if _is_text_form(source):
        yield from _checked(str(source))
        return
    found = problems if problems is not None else []
    for program in frontends.lower(source, found, format=format, strict=strict, zone=zone, domain=domain):
        found.extend(attrs.evolve(one, severity="warning") for one in verify(program) if one.severity == "error")
        yield program


def _checked(name: str) -> list[Program]:
    """The programs of a text, which someone wrote and can mend: an error that the verifier finds refuses them."""
    document = read_document(read_text(name), file=name)
    found = [
        document.problem(number, finding)
        for number, program in enumerate(document.programs)
        for finding in findings(program)
    ]
    errors = [one for one in found if one.severity == "error"]
    if not document.programs:
        errors = [Problem(code="TX012", message="the text holds no program", location=Location(file=name))]
    if errors:
        raise InputError(*errors)
    return document.programs


def lower(
    source: Source,
    *,
    only: str | None = None,
    format: str | None = None,
    strict: bool = False,
    zone: str | None = None,
    domain: str | Path | Domain | None = None,
) -> Program:
    """The program of a source that holds one conversation, or of the conversation named `only`.

    >>> program = lower([{"role": "user", "content": "Where is order W15-77?"}])
    >>> [str(entry.cell) for entry in program.entries]
    ['session:log/id["W15-77"]']
    """
    return pick(lower_all(source, format=format, strict=strict, zone=zone, domain=domain), only)


def analyze(
    source: Source,
    *,
    horizon: str | Path | Horizon = "open",
    positions: Sequence[Sequence[str]] = (),
    policy: Policy | None = None,
    baseline: Baseline | None = None,
    at: int | None = None,
    only: str | None = None,
    format: str | None = None,
    strict: bool = False,
    zone: str | None = None,
    domain: str | Path | Domain | None = None,
    show_values: bool = False,
) -> Report:
    """The report on a source that holds one conversation, or on the conversation named `only`.

    `horizon` is `open`, `closed`, a `.smir` file with a workflow, or a `statemem.passes.Horizon`. `positions` are the
    open tasks of the workflow, the running one last, each by the blocks of which one was done last; without them the
    log may stand anywhere in it. `at` is a step. Raises `UsageError` where there are several and none is named.
    """
    problems: list[Problem] = []
    program = pick(lower_all(source, format=format, strict=strict, zone=zone, domain=domain, problems=problems), only)
    known = horizon_named(horizon, *positions)
    return _report(program, known, policy=policy, baseline=baseline, at=at, problems=problems, show_values=show_values)


def analyze_all(
    source: Source,
    *,
    horizon: str | Path | Horizon = "open",
    positions: Sequence[Sequence[str]] = (),
    policy: Policy | None = None,
    baseline: Baseline | None = None,
    at: int | None = None,
    format: str | None = None,
    strict: bool = False,
    zone: str | None = None,
    domain: str | Path | Domain | None = None,
    show_values: bool = False,
) -> Iterator[Report]:
    """A report for every conversation of a source, as they are read, each with the warnings met since the last."""
    problems: list[Problem] = []
    known = horizon_named(horizon, *positions)
    for program in lower_all(source, format=format, strict=strict, zone=zone, domain=domain, problems=problems):
        told = list(problems)
        yield _report(program, known, policy=policy, baseline=baseline, at=at, problems=told, show_values=show_values)
        problems.clear()


def _report(program: Program, horizon: Horizon, **options: Any) -> Report:
    if not program.is_trace:
        message = f"{program.name!r} is a workflow, what may happen; a report is on a log, what happened"
        raise UsageError(f"{message}: use `statemem run` for passes over it")
    return Report(Manager(program, horizon), **options)


def pick(programs: Iterator[Program], only: str | None) -> Program:
    """The one program there is, or the one of that name."""
    names: list[str] = []
    first: Program | None = None
    for program in programs:
        if program.name == only:
            return program
        names.append(program.name)
        first = first or program
    if only is not None:
        raise UsageError(f"no conversation is called {only!r}{suggestion(only, names)}; there are {_named(names)}")
    if first is None or len(names) > 1:
        raise UsageError(
            f"the source holds {len(names)} conversations, {_named(names)}; name one: --only, or `only` in Python"
        )
    return first


def _named(names: list[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")


def _is_text_form(source: Source) -> bool:
    return str(source).endswith(".smir") and not isinstance(source, (list, dict))
