"""Naming what is known of a future: `open`, `closed`, or a workflow and where a log stands in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from statemem.ir import Program
from statemem.ir.diagnostics import InputError, UsageError
from statemem.ir.frontends.reader import read_text
from statemem.ir.text import read
from statemem.ir.verifier import findings
from statemem.passes import Horizon
from statemem.passes.future.ahead import horizon_of


def horizon_named(name: str | Path | Horizon, *stack: Sequence[str]) -> Horizon:
    """The horizon of a name: `open`, `closed`, or a `.smir` file with one workflow.

    `stack` says where in the workflow a log stands: its open tasks, the running one last, each by the blocks of which
    one was done last; without it, anywhere. Raises `UsageError` for another name or a block that does not exist, and
    `InputError` for a file that cannot be read or has errors.
    """
    if isinstance(name, Horizon):
        return name
    if str(name).endswith(".smir"):
        return horizon_of(_workflow(str(name)), *stack)
    if name not in ("open", "closed"):
        raise UsageError(f"unknown horizon {str(name)!r}; known are 'open', 'closed' and .smir files with a workflow")
    if stack:
        raise UsageError(f"a position is one in a workflow, and the horizon {str(name)!r} is none; name a .smir file")
    return Horizon(closed=name == "closed")


def _workflow(name: str) -> Program:
    document = read(read_text(name), file=name)
    found = [(number, one) for number, program in enumerate(document.programs) for one in findings(program)]
    errors = [document.problem(number, one) for number, one in found if one.severity == "error"]
    if errors:
        raise InputError(*errors)
    if len(document.programs) != 1:
        raise UsageError(f"{name} holds {len(document.programs)} programs; a horizon is one workflow")
    return document.programs[0]
