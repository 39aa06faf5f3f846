import pytest

from statemem.ir import Derive, Scope, run
from statemem.ir.frontends import lower
from statemem.ir.verifier import verify


def one(records):
    problems = []
    (program,) = lower(records, problems)
    return program, [problem.code for problem in problems]


def entry(name, step, **fields):
    return {"entry_id": name, "content": name, "created_step": step, **fields}


def test_records_in_any_order_are_sorted_by_step_version_and_position():
    program, _ = one([entry("c", 2), entry("b", 1, version=2), entry("a", 1, version=1)])
    assert ["a", "b", "c"] == [found.id for found in program.entries]


def test_an_entry_derives_from_its_refs_or_from_what_its_step_accessed():
    program, _ = one(
        [
            entry("a", 1),
            entry("b", 1),
            entry("c", 2, refs=["a"]),
            entry("d", 2),
            {"step_id": 2, "accessed_memory_ids": ["b"]},
        ]
    )
    derived = {item.id: [was for _, was in item.premises] for item in program.instructions if isinstance(item, Derive)}
    assert {"c": ["a"], "d": ["b"]} == derived


def test_ids_that_are_unknown_or_created_later_are_warnings_and_no_stale_uses():
    program, codes = one([entry("late", 5), {"step_id": 2, "accessed_memory_ids": ["late", "none"]}])
    assert ["FE026", "FE026"] == codes
    assert all(not item.reads() for item in program.instructions)


def test_a_step_may_access_what_it_creates():
    program, codes = one([entry("a", 1), {"step_id": 1, "accessed_memory_ids": ["a"]}])
    assert ([], ["a"]) == (codes, [read.was for item in program.instructions for read in item.reads()])


def test_without_a_fact_key_every_entry_is_a_cell_of_its_own():
    program, _ = one([entry("a", 1), entry("b", 1)])
    assert ['memory["a"]', 'memory["b"]'] == list(run(program).snapshot(Scope("session", "log")))


def test_fact_keys_that_differ_in_case_and_punctuation_are_one():
    program, _ = one([entry("a", 1, semantic_fact="Java-Version"), entry("b", 2, semantic_fact="java version:")])
    assert {'fact["java version"]': "b"} == run(program).snapshot(Scope("session", "log"))


def turn(number, *ops, **fields):
    return {"turn": number, "scope": "session:42", "ops": list(ops), **fields}


def test_each_operation_of_the_set_is_read():
    program, codes = one(
        [
            turn(1, {"op": "set", "name": "a", "value": 1}, {"op": "append", "name": "b", "value": "x"}),
            turn(2, {"op": "add", "name": "a", "value": 2}, {"op": "default", "name": "c", "value": "d"}),
            turn(3, {"op": "derive", "name": "e", "value": "f", "from": ["a", {"name": "c", "was": "x"}]}),
            turn(4, {"op": "use", "name": ["a", "c"], "for": "reply"}, {"op": "delete", "name": "b"}),
            turn(
                5, {"op": "bind", "name": "@it", "to": "order[W15]"}, {"op": "set", "name": "@it.color", "value": "red"}
            ),
            turn(6, {"op": "same", "name": "order[W15]", "to": "order[A-15]"}),
            turn(7, {"op": "effect", "name": "refund", "args": ["a"], "key": "r-1"}),
            turn(8, {"op": "enter", "name": "t", "kind": "k"}, {"op": "leave", "name": "t", "ended": True}),
        ]
    )
    assert [] == codes
    expected = {"a": 3, "c": "d", "e": "f", 'order["W15"].color': "red"}
    assert expected == run(program).snapshot(Scope("session", "42"))


def test_one_bad_operation_does_not_lose_the_good_ones():
    program, codes = one(
        [turn(1, {"op": "sett", "name": "a"}, {"op": "set", "name": "a["}, {"op": "set", "name": "b", "value": 1}, 7)]
    )
    assert (["FE032", "FE032", "FE031"], 1) == (codes, len(program.entries))


def test_a_late_arrival_goes_into_history():
    program, _ = one(
        [
            turn(1, {"op": "set", "name": "employer", "value": "Norve"}, time="2024-01-01T00:00:00Z"),
            turn(2, {"op": "set", "name": "employer", "value": "Halden"}, time="2021-01-01T00:00:00+09:00"),
        ]
    )
    assert {"employer": "Norve"} == run(program).snapshot(Scope("session", "42"))


def test_a_naive_time_is_utc_and_a_zone_is_respected():
    program, _ = one([turn(1, {"op": "set", "name": "x", "value": 1}, time="2026-03-29T02:30:00")])
    assert "2026-03-29 02:30:00+00:00" == str(program.instructions[0].origin.observed)


def test_scopes_that_look_alike_stay_apart():
    program, _ = one([turn(1, *({"op": "set", "scope": f'user:"{key}"', "name": "x", "value": key} for key in KEYS))])
    assert [{"x": key} for key in KEYS] == [run(program).snapshot(Scope("user", key)) for key in KEYS]


@pytest.mark.parametrize(
    "turns",
    [
        [{"scope": "task:a", "task": "a"}],
        [{"scope": "task:a", "ops": [{"op": "enter", "name": "b"}]}, {"scope": "task:b", "task": "a"}],
        [{"scope": "task:a", "ops": [{"op": "enter", "name": "a"}]}],
    ],
)
def test_no_scope_lies_in_itself_whatever_scopes_the_turns_name(turns):
    program, _ = one([{"turn": number, "actor": "user", "ops": [], **given} for number, given in enumerate(turns, 1)])
    assert [] == [problem for problem in verify(program) if problem.severity == "error"]


KEYS = ("jo_li", "jo-li", "jo%li")


def test_a_cell_is_no_other_name_of_itself():
    program, codes = one({"turn": 1, "scope": "session:1", "ops": [{"op": "set", "name": "a", "value": 1}, {"op": "same", "name": "a", "to": "a"}]})  # fmt: skip
    assert (["FE032"], 1) == (codes, len(program.instructions))
