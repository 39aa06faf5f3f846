"""The normaliser: one spelling for attribute names, none for keys, and what changed is written down."""

from hypothesis import given

from statemem.ir import Normaliser, build, normalised, run, workflow
from statemem.ir.testing import programs, texts
from statemem.ir.text import dumps
from statemem.ir.verifier import findings


def cells(program):
    return [str(entry.cell).partition("/")[2] for entry in program.entries]


def test_case_width_and_punctuation_of_attribute_names_are_one():
    program = build().set('order."Book Day"', 1).set("order.bookDay", 2).set("ORDER.book-day", 3).program
    once = normalised(program)
    assert ["order.book_day"] * 3 == cells(once)
    assert 3 == run(once).value(once.entries[0].cell)


def test_keys_and_scopes_are_data():
    program = build('user:"Ann B."/').set("a[jo_li].x", 1).set("a[jo-li].x", 1).set('a["jo%li"].x', 1).program
    assert ['a["jo_li"].x', 'a["jo-li"].x', 'a["jo%li"].x'] == cells(normalised(program))
    assert ['user:"Ann B."/'] == [str(scope) for scope in normalised(program).scopes]


def test_synonyms_of_ones_own():
    normaliser = Normaliser({"shade": "color", "Farbe": "Color"})
    program = normaliser.program(build().set("Shade", "red").set("farbe", "blue").program)
    assert ["color", "color"] == cells(program)
    assert {"Shade": "color", "farbe": "color"} == normaliser.changes


def test_what_changed_is_in_the_origin():
    program = normalised(build().set("Color", "red").set("color", "red").use("Color").program)
    assert ["Color", None, "Color"] == [one.origin.named for one in program.instructions]


def test_the_fields_of_objects_are_attribute_names_too():
    program = normalised(build().set("order", {"Book Day": 1, "W15": {"Size": 3}}).use('order."Book Day"').program)
    assert [("order.book_day", 1), ('order["W15"].size', 3)] == [
        (cell, entry.value) for cell, entry in zip(cells(program), program.entries, strict=True)
    ]


def test_names_that_one_object_tells_apart_stay_apart_everywhere():
    program = build().set("o", {"Size": 1, "size": 2}, id="e1").use(("o.Size", "e1/Size"), "o.size").program
    assert dumps(program) == dumps(normalised(program))


def test_parts_that_were_seen_and_parameters_are_named_anew_too():
    program = (
        workflow("user:7/").block().set("o", {"Book Day": 5}, id="e1").use(('o."Book Day"', 'e1/"Book Day"'))
        .call("ship", "o", then="t2", id="c1").block().ends()
        .task("ship", "Book Day").block().use(('"Book Day"', 'c1/"Book Day"')).returns().program
    )  # fmt: skip
    assert [] == [found.code for found in findings(program)]
    assert [] == [found.code for found in findings(normalised(program))]


@given(texts())
def test_a_normal_name_is_its_own(text):
    normaliser = Normaliser()
    assert normaliser.normal(text) == normaliser.normal(normaliser.normal(text))


@given(programs())
def test_a_normal_program_is_its_own(program):
    once = normalised(program)
    assert len(program.entries) == len(once.entries)
    assert once.same_as(normalised(once)) or any(one.origin.named for one in once.instructions)
