import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Arm, Block, Branch, End, Goto, Program
from statemem.passes import Manager
from statemem.passes.framework import Equation, Estimate, PassError
from statemem.passes.framework.estimate import solved
from statemem.passes.testing import SCOPE, check_estimate, check_pass
from statemem.passes.testing.estimates import dense


class Visits(Estimate):
    """How often control is expected to come to each block, each step discounted; branches by their counts."""

    discount: float = 0.9

    def equations(self, program, manager):
        found = {number: Equation(float(number == 0), {}) for number in range(len(program.blocks))}
        terms: dict[int, dict[int, float]] = {number: {} for number in found}
        for number, following in enumerate(manager.graph.flow.successors[: len(program.blocks)]):
            for target in following:
                sources = manager.graph.flow.predecessors[target]
                terms[target][number] = self.discount / max(len(sources), len(following))
        return {number: Equation(one.constant, terms[number]) for number, one in found.items()}

    def bounds(self, unknown):
        return 0, 1 / (1 - self.discount)


def loop():
    program = Program("loop", SCOPE)
    program.append(Block("a", terminator=Goto("b")))
    program.append(Block("b", terminator=Branch((Arm("a"), Arm("c")))))
    program.append(Block("c", terminator=End()))
    return program


def test_an_estimate_is_solved_to_within_its_tolerance():
    check_estimate(Visits, loop())
    assert 3 == len(Manager(loop()).result(Visits))


def test_an_estimate_goes_through_the_kit():
    check_pass(Visits, examples=20)


def test_options_make_another_estimate():
    near, far = (Manager(loop()).result(Visits(discount=discount)) for discount in (0.1, 0.9))
    assert near[2] < far[2]


class Outside(Visits):
    """The same, with bounds that it breaks."""

    def bounds(self, unknown):
        return 0, 0.5


def test_bounds_that_are_broken_are_found():
    with pytest.raises(AssertionError, match=r"0 is .*, which is not between 0 and 0\.5"):
        check_estimate(Outside, loop())


class Endless(Estimate):
    """Equations without a discount."""

    def equations(self, program, manager):
        return {"x": Equation(1, {"x": 1.0})}


def test_equations_without_one_solution_are_refused():
    with pytest.raises(PassError, match="pass 'endless': coefficients sum up to 1"):
        Manager(loop()).result(Endless)


def test_an_unknown_without_equation_is_named():
    with pytest.raises(PassError, match="no equation determines y"):
        solved({"x": Equation(1, {"y": 0.5})}, 1e-9, "lost")


@given(st.data())
def test_sweeps_and_elimination_agree(data):
    count = data.draw(st.integers(1, 6))
    coefficient = st.floats(-0.9 / count, 0.9 / count)
    equations = {
        number: Equation(data.draw(st.floats(-10, 10)), {other: data.draw(coefficient) for other in range(count)})
        for number in range(count)
    }
    exact, found = dense(equations), solved(equations, 1e-9, "drawn")
    assert all(abs(float(exact[number]) - found[number]) <= 2e-9 for number in range(count))
