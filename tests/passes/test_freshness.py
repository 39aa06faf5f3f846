from itertools import pairwise
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem import analyze
from statemem.ir import ControlFlow, build, workflow
from statemem.ir.diagnostics import UsageError
from statemem.ir.flow.routes import path_to
from statemem.ir.rewriting.attach import attach
from statemem.ir.rewriting.edits import retract
from statemem.ir.testing import traces, workflows
from statemem.ir.text import dumps
from statemem.ir.values import UNKNOWN
from statemem.passes import Freshness, Manager, fresh_at, solve, stale, stale_without
from statemem.passes.endings import How
from statemem.passes.framework import BlockEnd, NoFact
from statemem.passes.premises.support import Support
from statemem.passes.testing import chains, check_laws, forked, graphs, paths
from statemem.passes.testing.states import decided

from .stepping import stepped


def shown(program, block=None):
    return Freshness().show(solve(program, Freshness).at_end(program.current_end if block is None else block))


def found(program, *withdrawn):
    """The stale conclusions in force at the end, each with its chain of premises."""
    manager, end = Manager(program), BlockEnd(program.current_end)
    told = stale_without(manager, end, *withdrawn) if withdrawn else stale(manager, end)
    return {one.entry.id: [entry.id for entry in one.chain[1:]] for one in told}


def fresh(program, block):
    return Support(solve(program, Freshness).at_end(block)).fresh


# against stepping along paths


def check_along(program, ways):
    """What is said to be fresh is so along every path on which it is made."""
    known = {}
    for path in ways:
        for one in decided(program):
            state = stepped(one, path)
            if path[-1] not in known:
                known[path[-1]] = fresh(program, path[-1])
            wrong = (known[path[-1]] & state.read.keys()) - state.fresh()
            assert not wrong, f"{dumps(one)}\n{path} {wrong}"


@given(graphs())
@settings(max_examples=60)
def test_what_is_fresh_is_so_along_every_path(program):
    check_along(program, paths(program, most=40))


@given(workflows())
@settings(max_examples=50)
def test_so_it_is_through_calls(program):
    check_along(program, paths(program, most=40))


@given(st.one_of(traces(), forked()))
@settings(max_examples=60)
def test_so_it_is_behind_forks(program):
    flow = ControlFlow(program)
    check_along(program, [path_to(program, flow, block) for block in flow.order])


def is_plain(program):
    accesses = Manager(program).accesses
    return all(write.definite for number in range(len(program.instructions)) for write in accesses.writes(number))


@given(chains(names=False, ranked=False))
@settings(max_examples=100)
def test_on_a_chain_nothing_that_is_fresh_is_called_stale(program):
    for one in filter(is_plain, decided(program)):
        assert stepped(one, range(len(one.blocks))).fresh() == fresh(one, one.current_end), dumps(one)


@given(chains(names=False, ranked=False))
@settings(max_examples=100)
def test_the_laws_of_the_lattice_hold(program):
    check_laws(Freshness.facts, list(solve(program, Freshness).block_ends().values())[:5])


# planted answers


@attrs.define
class Fact:
    """A fact of a planted program: how it may be named, who sees it, its sources by the facts these rest on."""

    names: list[Any]
    seen_in: str
    sources: dict[Any, Any]
    value: int = 0


