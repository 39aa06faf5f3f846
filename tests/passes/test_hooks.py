"""Hooks: called around every pass that is made, nested; what the shipped ones do."""

from itertools import count

import attrs
import pytest

from statemem.ir import Goto, Program, Set, build
from statemem.passes import Analysis, Derivation, LastUse, Liveness, Manager, Reaching
from statemem.passes.framework import CycleError, PassError
from statemem.passes.framework.hooks import Printing, Timing, Verify


def log():
    return build("session:1/", name="log").block("user").set("x", 1).block("assistant").use("x").open()


class Noting:
    """Takes down the calls."""

    def __init__(self):
        self.calls = []

    def before(self, one, program):
        self.calls.append(f"before {one.name}")

    def after(self, one, result, program):
        self.calls.append(f"after {one.name}")


def test_hooks_are_called_around_every_pass_that_is_made_and_needed_ones_inside():
    noting = Noting()
    manager = Manager(log(), hooks=[noting])
    manager.result(LastUse)
    manager.result(Reaching)
    assert ["before last_use", "before reaching", "after reaching", "after last_use"] == noting.calls


def test_hooks_are_called_in_their_order_with_the_result():
    seen = []

    class Seeing(Noting):
        def after(self, one, result, program):
            seen.append((self, one, result, program))

    hooks, program = [Seeing(), Seeing()], log()
    result = Manager(program, hooks=hooks).result(Liveness)
    assert [(hook, Liveness(), result, program) for hook in hooks] == seen


def test_time_is_told_without_that_of_needed_passes():
    ticks = count()
    timing = Timing(clock=lambda: next(ticks))
    Manager(log(), hooks=[timing]).result(LastUse)
    assert [(Reaching(), 1, 1), (LastUse(), 2, 3)] == [tuple(row) for row in timing.rows]


class Raising(Derivation):
    """Raises."""

    def derive(self, program, manager):
        raise ZeroDivisionError


class Careless(Derivation):
    """Goes on although another pass raised."""

    def derive(self, program, manager):
        with pytest.raises(PassError):
            manager.result(Raising)


@pytest.mark.parametrize("hook", [Timing(), Verify()])
def test_a_pass_that_raised_leaves_the_hooks_in_order(hook):
    manager = Manager(log(), hooks=[hook])
    with pytest.raises(PassError):
        manager.result(Raising)
    manager.result(Careless)
    manager.result(Liveness)
    if isinstance(hook, Timing):
        assert ["careless", "liveness"] == [row.one.name for row in hook.rows]


def test_what_each_pass_found_is_printed():
    printed = []
    Manager(log(), hooks=[Printing(printed.append)]).result(Liveness)
    assert 1 == len(printed)
    assert "goto t2  ;; after liveness = session:1/x" in printed[0]


def test_printing_takes_another_way_to_show():
    printed = []
    hook = Printing(printed.append, lambda one, result, program: f"{one.name} of {program.name}")
    Manager(log(), hooks=[hook]).result(LastUse)
    assert ["reaching of log", "last_use of log"] == printed


class Changing(Derivation):
    """Changes the program, in one way or another."""

    def derive(self, program: Program, manager):
        CHANGES[self.way](program)

    way: str = "goes nowhere"


def _lets_control_go_nowhere(program):
    program.set_terminator(1, Goto("lost"))


def _adds_an_instruction(program):
    block = program.blocks[0]
    program.blocks[0] = attrs.evolve(
        block, instructions=(*block.instructions, Set(target=program.entries[0].cell, value=2))
    )


def _edits_a_value(program):
    program.instructions[0].value["a"] = 2


def _forgets_an_instruction(program):
    program.instructions.pop()


def _loses_a_block(program):
    program.body.pop()


CHANGES = {
    "goes nowhere": _lets_control_go_nowhere,
    "adds": _adds_an_instruction,
    "edits": _edits_a_value,
    "forgets": _forgets_an_instruction,
    "loses": _loses_a_block,
}


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (
            "goes nowhere",
            "it says something else in block t2 assistant\n<input>: error IR001: block 't2' goes to 'lost'",
        ),
        ("adds", "it says something else in block t1 user"),
        ("edits", "it says something else in block t1 user"),
        ("forgets", "its version or the list of its instructions is not what it was"),
        ("loses", "it cannot be read any more (IndexError"),
    ],
)
def test_a_pass_that_changes_the_program_is_named(way, said):
    program = build("session:1/").block("user").set("x", {"a": 1}).block("assistant").use("x").open()
    with pytest.raises(PassError) as caught:
        Manager(program, hooks=[Verify()]).result(Changing(way=way))
    assert str(caught.value).startswith(f"pass 'changing' changed the program, which it may only read: {said}")


def test_the_pass_that_changes_the_program_is_blamed_and_not_the_one_that_needs_it():
    class Above(Derivation):
        """Needs it."""

        needs = (Changing,)

        def derive(self, program, manager):
            return 0

    with pytest.raises(PassError, match="'changing'"):
        Manager(log(), hooks=[Verify()]).result(Above)


def test_passes_that_only_read_pass():
    manager = Manager(log(), hooks=[Verify()])
    assert manager.result(LastUse) is manager.result(LastUse)


def test_passes_in_a_circle_are_told_all_the_same():
    class Round(Analysis):
        """Needs itself."""

    Round.needs = (Round,)
    with pytest.raises(CycleError, match="round -> round"):
        Manager(log(), hooks=[Verify(), Timing()]).result(Round)
