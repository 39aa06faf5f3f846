"""Domain files: what they say goes before what names of tools and fields say, and every mistake is shown with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem import lower
from statemem.actions import Kind
from statemem.ir import Derive, Effect, Program, Scope, Set, Use, run
from statemem.ir.blocks import Block
from statemem.ir.diagnostics import InputError
from statemem.ir.frontends.domain import UNKNOWN, Domain, declare
from statemem.ir.frontends.linking import Linker
from statemem.ir.frontends.linking.entities import Scopes
from statemem.ir.origin import Actor, Origin
from statemem.masking import Masker
from statemem.passes import Manager
from statemem.report import Report

USER, SESSION = Scope("user", "u"), Scope("session", "s")


@pytest.fixture
def load(tmp_path):
    def loaded(text):
        path = tmp_path / "shop.toml"
        path.write_text(text, encoding="utf-8")
        return Domain.load(path)

    return loaded


def told(domain, *turns):
    """The program of turns: calls `(tool, arguments, result)`, and texts that a user wrote."""
    program = Program("p", SESSION)
    program.add_scope(USER)
    program.add_scope(SESSION, USER)
    linker = Linker(program, Scopes(USER, SESSION), [], domain)

    def add(actor, instructions):
        number = len(program.blocks) + 1
        linker.learn(program.extend(Block(f"m{number}", Actor(actor), number, None, tuple(instructions))))

    for number, turn in enumerate(turns, 1):
        if isinstance(turn, str):
            add("user", linker.user_text(turn, Origin()))
            continue
        tool, arguments, result = turn
        add("assistant", linker.call(tool, arguments, f"c{number}", Origin(pointer="/arguments")))
        add("tool", linker.result(f"c{number}", tool, result, Origin(pointer="/content")))
    return program


def held(domain, *turns):
    return run(told(domain, *turns)).snapshot(USER)


def found(program, kind):
    return [one for one in program.instructions if isinstance(one, kind)]


ORDER = {"order_id": "W15", "status": "open", "color": "black", "total": 561.5}


def test_an_empty_domain_says_nothing(load):
    assert (Domain(), UNKNOWN) == (load(""), Domain())


def test_the_entity_of_a_result_and_the_argument_that_names_it(load):
    domain = load('[tools."warehouse.*"]\nentity = "order"\nid = "no"')
    assert {} == held(UNKNOWN, ("warehouse.peek", {"no": "W15"}, {"shelf": "A"}))
    assert {'order["W15"].shelf': "A"} == held(domain, ("warehouse.peek", {"no": "W15"}, {"shelf": "A"}))


def test_an_entity_is_named_by_any_field_that_is_its_id(load):
    domain = load('[tools.peek]\nentity = "order"\n[entities.order]\nids = ["pnr", "order_id"]')
    results = held(domain, ("peek", {}, {"pnr": "W15", "status": "new"}), ("get_order", {"order_id": "W15"}, ORDER))
    assert ("open", {'order["W15"]'}) == (results['order["W15"].status'], {path.rpartition(".")[0] for path in results})


def test_the_name_of_a_tool_written_out_goes_before_a_pattern(load):
    domain = load('[tools."get_*"]\nresult = "none"\n[tools.get_order]\nresult = "whole"')
    assert ("whole", "none", None) == tuple(domain.tool(name).result for name in ("get_order", "get_user", "list"))


SHORT = {"order_id": "W15", "status": "sent"}


@pytest.mark.parametrize(("extent", "expected"), [("whole", 2), ("part", 4), ("none", 4)])
def test_whole_part_or_nothing_is_what_the_domain_says(load, extent, expected):
    domain = load(f'[tools.get_order_short]\nentity = "order"\nresult = "{extent}"')
    results = held(domain, ("get_order", {"order_id": "W15"}, ORDER), ("get_order_short", {"order_id": "W15"}, SHORT))
    assert (expected, "open" if extent == "none" else "sent") == (len(results), results['order["W15"].status'])


def test_a_tool_writes_if_the_domain_says_so(load):
    sets = ("order_sheet", {"order_id": "W15", "status": "open"}, SHORT)
    get = ("get_order", {"order_id": "W15"}, ORDER)

    def uses(domain):
        return [one.purpose for one in found(told(domain, get, sets), Use)]

    assert ["order_sheet(order_id)", "order_sheet(status)"] == uses(UNKNOWN)[-2:]
    assert "order_sheet(status)" not in uses(load("[tools.order_sheet]\nwrites = true"))


def test_a_tool_that_is_ignored_defines_and_uses_nothing(load):
    assert () == tuple(told(load("[tools.think]\nignore = true"), ("think", {"thought": "hm"}, "ok")).instructions)


def test_what_a_tool_concludes_has_to_be_looked_at_again_when_what_it_was_given_changes(load):
    calls = [
        ("get_order", {"order_id": "W15"}, {"order_id": "W15", "weight": 12_345}),
        ("quote_fee", {"fee_id": "F7", "weight": 12_345}, {"fee_id": "F7", "fee": 9.5}),
        ("get_order", {"order_id": "W15"}, {"order_id": "W15", "weight": 23_456}),
    ]

    def doubted(domain):
        report = Report(Manager(told(domain, *calls)))
        return [one.cell.path[-1].text for one in report.actions if one.kind is Kind.REVALIDATE]

    assert [] == doubted(UNKNOWN)
    assert "fee" in doubted(load('[tools."quote_*"]\nconcludes = true'))


REFUND = '[tools.refund]\neffect = true\neffect_key = "request_id"'


def test_a_call_that_acts_on_the_world_is_an_effect_at_its_result(load):
    get = ("get_order", {"order_id": "W15"}, ORDER)
    call = ("refund", {"order_id": "W15", "request_id": "r-1"}, {"refunded": 561.5})
    (effect,) = found(told(load(REFUND), get, call), Effect)
    assert ("refund", "r-1", "8 effect") == (effect.action, effect.key, effect.origin.rule)
    assert ['order["W15"].order_id', 'call["c2"].request_id'] == [
        str(one.place).partition("/")[2] for one in effect.arguments
    ]


@pytest.mark.parametrize("result", [{"error": "timeout"}, '{"success": false}', "Error: no such order"])
def test_a_call_that_failed_did_nothing(load, result):
    assert [] == found(told(load(REFUND), ("refund", {"order_id": "W15"}, result)), Effect)


@pytest.mark.parametrize("result", ["", None, "Refunded.", {"status": "ok"}, [1]])
def test_any_other_result_says_that_it_was_done(load, result):
    effects = found(told(load('[tools."re*"]\neffect = "pay_back"'), ("refund", {"order_id": "W15"}, result)), Effect)
    assert [("pay_back", None)] == [(one.action, one.key) for one in effects]


def test_a_synonym_is_the_name_it_stands_for_and_how_it_was_written_is_kept(load):
    domain = load('[names]\nbooking_ref = "reservation_id"')
    program = told(
        domain,
        ("get_reservation", {"booking_ref": "R7-1"}, {"booking_ref": "R7-1", "day": "2024-05-20"}),
        ("cancel_reservation", {"reservation_id": "R7-1"}, {"ok": True}),
    )
    derived = found(program, Derive)[0]
    assert ("reservation_id", "booking_ref") == (next(iter(derived.value)), derived.origin.named)
    given = found(program, Set)[0]
    assert ("booking_ref", "/arguments/booking_ref") == (given.origin.named, given.origin.pointer)
    assert "cancel_reservation(reservation_id)" in [one.purpose for one in found(program, Use)]


def test_a_synonym_beside_its_real_name_stays(load):
    domain = load('[names]\nref = "order_id"\nnumber = "order_id"')
    assert ({"ref": 1, "order_id": 2}, {}) == domain.resolved({"ref": 1, "order_id": 2})
    assert ({"ref": 1, "number": 2}, {}) == domain.resolved({"ref": 1, "number": 2})


def test_fields_are_hidden_and_kept_wherever_they_come_up(load):
    domain = load('[fields]\nsensitive = ["tax_no"]\nlasting = ["allergies"]\n[entities.order]\nlasting = ["total"]')
    program = told(
        domain, ("get_user", {"user_id": "u_1"}, {"user_id": "u_1", "taxNo": "DE-55", "allergies": ["nuts"]})
    )
    for _ in range(2):  # what is declared is not declared again
        declare(program, domain)
    assert 3 == len(program.declarations)
    declared = {str(one.pattern): (one.sensitive, one.pinned) for one in program.declarations}
    assert {
        "user:u/order[*].total": (False, True),
        "user:u/user[*].taxNo": (True, False),
        "user:u/user[*].allergies": (False, True),
    } == declared


STATED = {
    "turn": 1,
    "scope": "session:42",
    "ops": [
        {"op": "set", "name": "booking[X7].passport", "value": "Kestrel-Blue"},
        {"op": "set", "name": "booking.passport", "value": "Kestrel-Green"},
        {"op": "set", "scope": "user:7", "name": "tax_no", "value": "Kestrel-Red"},
        {"op": "set", "name": "seat", "value": "Kestrel-White"},
    ],
}


def test_what_a_domain_hides_is_masked_in_logs_that_state_their_memory_too(load):
    domain = load('[entities.booking]\nsensitive = ["passport"]\n[fields]\nsensitive = ["tax_no"]')
    told, plain = (lower([STATED], domain=one) for one in (domain, None))
    assert ["Kestrel-Blue", "Kestrel-Green", "Kestrel-Red", "Kestrel-White"] == _shown(plain)
    assert ["Kestrel-White"] == [text for text in _shown(told) if "***" not in text]


def test_what_a_domain_keeps_is_pinned_in_logs_that_state_their_memory_too(load):
    program = lower([STATED], domain=load('[entities.booking]\nlasting = ["passport"]'))
    assert {"session:42/booking[*].passport", "session:42/booking.passport", "user:7/booking[*].passport"} == {
        str(one.pattern) for one in program.declarations if one.pinned
    }


def _shown(program):
    masker = Masker.of(program)
    return [str(masker.value(entry.cell, entry.value)) for entry in program.entries]


def test_more_is_recognised_in_what_people_write(load):
    domain = load("[said]\nticket = 'T-(\\d)'\nseat = 'row \\w+'")
    program = told(domain, "ticket T-7, row nine")
    assert [("ticket", "7"), ("seat", "row nine")] == [
        (one.target.path[0].text, one.value) for one in found(program, Set)
    ]


def test_a_list_is_keyed_by_the_id_that_the_domain_names(load):
    domain = load('[entities.order]\nids = ["pnr"]')
    assert {'order["A"].pnr': "A", 'order["A"].n': 1, 'order["B"].pnr': "B", 'order["B"].n': 2} == held(
        domain, ("list_orders", {}, [{"pnr": "A", "n": 1}, {"pnr": "B", "n": 2}])
    )


MISTAKES = {
    "[tools.a]\nefect = true": (2, "did you mean 'effect'?"),
    '[tools."a.*"]\nwrites = true\n[tools."b.*"]\n\nwrites = 5': (5, "true or false"),
    "[tool.a]": (1, "did you mean 'tools'?"),
    "[tools.a]\nresult = 'hole'": (2, "did you mean 'whole'?"),
    "[tools.a]\nform = true": (2, "is a text"),
    "[tools.a]\nform = 'hole'": (2, "did you mean 'whole'?"),
    "[tools.a]\nwrites = 'yes'": (2, "true or false"),
    "[tools.a]\nentity = ''": (2, "is a text"),
    "[tools.a]\neffect = 5": (2, "is a text"),
    "[tools.a]\neffect_key = 'x'": (2, "write effect = true"),
    "tools = 5": (1, "is a table"),
    "[tools]\na = 5": (2, "is a table"),
    "[tools]\n\na.writes = 5": (3, "true or false"),
    "[tools]\n\na = {writes = 5}": (3, "true or false"),
    "[entities.a]\nids = [5]": (2, "list of texts"),
    "[entities.a]\nids = ['x']\n[entities.b]\nids = ['x']": (4, "is an id of 'a' already"),
    "[names]\na = 'b'\nb = 'c'": (2, "is a synonym itself"),
    "[names]\na = 5": (2, "is a text"),
    "[said]\nx = '('": (2, "no regular expression"),
    "[said]\nx = 'a*'": (2, "finds the empty text"),
    "[said]\ny = '''z\n[fields]'''\nx = 'a*'": (4, "finds the empty text"),
    "[fields]\nsecret = ['x']": (2, "unknown key"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_shown_with_its_line(load, text):
    with pytest.raises(InputError) as raised:
        load(text)
    (problem,) = raised.value.problems
    line, words = MISTAKES[text]
    assert ("DO001", line) == (problem.code, problem.location.line)
    assert words in problem.message


def test_a_file_that_is_no_toml_is_shown_with_its_line(load):
    with pytest.raises(InputError) as raised:
        load("[tools.a]\nwrites = maybe")
    assert ("DO001", 2) == (raised.value.problems[0].code, raised.value.problems[0].location.line)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"a = " + b"[" * 5_000, b"a = 1" + b"0" * 5_000])
def test_a_file_that_cannot_be_read_is_told_so(tmp_path, content):
    (tmp_path / "a.toml").write_bytes(content)
    for path in (tmp_path / "a.toml", tmp_path / "none.toml", tmp_path):
        with pytest.raises(InputError, match="DO001"):
            Domain.load(path)


SIMPLE = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=9)  # fmt: skip


@given(SIMPLE)
def test_resolving_names_loses_no_value(value):
    def scalars(one):
        if isinstance(one, dict):
            return [x for item in one.values() for x in scalars(item)]
        return [x for item in one for x in scalars(item)] if isinstance(one, list) else [one]

    resolved, _ = Domain(names=(("a", "c"), ("b", "c"))).resolved(value)
    assert scalars(value) == scalars(resolved)
