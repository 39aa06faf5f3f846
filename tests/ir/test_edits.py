"""Edits: what is taken out is gone from everywhere, and everything else stays as it was."""

import re

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from statemem.ir import (
    Actor,
    Block,
    Origin,
    Same,
    Set,
    build,
    parse_cell,
    redact,
    redact_entry,
    retract,
    run,
    separate,
    workflow,
)
from statemem.ir.diagnostics import UsageError
from statemem.ir.rewriting.rewriter import Rewriter
from statemem.ir.testing import programs, traces
from statemem.ir.text import dumps, parse
from statemem.ir.values import flatten
from statemem.ir.verifier import findings


def shop():
    return (
        build("user:7/", name="shop")
        .block("user").at(event="evt PHX-2207").set("phone", "PHX-2207", id="m1")
        .block("assistant", name="about PHX-2207").derive("note", "call phx-2207 at noon", ("phone", "m1"), id="m2")
        .block("tool:find").set("contact[PHX-2207]", {"name": "Ann", "calls": [2207, "to PHX-2207"]}, id="m3")
        .describe("m3", keywords=["PHX-2207", "phone"])
        .effect("dial", "phone", key="PHX-2207").program
    )  # fmt: skip


def test_a_redacted_text_is_gone_from_values_keys_names_and_origins():
    program = shop()
    before = [len(block.instructions) for block in program.blocks]
    assert [0, 1, 2] == redact(program, "PHX-2207")
    assert "phx" not in dumps(program).casefold()
    assert before == [len(block.instructions) for block in program.blocks]
    assert ["redacted-1", "call redacted-2 at noon", "Ann"] == [entry.value for entry in program.entries][:3]


def test_actors_blocks_tasks_and_requirements_are_gone_through():
    program = (
        build().requires("call PHX", "phone", "user:7/PHX").scope("user:7/")
        .block("tool:PHX", name="PHX").at(actor=Actor("assistant", "PHX"), rule="PHX rule").set("x", 1)
        .enter("PHX", "call PHX").effect("PHX").program
    )  # fmt: skip
    [block] = program.blocks
    program.become(With(attrs.evolve(block, origin=Origin(event="PHX"))).program(program))
    redact(program, "PHX")
    text = dumps(program)
    assert "PHX" not in text
    assert 'task "call redacted-1" requires phone, user:7/redacted-1' in text


class With(Rewriter):
    """Puts one block in the place of all."""

    def __init__(self, block):
        self.own = block

    def block(self, block):
        return self.own


def test_longer_texts_of_an_entry_are_taken_out_first():
    program = build().block(name="Anna Bell").set("who", {"first": "Anna", "full": "Anna Bell"}, id="e1").program
    redact_entry(program, "e1")
    assert ["redacted-1"] == [block.name for block in program.blocks]


def test_numbers_are_redacted_too():
    program = build().set("pin", 471100).set("pins", [471100, 3]).program
    redact(program, "471100")
    assert "471100" not in dumps(program)


def test_a_short_text_is_taken_out_only_where_it_stands_alone():
    program = build().set("size", 42).set("label", "size 42").set("order", "W4242").program
    redact(program, "42")
    assert ["redacted-1", "size redacted-1", "W4242"] == [entry.value for entry in program.entries]


def test_two_names_do_not_become_one():
    program = build().set("a[redacted-1].x", 1).set("a[SECRET].x", 2).set("a[secret].x", 3).program
    redact(program, "SECRET")
    assert ['a["redacted-1"].x', 'a["redacted-2"].x', 'a["redacted-3"].x'] == [
        str(entry.cell).partition("/")[2] for entry in program.entries
    ]


@pytest.mark.parametrize("text", ["", "  ", "user"])
def test_what_cannot_be_redacted_is_refused_and_leaves_the_program(text):
    program = build("user:7/").block("user").set("name", "user").program
    before = dumps(program)
    with pytest.raises(UsageError, match="redact"):
        redact(program, text)
    assert before == dumps(program)


