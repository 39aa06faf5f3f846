from hypothesis import given, settings

from statemem.ir import build, run
from statemem.ir.text import dumps
from statemem.passes import Conflicts, Horizon, Manager, StaleUses, Word, standings
from statemem.passes.framework import BlockEnd
from statemem.passes.testing import chains


def words(program, horizon=None, block=None):
    manager = Manager(program, horizon)
    end = program.current_end if block is None else block
    return {one.entry.id: one.word.value for one in standings(manager, BlockEnd(end))}


def test_nothing_is_dead_that_the_horizon_does_not_speak_of():
    program = build().block().set("x", 1).set("y", 1).use("y").open()
    assert {"e1": "unknown", "e2": "unknown"} == words(program)
    assert {"e1": "unread", "e2": "spent"} == words(program, Horizon(closed=True))


def test_an_end_that_is_over_speaks_of_every_cell():
    program = build().block().set("x", 1).end()
    assert {"e1": "unread"} == words(program)


def test_a_replaced_entry_is_superseded_and_names_its_successor():
    program = build().block().set("x", 1).block().set("x", 2).open()
    found = standings(Manager(program), BlockEnd(1))
    assert [Word.SUPERSEDED, Word.UNKNOWN] == [one.word for one in found]
    assert found[0].ending is not None
    assert 1 == found[0].ending.by.instruction


def test_inside_a_log_life_is_an_observation():
    program = build().block().set("x", 1).set("y", 1).block().set("y", 2).block().use("x").open()
    found = standings(Manager(program), BlockEnd(0))
    assert [("e1", Word.LIVE, True), ("e2", Word.UNREAD, False)] == [(o.entry.id, o.word, o.observed) for o in found]


def test_an_outranked_arrival_is_history():
    program = build().block().at(version=2).set("x", 1).at(version=1).set("x", 2).open()
    assert {"e1": "unknown", "e2": "history"} == words(program)


def test_a_scope_that_ended_ends_its_entries():
    program = build().block().enter("f1").block(task="f1").set("x", 1).block().leave("f1", ended=True).open()
    assert {"e1": "ended"} == words(program)


@given(chains(ranked=False))
@settings(max_examples=200)
def test_the_words_agree_with_the_state_on_what_is_in_force(program):
    found = standings(Manager(program), BlockEnd(program.current_end))
    state = run(program)
    judge = Manager(program).accesses.judge
    expected = {
        (one.instruction, one.leaf)
        for cell in state.places
        for one in judge.in_force(state.reaching_at(cell))
        if not one.is_tombstone
    }
    assert expected == {(one.entry.instruction, one.entry.leaf) for one in found if one.in_force}, dumps(program)


def test_a_use_of_an_entry_no_longer_in_force_is_stale():
    program = (
        build().block().set("x", 1).block().set("x", 2).block("assistant").use("x", was="e1", purpose="pay").open()
    )
    (found,) = Manager(program).result(StaleUses)
    assert (found.entry.id, found.instruction, tuple(one.id for one in found.instead)) == ("e1", 2, ("e2",))


def test_a_use_of_a_confirmed_entry_is_not_stale():
    program = build().block().set("x", 1).block().set("x", 1).block("assistant").use("x", was="e1").open()
    assert [] == Manager(program).result(StaleUses)


def test_a_use_after_a_delete_is_stale():
    program = build().block().set("x", 1).delete("x").block("assistant").use("x", was="e1").open()
    assert ["e1"] == [use.entry.id for use in Manager(program).result(StaleUses)]


def test_the_id_of_an_object_names_each_of_its_leaves():
    program = build().block().set("o", {"a": 1, "b": 2}).set("o.a", 3).block("assistant").use("o", was="e1").open()
    assert [] == Manager(program).result(StaleUses), "its leaf b is still in force"


def test_equal_versions_with_different_content_conflict():
    program = build().block().at(version=3).set("x", "a").at(version=3).set("x", "b").open()
    assert 1 == len(Manager(program).result(Conflicts))
    agreed = build().block().at(version=3).set("x", "a").at(version=3).set("x", "a").open()
    assert [] == Manager(agreed).result(Conflicts)


def test_differing_facts_under_two_names_of_one_entity_conflict():
    program = build().block().set("o[A].c", 1).set("o[B].c", 2).same("o[A]", "o[B]").use("o[A].c").open()
    assert 1 == len(Manager(program).result(Conflicts))


def test_a_conflict_of_names_is_found_even_where_the_log_ends_with_it():
    program = build().block().set("o[A].c", 1).set("o[B].c", 2).same("o[A]", "o[B]").open()
    (found,) = Manager(program).result(Conflicts)
    assert "two names of one entity, different values" == found.rule.value


def test_a_confirmation_ends_no_life():
    program = build().block().set("x", 1).block().set("x", 1).block().use("x").open()
    found = standings(Manager(program), BlockEnd(0))
    assert [(Word.LIVE, True)] == [(one.word, one.observed) for one in found]


def test_another_value_that_comes_back_later_does_end_one():
    program = build().block().set("x", 1).block().set("x", 2).block().set("x", 1).block().use("x").open()
    found = standings(Manager(program), BlockEnd(0))
    assert [Word.UNREAD] == [one.word for one in found]
