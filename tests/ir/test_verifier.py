"""What the verifier finds, and what it lets pass."""

from operator import attrgetter
from pathlib import Path

import attrs
import pytest
from hypothesis import given

from statemem.ir import Origin, Program, build
from statemem.ir.diagnostics import Location
from statemem.ir.testing import programs
from statemem.ir.text import dumps
from statemem.ir.verifier import CODES, check_text, verify

FILES = sorted(Path(__file__).parent.glob("errors/IR*.smir"))

HEAD = """\
program "x"
scope org:1/
scope user:7/ in org:1/
scope session:1/ in user:7/
scope session:2/ in user:7/
task main in session:1/ {
block t1 user {
"""

GOOD = """\
program "good"

scope org:1/
scope user:7/ in org:1/
scope session:1/ in user:7/
cell user:7/phone pinned

task main (size) in session:1/ {
  block t1 user step 1 {
    use size
    user:7/order["W15"] = set {"color": "black", "id": "W15"} as m1
    org:1/limit = default 3 as m2
    turn:t1/note = set "x" as m3
    prices[*].gross = derive ? from size as m8
    use prices["W15"].gross, *
    enter f1 is broadband
    goto t2
  }
  block t2 tool:find step 2 in f1 {
    line = set "down" as m4
    use line, user:7/order["W15"].color was m1 for reply
    same user:7/order["W15"], user:7/order["A-15"]
    use user:7/order["A-15"].color was "m1/color"
    @it -> user:7/order
    use @it["W15"].color was "m1/color"
    @it["W15"].note = append "late" as m6
    delete user:7/phone as m5
    use user:7/phone was m5
    leave f1
    branch t3 on again, t4
  }
  block t3 user step 3 {
    enter f1
    leave f1 ended
    open
  }
  block t4 user step 3 {
    enter f1
    leave f1 ended
    open expect user:7/*, session:1/topic
  }
}
"""


def in_block(*statements: str) -> str:
    """A program whose blocks end where no statement says how."""
    ended = statements[-1].split()[0] in ("goto", "branch", "fork", "open", "end")
    return HEAD + "\n".join([*statements, *([] if ended else ["open"]), "}", "}"])


def declaring(*lines: str, task: str = "main", body: str = "open") -> str:
    """A program that declares something before its one block."""
    return "\n".join(['program "x"', "scope user:7/", *lines, f"task {task} {{", "block t1 user {", body, "}", "}"])


def check(expected: list[str], text: str) -> None:
    assert expected == [problem.code for problem in check_text(text)]


@pytest.mark.parametrize("file", FILES, ids=attrgetter("stem"))
def test_a_finding_is_shown_with_its_place(file: Path, golden) -> None:
    golden(file)


def test_every_code_has_a_golden_file_and_no_file_another_code() -> None:
    assert set(CODES) == {file.stem.partition("-")[0] for file in FILES}


def test_a_good_program_has_no_findings() -> None:
    check([], GOOD)


def test_families_may_depend_on_others() -> None:
    cells = (
        "user:7/order[*].total depends on user:7/order[*].items, shop:1/prices",
        "user:7/order[*].items depends on user:7/basket",
        "user:7/order[*].label depends on user:7/order[*].total, user:7/order[*].items",
        'user:7/order["W15"].twin depends on user:7/order["A-15"].twin',
    )
    families = ("scope shop:1/", *(f"cell {one}" for one in cells))
    check([], declaring(*families))
    check(["IR017"] * 5, declaring(*families, "cell user:7/basket depends on user:7/order[*].label"))


@pytest.mark.parametrize("met", ["enter f1 is return", 'enter "return"', "maybe enter f1 is return"])
def test_a_requirement_is_met_by_a_task_that_is_entered(met: str) -> None:
    left = "f1" if "f1" in met else "return"
    check([], declaring("task return requires address, user:7/name", body=f"{met}\nleave {left} ended\nopen"))


@pytest.mark.parametrize("task", ["main is return", "return", 'main is "return" (address)'])
def test_a_requirement_is_met_by_a_task_of_the_program(task: str) -> None:
    check([], declaring("task return requires address", task=task))


def test_all_findings_come_in_one_run_from_top_to_bottom() -> None:
    statements = ("use topic", "leave f1", "user:8/a = set 1", "use topic was e9", "goto t9")
    check(["IR101", "IR008", "IR004", "IR101", "IR006", "IR001"], in_block(*statements))


def test_a_text_that_cannot_be_read_has_its_problem() -> None:
    check(["TX002"], 'program x"')


def test_a_task_entered_on_one_path_may_be_left() -> None:
    check(
        [],
        in_block(
            *("branch t2, t3", "}", "block t2 user {", "enter f1", "goto t4", "}", "block t3 user {", "goto t4"),
            *("}", "block t4 user {", "leave f1", "end"),
        ),
    )


def test_steps_of_a_branch_begin_again() -> None:
    steps = "block {} user step {} {{\n{}\n}}\n"
    blocks = (("t2", 2, "goto t3"), ("t3", 3, "open"), ("t4", 2, "open"))
    text = HEAD + "branch t2, t4\n}\n" + "".join(steps.format(*block) for block in blocks) + "}"
    check([], text)


def test_findings_in_a_log_say_where_in_the_log() -> None:
    origin = Origin(file="chat.jsonl", line=3, record=3, pointer="/content")
    program = build().block("user").at(**attrs.asdict(origin)).use("topic").end()
    [problem] = verify(program)
    assert Location(file="chat.jsonl", line=3, record=3, pointer="/content") == problem.location


def test_a_jump_in_a_built_program_is_found() -> None:
    program = build().block("user").goto("t9").program
    [problem] = verify(program, file="log.jsonl")
    assert (problem.code, problem.location) == ("IR001", Location(file="log.jsonl"))


@given(programs())
def test_any_program_can_be_verified(program: Program) -> None:
    found = verify(program)
    assert sorted(problem.code for problem in found) == sorted(problem.code for problem in check_text(dumps(program)))
    assert all(problem.code in CODES for problem in found)


def test_the_scope_of_a_task_sees_what_encloses_it() -> None:
    entered = ("enter f1", "goto t2", "}", "block t2 user in f1 {", "session:1/x = set 1", "org:1/x = set 1")
    check(["IR005"], in_block(*entered, "session:2/x = set 2", "leave f1"))