def test_the_value_of_an_entry_is_redacted_wherever_its_text_stands():
    program = shop()
    redact_entry(program, "m1")
    assert "phx" not in dumps(program).casefold()
    assert ["redacted-1", "call redacted-2 at noon"] == [entry.value for entry in program.entries][:2]


def test_a_short_value_stays_in_other_entries():
    program = build().set("a", 2, id="e1").set("b", 2).program
    redact_entry(program, "e1")
    assert ["?", "2"] == [str(entry.value) for entry in program.entries]


def test_a_part_of_an_object_is_redacted_alone():
    program = build().set("order", {"card": "4711 0000", "size": 42}, id="e1").program
    redact_entry(program, "e1/card")
    assert ["redacted-1", 42] == [entry.value for entry in program.entries]


@given(programs(), st.text("kqzXYZ", min_size=4, max_size=5))
def test_no_program_holds_a_text_that_was_redacted(program, text):
    if program.blocks:
        block = program.blocks[0]
        secret = build().set(f"x[{text}]", {"of": [f"say {text}"], text: text}).program.instructions[0]
        program.append(attrs.evolve(block, name=f"block {text}", instructions=(*block.instructions, secret)))
    before = len(program.instructions)
    try:
        redact(program, text)
    except UsageError:
        assume(False)
    assert text.casefold() not in dumps(program).casefold()
    assert before == len(program.instructions)
    assert program.same_as(parse(dumps(program))[0])


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Zoe\u0308", {"who": "Zoë", "c": {"Zoë": 1}}),
        ("471100", {"pin": 471100, "pins": [471100, "x 471100"]}),
        ('say "PHX"\n', {"note": 'he did say "phx"\n loud', 'say "PHX"\n': 1}),
        ("ann.b@shop", {"mail": "ANN.B@shop"}),
    ],
)
def test_a_text_is_found_in_every_spelling(text, held):
    program = build().set("x", held, id="e1").use("x").program
    redact(program, text)
    assert len(flatten(held)) == len(program.entries)
    assert [] == [entry for entry in program.entries if re.search("zo|4711|phx|ann", str(entry).casefold())]


def test_pointers_and_parts_that_were_seen_are_found_too():
    program = (
        build().at(pointer="/files/home~1ann~1notes.md").set('f["home/ann/notes.md"]', {"Book Day": 1, "x": 2}, id="e1")
        .use(('f["home/ann/notes.md"]."Book Day"', 'e1/"Book Day"')).program
    )  # fmt: skip
    redact(program, "home/ann")
    redact(program, "Book Day")
    assert [] == [found.code for found in findings(program) if found.severity == "error"]
    assert [] == re.findall("ann|book", dumps(program).casefold())
    assert "/files/redacted-1~1notes.md" == program.instructions[0].origin.pointer


def test_what_is_keyed_by_a_redacted_id_stays_keyed():
    items = {"items": [{"item_id": "W15-77", "price": 2}, {"item_id": "B2", "price": 3}], "acc-123": {"n": 1}}
    program = (
        build().set("order", items, id="e1").use(('order.items["B2"].price', 'e1/items["B2"].price'))
        .use(('order["acc-123"].n', 'e1/["acc-123"].n')).program
    )  # fmt: skip
    before = len(program.entries)
    redact(program, "W15-77")
    redact(program, "acc-123")
    assert (before, []) == (len(program.entries), list(findings(program)))


def test_what_is_common_becomes_unknown_in_the_entry_alone():
    program = build().set("p", {"pin": 42, "size": 42, "paid": True, "n": 1}, id="e1").set("hiv", True, id="m1").program
    for entry in ("e1/pin", "e1/n", "m1"):
        assert [0] == redact_entry(program, entry)
    assert ["?", "42", "True", "?", "?"] == [str(entry.value) for entry in program.entries]


def test_an_entry_whose_redaction_fails_is_left_as_it_was():
    program = build("user:7/").block("user").set("x", {"kind": "user", "n": 1}, id="e1").program
    before = dumps(program)
    with pytest.raises(UsageError, match="'user' cannot be redacted"):
        redact_entry(program, "e1")
    assert before == dumps(program)


