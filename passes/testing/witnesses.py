"""The check of witnesses: what is named as proof must be one."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from statemem.ir import Program

from ..framework import Analysis, Manager, Solution
from ..framework.lattices import Sets
from ..framework.points import BlockEnd, BlockStart, Point
from ..framework.transfer import hears
from ..framework.witness import Reason, Witness, witness
from .reports import fail, instance


def check_witness(one: type[Analysis] | Analysis, program: Program) -> None:
    """At both ends of every block, of every member: the reasons exist, make what they prove, and lie on real ways.

    Analyses whose facts are no sets have no witnesses and pass.
    """
    analysis = instance(one)
    if not isinstance(analysis, Analysis) or not isinstance(analysis.facts, Sets):
        return
    solution = Manager(program).solve(analysis)
    members = sorted({member for fact in solution.block_ends().values() for member in fact or ()}, key=str)
    for block in (node for node in solution.graph.segments.order if node < len(program.blocks)):
        for member in members:
            _check(solution, member, BlockStart(block))
            _check(solution, member, BlockEnd(block))


def _check(solution: Solution, member: Any, point: Point) -> None:
    found = witness(solution, member, point)
    assert isinstance(found, Witness)
    told = f"of {member} at {point} the witness {found}"
    if found.holds is not solution.holds(member, point):
        fail(solution.analysis, f"{told} says otherwise than the solution", solution.program)
    if not found.reasons and not found.covers:
        fail(solution.analysis, f"{told} proves nothing", solution.program)
    for reason in found.reasons:
        if not _is_way(solution, reason, point):
            fail(solution.analysis, f"{told} names a way that is none: {reason.way}", solution.program)
        if reason.instruction is None and not _may_begin(solution, member, reason, found.holds):
            fail(solution.analysis, f"{told} names a begin at which it is not so", solution.program)
        if reason.instruction is not None and not _makes(solution, member, reason, found.holds):
            fail(solution.analysis, f"{told} names an instruction that does not make it so", solution.program)


def _is_way(solution: Solution, reason: Reason, point: Point) -> bool:
    """Whether the blocks follow one another, from the reason to the point or backwards from the point to it."""
    flow, way = solution.graph.flow, reason.way
    landings = {call: landing for landing, call in flow.landings.items()}
    leads = all(
        later in flow.successors[earlier]
        or later in flow.successors[landings.get(earlier, earlier)]
        or landings.get(later) in flow.successors[earlier]
        for earlier, later in pairwise(way)
    )
    ends = (way[-1], way[0]) if solution.forward else (way[0], way[-1])
    made = reason.instruction
    return leads and ends[0] == point[0] and (made is None or solution.program.block_of(made) == ends[1])


def _may_begin(solution: Solution, member: Any, reason: Reason, holds: bool) -> bool:
    """Whether the way begins where facts do, with the member as it is told; an edge or an end may make it so too."""
    if hears(solution.analysis, "on_edge", "on_end"):
        return True
    flow, node = solution.graph.flow, reason.way[0] if solution.forward else reason.way[-1]
    begins = flow.entries if solution.forward else [flow.block_of(one) for one in flow.ends]
    boundary = solution.analysis.boundary(solution.program) or ()
    return node in begins and (member in boundary) is holds


def _makes(solution: Solution, member: Any, reason: Reason, holds: bool) -> bool:
    """Whether the member has the value behind the instruction, in the direction of the analysis."""
    assert reason.instruction is not None
    behind = solution.after if solution.forward else solution.before
    return (member in (behind(reason.instruction) or ())) is holds
