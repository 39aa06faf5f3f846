"""The command: run the suites, explain a question, write a dialogue.

    python -m benchmarks.synthetic [run] [SUITE …] [--quick] [--seed N] [--turns N] [--system NAME …] [--jobs N]
                                   [--json FILE] [--plots DIR] [--check]
    python -m benchmarks.synthetic explain DIALOGUE SYSTEM QUESTION
    python -m benchmarks.synthetic write DIALOGUE [--form FORM …] [--to DIR]

Exit codes: 0 done, 1 with `--check` where a structured form of statemem erred and nothing is argued for it,
2 a call that cannot be carried out, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import attrs
import click

from statemem.cli.files import write_whole
from statemem.cli.shell import FOUND, Group, say, show
from statemem.ir.diagnostics import UsageError

from . import argued, plots, suites, tables
from .dialogue import FORMS
from .explaining import explained
from .record import record
from .running import Outcome, planned, run
from .suites import FULL, QUICK, Size
from .systems.registry import ENTRANTS
from .writing import json_text, written

_RUN = "run"


class RunByDefault(Group):
    """A group that runs the suites where no other command is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the command in front where it was left out."""
        if not args or (args[0] not in self.commands and args[0] not in ("-h", "--help")):
            args = [_RUN, *args]
        return super().parse_args(ctx, args)


@click.group(cls=RunByDefault, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Judge statemem and other memories by synthetic dialogues with planted faults and exact answers.

    Without a command the suites are run.
    """


@main.command(_RUN)
@click.argument("names", nargs=-1, metavar="[SUITE]...")
@click.option("--quick", is_flag=True, help="Few and small dialogues: some seconds.")
@click.option("--seed", type=click.IntRange(0), default=0, metavar="N", help="The first seed (0).")
@click.option("--turns", type=click.IntRange(1), metavar="N", help=f"How long the suite `{suites.LONG}` is.")
@click.option(
    "--system", "systems", multiple=True, metavar="NAME|FILE.py:CLASS", help="A system; more than once for several."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write all of it to FILE.")
@click.option("--plots", "plots_folder", type=click.Path(path_type=Path), metavar="DIR", help="Draw plots into DIR.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="How many processes (one a processor).")
@click.option("--check", is_flag=True, help="Exit with 1 where statemem errs on a structured form.")
@click.pass_context
def run_suites(
    ctx: click.Context,
    names: tuple[str, ...],
    quick: bool,
    seed: int,
    turns: int | None,
    systems: tuple[str, ...],
    json_file: Path | None,
    plots_folder: Path | None,
    jobs: int | None,
    check: bool,
) -> None:
    """Let systems read the dialogues of suites, of all by default, and print how they answer."""
    for one in names:
        if one not in suites.NAMES:
            raise UsageError(suites.unknown("suite", one, suites.NAMES))
    if plots_folder is not None:
        plots.available()
    size = QUICK if quick else FULL
    size = size if turns is None else attrs.evolve(size, turns=turns)
    outcome = _outcome(names or suites.NAMES, systems or tuple(ENTRANTS), size, seed, jobs or os.cpu_count() or 1)
    show("\n".join(tables.report(outcome, brief=quick)))
    if json_file is not None:
        write_whole(json_file, json_text(record(outcome, seed=seed, size=size)))
    if plots_folder is not None:
        say("\n".join(str(one) for one in plots.draw(outcome, plots_folder)))
    if check and argued.short(outcome, argued=False):
        ctx.exit(_told_short(outcome))


def _outcome(names: tuple[str, ...], systems: tuple[str, ...], size: Size, seed: int, jobs: int) -> Outcome:
    """The outcome of a run, with a bar on standard error where a person looks at it."""
    if not sys.stderr.isatty():
        return run(names, systems, size, seed=seed, jobs=jobs)
    count = len(list(planned(names, systems, size, seed)))
    with click.progressbar(length=count, label="dialogues", file=sys.stderr) as bar:
        return run(names, systems, size, seed=seed, jobs=jobs, progress=lambda: bar.update(1))


def _told_short(outcome: Outcome) -> int:
    for (story, system, kind), tally in argued.short(outcome, argued=False).items():
        say(f"{system}: {story}, {kind}: {tally.missed} missed, {tally.wrong} wrong")
    return FOUND


@main.command()
@click.argument("dialogue")
@click.argument("system")
@click.argument("question", type=int)
def explain(dialogue: str, system: str, question: int) -> None:
    """Show what was asked, what was told, the turns of the story, and what statemem has of its cells."""
    show("\n".join(explained(dialogue, system, question)))


@main.command()
@click.argument("dialogue")
@click.option("--form", "forms", multiple=True, type=click.Choice(FORMS), help="A form; all by default.")
@click.option("--to", "folder", type=click.Path(path_type=Path), default=Path(), metavar="DIR", help="Where to (here).")
def write(dialogue: str, forms: tuple[str, ...], folder: Path) -> None:
    """Write a dialogue in the forms it has, and a file with its questions and answers."""
    for path in written(suites.dialogue(dialogue), forms or FORMS, folder):
        show(str(path))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.synthetic")
