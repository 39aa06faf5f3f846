"""What depends on itself, and what only looks so."""

import pytest

from statemem.ir import build
from statemem.ir.verifier import findings


def circular(*declared):
    builder = build("user:7/")
    for cell, *depends in declared:
        builder.declare(cell, *depends)
    return [found.spot.number for found in findings(builder.set("x", 1).program) if found.code == "IR017"]


@pytest.mark.parametrize(
    ("expected", "declared"),
    [
        ([0], [("a", "a")]),
        ([0], [("a", "a.b")]),
        ([0, 1], [("a", "b"), ("b.c", "a")]),
        ([0], [("a[*].x", "a[*].x")]),
        ([0, 1], [("a[*].x", "a[*].y"), ("a[*].y", "a[*].x")]),
        ([0, 1], [("a[*].x", 'a["1"].y'), ('a["1"].y', 'a["1"].x')]),
        ([0], [("a[*].x", 'a["1"].x')]),
        ([0, 1], [("a[*].x", "b[*].x"), ("b[*].x", 'a["1"].x')]),
        ([], [("a", "b"), ("b", "c"), ("d", "a")]),
        ([], [("a[*].x", "a[*].y")]),
        ([], [("a[*].x", "a[*].y"), ('a["1"].y', 'a["2"].x')]),
        ([], [('a["1"].x', 'a["2"].x'), ('a["2"].x', 'a["3"].x')]),
        ([], [("a[*].x[*].z", "a[*].y[*]")]),
    ],
)
def test_a_cell_that_depends_on_itself_is_found_and_no_other(expected, declared):
    assert expected == circular(*declared)
