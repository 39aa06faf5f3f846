"""The outcome of a run as JSON types: all that the tables say, and the list of what was missed or wrong."""

from __future__ import annotations

import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import attrs

from . import argued, suites
from .figures import breakdowns, kinds, overview, stories, why_missed
from .running import Outcome
from .suites import Size

SCHEMA = "statemem.synthetic/1"
_PACKAGES = ("statemem", "langgraph", "langgraph-checkpoint")


def record(outcome: Outcome, *, seed: int, size: Size) -> dict[str, Any]:
    """The outcome. It has no times: the same seed gives the same record."""
    grids = [overview(outcome), *kinds(outcome)]
    grids += (grid for suite in outcome.suites for grid in kinds(outcome, suite))
    grids += [*breakdowns(outcome), stories(outcome)]
    return {
        "schema": SCHEMA,
        "versions": _versions(),
        "seed": seed,
        "size": attrs.asdict(size),
        "systems": list(outcome.systems),
        "absent": outcome.absent,
        "argued": argued.ARGUED,
        "dialogues": _dialogues(outcome),
        "tables": [one.record(outcome.systems) for one in grids],
        "causes": why_missed(outcome),
        "wrongs": [wrong.record() for one in outcome.readings for wrong in one.wrongs],
    }


def _versions() -> dict[str, str | None]:
    found = {one: _version(one) for one in _PACKAGES}
    return {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version} | found


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _dialogues(outcome: Outcome) -> list[dict[str, Any]]:
    """The dialogues with their recipes, each once."""
    turns = {one.dialogue: (one.suite, one.turns) for one in outcome.readings}
    return [
        {"name": name, "suite": suite, "turns": length, "recipe": attrs.asdict(suites.recipe_of(name))}
        for name, (suite, length) in turns.items()
    ]
