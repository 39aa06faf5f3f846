"""Copies of what a linker knows: each goes on by itself, and costs what was put in since the last one."""

import json

from hypothesis import given
from hypothesis import strategies as st

from statemem.ir.cells import Cell, Scope, name
from statemem.ir.frontends.linking.layers import Layered
from statemem.ir.meaning.places import Places

from .written import lowered, used

STEP = st.tuples(st.sampled_from(["copy", "put", "change"]), st.integers(0, 9), st.sampled_from("abcde"))


@given(st.lists(STEP, max_size=60))
def test_copies_are_what_copies_of_plain_dictionaries_would_be(steps):
    layered, plain = [Layered(list)], [{}]
    for number, (kind, which, key) in enumerate(steps):
        at = which % len(plain)
        if kind == "copy":
            layered.append(layered[at].copy())
            plain.append({one: list(values) for one, values in plain[at].items()})
        elif kind == "put":
            layered[at][key], plain[at][key] = [number], [number]
        else:
            layered[at].owned(key, list).append(number)
            plain[at].setdefault(key, []).append(number)
    assert plain == [{key: one.get(key) for key in "abcde" if key in one} for one in layered]


def test_only_what_is_changed_is_copied():
    copied = []

    def copy(value):
        copied.append(value)
        return list(value)

    known = Layered(copy)
    for number in range(500):
        known[number] = [number]
    others = [known.copy() for _ in range(100)]
    others[0].own(7)
    assert ([[7]], [7]) == (copied, others[1].get(7))


def test_there_are_few_layers_however_many_copies_were_made():
    known = Layered(list)
    for number in range(4_096):
        known[number] = [number]
        known.copy()
    assert len(known._below) <= 13


CELL = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(
    lambda path: Cell(Scope("user", "1"), tuple(map(name, path)))
)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9), CELL), max_size=40))
def test_copies_of_places_do_not_see_each_other(steps):
    places, plain = [Places()], [{}]
    for copies, which, cell in steps:
        at = which % len(plain)
        if copies:
            places.append(places[at].copy())
            plain.append(dict(plain[at]))
        assert (cell not in plain[at]) is places[at].add(cell)
        plain[at][cell] = None
    assert [set(one) for one in plain] == [set(one) for one in places]
    assert [len(one) for one in plain] == [len(one) for one in places]
    assert all(set(one.overlapping(cell)) >= {cell} for one, known in zip(places, plain, strict=True) for cell in known)


def _message(key, before, role, text, **more):
    author = {"role": role, "name": more.pop("name", None)}
    content = {"content_type": "text", "parts": [text]}
    message = {"id": f"{key}-m", "author": author, "content": content, **more}
    return {"id": key, "parent": before, "children": [], "message": message}


def test_what_is_learned_in_one_branch_is_not_known_in_another():
    order = json.dumps({"order_id": "W15-77", "card": "card_1212"})
    messages = [
        _message("a", "root", "user", "Where is my order?"),
        _message("b", "a", "assistant", '{"order_id": "W15-77"}', recipient="shop.get_order"),
        _message("c", "b", "tool", order, name="shop.get_order"),
        _message("d", "a", "assistant", '{"card": "card_1212"}', recipient="shop.charge"),
        _message("e", "c", "assistant", '{"card": "card_1212"}', recipient="shop.refund"),
    ]
    mapping = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    (program,), _ = lowered([{"id": "k1", "title": "Lamps", "mapping": mapping | {one["id"]: one for one in messages}}])
    assert (None, True) == (used(program).get("shop.charge(card)"), "shop.refund(card)" in used(program))
