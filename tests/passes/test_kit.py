"""The kit: what it holds to be right is right, and what is broken it finds and shows small."""

from typing import ClassVar

import pytest

from statemem.ir import Program, build
from statemem.passes import Analysis, Direction, Manager, Reaching, solve
from statemem.passes.framework import Boxed, DualPowerset, PassError, Powerset, may, must, passes
from statemem.passes.framework.points import BlockEnd, BlockStart
from statemem.passes.framework.witness import GaveUp, Witness, witness
from statemem.passes.testing import (
    SCOPE,
    check_laws,
    check_least,
    check_monotone,
    check_on,
    check_pass,
    check_paths,
    naive_solution,
    paths,
)

from .written import Written, WrittenForSure

REGISTERED = sorted(passes())


@pytest.mark.parametrize("name", REGISTERED)
def test_every_registered_pass_holds_all_checks(name):
    check_pass(passes()[name], examples=50)


@pytest.mark.parametrize("name", REGISTERED)
def test_the_empty_program_is_one(name):
    check_on(passes()[name], Program("empty", SCOPE))


class ReadForSure(Analysis):
    """Cells that every path reads before it writes them."""

    direction = Direction.BACKWARD
    facts = DualPowerset()

    def on_read(self, cell, how, state, at):
        state.gen(cell)

    def on_write(self, cell, mode, state, at):
        state.kill(cell)


class ByTransfer(Analysis):
    """Cells that were written on some path, told instruction by instruction."""

    def transfer(self, instruction, state, at):
        assert at.number is not None
        for write in at.accesses.writes(at.number):
            state.gen(write.place)


class Along(Analysis):
    """The edges that control may have gone along."""

    facts = Powerset()

    def on_edge(self, source, target, state, at):
        state.gen((source, target))


class Behind(Along):
    """The edges that control may yet go along."""

    direction = Direction.BACKWARD


class Seen(Analysis):
    """Cells of which one was seen to be written before: its facts read themselves."""

    def on_write(self, cell, mode, state, at):
        if len(state):
            state.gen(cell)
        state.gen("any")


@pytest.mark.parametrize("one", [Written, WrittenForSure, ReadForSure, ByTransfer, Along, Behind, Seen])
def test_passes_of_every_kind_hold_all_checks(one):
    check_pass(one, examples=40)


def test_sets_are_packed_and_the_rest_says_why_not():
    program = build().block().set("x", 1).use("x").open()
    found = {one.name: solve(program, one).statistics for one in (Written, ReadForSure, ByTransfer, Along, Seen)}
    assert {
        "written": ("packed", ""),
        "read_for_sure": ("packed", ""),
        "by_transfer": ("general", "it gives a transfer of its own"),
        "along": ("general", "its facts change along edges"),
        "seen": ("general", "a method reads its state"),
    } == {name: (one.way, one.reason) for name, one in found.items()}


class Named(Analysis):
    """Cells of which a read named the entry that it saw."""

    def on_read(self, cell, how, state, at):
        if at.was:
            state.gen(cell)


def test_what_a_method_looks_at_is_what_happens_there():
    program = build().block().set("x", 1, id="e1").block().use("x", was="e1").block().use("x").open()
    solution = solve(program, Named)
    assert ("general", "a method looks at .was") == (solution.statistics.way, solution.statistics.reason)
    assert [0, 1, 1] == [len(solution.at_end(block)) for block in range(3)]
    check_on(Named, program)


class Flips(Analysis):
    """A pass that is not monotone: what was in goes out."""

    def on_write(self, cell, mode, state, at):
        if cell in state:
            state.kill(cell)
        else:
            state.gen(cell)


def test_a_pass_that_is_not_monotone_is_found_with_a_small_program():
    with pytest.raises(AssertionError, match="pass 'flips': is not monotone") as found:
        check_pass(Flips, examples=200)
    assert 1 == str(found.value).count(" = "), "one instruction shows it"


class Unlike:
    """A lattice whose join takes the left."""

    bottom = frozenset()

    def join(self, left, right):
        return left or right

    def leq(self, left, right):
        return left <= right

    def open(self, fact):
        return Boxed(fact, self.join)


class Unlawful(Analysis):
    """A pass whose lattice is none."""

    facts = Unlike()

    def on_write(self, cell, mode, state, at):
        state.value = state.value | {at.number}


def test_a_lattice_that_breaks_a_law_is_found_and_the_law_is_named():
    with pytest.raises(AssertionError, match="a law of lattices is broken; commutative"):
        check_laws(Unlike(), [frozenset(), frozenset("a"), frozenset("b")])
    with pytest.raises(AssertionError, match=r"a law of lattices is broken|pass 'unlawful'"):
        check_pass(Unlawful, examples=200)


class Unproved(Analysis):
    """Cells used where nothing is in force: what is needed takes away, and is said to add."""

    needs = (may(Reaching),)

    def on_read(self, cell, how, state, at):
        if all(one.is_tombstone for one in at.facts[Reaching][cell]):
            state.gen(cell)


def test_a_need_that_works_the_other_way_is_found():
    with pytest.raises(AssertionError, match="does not work as its may need says"):
        check_pass(Unproved, examples=300)


class Forgetful(Analysis):
    """The same, and the need is forgotten."""

    def on_read(self, cell, how, state, at):
        if all(one.is_tombstone for one in at.facts[Reaching][cell]):
            state.gen(cell)


