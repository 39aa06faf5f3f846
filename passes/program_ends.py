"""The ends at which a derivation tells what holds there: where a log stands, and wherever a workflow ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from statemem.ir import Program

from .framework import Manager

T = TypeVar("T")


def told_ends(manager: Manager) -> list[int]:
    """The blocks that end the program and are reached, of a log the current one alone."""
    flow, program = manager.graph.flow, manager.program
    ends = sorted(node for node in manager.graph.reached if node in flow.ends and node not in flow.landings)
    return [node for node in ends if node == program.current_end or not program.is_trace]


def shown_at_ends(found: Mapping[int, Iterable[T]], program: Program, shown: Callable[[T], str]) -> list[str]:
    """What was found by the block that ends, in texts that name the end where there are several."""
    several = len(found) > 1
    return [
        f"{shown(one)}{f' at the end of {program.blocks[block].name}' if several else ''}"
        for block, those in found.items()
        for one in those
    ]