class Planting:
    """Writes a program of cascades and keeps book of what must be stale in the end."""

    def __init__(self, draw):
        self.draw = draw
        self.one = build("session:1/", name="one", parent="user:7/").scope("user:7/")
        self.two = build("session:2/", name="two", parent="user:7/").scope("user:7/")
        self.facts = []
        self.changed = set()
        self.count = 0

    def pick(self, *what):
        return self.draw(st.sampled_from(what))

    def id(self):
        self.count += 1
        return f"p{self.count}"

    def roots(self):
        for number in range(self.draw(st.integers(1, 4))):
            names, entry, kind = [f"user:7/r{number}"], self.id(), self.pick("plain", "same", "reference")
            if kind == "plain":
                self.one.block().set(names[0], 1, id=entry)
            else:
                names = [f'user:7/a["{number}"].c', f'user:7/b["{number}"].c']
                self.one.block().set(names[0], 1, id=entry)
                if kind == "same":
                    self.one.same(f'user:7/a["{number}"]', f'user:7/b["{number}"]')
                else:
                    self.one.bind(f"it{number}", f'user:7/a["{number}"]')
                    names = [names[0], f"@it{number}.c"]
            self.facts.append(Fact(names, "user", {entry: ()}))
            if self.draw(st.booleans()):
                self.facts[-1].sources[self.add_source(self.one, names, ())] = ()

    def add_source(self, builder, names, premises, value=1):
        entry = self.id()
        read = [self.pick(*self.facts[one].names) for one in premises]
        target = names[0]
        builder.block()
        builder.derive(target, value, *read, id=entry) if premises else builder.set(target, value, id=entry)
        return entry

    def conclude(self, builder, session):
        seen = [number for number, fact in enumerate(self.facts) if self.is_seen(fact, session)]
        for _ in range(self.draw(st.integers(0, 4)) if seen else 0):
            premises = tuple(dict.fromkeys(self.draw(st.lists(st.sampled_from(seen), min_size=1, max_size=3))))
            scope = self.pick("user:7/", session)
            name = f"{scope}c{self.count}"
            fact = Fact([name], "user" if scope == "user:7/" else session, {})
            fact.sources[self.add_source(builder, fact.names, premises)] = premises
            if self.draw(st.booleans()):  # drawn once more, from other premises
                others = tuple(dict.fromkeys(self.draw(st.lists(st.sampled_from(seen), min_size=1, max_size=2))))
                fact.sources[self.add_source(builder, fact.names, others)] = others
            self.facts.append(fact)
            seen.append(len(self.facts) - 1)

    def is_seen(self, fact, session):
        return fact.seen_in in ("user", session) and (session == "session:1/" or not fact.names[-1].startswith("@"))

    def through_a_task(self):
        """A conclusion of a task from a root, and one of the user's from that; the task is left, ended or not."""
        root, inner, outer = self.draw(st.integers(0, len(self.facts) - 1)), self.id(), self.id()
        self.one.block().enter("f1")
        self.one.block(task="f1").derive("line", 1, self.pick(*self.facts[root].names), id=inner)
        self.facts.append(Fact([], "task", {inner: (root,)}))
        self.one.block(task="f1").derive("user:7/outer", 1, "line", id=outer)
        self.facts.append(Fact(["user:7/outer"], "user", {outer: (len(self.facts) - 1,)}))
        ended = self.draw(st.booleans())
        self.one.block().leave("f1", ended=ended)
        return {inner} if ended else set()

    def change(self):
        for number, fact in enumerate(self.facts):
            if () in fact.sources.values():
                how = self.pick("replace", "delete", "confirm", "nothing", "nothing")
                name = next(one for one in fact.names if not one.startswith("@"))
                if how == "replace":
                    self.two.block().set(name, 2, id=self.id())
                elif how == "delete":
                    self.two.block().delete(name, id=self.id())
                elif how == "confirm":
                    fact.sources[self.add_source(self.two, [name], ())] = ()
                if how in ("replace", "delete"):
                    self.changed.add(number)

    def is_supported(self, number, without=()):
        if number in self.changed:
            return False
        sources = {entry: premises for entry, premises in self.facts[number].sources.items() if entry not in without}
        return any(all(self.is_supported(one, without) for one in premises) for premises in sources.values())

    def stale(self, without=()):
        return {
            entry
            for fact in self.facts
            for entry, premises in fact.sources.items()
            if premises and not all(self.is_supported(one, without) for one in premises)
        }


@st.composite
def planted(draw):
    planting = Planting(draw)
    planting.roots()
    planting.conclude(planting.one, "session:1/")
    ended = planting.through_a_task() if draw(st.booleans()) else set()
    planting.conclude(planting.two.block(), "session:2/")
    planting.change()
    program = attach([planting.one.program, planting.two.program], "both")
    return planting, program, ended


