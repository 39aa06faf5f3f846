"""The parts of the documentation that are made from the code, so that they cannot go stale: Markdown, by name."""

import json
from collections.abc import Iterable, Mapping

import click

from statemem import actions, policy
from statemem.cli import main
from statemem.ir import frontends, verifier
from statemem.ir.text import errors
from statemem.passes import Analysis
from statemem.passes.framework import passes
from statemem.report import record


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table.

    >>> print(table(["code", "meaning"], [["IR001", "no such block"]]))
    | code | meaning |
    | --- | --- |
    | IR001 | no such block |
    """
    titles = list(head)
    return "\n".join(_row(cells) for cells in [titles, ["---"] * len(titles), *rows])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def codes(known: Mapping[str, str]) -> str:
    """Codes with what each means."""
    return table(["code", "meaning"], ([f"`{code}`", meaning] for code, meaning in known.items()))


def all_passes() -> str:
    """The passes that `statemem passes` lists."""
    rows = ([f"`{name}`", _kind(one), one.title()] for name, one in passes().items())
    return table(["pass", "kind", "what it finds"], rows)


def _kind(one: type) -> str:
    return f"analysis, {one.direction.value}" if issubclass(one, Analysis) else "derivation"


def formats() -> str:
    """The formats that `statemem formats` lists, with a record of each."""
    known = frontends.frontends().values()
    return "\n\n".join(f"`{one.name}`: {one.title}\n\n```text\n{one.example}\n```" for one in known)


def all_commands() -> dict[str, click.Command]:
    """Every command by what one types; those of a group by both words."""
    found: dict[str, click.Command] = {}
    for name, one in main.commands.items():
        inner = one.commands.items() if isinstance(one, click.Group) else ()
        found.update({f"{name} {sub}": part for sub, part in inner} or {name: one})
    return found


def command(name: str, found: click.Command) -> str:
    """The arguments and options of a command."""
    context = click.Context(found, info_name=f"statemem {name}")
    usage = f"```text\n{' '.join([context.command_path, *found.collect_usage_pieces(context)])}\n```"
    options = [one for one in found.params if isinstance(one, click.Option)]
    rows = (_option(one.get_help_record(context)) for one in options)
    return f"{usage}\n\n{table(['option', 'meaning'], rows)}" if options else usage


def _option(help_record: tuple[str, str] | None) -> list[str]:
    name, meaning = help_record or ("", "")
    return [f"`{name}`", meaning]


def generations() -> str:
    """The thresholds of the default policy."""
    rows = (
        [f"`{name}`", str(one.cold_after), "never" if one.archive_factor is None else str(one.archive_factor)]
        for name, one in policy.Policy().generations.items()
    )
    return table(["generation", "`cold_after`", "`archive_factor`"], rows)


def schema() -> str:
    """The JSON Schema of a report."""
    return f"```text\n{json.dumps(record.json_schema(), indent=1)}\n```"


def substitutions() -> dict[str, str]:
    """Every part by the name under which pages ask for it."""
    return {
        "action_codes": codes(actions.CODES),
        "verifier_codes": codes(verifier.CODES),
        "text_codes": codes(errors.CODES),
        "passes": all_passes(),
        "formats": formats(),
        "generations": generations(),
        "schema": schema(),
        **{f"command_{name.replace(' ', '_')}": command(name, one) for name, one in all_commands().items()},
    }
