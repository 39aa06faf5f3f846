"""What a check says when it fails: the pass by name, what is broken, and the program that shows it."""

from __future__ import annotations

from typing import Any, NoReturn

from statemem.ir import Program
from statemem.ir.text import dumps

from ..framework import Analysis, Pass


def fail(one: Pass, broken: str, program: Program) -> NoReturn:
    """Raises an AssertionError that names the pass and shows the program in the text form."""
    raise AssertionError(f"pass {one.name!r}: {broken}\n\nthe program that shows it:\n\n{dumps(program)}")


def said(one: Analysis, fact: Any) -> str:
    """A fact as the pass shows it."""
    return f"{{{', '.join(one.show(fact))}}}"


def instance(one: type[Pass] | Pass) -> Pass:
    """A pass by its class, which means its default options, or as it is."""
    return one() if isinstance(one, type) else one
