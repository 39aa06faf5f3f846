"""The clauses of the meaning of programs, one by one."""

from datetime import UTC, datetime

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import UNKNOWN, Authority, Scope, build, parse_place, run
from statemem.ir.diagnostics import UsageError
from statemem.ir.rewriting.rewriter import Rewriter
from statemem.ir.values import equal, flatten


def values(program, text):
    place = parse_place(text, program.scope_of(0))
    return [entry.value for entry in run(program).in_force(place)]


def ids(entries):
    return [entry.id for entry in entries]


def test_a_replacement_takes_the_earlier_entry_out_of_force():
    program = build().set("color", "black").set("color", "white").program
    assert ["white"] == values(program, "color")


def test_an_equal_value_confirms_and_both_entries_stay():
    program = build().set("price", 561).set("price", 561.0).program
    assert [561, 561.0] == values(program, "price")
    assert 561.0 == run(program).value(parse_place("price", program.scope_of(0)))


def test_truth_is_no_number():
    program = build().set("flag", 1).set("flag", True).program
    assert [True] == values(program, "flag")


def test_unknown_values_confirm_nothing():
    from statemem.ir import UNKNOWN

    program = build().set("x", UNKNOWN).set("x", UNKNOWN).program
    assert 1 == len(values(program, "x"))


def test_an_append_stands_beside_what_was_there_and_loses_nothing():
    program = build().set("notes", "first").append("notes", "second").program
    assert ["first", "second"] == values(program, "notes")
    assert ["first", "second"] == run(program).value(parse_place("notes", program.scope_of(0)))


def test_an_append_to_nothing_makes_a_list_of_one():
    program = build().append("notes", "only").program
    assert ["only"] == run(program).value(parse_place("notes", program.scope_of(0)))


def test_add_sums():
    program = build().set("count", 2).add("count", 3).program
    assert 5 == run(program).value(parse_place("count", program.scope_of(0)))


def test_a_default_fills_only_where_nothing_is_in_force():
    filled = build().default("channel", "email").program
    kept = build().set("channel", "phone").default("channel", "email").program
    refilled = build().set("channel", "phone").delete("channel").default("channel", "email").program
    assert (["email"], ["phone"], ["email"]) == tuple(values(p, "channel") for p in (filled, kept, refilled))


def test_a_default_does_not_fill_what_stands_under_another_name():
    program = build().same("order", "home").set("home.city", "white").default("order.city", "black").program
    assert ["white"] == values(program, "home.city")


def test_a_delete_leaves_a_tombstone():
    program = build().set("color", "black").delete("color").program
    assert [] == values(program, "color")
    assert any(one.is_tombstone for one in run(program).reaching(parse_place("color", program.scope_of(0))))


def test_setting_a_whole_object_takes_away_the_leaves_it_lacks():
    program = build().set("order", {"id": "W15", "gift": True}).set("order", {"id": "W15"}).program
    assert ["W15", "W15"] == values(program, "order")
    assert [] == values(program, "order.gift")


def test_writing_below_a_scalar_replaces_it():
    program = build().set("address", "Lyon").set("address.city", "Lyon").program
    assert {"address.city": "Lyon"} == run(program).snapshot(program.scope_of(0))


def test_reading_a_path_reads_what_lies_above_and_below():
    program = build().set("a", 1).set("b.c", 2).program
    assert (values(program, "a.x"), values(program, "b")) == ([1], [2])


def test_a_late_arrival_is_history_and_takes_nothing_away():
    early, late = datetime(2021, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    program = (
        build()
        .at(observed=late)
        .set("employer", "Norve")
        .at(observed=early)
        .set("employer", "Halden", id="old")
        .program
    )
    state = run(program)
    place = parse_place("employer", program.scope_of(0))
    assert ["Norve"] == values(program, "employer")
    assert ["old"] == ids(state.history(place))


def test_a_higher_version_outranks_a_lower_one_that_comes_later():
    program = build().at(version=2).set("x", "new").at(version=1).set("x", "old").program
    assert ["new"] == values(program, "x")


def test_what_may_not_happen_joins_both_states():
    program = build().set("x", "one").set("x", "two", maybe=True).program
    assert ["one", "two"] == values(program, "x")


def test_a_reference_writes_what_it_points_to():
    program = build().bind("it", "order[W15]").set("@it.color", "white").program
    assert ["white"] == values(program, "order[W15].color")


def test_a_reference_with_two_targets_may_write_either():
    program = (
        build().set("order[A].color", "red").set("order[B].color", "red").bind("it", "order[A]")
        .bind("it", "order[B]", maybe=True).set("@it.color", "blue").program
    )  # fmt: skip
    assert (values(program, "order[A].color"), values(program, "order[B].color")) == (["red", "blue"], ["red", "blue"])


def test_united_entities_share_their_facts():
    program = build().set("order[W15].color", "white").same("order[W15]", "order[A-15]").program
    assert ["white"] == values(program, "order[A-15].color")


def test_a_write_to_one_name_replaces_what_stood_under_the_other():
    program = (
        build()
        .set("order[W15].color", "white")
        .same("order[W15]", "order[A-15]")
        .set("order[A-15].color", "red")
        .program
    )
    assert ["red"] == values(program, "order[W15].color")


def test_facts_of_both_names_are_in_force_until_one_is_replaced():
    program = (
        build()
        .set("order[W15].color", "white")
        .set("order[A-15].color", "red")
        .same("order[W15]", "order[A-15]")
        .program
    )
    assert ["red", "white"] == sorted(values(program, "order[W15].color"))


def test_the_cells_of_a_task_end_with_it():
    program = (
        build().block("user").enter("f1", "broadband").block("tool", task="f1").set("status", "down")
        .block("user").leave("f1", ended=True).program
    )  # fmt: skip
    assert [] == list(run(program).cells())


def test_a_task_put_aside_keeps_its_cells():
    program = (
        build()
        .block("user")
        .enter("f1")
        .block("tool", task="f1")
        .set("status", "down")
        .block("user")
        .leave("f1")
        .program
    )
    assert ["task:f1/status"] == [str(cell) for cell in run(program).cells()]


def test_the_cells_of_a_turn_end_with_it():
    program = build().block("user", name="t1").set("turn:t1/draft", "…").block("assistant").set("x", 1).program
    assert ["session:1/x"] == [str(cell) for cell in run(program).cells()]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=6,
)


