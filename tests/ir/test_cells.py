from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Scope, parse_cell, parse_place
from statemem.ir.meaning.places import Places
from statemem.ir.testing import cells, scopes

FEW = st.lists(cells(st.just(Scope("user", "7"))), max_size=8)


@given(cells(), cells())
def test_overlap_is_symmetric(left, right):
    assert left.overlaps(right) == right.overlaps(left)


@given(cells(), cells(), cells())
def test_covering_is_a_partial_order(one, two, three):
    assert one.covers(one)
    assert not (one.covers(two) and two.covers(one)) or one == two
    assert not (one.covers(two) and two.covers(three)) or one.covers(three)


@given(cells(), scopes())
def test_the_text_of_a_cell_reads_back_as_the_cell(cell, scope):
    assert cell == parse_cell(str(cell), scope)
    assert cell == parse_place(str(cell), scope)


def test_names_that_look_alike_stay_three():
    assert 3 == len({parse_cell(f'user:7/order["{key}"]', Scope("user", "7")) for key in ("jo_li", "jo-li", "jo%li")})


@given(FEW, cells(st.just(Scope("user", "7"))))
def test_the_index_finds_exactly_the_places_that_overlap(known, wanted):
    places = Places()
    for cell in known:
        places.add(cell)
    assert {cell for cell in known if wanted.overlaps(cell)} == set(places.overlapping(wanted))


@given(cells(), cells())
def test_the_text_of_a_cell_is_its_own(one, other):
    assert (one == other) == (str(one) == str(other))


@given(scopes(), scopes())
def test_the_text_of_a_scope_is_its_own(one, other):
    assert (one == other) == (str(one) == str(other))
