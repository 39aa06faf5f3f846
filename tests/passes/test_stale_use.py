"""Stale uses: an entry is named that is not in force, and nothing in force states the same."""

import pytest

from statemem.ir import build
from statemem.passes import Manager, StaleUses


def stale(program):
    return [(one.entry.id, [each.id for each in one.instead]) for one in Manager(program).result(StaleUses)]


def log(*values):
    """A value a turn, the entries called e1, e2 and so on."""
    builder = build()
    for value in values:
        builder = builder.block("tool").set("card", value)
    return builder.block("assistant")


def test_a_value_that_was_replaced_is_stale():
    assert [("e1", ["e2"])] == stale(log("12", "77").use("card", was="e1").open())


def test_a_value_that_came_back_is_not_whichever_entry_is_named():
    assert [] == stale(log("12", "77", "12").use("card", was="e1").open())


def test_a_value_that_came_back_under_a_second_name_is_not():
    program = build().same("o[A]", "o[B]").block("tool").set("o[A].x", 1, id="a").block("tool").set("o[A].x", 2)
    assert [] == stale(program.block("tool").set("o[B].x", 1).block("assistant").use("o[A].x", was="a").open())


def test_another_field_that_holds_the_old_value_by_chance_does_not_excuse_it():
    program = build().block("tool").set("o", {"from": "Lyon", "to": "Arden"}, id="e1")
    program = program.block("tool").set("o.from", "Arden", id="e2").block("assistant").use("o.from", was="e1")
    assert [("e1/from", ["e2"])] == stale(program.open())


@pytest.mark.parametrize("fields", [{"status": "open", "card": "12"}, {"card": "12", "status": "open"}])
def test_a_field_of_an_object_is_stale_wherever_it_stands_in_it(fields):
    program = build().block("tool").set("o", fields, id="e1").block("user").set("o.card", "77", id="e2")
    assert [("e1/card", ["e2"])] == stale(program.block("assistant").use("o.card", was="e1").open())
