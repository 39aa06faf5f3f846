from hypothesis import given, settings

from statemem.ir import Derive, How, Mode, build, workflow
from statemem.ir.testing import traces, workflows
from statemem.ir.text import dumps
from statemem.passes import Horizon, Liveness, Manager, Needed, solve
from statemem.passes.testing import chains, graphs


def cells(program, block, horizon=None):
    return sorted(str(cell).rpartition("/")[2] for cell in solve(program, Needed, horizon).at_end(block))


class Search:
    """The definition, by search: a cell is needed where its value flows through conclusions into some use."""

    def __init__(self, manager):
        self.manager, self.flow = manager, manager.graph.matched

    def is_needed_behind(self, block, cell):
        """Whether it is under any of the calls that lead to a block."""
        nodes = (one for one in self.flow.copies_of(block) if one in self.manager.graph.segments)
        return any(self.is_needed(node, len(self.flow.executed(node)), cell) for node in nodes)

    def is_needed(self, node, position, cell):
        seen, work = set(), [(node, position, cell)]
        while work:
            current = work.pop()
            if current in seen:
                continue
            seen.add(current)
            step = self.onward(*current)
            if step is None:
                return True
            work.extend(step)
        return False

    def onward(self, node, position, cell):
        """Where a value goes on from before an instruction: None where it is used."""
        numbers = self.flow.executed(node)
        if position == len(numbers):
            return [(following, 0, cell) for following in self.flow.successors[node]]
        number = numbers[position]
        accesses, after = self.manager.accesses, position + 1
        is_read = any(read.place == cell and read.how is How.USED for read in accesses.reads(number))
        concludes = isinstance(self.manager.program.instructions[number], Derive)
        if is_read and not concludes:
            return None
        writes = [write for write in accesses.writes(number) if write.mode is not Mode.END]
        ended = {write.place for write in accesses.writes(number) if write.mode is Mode.END}
        if self.manager.program.instructions[number].maybe:
            ended = set()  # the end of a turn is not told apart from its last instruction, which may not happen
        gone = ended | {write.place for write in writes if self.replaces(write)}
        kept = [] if cell in gone else [cell]
        made = [write.place for write in writes if is_read and write.place not in ended]
        return [(node, after, one) for one in (*kept, *made)]

    def replaces(self, write):
        replacing = write.definite and write.mode in (Mode.REPLACE, Mode.DELETE)
        return replacing and not self.manager.accesses.may_be_outranked(write)


def check_against_search(program):
    manager = Manager(program, Horizon(closed=True))
    search, needed = Search(manager), manager.solve(Needed).block_ends()
    for block, found in needed.items():
        expected = {cell for cell in manager.accesses.places if search.is_needed_behind(block, cell)}
        assert expected == found, f"{dumps(program)}\n{block}"


@given(graphs())
@settings(max_examples=150)
def test_needed_is_what_a_search_of_the_flow_of_values_finds(program):
    check_against_search(program)


@given(traces() | workflows())
@settings(max_examples=100)
def test_so_it_is_through_tasks_calls_and_forks(program):
    check_against_search(program)


@given(graphs() | chains())
def test_what_is_needed_is_live(program):
    manager = Manager(program)
    live = manager.solve(Liveness).block_ends()
    assert all(found <= live[block] for block, found in manager.solve(Needed).block_ends().items())


def test_a_chain_that_nobody_reads_is_dead_as_a_whole():
    program = build().block().set("a", 1).block().derive("b", 2, "a").block().derive("c", 3, "b").end()
    assert [[], [], []] == [cells(program, block) for block in range(3)]
    assert [["a"], ["b"], []] == [sorted(c.path[0].text for c in solve(program, Liveness).at_end(n)) for n in range(3)]


def test_a_chain_that_ends_in_a_reply_is_needed():
    program = build().block().set("a", 1).block().derive("b", 2, "a").block().use("b", purpose="reply").end()
    assert [["a"], ["b"], []] == [cells(program, block) for block in range(3)]


def test_a_counter_that_only_counts_itself_is_dead_in_a_loop():
    program = (
        build().block(name="s").set("n", 0).block(name="l").derive("n", 1, "n").branch("l", "e").block(name="e").end()
    )
    assert [] == cells(program, 0)


def test_a_conclusion_from_the_cell_itself_needs_what_was_there():
    program = build().block().set("n", 0).block().derive("n", 1, "n").block().use("n").end()
    assert [["n"], ["n"], []] == [cells(program, block) for block in range(3)]


def test_one_field_that_is_read_needs_the_premises_of_the_whole():
    program = build().block().set("a", 1).block().derive("o", {"x": 1, "y": 2}, "a").block().use("o.y").end()
    assert ["a"] == cells(program, 0)


def test_a_premise_is_needed_where_the_second_name_of_its_conclusion_is_read():
    program = (
        build().block().set("a", 1).same("o[A]", "o[B]").block().derive("o[A].c", 2, "a").block().use("o[B].c").end()
    )
    assert ["a"] == [text for text in cells(program, 0) if text == "a"]


def test_a_conclusion_that_may_not_be_drawn_needs_both_its_premise_and_what_it_may_replace():
    program = build().block().set("a", 1).set("b", 0).block().derive("b", 2, "a", maybe=True).block().use("b").end()
    assert ["a", "b"] == cells(program, 0)


def test_a_conclusion_of_a_turn_is_dead_behind_it():
    program = build().block(name="t1").set("a", 1).block(name="t2").derive("turn:t2/b", 2, "a").block().use("a").end()
    live = solve(program, Needed)
    assert ["a"] == cells(program, 0)
    only = build().block(name="t1").set("a", 1).block(name="t2").derive("turn:t2/b", 2, "a").end()
    assert frozenset() == solve(only, Needed).at_end(0)
    assert live is not None


def test_what_a_call_returns_needs_its_arguments_only_where_it_is_read():
    def called(ending):
        main = workflow().block().set("size", 42).call("ship", "size", result="label", then="done")
        after = ending(main.block(name="done")).ends()
        return after.task("ship", "size").block().derive("paper", "L-1", "size").returns("paper").program

    read, unread = called(lambda b: b.use("label", purpose="reply")), called(lambda b: b)
    first = read.executed(0).start
    assert (["size"], []) == tuple(
        [c.path[0].text for c in solve(program, Needed).after(first)] for program in (read, unread)
    )


def test_what_a_task_returns_to_nobody_known_is_needed():
    program = workflow().block().set("a", 1).returns("a").program
    number = program.executed(0).start
    assert ["a"] == [cell.path[0].text for cell in solve(program, Needed).after(number)]
    assert frozenset() == solve(program, Needed, Horizon(closed=True)).after(number)


def test_the_open_end_needs_what_it_expects():
    program = build().block().set("a", 1).block().derive("b", 2, "a").open("b")
    assert [["a"], ["b"]] == [cells(program, block) for block in range(2)]


def test_an_effect_is_read_by_the_world():
    program = build().block().set("a", 1).block().derive("b", 2, "a").block().effect("pay", "b").end()
    assert ["a"] == cells(program, 0)
