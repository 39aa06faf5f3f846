"""The command line: a thin layer over the functions of the package, one file a group of commands."""

from __future__ import annotations

import click

from statemem import __version__

from .edits import edit
from .logs import analyze, demo, explain
from .lowering import lower
from .passes import passes, try_passes
from .programs import check, formats
from .running import run
from .shell import Group
from .store import store


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="statemem")
def main() -> None:
    """What an agent's memory holds: what lives, what died, what contradicts what, and what was used when it was stale.

    Begin with `statemem demo`, then `statemem analyze LOG` on a log of your own. Nothing leaves this machine.
    """


for command in (demo, analyze, explain, lower, run, try_passes, passes, formats, check, edit, store):
    main.add_command(command)

__all__ = ["main"]