def test_a_need_that_is_forgotten_is_told_by_name():
    program = build().block().use("x").open()
    with pytest.raises(PassError, match="pass 'forgetful' looks at the facts of Reaching, which it does not need"):
        solve(program, Forgetful)


class Proved(Unproved):
    """The same, said as it is."""

    needs = (must(Reaching),)


def test_a_need_that_works_as_it_says_holds():
    check_pass(Proved, examples=40)


class LastArm(Analysis):
    """Cells written, where of the arms of a fork the last one is believed."""

    def on_write(self, cell, mode, state, at):
        state.gen(cell)

    def on_join(self, before, arms, at):
        return arms[-1]


def test_a_join_that_believes_one_arm_is_found():
    with pytest.raises(AssertionError, match="pass 'last_arm': on_join tells the arms"):
        check_pass(LastArm, examples=20)


class Moody(Analysis):
    """A pass that finds something else each time."""

    counted: ClassVar = [0]

    def on_write(self, cell, mode, state, at):
        self.counted[0] += 1
        state.gen(self.counted[0])


def test_a_pass_that_finds_something_else_each_time_is_found():
    with pytest.raises(AssertionError, match="pass 'moody': finds"):
        check_pass(Moody, examples=50)


class Correlated(Analysis):
    """Whether both of two cells are in, which a join of sets cannot tell from one each: not distributive."""

    def on_write(self, cell, mode, state, at):
        if "first" in state and "second" in state:
            state.gen("both")
        state.gen("first" if at.step % 2 else "second")


def test_a_pass_that_is_not_distributive_is_sound_and_not_exact():
    program = diamond()
    check_paths(Correlated, program)
    with pytest.raises(AssertionError, match="pass 'correlated': is not exact"):
        check_paths(Correlated, program, exact=True)


def diamond():
    """Two arms that each write, and a write behind their join."""
    from statemem.ir import Arm, Block, Branch, Goto, Open, Set, parse_cell

    x = parse_cell("x", SCOPE)
    program = Program("diamond", SCOPE)
    wrote = (Set(target=x, value=1),)
    program.append(Block("a", terminator=Branch((Arm("b"), Arm("c")))))
    program.append(Block("b", step=1, instructions=wrote, terminator=Goto("d")))
    program.append(Block("c", step=2, instructions=wrote, terminator=Goto("d")))
    program.append(Block("d", step=3, instructions=wrote, terminator=Goto("e")))
    program.append(Block("e", step=4, terminator=Open()))
    return program


def test_a_solution_that_is_not_the_least_is_found(monkeypatch):
    program = diamond()
    check_least(Written, program)
    monkeypatch.setattr("statemem.passes.framework.bits.Bits.passing", lambda self, place: None)
    with pytest.raises(AssertionError, match="the naive solver finds"):
        check_least(Written, program)


def test_the_naive_solver_finds_what_a_reader_would():
    program = build().block().set("x", 1).block().delete("x").open()
    found = naive_solution(Written(), Manager(program))
    assert [[], ["session:1/x"]] == [sorted(map(str, found[node])) for node in (0, 1)]


def reasons(found):
    assert isinstance(found, Witness)
    return [(one.instruction, one.way) for one in found.reasons]


def covers(found):
    assert isinstance(found, Witness)
    return found.covers


def test_a_witness_gives_up_within_its_budget():
    program = build().block().set("x", 1).block().block().block().open()
    solution = solve(program, Written)
    member = program.entries[0].cell
    assert GaveUp(member, 2) == witness(solution, member, BlockEnd(3), budget=2)
    found = solution.why(member, BlockEnd(3))
    assert [(0, (0, 1, 2, 3))] == reasons(found)


def test_what_is_not_there_has_a_witness_too():
    program = build().block().set("x", 1).block().delete("x").block().open()
    solution = solve(program, Written)
    member = program.entries[0].cell
    assert solution.why(member, BlockEnd(2)) is None
    found = solution.why_not(member, BlockEnd(2))
    assert (True, [(1, (1, 2))]) == (covers(found), reasons(found))


def test_facts_that_must_hold_are_proved_by_all_their_makers():
    program = diamond()
    solution = solve(program, WrittenForSure)
    member = program.entries[0].cell
    found = solution.why(member, BlockEnd(2))
    assert [(1, (2,))] == reasons(found)
    join = solution.why(member, BlockEnd(3))
    assert [(2, (3,))] == reasons(join)
    start = solution.why(member, BlockStart(3))
    assert [(0, (1, 3)), (1, (2, 3))] == reasons(start)


def test_monotony_is_tried_on_the_facts_of_the_program_itself():
    check_monotone(Written, diamond())


def test_a_fork_within_an_arm_is_gone_through_by_all_its_arms():
    program = (
        build().fork("a", "b", join="j").block(name="a").fork("c", "d", join="i")
        .block(name="c").goto("i").block(name="d").goto("i").block(name="i").goto("j")
        .block(name="b").goto("j").block(name="j").open()
    )  # fmt: skip
    joined = program.block_named("j")
    named = [[program.blocks[one].name for one in path] for path in paths(program) if joined in path]
    assert [[program.blocks[0].name, "a", "c", "d", "i", "b", "j"]] == named