@given(planted())
@settings(max_examples=80, deadline=None)
def test_planted_stale_conclusions_are_all_found_and_none_is_invented(case):
    planting, program, ended = case
    assert planting.stale() - ended == found(program).keys(), dumps(program)


@given(planted())
@settings(max_examples=50, deadline=None)
def test_a_chain_leads_through_premises_to_a_root_that_changed(case):
    planting, program, _ = case
    made = {entry: fact for fact in planting.facts for entry in fact.sources}
    roots = {entry for number in planting.changed for entry in planting.facts[number].sources}
    for one in stale(Manager(program), BlockEnd(program.current_end)):
        ids = [entry.id for entry in one.chain]
        for conclusion, premise in pairwise(ids):
            premises = made[conclusion].sources[conclusion]
            assert premise in {entry for number in premises for entry in planting.facts[number].sources}
        assert ids[-1] in roots
        assert one.ended is not None
        assert one.ended.how in (How.REPLACED, How.DELETED)
        assert one.surely


@given(planted(), st.data())
@settings(max_examples=80, deadline=None)
def test_what_would_be_stale_without_a_root_is_told_before_that_is_retracted(case, data):
    planting, program, ended = case
    entry = data.draw(st.sampled_from([one for fact in planting.facts for one in fact.sources]))
    assert planting.stale(without={entry}) - ended - {entry} == found(program, entry).keys() - {entry}, dumps(program)


@given(planted(), st.data())
@settings(max_examples=60, deadline=None)
def test_where_the_change_is_retracted_what_rests_on_the_root_is_fresh_again(case, data):
    planting, program, ended = case
    changes = {one.id: one for one in program.entries if one.id.startswith("p") and one.value == 2}
    if changes:
        one = changes[data.draw(st.sampled_from(sorted(changes)))]
        planting.changed -= {number for number, fact in enumerate(planting.facts) if str(one.cell) in fact.names}
        retract(program, one.id)
        assert planting.stale() - ended == found(program).keys(), dumps(program)


@pytest.mark.parametrize("depth", [1, 2, 40])
@pytest.mark.parametrize("width", [1, 30])
def test_a_cascade_of_any_depth_and_width_is_found_down_to_its_root(depth, width):
    builder = build().set("c0", 1, id="root")
    for level in range(1, depth + 1):
        builder.block().derive(f"c{level}", level, f"c{level - 1}", id=f"d{level}")
    for number in range(width):
        builder.block().derive(f"w{number}", number, f"c{depth}", id=f"w{number}")
    program = builder.block().set("c0", 2).program
    told = found(program)
    assert depth + width == len(told)
    assert [f"d{level}" for level in range(depth, 0, -1)] + ["root"] == told["w0"]


# what is a change


def test_a_conclusion_is_stale_when_its_premise_is_replaced_by_another_value():
    program = build().set("size", 42).derive("box", "M", "size").set("size", 46).program
    assert ["e2 stale by e3"] == shown(program)
    assert {"e2": ["e1"]} == found(program)


def test_it_stays_fresh_when_its_premise_is_confirmed():
    assert ["e2 fresh"] == shown(build().set("size", 42).derive("box", "M", "size").set("size", 42.0).program)


def test_it_stays_stale_when_the_old_value_is_stated_again():
    program = build().set("a", 1).derive("b", 1, "a").set("a", 2).set("a", 1).program
    assert ["e2 stale by e3"] == shown(program)


def test_an_unknown_value_equals_nothing():
    program = build().set("a", UNKNOWN).derive("b", 1, "a").set("a", UNKNOWN).program
    assert ["e2 stale by e3"] == shown(program)


def test_one_more_element_is_no_change():
    program = build().set("notes", "a").append("notes", "b").derive("sum", 1, "notes").append("notes", "c").program
    assert ["e3 fresh"] == shown(program)


