"""All checks that apply to a pass, on generated programs."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as use_seed

from statemem.ir import Program

from ..framework import Analysis, Estimate, Manager, Pass, PassError
from .checks import check_append, check_deterministic, check_least, check_monotone, check_paths
from .estimates import check_estimate
from .joins import check_joins
from .laws import check_laws
from .needs import check_needs
from .programs import programs
from .reports import fail, instance
from .witnesses import check_witness

#: How many facts of a program the laws are tried on.
MOST_FACTS = 6


def check_pass(one: type[Pass] | Pass, *, examples: int = 100, seed: int | None = None) -> None:
    """Puts a pass through all checks that apply, on as many generated programs.

    Programs are lines, branches, loops with one way in and several, blocks that nothing reaches, endless loops, forks,
    calls, wildcards, effects, references, united entities, dated and versioned definitions, what may not happen, and
    empty ones. Raises an AssertionError that names the pass, what is broken, and the smallest program that was found to
    show it.
    """
    wanted = instance(one)

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=seed is None,
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
    )
    @given(programs())
    def checked(program: Program) -> None:
        check_on(wanted, program)

    seeded = checked if seed is None else use_seed(seed)(checked)
    seeded()


def check_on(one: type[Pass] | Pass, program: Program) -> None:
    """All checks that apply to a pass, on one program."""
    wanted = instance(one)
    try:
        check_deterministic(wanted, program)
        check_append(wanted, program)
        if isinstance(wanted, Analysis):
            _check_analysis(wanted, program)
        if isinstance(wanted, Estimate):
            check_estimate(wanted, program)
    except PassError as error:
        fail(wanted, str(error).removeprefix(f"pass {wanted.name!r} "), program)


def _check_analysis(one: Analysis, program: Program) -> None:
    ends = Manager(program).solve(one).block_ends()
    try:
        check_laws(one.facts, list(ends.values())[:MOST_FACTS])
    except AssertionError as error:
        fail(one, str(error), program)
    check_monotone(one, program)
    check_needs(one, program)
    check_joins(one, program)
    check_least(one, program)
    check_paths(one, program)
    check_witness(one, program)
