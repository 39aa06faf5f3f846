"""The checks of one pass on one program; each raises an AssertionError that shows what is broken and the program."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs

from statemem.ir import Fork, Open, Program

from ..framework import Analysis, Derivation, DualPowerset, Estimate, Horizon, Manager, Pass, Powerset, Solution
from ..framework.laws import broken_transfer
from ..framework.transfer import hears
from .collecting import along_paths
from .naive import naive_solution, same
from .reports import fail, instance, said

#: How many facts and pairs of facts are tried at each instruction.
MOST_TRIED = 12


def check_monotone(one: type[Analysis] | Analysis, program: Program, *, seed: int = 0) -> None:
    """More facts in, no fewer out, of every instruction, for pairs of the facts of the solution and of their joins."""
    analysis, manager = _analysis(one), Manager(program)
    solution = manager.solve(analysis)
    draw = random.Random(seed)
    sampled = _sample(analysis, [fact for fact in solution.block_ends().values() if fact is not None], draw)
    broken = broken_transfer(solution, sampled, partial(said, analysis))
    if broken:
        fail(analysis, f"is not {broken[0]}", program)


def _sample(analysis: Analysis, facts: list[Any], draw: random.Random) -> list[Any]:
    """Some of the facts, joins of them, and sets that lack some of their members."""
    chosen = draw.sample(facts, min(len(facts), MOST_TRIED // 2))
    joins = [analysis.facts.join(draw.choice(chosen), draw.choice(chosen)) for _ in chosen]
    parts = [
        frozenset(member for member in fact if draw.random() < 0.5) for fact in joins if isinstance(fact, frozenset)
    ]
    return [*chosen, *joins, *parts][:MOST_TRIED]


def check_least(one: type[Analysis] | Analysis, program: Program, *, horizon: Horizon | None = None) -> None:
    """The solution is a fixpoint, and the least one: that which a naive solver finds that knows nothing of segments."""
    analysis, manager = _analysis(one), Manager(program, horizon)
    if hears(analysis, "on_join") and _has_forks(program):
        return  # the naive solver joins forks as branches; `check_paths` judges these
    solution = manager.solve(analysis)
    ending = _leading_to_ends(solution)
    for node, expected in naive_solution(analysis, manager).items():
        if isinstance(analysis.facts, DualPowerset) and not solution.forward and node not in ending:
            continue  # where no path ends, everything is true, whether a fact names it or not
        found = solution.at_node(node).state.freeze()
        if not same(analysis, expected, found):
            block = program.blocks[solution.graph.matched.block_of(node)].name
            told = f"the naive solver finds {said(analysis, expected)}, the solution is {said(analysis, found)}"
            fail(analysis, f"at block {block!r} {told}", program)


def _leading_to_ends(solution: Solution) -> set[int]:
    """The nodes from which some path comes to an end of the program."""
    flow = solution.graph.matched
    found = set(flow.ends)
    work = list(found)
    for node in work:
        new = [one for one in flow.predecessors[node] if one not in found]
        found.update(new)
        work.extend(new)
    return found


def check_paths(one: type[Analysis] | Analysis, program: Program, *, exact: bool | None = None) -> None:
    """The solution lies at or above what every path of the program comes to; `exact` says that it is their join.

    By default it must be exact where the analysis is distributive for sure, its methods only gen and kill, and no path
    without an end is looked at from behind it. Of a program with too many paths nothing is judged.
    """
    analysis, manager = _analysis(one), Manager(program)
    solution = manager.solve(analysis)
    found = None if hears(analysis, "on_join") and _has_forks(program) else along_paths(analysis, manager)
    if found is None:
        return
    is_distributive = solution.statistics.way == "packed" and (solution.forward or isinstance(analysis.facts, Powerset))
    must_be_exact = is_distributive if exact is None else exact
    for node, facts in found.items():
        fact = solution.at_node(node).state.freeze()
        joined = facts[0]
        for other in facts:
            joined = analysis.facts.join(joined, other)
            if not analysis.facts.leq(other, fact):
                fail(
                    analysis,
                    f"is unsound: some path comes to {_name(solution, node)} with {other}, found {fact}",
                    program,
                )
        if must_be_exact and not analysis.facts.leq(fact, joined):
            told = f"all paths to {_name(solution, node)} give {said(analysis, joined)}, found {said(analysis, fact)}"
            fail(analysis, f"is not exact: {told}", program)


def _name(solution: Solution, node: int) -> str:
    return f"block {solution.program.blocks[solution.graph.matched.block_of(node)].name!r}"


def check_append(one: type[Pass] | Pass, program: Program, *, horizon: Horizon | None = None) -> None:
    """After each block that is appended, the results carried on equal those made from scratch.

    The program is grown twice: as the log it may be, each block behind the one before it, and block by block with the
    terminators it has.
    """
    for grow in (_as_log, _as_it_is):
        wanted = instance(one)
        grown = _empty(program)
        manager = Manager(grown, horizon)
        held = manager.result(wanted)
        for _ in grow(grown, program):
            manager.grow()
            _check_held(held, manager, wanted, grown)
            held = manager.result(wanted)
            carried, scratch = _told(wanted, manager), _told(wanted, Manager(grown, horizon))
            if carried != scratch:
                fail(wanted, f"appending gives {carried}, from scratch it is {scratch}", grown)


def _check_held(held: Any, manager: Manager, one: Pass, program: Program) -> None:
    """A solution that somebody holds on to is carried on, or says that it is of another version."""
    if isinstance(held, Solution) and held.version == program.version and held is not manager.result(one):
        fail(one, "a solution that was not carried on says that it is of the grown program", program)


def _empty(program: Program) -> Program:
    """A program that says nothing yet but what another declares."""
    empty = Program(program.name, next(iter(program.tasks.values())).scope)
    for scope, parent in program.scopes.items():
        empty.add_scope(scope, parent)
    for declaration in program.declarations:
        empty.declare(declaration)
    for requirement in program.requirements:
        empty.declare(requirement)
    return empty


def _as_log(grown: Program, program: Program) -> Iterator[int]:
    if program.is_trace:
        for block in program.blocks:
            yield grown.extend(attrs.evolve(block, terminator=Open()))


def _as_it_is(grown: Program, program: Program) -> Iterator[int]:
    if program.is_trace:
        for block in program.blocks:
            yield grown.append(block)


def _told(one: Pass, manager: Manager) -> Any:
    """What a pass found, in a form that can be compared."""
    result = manager.result(one)
    if not isinstance(result, Solution):
        return one.show(result, manager.program) if isinstance(one, (Derivation, Estimate)) else result
    return {block: result.analysis.show(fact) for block, fact in result.block_ends().items()}


def check_deterministic(one: type[Pass] | Pass, program: Program) -> None:
    """Made twice, a result is the same, and the program is as it was."""
    wanted, said = instance(one), program.said()
    first, second = _told(wanted, Manager(program)), _told(wanted, Manager(program))
    if first != second:
        fail(wanted, f"finds {first}, and made again {second}", program)
    if program.said() != said:
        fail(wanted, "changes the program", program)


def _analysis(one: type[Analysis] | Analysis) -> Analysis:
    found = instance(one)
    assert isinstance(found, Analysis), f"{found.name} is no analysis"
    return found


def _has_forks(program: Program) -> bool:
    return any(isinstance(block.terminator, Fork) for block in program.blocks)