def test_a_list_that_is_replaced_is_one():
    program = build().append("notes", "a").derive("sum", 1, "notes").set("notes", "b").program
    assert ["e2 stale by e3"] == shown(program)


def test_a_field_that_a_whole_object_lacks_is_one():
    program = build().set("o", {"x": 1, "y": 2}).derive("s", 1, "o.x").set("o", {"y": 2}).program
    (one,) = stale(Manager(program), BlockEnd(0))
    assert one.ended is not None
    assert (How.LACKING, ["e2", "e1/x"]) == (one.ended.how, [entry.id for entry in one.chain])
    assert ["e2 fresh"] == shown(build().set("o", {"x": 1, "y": 2}).derive("s", 1, "o.y").set("o", {"y": 2}).program)


def test_the_end_of_a_scope_is_none_but_what_the_ended_one_rested_on_still_counts():
    def ended(change):
        builder = build(parent="user:7/").scope("user:7/").set("user:7/r", 1).enter("f1").block(task="f1")
        builder.derive("line", 1, "user:7/r").derive("user:7/c", 1, "line").block().leave("f1", ended=True)
        return change(builder).program

    assert {} == found(ended(lambda builder: builder))
    assert {"e3": ["e2", "e1"]} == found(ended(lambda builder: builder.set("user:7/r", 2)))


def test_its_own_write_is_no_change_and_neither_is_what_a_rolling_summary_replaced_before():
    builder = build().set("note", "a").derive("summary", 1, "note")
    for number in range(2, 5):
        builder.block().append("note", str(number)).derive("summary", number, "summary", "note")
    assert {} == found(builder.program)
    assert ["e2 fresh", "e4 fresh", "e6 fresh", "e8 fresh"] == shown(builder.program)


def test_a_rolling_summary_is_stale_when_an_early_note_is_replaced():
    program = (
        build().set("n1", "a").derive("s", 1, "n1").set("n2", "b").derive("s", 2, "s", "n2").set("n1", "c").program
    )
    assert {"e4": ["e2", "e1"]} == found(program)


def test_a_conclusion_elsewhere_from_an_older_summary_is_stale():
    program = build().set("n", 1).derive("s", 1, "n").derive("other", 1, "s").derive("s", 2, "s", "n").program
    assert {"e3": ["e2"]} == found(program)


def test_what_rolls_over_several_cells_is_fresh_and_the_rest_of_what_it_rests_on_counts():
    builder = build().set("r", 0).set("plan", 0).set("sum", 0)
    builder.derive("plan", 1, "sum", "r").derive("sum", 1, "plan").derive("plan", 2, "sum").derive("sum", 2, "plan")
    assert {"e6": ["e5"]} == found(builder.program)
    assert {"e6", "e7"} == found(builder.set("r", 1).program).keys()


# support


def test_of_two_conclusions_of_one_value_one_is_enough():
    builder = build().set("a", 1).set("b", 1).derive("c", 1, "a").derive("c", 1, "b").derive("d", 1, "c").set("a", 2)
    assert ["e3 stale by e6", "e4 fresh", "e5 fresh"] == shown(builder.program)
    assert {"e3", "e4", "e5"} == found(builder.set("b", 2).program).keys()


def test_every_fact_that_was_read_is_needed():
    assert {"e3": ["e2"]} == found(build().set("a", 1).set("b", 1).derive("c", 1, "a", "b").set("b", 2).program)


def test_a_premise_that_is_concluded_anew_with_its_value_supports_again():
    builder = build().set("size", 42).derive("box", "M", "size").derive("price", 9, "box").set("size", 43)
    assert {"e2", "e3"} == found(builder.program).keys()
    assert ["e2 stale by e4", "e3 fresh", "e5 fresh"] == shown(builder.derive("box", "M", "size").program)


def test_two_conclusions_do_not_support_each_other():
    program = build().set("r", 1).derive("m", 1, "r").derive("t", 1, "m").set("r", 2).derive("m", 1, "t").program
    assert {"e2", "e3", "e5"} == found(program).keys()


