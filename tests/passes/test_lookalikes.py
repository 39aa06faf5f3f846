import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem import analyze
from statemem.ir import Program, Same, build, parse_cell, run
from statemem.ir.values import UNKNOWN
from statemem.passes import Conflicts, Manager, lookalikes_at
from statemem.passes.conflicts import Rule
from statemem.passes.framework import BlockEnd
from statemem.passes.lookalikes import folded
from statemem.passes.testing import SCOPE
from statemem.policy import load

KEYS = ("DGQ", "dgq", "Dgq ", "Bo")
ENTITIES = [f"person[{key!r}]".replace("'", '"') for key in KEYS] + ['team["DGQ"]', 'team["dgq"]']
CELLS = [f"{entity}{below}" for entity in ENTITIES for below in ("", ".desk", ".team")]


def pairs(program, block=None):
    """The pairs of keys, with the ids of what differs."""
    found = lookalikes_at(Manager(program), BlockEnd(program.current_end if block is None else block))
    return [
        (one.left.path[-1].text, one.right.path[-1].text, [(a.id, b.id) for a, b in one.differing]) for one in found
    ]


@st.composite
def logs(draw, *, unions=True):
    builder = build()
    for _ in range(draw(st.integers(1, 9))):
        cell, maybe = draw(st.sampled_from(CELLS)), draw(st.booleans())
        what = draw(st.sampled_from(["set", "set", "set", "append", "delete", "block", "same"]))
        version = None if unions else draw(st.none() | st.integers(1, 2))  # rank across unions is a matter of its own
        if what == "set":
            value = draw(st.sampled_from([1, 2, UNKNOWN, {"desk": 1, "team": "red"}]))
            builder.at(version=version).set(cell, value, maybe=maybe)
        elif what == "append":
            builder.append(cell, 1, maybe=maybe)
        elif what == "delete":
            builder.delete(cell, maybe=maybe)
        elif what == "block":
            builder.block()
        elif unions:
            left, right = draw(st.lists(st.sampled_from(ENTITIES), min_size=2, max_size=2, unique=True))
            builder.same(left, right, maybe=maybe)
    return builder.block().program


def alike(program, state):
    """The pairs by the rule, read off the state at the end of one path."""
    names = set()
    for cell in state.cells():
        kept = {(one.instruction, one.leaf) for one in state.in_force(cell)}
        if any((one.instruction, one.leaf) in kept for one in state.held(cell)):
            names |= {cell.path[: n + 1] for n, part in enumerate(cell.path) if part.kind == "key"}
    return {
        frozenset((left, right))
        for left in names
        for right in names
        if left != right
        and left[:-1] == right[:-1]
        and left[-1].text.strip().casefold() == right[-1].text.strip().casefold()
        and right not in united(program, left)
    }


def united(program, path):
    """What surely is one with an entity, by the unions that surely happened."""
    found = {path}
    sure = [one for one in program.instructions if isinstance(one, Same) and not one.maybe]
    for _ in sure:
        for one in sure:
            if {one.left.path, one.right.path} & found:
                found |= {one.left.path, one.right.path}
    return found


@given(logs())
@settings(max_examples=60)
def test_the_pairs_are_those_of_the_rule_on_the_state(program):
    found = lookalikes_at(Manager(program), BlockEnd(program.current_end))
    assert alike(program, run(program)) == {frozenset((one.left.path, one.right.path)) for one in found}


@given(logs())
@settings(max_examples=60)
def test_of_each_entity_the_entries_that_show_it_are_in_force_there(program):
    state = run(program)
    for one in lookalikes_at(Manager(program), BlockEnd(program.current_end)):
        for entity, entries in zip((one.left, one.right), one.shown_by, strict=True):
            assert entries
            for entry in entries:
                places = [cell for cell in state.cells() if entity.covers(cell) and entry in state.in_force(cell)]
                assert places


