"""The builder: what it makes can be written down, and what cannot is refused at once."""

from datetime import datetime

import pytest

from statemem.ir import UNKNOWN, Origin, build, workflow
from statemem.ir.diagnostics import UsageError
from statemem.ir.text import dumps, parse
from statemem.ir.verifier import findings


@pytest.mark.parametrize(
    ("said", "make"),
    [
        ("no JSON value", lambda: build().set("x", (1, 2))),
        ("no JSON value", lambda: build().set("x", {"a": {1: 2}})),
        ("no JSON value", lambda: build().append("x", float("nan"))),
        ("only a number", lambda: build().add("x", True)),
        ("only a number", lambda: build().add("x", "2")),
        ("names no zone", lambda: build().at(observed=datetime(2026, 1, 1))),
        ("a block it does not have", lambda: build().set("x", 1).standing_at("nope").program),
        ("at least one block", lambda: build().branch()),
        ("at least one arm", lambda: build().fork(join="x")),
    ],
)
def test_what_could_not_be_read_again_is_refused(said, make):
    with pytest.raises(UsageError, match=said):
        make()


def test_an_unknown_amount_can_be_added():
    program = build().add("x", UNKNOWN).program
    assert program.same_as(parse(dumps(program))[0])


def test_a_task_does_not_go_on_to_the_next_one():
    program = (
        workflow("user:7/").block().call("ship", then="t2").block().use("x")
        .task("ship").block(origin=Origin(count=3)).set("y", 1).returns().program
    )  # fmt: skip
    assert ["IR101"] == [found.code for found in findings(program)]
    assert 3 == program.blocks[2].origin.count
