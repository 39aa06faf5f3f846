"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

import click

from statemem.analysis import lower_all
from statemem.horizons import horizon_named
from statemem.ir import Program
from statemem.ir.diagnostics import Problem
from statemem.passes import Horizon
from statemem.policy import Baseline, Policy, load

F = TypeVar("F", bound=Callable[..., Any])


def reading(command: F) -> F:
    """How logs are read."""
    for option in (
        click.option(
            "--from", "format", metavar="FORMAT", help="Read the log as this format (see `statemem formats`)."
        ),
        click.option("--strict", is_flag=True, help="Make a bad line of a log an error instead of a warning."),
        click.option(
            "--zone", metavar="ZONE", help="The zone of times that name none, such as Europe/Paris; else UTC."
        ),
        click.option(
            "--domain", metavar="FILE", help="What is known of the tools and entities of the log, in a TOML file."
        ),
        click.option("--only", metavar="ID", help="Take only the conversation of this name."),
    ):
        command = option(command)
    return command


def read_with(options: dict[str, Any]) -> dict[str, Any]:
    """Of the options of a command, those with which a log is read."""
    return {name: options[name] for name in ("format", "strict", "zone", "domain")}


def lowering(problems: list[Problem], options: dict[str, Any]) -> Callable[[str], Iterator[Program]]:
    """Lowers a log as the options of a command say, taking warnings down."""
    return partial(lower_all, **read_with(options), problems=problems)


_HORIZON = (
    click.option(
        "--horizon",
        default="open",
        metavar="open|closed|FILE.smir",
        help="What is known of the future: open (only pinned cells are expected), closed, or a workflow.",
    ),
    click.option(
        "--position",
        "positions",
        multiple=True,
        metavar="BLOCKS",
        help="Where in the workflow the log stands: of an open task, the blocks, between commas, of which it may have "
        "done one last. Given again for each open task, the running one last; without it, anywhere.",
    ),
)


def horizon_of(options: dict[str, Any]) -> Horizon:
    """The horizon that the options of a command name, which are taken out."""
    stack = [[name.strip() for name in one.split(",") if name.strip()] for one in options.pop("positions")]
    return horizon_named(options.pop("horizon"), *stack)


def judging(command: F) -> F:
    """What the analysis is told."""
    for option in (
        *_HORIZON,
        click.option(
            "--at",
            type=click.IntRange(min=0),
            metavar="STEP",
            help="Look at the end of this step, not of the log.",
        ),
        click.option("--policy", metavar="FILE", help="Thresholds, guards, trust and suppressions from a TOML file."),
        click.option("--baseline", metavar="FILE", help="Findings that are known already and are not told."),
    ):
        command = option(command)
    return command


def solving(command: F) -> F:
    """What passes are run, and how what they find is shown."""
    for option in reversed(
        (
            click.option(
                "-p",
                "--passes",
                "pipeline",
                required=True,
                metavar="PIPELINE",
                help="Passes between commas, NAME or FILE.py:Class, options in braces: {most=3}.",
            ),
            click.option(
                "--as", "form", type=click.Choice(["text", "json", "dot"]), default="text", help="How to show it."
            ),
            click.option("--every", is_flag=True, help="In text, show the facts at every instruction."),
            *_HORIZON,
            click.option("--time", "timed", is_flag=True, help="Tell what each pass took, on standard error."),
            click.option("--verify", "verified", is_flag=True, help="Check that no pass changes the program."),
            click.option("--print-after", "printed", is_flag=True, help="Print after each pass, on standard error."),
        )
    ):
        command = option(command)
    return command


showing = click.option("--show-values", is_flag=True, help="Show phone numbers, mail addresses and secrets unmasked.")


def baseline_of(path: str | None) -> Baseline:
    """The baseline of a file, or an empty one."""
    return Baseline.load(path) if path is not None else Baseline()


def policy_of(path: str | None) -> Policy:
    """The policy of a file, or the default one."""
    return load(path) if path is not None else Policy()