@given(logs(unions=False))
@settings(max_examples=60)
def test_what_differs_is_what_would_be_in_conflict_if_the_two_were_one(program):
    for one in lookalikes_at(Manager(program), BlockEnd(program.current_end)):
        conflicts = if_united(program, one.left, one.right)
        assert conflicts == {frozenset((a.id, b.id)) for a, b in one.differing}


def if_united(program, left, right):
    """The conflicts of known values that arise where two entities are united at the end of a log."""
    longer = rebuilt(program)
    longer.extend(build().block(name="last").same(str(left), str(right)).program.blocks[0])
    found = [one for one in Manager(longer).result(Conflicts) if one.rule is Rule.SAME]
    sides = [[entry for side in one[:2] if (entry := longer.entry_of(side)) is not None] for one in found]
    return {frozenset(e.id for e in both) for both in sides if all(e.value is not UNKNOWN for e in both)}


@given(logs(unions=False), logs(unions=False))
@settings(max_examples=60)
def test_on_every_branch_that_shows_two_they_are_found_behind_it(left, right):
    program = build().branch("l", "r").block(name="l").goto("j").block(name="r").goto("j").block(name="j").open()
    drafted = [tuple(one for block in side.blocks for one in block.instructions) for side in (left, right)]
    for number, instructions in enumerate(drafted, 1):
        program.blocks[number] = with_instructions(program.blocks[number], instructions)
    program = rebuilt(program)
    found = {frozenset((one.left.path, one.right.path)) for one in lookalikes_at(Manager(program), BlockEnd(3))}
    for path in ((0, 1, 3), (0, 2, 3)):
        assert alike(program, run(program, path)) <= found


def with_instructions(block, instructions):
    return attrs.evolve(block, instructions=tuple(attrs.evolve(one, id=None) for one in instructions))


def rebuilt(program):
    fresh = Program(program.name, SCOPE)
    for block in program.blocks:
        fresh.append(block)
    return fresh


@given(logs())
@settings(max_examples=60)
def test_the_one_that_was_written_first_stays_the_first_as_the_log_grows(program):
    longer = rebuilt(program)
    longer.extend(build().block(name="last").set('person["DGQ"].desk', 7).program.blocks[0])
    before = {(one.left, one.right) for one in lookalikes_at(Manager(program), BlockEnd(len(program.blocks) - 1))}
    after = {(one.left, one.right) for one in lookalikes_at(Manager(longer), BlockEnd(len(longer.blocks) - 1))}
    assert not before & {(right, left) for left, right in after}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("DGQ", "dgq", True),
        ("Straße", "STRASSE", True),
        ("Ελλάς", "ελλάσ", True),
        ("cafe\u0301", "CAFÉ", True),
        (" Nord", "Nord\t", True),
        ("订单", "订单 ", True),
        ("jo_li", "jo-li", False),
        ("a b", "ab", False),
        ("\uff24GQ", "DGQ", False),
        ("О", "O", False),
        ("cafe", "café", False),
    ],
)
def test_case_normal_form_and_outer_space_make_no_difference_and_all_else_does(one, other, same):
    assert same == (folded(one) == folded(other))


def test_equal_facts_of_two_that_look_alike_do_not_differ():
    program = build().set("person[DGQ].team", "red").set("person[dgq].team", "red").open()
    assert [("DGQ", "dgq", [])] == pairs(program)


def test_another_scope_or_family_makes_no_pair():
    program = (
        build().scope("user:7/").set("person[DGQ].team", 1).set("user:7/person[dgq].team", 2).set("team[dgq].size", 3)
        .set("group[A].person[DGQ].x", 1).set("group[B].person[dgq].x", 2).open()
    )  # fmt: skip
    assert [] == pairs(program)


def test_of_entities_within_others_the_inner_ones_are_told_too_and_the_outer_ones_by_themselves():
    inner = build().set("group[A].person[DGQ].x", 1, id="e1").set("group[A].person[dgq].x", 2, id="e2").open()
    outer = build().set("group[A].person[DGQ].x", 1).set("group[a].person[DGQ].x", 2).open()
    assert [("DGQ", "dgq", [("e1", "e2")])] == pairs(inner)
    assert [("A", "a", [("e1", "e2")])] == pairs(outer)


