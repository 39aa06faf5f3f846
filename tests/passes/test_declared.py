"""Slips in the class of a pass are told when it is made, or packed for what it is."""

import pytest
from hypothesis import given, settings

from statemem.ir import Block, Cell, Goto, Open, Operand, Program, Set, Use, parse_place
from statemem.passes import Analysis, Direction, LastUse, Liveness, Manager, Reaching, solve
from statemem.passes.framework import CertainCells, Flat, MapOf, Maximum, PassError, Powerset, may, passes
from statemem.passes.testing import SCOPE, check_append, check_least, check_on, graphs, naive_solution, programs


def made(**body):
    return type("Made", (Analysis,), {"__doc__": "A pass.", **body})


def on_read(self, cell, how, state, at):
    yield state.gen(cell)


async def on_write(self, cell, mode, state, at):
    state.gen(cell)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"direction": "forward"}, "Made.direction must be Direction.FORWARD or Direction.BACKWARD"),
        ({"on_writes": lambda self, cell, mode, state, at: None}, "there is no such event, did you mean 'on_write'"),
        ({"on_write": lambda self, cell, state: None}, r"Made.on_write must take \(self, cell, mode, state, at\)"),
        ({"on_read": on_read}, "Made.on_read is a generator or a coroutine"),
        ({"on_write": on_write}, "Made.on_write is a generator or a coroutine"),
        ({"__init__": lambda self: None}, "Made has an __init__; a pass is frozen: annotate its options"),
        ({"needs": Reaching}, "Made.needs must be a tuple of classes"),
        ({"needs": ("reaching",)}, "Made.needs names 'reaching'"),
        ({"facts": Powerset}, r"Made.facts is a class; a lattice is an object: Powerset\(\)"),
        ({"__annotations__": {"names": "list"}, "names": []}, "option 'names' of Made is a list"),
    ],
)
def test_a_slip_is_told(body, told):
    with pytest.raises(TypeError, match=told):
        made(**body)


class Swallows(Analysis):
    """A method that looks at its cell and swallows everything."""

    def on_write(self, cell, mode, state, at):
        try:
            if cell.path[-1].text == "c":
                state.gen(cell)
        except:  # noqa: E722  what a newcomer writes
            pass


class ByType(Analysis):
    """A method that asks for the very type of its cell."""

    def on_write(self, cell, mode, state, at):
        if type(cell) is Cell:
            state.gen(cell)


class ByFormat(Analysis):
    """A method that formats its cell as the tuple it is."""

    def on_write(self, cell, mode, state, at):
        if "'c'" in "%s %s" % cell:  # noqa: UP031  what may be met
            state.gen(cell)


@pytest.mark.parametrize("one", [Swallows, ByType, ByFormat])
@given(programs())
@settings(max_examples=40)
def test_a_method_that_looks_at_its_cell_unseen_is_not_packed(one, program):
    manager = Manager(program)
    solution = manager.solve(one)
    for node, expected in naive_solution(one(), manager).items():
        assert expected == solution.follow(node).state.freeze()


def test_a_method_that_ends_the_process_is_told_by_its_name():
    def leaves(self, cell, mode, state, at):
        raise SystemExit(3)

    program = Program("log", SCOPE)
    program.append(Block("a", instructions=(Set(target=parse_place("x", SCOPE), value=1),)))
    with pytest.raises(PassError, match="pass 'made' raised SystemExit: 3"):
        solve(program, made(on_write=leaves))


def test_facts_that_are_no_sets_are_shown_as_they_are():
    one = made(facts=Maximum())()
    assert ["3"] == one.show(3)
    assert ["anything"] == made(facts=Flat())().show(Flat[int]().join(1, 2))
    assert ["a: {1, 2}"] == made(facts=MapOf(Powerset(), lambda key: frozenset()))().show({"a": frozenset({1, 2})})


@pytest.mark.parametrize("name", sorted(passes()))
def test_a_block_that_nothing_reached_and_then_leads_back_is_taken_in(name):
    x = parse_place("x", SCOPE)
    program = Program("late", SCOPE)
    manager = Manager(program)
    manager.result(passes()[name])
    program.append(Block("b0", instructions=(Set(target=x, value=1),), terminator=Goto("b1")))
    program.append(Block("b1", terminator=Open()))
    program.append(Block("b2", instructions=(Use(operands=((x, None),)),), terminator=Goto("b0")))  # type: ignore[arg-type]
    manager.grow()
    manager.result(passes()[name])
    program.set_terminator(1, Goto("b2"))
    manager.grow()
    assert {0, 1, 2} == set(manager.graph.segments.order)
    assert [[x], [x], []] == [list(fact) for fact in manager.solve(Liveness).block_ends().values()]


def test_a_use_that_names_an_entry_which_comes_later_is_taken_in():
    program = Program("late", SCOPE)
    x = parse_place("x", SCOPE)
    assert isinstance(x, Cell)
    manager = Manager(program)
    program.extend(Block("a", instructions=(Use(operands=(Operand(x, "later"),)),)))
    program.extend(Block("b", instructions=(Set(target=x, value=0),)))
    manager.result(LastUse)
    program.extend(Block("c", instructions=(Set(target=x, value=1, id="later"),)))
    assert manager.grow()
    assert solve(program, LastUse).at_end(2) == manager.solve(LastUse).at_end(2) != {}


ENDS_WITHIN = """program "mid"
task main in session:1/ {
  block t1 user {
    branch t2, t3
  }
  block t2 user {
    open expect c
  }
  block t3 user {
    c = set 4
    open
  }
}
"""


def test_an_end_within_a_segment_is_told_once():
    from statemem.ir.text import parse

    check_on(Liveness, parse(ENDS_WITHIN)[0])


def test_a_path_that_never_ends_is_looked_at_too():
    from statemem.ir.text import parse

    text = 'program "loop"\ntask main in session:1/ {\n  block a user {\n    branch b, c\n  }\n  block b user {\n    end\n  }\n'
    text += "  block c user {\n    maybe a = set 1\n    use a\n    goto c\n  }\n}\n"
    check_on(Liveness, parse(text)[0])


class Written(Analysis):
    """Cells that were written on some path."""

    def on_write(self, cell, mode, state, at):
        state.gen(cell)


class ReadForSure(Analysis):
    """Cells that every path reads before it writes them."""

    direction = Direction.BACKWARD
    facts = CertainCells

    def on_read(self, cell, how, state, at):
        state.gen(cell)

    def on_write(self, cell, mode, state, at):
        state.kill(cell)


@given(graphs())
@settings(max_examples=150)
def test_ends_and_loops_without_end_are_told_apart_of_what_must_hold(program):
    check_least(ReadForSure, program)


class Seen(Analysis):
    """Cells read where a write may have come before: looks up a packed pass while it grows."""

    needs = (may(Written),)

    def on_read(self, cell, how, state, at):
        if cell in at.facts[Written]:
            state.gen(cell)


@given(graphs(most=8))
@settings(max_examples=100)
def test_a_packed_pass_that_is_looked_up_while_it_grows_is_as_from_scratch(program):
    check_append(Seen, program)