def test_what_is_drawn_from_a_stale_conclusion_is_stale_from_the_first():
    program = build().set("r", 1).derive("m", 1, "r").set("r", 2).derive("t", 1, "m").program
    assert {"e2": ["e1"], "e4": ["e2", "e1"]} == found(program)


def test_what_read_an_entry_that_was_replaced_is_stale_from_the_first():
    program = build().set("a", 1, id="e1").set("a", 2).derive("b", 1, ("a", "e1")).program
    assert {"e3": ["e1"]} == found(program)
    assert ["e3 fresh"] == shown(build().set("a", 1, id="e1").set("a", 1).derive("b", 1, ("a", "e1")).program)


def test_so_is_what_read_an_outranked_one_and_what_comes_late_is_no_change():
    def late():
        return (
            build().at(version=2).set("a", 2, id="new").derive("b", 1, "a", id="b").at(version=1).set("a", 1, id="old")
        )

    assert ["b fresh"] == shown(late().program)
    assert ["b fresh", "c stale by new"] == shown(late().derive("c", 1, ("a", "old"), id="c").program)


def test_a_second_source_under_another_name_supports_too():
    builder = build().set("r", 1).set("q", 1).derive("o[A].c", 1, "r").derive("o[B].c", 1, "q").same("o[A]", "o[B]")
    builder.derive("d", 1, "o[A].c").set("r", 2)
    assert ["e3 stale by e6", "e4 fresh", "e5 fresh"] == shown(builder.program)


# paths


def branches(left, right, begin):
    start = begin(build().block(name="s")).branch("l", "r")
    return right(left(start.block(name="l")).goto("j").block(name="r")).goto("j").block(name="j")


def test_what_one_branch_changed_may_be_stale_behind_both():
    program = branches(
        lambda arm: arm.set("a", 2), lambda arm: arm, lambda begin: begin.set("a", 1).derive("b", 1, "a")
    ).program
    (one,) = stale(Manager(program), BlockEnd(3))
    assert ("e2", False) == (one.entry.id, one.surely)


def test_two_sources_from_two_branches_are_both_needed():
    builder = branches(
        lambda arm: arm.derive("c", 1, "a"),
        lambda arm: arm.derive("c", 1, "b"),
        lambda begin: begin.set("a", 1).set("b", 1),
    )
    program = builder.derive("d", 1, "c").set("a", 2).program
    assert ["e3 stale by e6", "e4 fresh", "e5 stale by e6"] == shown(program)


def test_what_is_drawn_and_changed_in_one_branch_leaves_the_other_alone():
    program = branches(
        lambda arm: arm.set("a", 1).derive("b", 1, "a"), lambda arm: arm.set("x", 1), lambda begin: begin
    ).program
    assert ["e2 fresh"] == shown(program)


def test_what_may_happen_may_make_stale():
    program = build().set("a", 1).derive("b", 1, "a").set("a", 2, maybe=True).program
    (one,) = stale(Manager(program), BlockEnd(0))
    assert one.ended is not None
    assert ("e3", False) == (program.instructions[one.ended.by.instruction].id, one.surely)


def test_at_the_join_of_a_fork_what_one_arm_read_and_another_replaced_is_stale():
    def forked_by(left, right):
        start = build().block(name="s").set("a", 1).fork("l", "r", join="j")
        return right(left(start.block(name="l")).goto("j").block(name="r")).goto("j").block(name="j").program

    read = forked_by(lambda arm: arm.derive("b", 1, "a"), lambda arm: arm.set("a", 2))
    assert ["e2 stale by e3"] == shown(read)
    assert {"e2": ["e1"]} == found(read)
    assert ["e2 fresh"] == shown(forked_by(lambda arm: arm.derive("b", 1, "a"), lambda arm: arm.set("a", 1)))
    assert ["e3 fresh"] == shown(
        forked_by(lambda arm: arm.set("a", 2).derive("b", 1, "a"), lambda arm: arm.set("x", 1))
    )


