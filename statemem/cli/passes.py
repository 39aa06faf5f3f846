"""Commands about passes themselves: `passes` lists them, `try` puts them through the test kit."""

from __future__ import annotations

import sys
from typing import Any

import click
import msgspec

from statemem.ir.diagnostics import UsageError
from statemem.passes import Analysis
from statemem.passes.framework import Pass
from statemem.passes.framework import passes as known_passes
from statemem.passes.framework.pipeline import Option, label, options_of, parse_pipeline
from statemem.passes.framework.registry import kind_of
from statemem.report.layout import plural

from .shell import FOUND, say, show


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def passes(as_json: bool) -> None:
    """List the passes: their kind, direction, options and what each finds."""
    rows = list(map(_described, known_passes().values()))
    if as_json:
        show(msgspec.json.encode(rows).decode())
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


@click.command(name="try")
@click.argument("pipeline", metavar="PASSES")
@click.option("--examples", default=100, show_default=True, metavar="N", help="Generated programs for each pass.")
def try_passes(pipeline: str, examples: int) -> None:
    """Put passes through the test kit on generated programs, and show the smallest on which a check fails.

    PASSES are names or FILE.py:Class, between commas. Exits with 1 where a check fails.
    """
    chosen = parse_pipeline(pipeline)
    if not chosen or examples < 1:
        raise UsageError("name a pass, and at least one example; `statemem passes` lists the passes")
    failed = [one for one in chosen if not _holds(one, examples)]
    sys.exit(FOUND if failed else 0)


def _holds(one: Pass, examples: int) -> bool:
    try:
        from statemem.passes.testing import check_pass
    except ImportError as error:
        raise UsageError(f"the test kit needs {error.name}: pip install 'statemem[testing]'") from error
    try:
        check_pass(one, examples=examples)
    except AssertionError as failure:
        say(str(failure))
        return False
    show(f"{label(one)}: all checks hold on {plural(examples, 'generated program')}")
    return True
