import pytest
from hypothesis import given, settings

from statemem.ir import Block, ControlFlow, How, Mode, build, parse_cell
from statemem.passes import Analysis, Horizon, Liveness, Manager, NoFact, Observed, Undecided, solve
from statemem.passes.framework import After, Before, BlockEnd, BlockStart, Point
from statemem.passes.testing import graphs


def test_a_cell_is_live_until_its_last_use():
    program = build().block().set("x", 1).block().use("x").block().use("y").program
    live = solve(program, Liveness)
    assert [
        ["session:1/x", "session:1/y"],
        ["session:1/y"],
        [],
    ] == [sorted(map(str, live.at_end(block))) for block in range(3)]


def test_a_fact_can_be_asked_for_at_the_start_of_a_block():
    program = build().block().use("x").set("x", 1).block().use("y").program
    live = solve(program, Liveness)
    assert [["session:1/x", "session:1/y"], ["session:1/y"]] == [sorted(map(str, live.at_start(n))) for n in (0, 1)]


def test_exposure_keeps_nothing_alive():
    program = build().block().set("x", 1).block().use("x", purpose="exposure").program
    assert frozenset() == solve(program, Liveness).at_end(0)


def test_an_append_neither_uses_nor_replaces():
    program = build().block().set("x", 1).block().append("x", 2).block().use("x").program
    assert ["session:1/x"] == list(map(str, solve(program, Liveness).at_end(0)))


def test_a_write_that_may_be_outranked_does_not_end_a_life():
    program = build().block().at(version=2).set("x", 1).block().at(version=1).set("x", 2).block().use("x").program
    assert ["session:1/x"] == list(map(str, solve(program, Liveness).at_end(0)))


def test_the_open_end_expects_what_it_names_and_what_is_pinned():
    program = build().declare("z", pinned=True).block().set("x", 1).set("y", 1).set("z", 1).open("y")
    assert ["session:1/y", "session:1/z"] == sorted(map(str, solve(program, Liveness).at_end(0)))
    assert frozenset() == solve(program, Liveness, Horizon(closed=True)).at_end(0)
    assert {} == solve(program, Observed).at_end(0)


def test_an_open_end_decides_nothing_of_cells_it_does_not_name():
    program = build().block().set("x", 1).set("y", 1).open("y")
    assert ["session:1/x"] == list(map(str, solve(program, Undecided).at_end(0)))
    only = build().block().set("x", 1).set("y", 1).open("y", only=True)
    assert {} == solve(only, Undecided).at_end(0)


def dead_or_alive(program, cell, block, seen=frozenset()):
    """Whether some path from the end of a block uses a cell before it surely replaces it: the definition, by search."""
    manager = Manager(program)
    for following in ControlFlow(program).successors[block]:
        if following in seen:
            continue
        verdict = next(filter(None, (event(manager, number, cell) for number, _ in program.numbered(following))), None)
        if verdict == "used" or (verdict is None and dead_or_alive(program, cell, following, seen | {following})):
            return True
    return False


def event(manager, number, cell):
    accesses = manager.accesses
    if any(read.place == cell and read.how is How.USED for read in accesses.reads(number)):
        return "used"
    for write in accesses.writes(number):
        replaces = write.definite and write.mode in (Mode.REPLACE, Mode.DELETE)
        if write.place == cell and replaces and not accesses.may_be_outranked(write):
            return "replaced"
    return None


@given(graphs(most=5))
@settings(max_examples=150)
def test_liveness_is_what_a_search_of_the_paths_finds(program):
    observed = Manager(program, Horizon(closed=True)).solve(Liveness)
    for block in observed.block_ends():
        live = observed.at_end(block)
        for cell in observed.graph.accesses.places:
            assert dead_or_alive(program, cell, block) == (cell in live)


class EveryPoint(Analysis):
    """Counts instructions, so that the fact differs at every point."""

    from statemem.passes.framework import Maximum

    facts = Maximum()

    def on_read(self, cell, how, state, at):
        """Counts a read."""
        state.value += 1

    def on_write(self, cell, mode, state, at):
        """Counts a write."""
        state.value += 1


def test_the_four_kinds_of_point_are_told_apart():
    program = build().block().set("x", 1).use("x").block().use("x").program
    solution = solve(program, EveryPoint)
    points: list[Point] = [
        BlockStart(0),
        Before(0),
        After(0),
        Before(1),
        After(1),
        BlockEnd(0),
        BlockStart(1),
        After(2),
        BlockEnd(1),
    ]
    assert [0, 0, 1, 1, 2, 2, 2, 3, 3] == [solution.fact(point) for point in points]


def test_backward_facts_at_the_four_kinds_of_point():
    program = build().block().set("x", 1).use("y").block().use("x").program
    live = solve(program, Liveness)
    x, y = (parse_cell(text, program.scope_of(0)) for text in "xy")
    points: list[Point] = [
        *(BlockStart(0), Before(0), After(0), Before(1), After(1), BlockEnd(0), BlockStart(1), BlockEnd(1))
    ]
    assert [{y}, {y}, {x, y}, {x, y}, {x}, {x}, {x}, set()] == [set(live.fact(point)) for point in points]


def test_there_is_no_fact_where_nothing_reaches():
    program = build().block(name="a").set("x", 1).end()
    from statemem.ir import Block

    program.append(Block("lost"))
    with pytest.raises(NoFact, match="cannot be reached"):
        solve(program, Liveness).at_end(1)


def test_a_solution_of_an_older_program_says_so():
    program = build().block().set("x", 1).program
    solution = solve(program, Liveness)
    program.extend(Block("t2"))
    with pytest.raises(NoFact, match="has changed"):
        solution.at_end(0)


def test_facts_that_go_back_and_forth_many_times_settle_all_the_same():
    builder = build()
    for number in range(1100):
        builder.block(name=f"b{number}").use(f"x{number}").branch(f"b{number + 1}", f"b{max(number - 1, 0)}")
    program = builder.block(name="b1100").program
    assert 1100 == len(solve(program, Liveness).at_start(0))