def test_they_are_told_apart_no_more_where_a_third_name_unites_them():
    program = build().set("p[DGQ].x", 1).set("p[dgq].x", 2).same("p[DGQ]", "p[Quill]").same("p[Quill]", "p[dgq]").open()
    assert [] == pairs(program)


def test_one_that_was_deleted_or_renamed_away_is_none():
    assert [] == pairs(build().set("p[DGQ].x", 1).set("p[dgq].x", 2).delete("p[DGQ]").open())
    assert [("DGQ", "dgq", [("e1", "e2")])] == pairs(
        build().set("p[DGQ].x", 1, id="e1").set("p[dgq].x", 2, id="e2").block().delete("p[DGQ]").open(), 0
    )


def test_three_that_look_alike_are_three_pairs():
    program = build().set("p[DGQ].x", 1).set("p[dgq].x", 1).set("p[Dgq].x", 1).open()
    assert [("DGQ", "dgq"), ("DGQ", "Dgq"), ("dgq", "Dgq")] == [one[:2] for one in pairs(program)]


# what is asked


def asked(program, **options):
    return [one for one in analyze(program, **options).actions if one.code == "SM915"]


TWO = (
    build().block("user").set("person[DGQ].team", "red", id="e1").set("person[DGQ].desk", 4)
    .block("user").set("person[dgq].team", "blue", id="e2").open()
)  # fmt: skip


def test_the_plan_asks_whether_they_are_one_and_names_both():
    (ask,) = asked(TWO)
    assert (parse_cell("person[dgq]", SCOPE), 2) == (ask.cell, ask.step)
    assert ('person/DGQ: team "red", desk 4', 'person/dgq: team "blue"') == ask.candidates
    assert (
        'person["DGQ"] and person["dgq"] differ only in case or form and may be one; as one they would contradict '
        'each other: "red" (e1) and "blue" (e2)'
    ) == ask.reason
    assert ('step 1: "red" (e1) speaks of person["DGQ"]', 'step 2: "blue" (e2) speaks of person["dgq"]') == ask.proof


def test_nothing_is_merged_by_the_question():
    report = analyze(TWO)
    assert ["red", 4, "blue"] == [one.entry.value for one in report.entries if one.in_force]
    assert all("Ask (SM915)" in report.explain(f"person/{key}/team") for key in ("DGQ", "dgq"))


def test_before_the_second_was_written_nothing_is_asked():
    assert [] == asked(TWO, at=1)


def test_the_answer_ends_the_question():
    builder = build().set("p[DGQ].x", 1, id="e1").set("p[dgq].x", 2, id="e2").block("user").same("p[DGQ]", "p[dgq]")
    report = analyze(builder.open())
    assert ["SM202"] == [one.code for one in report.actions if one.code in ("SM202", "SM915")]


def test_who_knows_that_they_are_two_suppresses_it_for_that_entity(tmp_path):
    file = tmp_path / "statemem.toml"
    file.write_text('[[suppress]]\ncode = "SM915"\ncells = "person[dgq]"\nreason = "two people"\n', encoding="utf-8")
    report = analyze(TWO, policy=load(file))
    assert ([], 1) == ([one for one in report.actions if one.code == "SM915"], report.hidden)


def test_a_key_that_people_should_not_see_is_masked():
    program = build().set('person["ann.b@shop.example"].x', 1).set('person["Ann.B@shop.example"].x', 2).open()
    (ask,) = asked(program)
    assert "a***@shop.example" in ask.reason
    assert not [text for text in (ask.reason, *ask.candidates, *ask.proof) if "nn.b@" in text.casefold()]


def test_a_mere_mention_contradicts_nothing():
    program = build().set("name[HTTPResponse]", "HTTPResponse").set("name[httpresponse]", "httpresponse").open()
    assert [] == lookalikes_at(Manager(program), BlockEnd(0))