@given(traces(), st.data())
def test_a_redaction_is_a_renaming_and_changes_no_verdict(program, data):
    texts = [entry.value for entry in program.entries if isinstance(entry.value, str)]
    assume(texts)
    gone = data.draw(st.sampled_from(texts))
    assume(gone not in {str(entry.value) for entry in program.entries if not isinstance(entry.value, str)})
    before = run(program)
    held = [[entry.id for entry in before.held(cell)] for cell in before.places]
    redact(program, gone)
    after = run(program)
    assert held == [[entry.id for entry in after.held(cell)] for cell in after.places]
    assert [] == [found for found in findings(program) if found.severity == "error"]


@given(traces())
def test_redacting_what_is_nowhere_changes_nothing(program):
    before = dumps(program)
    assert [] == redact(program, "nowhere to be found")
    assert before == dumps(program)


def test_a_retracted_value_lets_what_it_replaced_stand_again():
    program = build().set("color", "black", id="e1").set("color", "white", id="e2").use(("color", "e2")).program
    assert 1 == retract(program, "e2")
    assert "black" == run(program).value(program.entries[0].cell)
    assert [] == [found for found in findings(program) if found.severity == "error"]


@given(traces(), st.data())
def test_a_retracted_entry_is_in_force_nowhere_and_the_program_stays_valid(program, data):
    sets = [one.id for one in program.instructions if isinstance(one, Set)]
    assume(sets)
    gone = data.draw(st.sampled_from(sets))
    retract(program, gone)
    assert [] == program.named(gone)
    assert [] == [found for found in findings(program) if found.severity == "error"]


def test_a_retracted_id_is_not_given_again_and_nothing_is_said_of_it():
    program = build().set("x", 1).set("x", 2).describe("e2", keywords=["old"]).program
    retract(program, "e2")
    program.extend(build().set("y", 1).program.blocks[0])
    program.append(Block("more", instructions=(Set(target=program.entries[0].cell, value=3),)))
    assert ({}, "e3") == (program.metadata, program.entries[-1].id)


def test_a_delete_can_be_retracted():
    program = build().set("x", 1).delete("x", id="d1").program
    retract(program, "d1")
    assert 1 == run(program).value(program.entries[0].cell)


def test_a_same_that_was_said_twice_is_withdrawn_twice():
    program = build().set("a.x", 1).same("a", "b").same("b", "a").program
    scope = program.scope_of(0)
    assert 1 == separate(program, parse_cell("a", scope), parse_cell("b", scope))
    assert set() == set(run(program).names.may_be_one)


def test_a_retracted_same_parts_the_two_again():
    program = build().set("a.x", 1).same("a", "b").set("b.x", 2).program
    scope = program.scope_of(0)
    separate(program, parse_cell("b", scope), parse_cell("a", scope))
    assert {"a.x": 1, "b.x": 2} == run(program).snapshot(scope)
    assert not any(isinstance(one, Same) for one in program.instructions)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda program: retract(program, "m7"), "no entry has the id 'm7'"),
        (lambda program: retract(program, "m3/name"), "a part of 'm3'"),
        (lambda program: redact_entry(program, "m7"), "no entry has the id 'm7'"),
        (lambda program: separate(program, program.entries[0].cell, program.entries[1].cell), "nothing says that"),
    ],
)
def test_what_is_not_there_cannot_be_edited(edit, said):
    program = shop()
    before = dumps(program)
    with pytest.raises(UsageError, match=said):
        edit(program)
    assert before == dumps(program)


def test_what_a_call_made_cannot_be_retracted():
    program = (
        workflow().call("ship", result="label", then="t2", id="c1").block().ends()
        .task("ship").block().set("paper", 1).returns("paper").program
    )  # fmt: skip
    with pytest.raises(UsageError, match="made by a call"):
        retract(program, "c1")


def test_an_edit_is_no_growth():
    program = build().set("x", 1, id="e1").program
    version, edits = program.version, program.edits
    retract(program, "e1")
    assert (version + 1, edits + 1) == (program.version, program.edits)
