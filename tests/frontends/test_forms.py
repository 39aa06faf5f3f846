"""Forms: calls of one tool whose arguments fill in the same slots, because a domain says so."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.ir import Derive, Effect, Scope, Use, run
from statemem.ir.frontends.domain import Domain, ToolRule
from statemem.ir.frontends.linking.known import is_slot
from statemem.ir.verifier import verify
from statemem.passes import Word

PART, WHOLE = (Domain(tools=(ToolRule(name="find_*", form=extent),)) for extent in ("part", "whole"))


def log(*turns):
    """Messages of calls `(tool, arguments, result)`, and of texts that a user wrote."""
    found: list[dict[str, object]] = []
    for number, turn in enumerate(turns, 1):
        if isinstance(turn, str):
            found.append({"role": "user", "content": turn})
            continue
        tool, arguments, result = turn
        call = {"id": f"c{number}", "function": {"name": tool, "arguments": json.dumps(arguments)}}
        found.append({"role": "assistant", "tool_calls": [call]})
        found.append({"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(result)})
    return found


def slots(domain, *turns):
    held = run(lower(log(*turns), domain=domain)).snapshot(Scope("session", "log"))
    return {str(path): value for path, value in held.items() if str(path).startswith("form")}


def find(result=None, **arguments):
    return "find_train", arguments, result or {"trains": 0}


PISA, LUCCA = find(to="Pisa", day="Monday"), find(to="Lucca")
TO, DAY = 'form["find_train"].to', 'form["find_train"].day'


@pytest.mark.parametrize(("domain", "kept"), [(PART, {DAY: "Monday"}), (WHOLE, {})])
def test_a_later_call_replaces_what_an_earlier_one_filled_in(domain, kept):
    assert {TO: "Lucca", **kept} == slots(domain, PISA, LUCCA)


def test_a_call_without_arguments_leaves_a_form_that_is_stated_in_part_and_empties_a_whole_one():
    assert {TO: "Lucca"} == slots(PART, LUCCA, find())
    assert {} == slots(WHOLE, LUCCA, find())
    assert [] == verify(lower(log(find()), domain=WHOLE))


def test_an_argument_is_replaced_as_a_whole():
    before = find(stops=["a1", "b2", "c3"], at={"from": 8, "until": 9})
    after = find(stops=["d4"], at={"from": 7})
    assert {'form["find_train"].stops': ["d4"], 'form["find_train"].at.from': 7} == slots(PART, before, after)


def test_tools_of_one_pattern_have_a_form_each():
    assert {TO: "Pisa", 'form["find_bus"].to': "Lucca"} == slots(
        WHOLE, find(to="Pisa"), ("find_bus", {"to": "Lucca"}, {})
    )


def test_what_was_filled_in_before_is_superseded_and_nothing_is_stale():
    token = find(ticket="TK-4471")
    report = analyze(log(token, find(ticket="TK-9920"), token, ("book_train", {"ticket": "TK-9920"}, {})), domain=PART)
    assert ["TK-4471", "TK-9920"] == [one.entry.value for one in report.of(Word.SUPERSEDED)]
    assert [] == report.stale_uses
    assert [] == [action for action in report.actions if action.code in ("SM101", "SM801")]


def test_an_argument_is_linked_to_what_it_equals_and_fills_its_slot_all_the_same():
    turns = "Ticket TK-4471, please", find(ticket="TK-4471")
    (use,) = uses(lower(log(*turns), domain=PART))
    assert ("find_train(ticket)", 'id["TK-4471"]') == (use.purpose, str(use.operands[0].place).rpartition("/")[2])
    assert {'form["find_train"].ticket': "TK-4471"} == slots(PART, *turns)


def uses(program):
    return [one for one in program.instructions if isinstance(one, Use)]


def test_a_slot_is_found_by_calls_of_other_tools_and_of_its_own():
    program = lower(log(LUCCA, ("book_train", {"to": "Lucca"}, {}), LUCCA), domain=PART)
    assert ["book_train(to)", "find_train(to)"] == [use.purpose for use in uses(program)]
    assert all(is_slot(use.operands[0].place) for use in uses(program))


def test_no_result_rests_on_a_slot():
    program = lower(log(LUCCA, ("book_train", {"to": "Lucca"}, {"seat": 4})), domain=PART)
    assert [] == [one for one in program.instructions if isinstance(one, Derive)]


def test_calls_that_act_keep_their_arguments_besides():
    booking = Domain(tools=(ToolRule(name="book", form="part", effect=""),))
    turns = ("book", {"to": "Pisa"}, "ok"), ("book", {"to": "Lucca"}, "ok")
    program = lower(log(*turns), domain=booking)
    acted = [one.arguments[0].place for one in program.instructions if isinstance(one, Effect)]
    assert ["call", "call"] == [place.path[0].text for place in acted]
    assert {'form["book"].to': "Lucca"} == slots(booking, *turns)
    assert [] == [action for action in analyze(log(*turns), domain=booking).actions if action.code == "SM153"]


def test_another_tool_acts_on_what_the_form_holds():
    booking = Domain(tools=(*PART.tools, ToolRule(name="book", effect="")))
    turns = [turn for to in ("Pisa", "Lucca") for turn in (find(to=to), ("book", {"to": to}, "ok"))]
    program = lower(log(*turns), domain=booking)
    acted = [one.arguments[0].place for one in program.instructions if isinstance(one, Effect)]
    assert [True, True] == [is_slot(place) for place in acted]
    assert [] == [action for action in analyze(log(*turns), domain=booking).actions if action.code == "SM153"]


VALUES = st.sampled_from(["TK-4471", "TK-9920", "Pisa", 5, None, True, ["TK-1"], {"a": "TK-4471"}])
CALLS = st.lists(
    st.tuples(
        st.sampled_from(["find_train", "find_bus", "book_train"]),
        st.dictionaries(st.sampled_from(["to", "ticket"]), VALUES),
        st.just({"trains": 0}),
    ),
    max_size=6,
)


@given(CALLS, st.sampled_from([PART, WHOLE]))
def test_forms_alone_make_nothing_stale(turns, domain):
    report = analyze(log("Hello", *turns), domain=domain)
    assert [] == report.stale_uses
    assert [] == [action for action in report.actions if action.code == "SM801"]


@given(CALLS)
def test_a_whole_form_holds_what_its_last_call_stated(turns):
    last = {tool: arguments for tool, arguments, _ in turns}
    held = run(lower(log("Hello", *turns), domain=WHOLE)).snapshot(Scope("session", "log"))
    found = {str(path).split("]")[0] for path in held if str(path).startswith("form")}
    assert {f'form["{tool}"' for tool in last if tool.startswith("find") and last[tool]} == found