def test_a_loop_that_reads_what_it_has_just_set_concludes_freshly():
    program = (
        build().goto("l").block(name="l").set("a", 1).derive("b", 1, "a").branch("c", "d")
        .block(name="c").set("a", 2).goto("l").block(name="d").program
    )  # fmt: skip
    assert ["e2 fresh"] == shown(program, 3)
    assert ["e2 stale by e3"] == shown(program, 2)


def looped(change=lambda block: block):
    start = build().set("plan", 0).set("sum", 0).set("note", 1).goto("l").block(name="l")
    rolling = start.derive("sum", 1, "plan", "note").derive("plan", 1, "sum")
    return change(rolling).branch("l", "end").block(name="end").derive("reply", 1, "plan").program


def test_what_rolls_in_a_loop_is_fresh_and_rests_on_what_its_earlier_self_rested_on():
    assert ["e4 stale by e5", "e5 fresh", "e6 fresh"] == shown(looped())
    assert "e5 stale by e6" in shown(looped(lambda block: block.set("note", 2)))


def test_results_and_parameters_of_calls_are_conclusions():
    program = (
        workflow().set("size", 42).call("ship", "size", result="label", then="t2", id="call").block(name="t2")
        .set("size", 43).ends().task("ship", "size").block().derive("paper", "L-1", "size").returns("paper").program
    )  # fmt: skip
    told = shown(program, 1)
    assert "call stale by e2" in told
    assert "call/size stale by e2" in told


# asking


def test_what_is_fresh_is_told_by_instruction_and_leaf():
    program = build().set("a", 1).derive("b", {"x": 1, "y": 2}, "a").derive("c", 1, "a").set("z", 1).program
    assert {(1, 0), (1, 1), (2, 0)} == fresh_at(Manager(program), BlockEnd(0))


def test_a_conclusion_that_is_not_in_force_is_not_told():
    program = build().set("a", 1).derive("b", 1, "a").set("a", 2).derive("b", 2, "a").program
    assert {} == found(program)
    assert ["e2 stale by e3", "e4 fresh"] == shown(program)


def test_without_an_entry_that_does_not_exist_is_refused():
    program = build().set("a", 1).program
    with pytest.raises(UsageError, match="no entry has the id 'e9'"):
        stale_without(Manager(program), BlockEnd(0), "e9")


def test_without_a_root_there_is_nothing_that_ended_it():
    program = build().set("a", 1).derive("b", 1, "a").program
    (one,) = stale_without(Manager(program), BlockEnd(0), "e1")
    assert (["e2", "e1"], None) == ([entry.id for entry in one.chain], one.ended)


def test_a_proof_is_not_made_of_a_program_that_has_changed_since():
    program = build().set("a", 1).derive("b", 1, "a").set("a", 2).program
    (one,) = stale(Manager(program), BlockEnd(0))
    retract(program, "e3")
    with pytest.raises(NoFact, match="has changed since"):
        one.chain  # noqa: B018


def test_what_a_tool_answered_stays_true_when_that_changes_from_which_its_arguments_were_taken():
    """In a chat log premises of answers are found by value: they are what something was looked up with."""
    asked = {
        "role": "assistant",
        "tool_calls": [{"id": "c1", "function": {"name": "get_price", "arguments": '{"plan": "plan-s-20"}'}}],
    }
    report = analyze(
        [
            {"role": "user", "content": "I am order W15-77 on plan-s-20"},
            asked,
            {"role": "tool", "tool_call_id": "c1", "content": '{"price": "19.90"}'},
        ]
    )
    assert [] == Manager(report.program).solve(Freshness).analysis.show(
        Manager(report.program).solve(Freshness).at_end(2)
    )


def test_what_a_log_itself_says_that_a_tool_concluded_is_a_conclusion():
    program = build().set("a", 1).block("tool:count").derive("b", 1, "a").block().set("a", 2).program
    assert ["e2 stale by e3"] == shown(program)
