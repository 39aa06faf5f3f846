"""Commands over logs: `demo`, `analyze`, `explain`, `lower`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import click
import msgspec

from statemem.actions import CODES, Action, Kind
from statemem.analysis import analyze as analyze_one
from statemem.analysis import analyze_all
from statemem.ir.diagnostics import UsageError, suggestion
from statemem.ir.values import encoded
from statemem.policy import Policy, encoded_baseline
from statemem.report import Report
from statemem.report.overview import Overview
from statemem.report.text import flagged, render

from .files import write_whole
from .options import baseline_of, horizon_of, judging, policy_of, read_with, reading, showing
from .shell import BAD_INPUT, FOUND, say, show, styled, warn, width
from .sources import Sources

EXAMPLE = "garden-lamp.json"


@click.command()
@showing
def demo(show_values: bool) -> None:
    """Analyse an example log that ships with the package: a refund to a card that had been replaced."""
    with resources.as_file(resources.files("statemem").joinpath("examples", EXAMPLE)) as path:
        report = analyze_one(path, show_values=show_values)
        show(_titled(render(report, width())))
        show("")
        show("Why is that a stale use?")
        show(report.explain("payment_method"))
    say("Next: `statemem analyze LOG` on a log of your own, `statemem explain LOG CELL` for any cell in it.")


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@reading
@judging
@showing
@click.option("--json", "as_json", is_flag=True, help="A line of JSON a conversation, schema statemem.report/1.")
@click.option(
    "--check", "codes", metavar="CODES", help="Exit with 1 if one of these is found: codes or kinds of action."
)
@click.option("--write-baseline", "written", metavar="FILE", help="Write all findings to a file, as known from now on.")
def analyze(logs: tuple[str, ...], as_json: bool, codes: str | None, written: str | None, **options: Any) -> None:
    """Report on the memory of one or many logs: a file, several, or - for standard input."""
    policy = policy_of(options["policy"])
    beside = [options[name] for name in ("policy", "horizon") if options[name] is not None]
    wanted = _codes(codes, policy)
    found: list[str] = []
    known: list[tuple[str, Action]] = []
    output = _JsonLines() if as_json else _Text()
    before = baseline_of(options["baseline"])
    reports = Sources(logs, _reader(policy, options), options["only"])
    for report in reports:
        output.add(report)
        known.extend((report.name, action) for action in report.actions if written is not None)
        found.extend(flagged(report, (action for action in report.actions if _is_wanted(action, wanted))))
    output.finish()
    for line in found:
        say(line)
    if written is not None and not reports.failed:
        read = [*reports.logs, *beside]
        write_whole(Path(written), encoded_baseline(known, before).decode(), read, in_place=None)
    sys.exit(BAD_INPUT if reports.failed else FOUND if found else 0)


def _reader(policy: Policy, options: dict[str, Any]) -> Callable[[str], Iterator[Report]]:
    """Reads the reports of a log, telling the warnings as they come."""
    horizon = horizon_of(options)  # a mistake is told once, not for each log
    given = {**read_with(options), **{name: options[name] for name in ("at", "show_values")}, "horizon": horizon}
    given["baseline"] = baseline_of(options["baseline"])

    def read(log: str) -> Iterator[Report]:
        for report in analyze_all(log, policy=policy, **given):
            warn(report.problems)
            yield report

    return read


class _Text:
    """One report in full; of several, a line each."""

    def __init__(self) -> None:
        self._first: str | None = None
        self._overview = Overview()
        self._count = 0

    def add(self, report: Report) -> None:
        self._count += 1
        self._overview.add(report)
        if self._count == 1:
            self._first = render(report, width())

    def finish(self) -> None:
        if self._count == 1 and self._first is not None:
            show(_titled(self._first))
        elif self._count > 1:
            show(_titled(self._overview.render(width())))


class _JsonLines:
    """A JSON object a line, as each conversation is done."""

    def add(self, report: Report) -> None:
        show(msgspec.json.encode(report.to_dict(), enc_hook=encoded).decode())

    def finish(self) -> None:
        """Nothing is left to print."""


def _titled(text: str) -> str:
    """The first line stands out on a terminal."""
    first, newline, rest = text.partition("\n")
    return styled(first, bold=True) + newline + rest


def _codes(text: str | None, policy: Policy) -> frozenset[str]:
    if text is not None and not text.strip(" ,"):
        raise UsageError("--check names no code; say which action is to fail, for instance --check stale-use")
    known = {*CODES, *(rule.code for rule in policy.trust.flows), *(kind.value for kind in Kind)}
    names = {name.casefold().replace("_", ""): name for name in known}
    wanted = set()
    for part in (text or "").split(","):
        if not part.strip():
            continue
        name = part.strip().casefold().replace("_", "").replace("-", "").replace(" ", "")
        full = name if name in names else f"flag{name}"
        if full not in names:
            raise UsageError(
                f"unknown code {part.strip()!r}{suggestion(part, known)}; known are {', '.join(sorted(known))}"
            )
        wanted.add(names[full])
    return frozenset(wanted)


def _is_wanted(action: Action, wanted: frozenset[str]) -> bool:
    return action.code in wanted or action.kind.value in wanted


@click.command()
@click.argument("log")
@click.argument("cell")
@reading
@judging
@showing
def explain(log: str, cell: str, **options: Any) -> None:
    """Say what a cell holds and held, and why each entry is what it is.

    CELL is written in full, with slashes (order/W15/color), or as any unique end of that; an entry id works too.
    """
    options |= {"policy": policy_of(options["policy"]), "baseline": baseline_of(options["baseline"])}
    options["horizon"] = horizon_of(options)
    report = analyze_one(log, **options)
    warn(report.problems)
    show(report.explain(cell))