@given(JSON)
def test_every_value_equals_itself_and_no_path_of_a_flattened_value_repeats(value):
    assert equal(value, value)
    paths = [path for path, _ in flatten(value)]
    assert len(paths) == len(set(paths))


@given(JSON, JSON)
def test_equality_is_symmetric(left, right):
    assert equal(left, right) == equal(right, left)


def by(actor, text, *, cell="order[W1].status"):
    return build("user:7/").block("tool").set(cell, "first").block(actor).set(cell, text).program


def test_without_authority_the_later_word_counts():
    assert ["said"] == values(by("assistant", "said"), "order[W1].status")


def test_a_weaker_word_does_not_replace_a_stronger_one():
    program = by("assistant", "said")
    state = run(program, authority=Authority())
    place = parse_place("order[W1].status", program.scope_of(0))
    assert (["first"], ["said"]) == tuple(
        [entry.value for entry in found(place)] for found in (state.in_force, state.history)
    )


def test_a_stronger_word_replaces_a_weaker_one_and_an_equal_one_confirms_it():
    def held(program):
        place = parse_place("order[W1].status", program.scope_of(0))
        return [entry.value for entry in run(program, authority=Authority()).in_force(place)]

    assert ["said"] == held(by("system", "said"))
    assert ["first", "first"] == held(by("assistant", "first"))


def test_of_their_own_facts_people_know_best():
    def held(cell, **order):
        program = by("user", "said", cell=cell)
        place = parse_place(cell, program.scope_of(0))
        return [entry.value for entry in run(program, authority=Authority(**order)).in_force(place)]

    assert (["said"], ["first"]) == (held("phone"), held("order[W1].status"))
    assert ["said"] == held("order[W1].status", order=("user", "tool"))


def test_authority_comes_before_dates():
    early, late = datetime(2021, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    program = (
        build()
        .block("tool")
        .at(observed=early)
        .set("x", "tool")
        .block("assistant")
        .at(observed=late)
        .set("x", "model")
        .program
    )
    place = parse_place("x", program.scope_of(0))
    assert "tool" == run(program, authority=Authority()).value(place)
    assert "model" == run(program).value(place)


def test_what_may_have_ended_may_still_stand():
    def log(maybe):
        program = build().enter("f1").block(task="f1").set("line", "down").block().leave("f1", ended=True).program
        last = program.blocks[-1]
        leave = attrs.evolve(last.instructions[0], maybe=maybe)
        program.become(Instead(attrs.evolve(last, instructions=(leave,))).program(program))
        return run(program)

    assert ([], []) == (list(log(False).cells()), log(False).open_tasks)
    assert (["task:f1/line"], ["f1"]) == ([str(cell) for cell in log(True).cells()], log(True).open_tasks)


class Instead(Rewriter):
    """Puts a block in the place of the one of its name."""

    def __init__(self, own):
        self.own = own

    def block(self, block):
        return self.own if block.name == self.own.name else block


def test_a_task_that_is_taken_up_again_is_open_once():
    program = build().enter("f1").enter("f1").leave("f1").program
    assert [] == run(program).open_tasks


def test_a_sum_with_what_is_no_number_is_unknown():
    for first, amount in ((UNKNOWN, 2), (1, UNKNOWN), ("5", 2), (True, 2)):
        program = build().set("n", first).add("n", amount).program
        assert UNKNOWN is run(program).value(parse_place("n", program.scope_of(0)))
    assert 2 == run(build().add("n", 2).program).value(parse_place("n", Scope("session", "1")))


def test_unions_that_double_the_names_of_an_entity_end_in_a_message():
    builder = build()
    for number in range(14):
        builder.same(f"a{number}", f"a{number + 1}.x").same(f"a{number}", f"a{number + 1}.y")
    with pytest.raises(UsageError, match="more than 5000 names"):
        run(builder.set("a0", 1).program)


def ranked(*writes):
    """Writes to two names of one entity, each with its version."""
    builder = build().same("o[A]", "o[B]")
    for version, name, value in writes:
        builder = builder.at(version=version).set(f"o[{name}].x", value)
    program = builder.use("o[A].x", "o[B].x").program
    return {entry.id for entry in run(program).in_force(program.entries[0].cell)}


@pytest.mark.parametrize("names", ["AA", "AB", "BA", "BB"])
def test_an_equal_value_of_any_rank_confirms_under_whichever_name(names):
    first, second = names
    assert {"e1", "e2"} == ranked((1, first, 1), (3, second, 1)) == ranked((3, first, 1), (1, second, 1))


@pytest.mark.parametrize("names", ["AA", "AB", "BA", "BB"])
def test_another_value_of_lower_rank_is_outranked_under_whichever_name(names):
    first, second = names
    assert {"e1"} == ranked((3, first, 1), (1, second, 2))
    assert {"e2"} == ranked((1, first, 1), (3, second, 2))
