"""What the verifier finds, and what it lets pass."""

import re
from textwrap import dedent

import attrs
import pytest
from hypothesis import given, settings

from statemem.ir import Goto, Origin, Program, build
from statemem.ir.diagnostics import Location
from statemem.ir.testing import programs
from statemem.ir.text import dumps
from statemem.ir.verifier import CODES, check_text, verify

HEAD = """\
program "x"
scope org:1/
scope user:7/ in org:1/
scope session:1/ in user:7/
scope session:2/ in user:7/
task main in session:1/ {
block t1 user {
"""

STATEMENTS = {
    "a jump to nowhere": """
        log.smir:8:8: error IR001: block 't1' goes to 'tea', which does not exist
        branch tea on ok, t1
               ^
    """,
    "a fork to nowhere": """
        log.smir:8:14: error IR001: block 't1' goes to 't01', which does not exist
        fork t1 join t01
                     ^
          hint: did you mean 't1'?
    """,
    "two blocks of one name": """
        log.smir:10:7: error IR002: another block is called 't1' before this one
        open
        }
        block t1 user {
              ^
          hint: control that goes to it would reach the first only
    """,
    "two entries of one id": """
        log.smir:9:14: error IR003: an entry before has the id 'e1'
        a = set 1 as e1
        b = set 2 as e1
                     ^
    """,
    "an id that a leaf has": """
        log.smir:9:14: error IR003: an entry before has the id 'e1/b'
        a = set {"b": 1} as e1
        c = set 1 as "e1/b"
                     ^
    """,
    "an undeclared scope": """
        log.smir:8:1: error IR004: the scope user:8/ is not declared
        user:8/phone = set 1
        ^
          hint: declare it before the tasks: scope user:8/
    """,
    "an undeclared scope in what is expected": """
        log.smir:8:13: error IR004: the scope user:8/ is not declared
        open expect user:8/phone, session:2/topic
                    ^
          hint: declare it before the tasks: scope user:8/
    """,
    "another session's cell": """
        log.smir:8:8: error IR005: session:2/ is not visible from session:1/, the scope of block 't1'
        @it -> session:2/topic
               ^
          hint: visible are session:1/, user:7/, org:1/
    """,
    "another turn's cell": """
        log.smir:8:8: error IR004: the scope turn:t9/ is not declared
        delete turn:t9/note
               ^
          hint: declare it before the tasks: scope turn:t9/
    """,
    "an entry that does not exist": """
        log.smir:9:11: error IR006: no entry has the id 'e9'
        a = set 1 as e1
        use a was e9
                  ^
    """,
    "an entry of another cell": """
        log.smir:10:11: error IR007: 'e2' is an entry of session:1/b, not of session:1/a
        a = set 1 as e1
        b = set 2 as e2
        use a was e2
                  ^
    """,
    "a leaf of another cell": """
        log.smir:9:13: error IR007: 'e1/y' is an entry of session:1/a.y, not of session:1/a.x
        a = set {"x": 1, "y": 2} as e1
        use a.x was "e1/y"
                    ^
    """,
    "a task that was never entered": """
        log.smir:8:7: error IR008: the task 'f1' is left but not open
        leave f1
              ^
          hint: enter f1 before
    """,
    "a task left twice": """
        log.smir:10:7: error IR008: the task 'f1' is left but not open
        enter f1
        leave f1
        leave f1 ended
              ^
          hint: enter f1 before
    """,
    "a cell united with a part of itself": """
        log.smir:8:1: error IR009: session:1/a and session:1/a.x overlap, so they cannot be two names of one entity
        same a, a.x
        ^
    """,
    "cells of distant scopes united": """
        log.smir:8:1: error IR010: `same` cannot unite cells of org:1/ and session:1/: neither is the other's parent
        same org:1/a, b
        ^
    """,
    "a read of what nothing wrote": """
        log.smir:9:8: warning IR101: nothing has written session:1/topic before it is read
        a = set 1
        use a, topic
               ^
    """,
    "a read of a field that an object lacks": """
        log.smir:9:5: warning IR101: nothing has written session:1/a.y before it is read
        a = set {"x": 1}
        use a.y
            ^
    """,
    "a reference that nothing bound": """
        log.smir:8:1: warning IR102: nothing has bound @it before it is used
        @it.x = set 1
        ^
          hint: bind it before: @it -> …
    """,
    "steps that run backwards": """
        log.smir:13:15: warning IR103: step 1 comes after step 2 of block 't2'
        goto t2
        }
        block t2 user step 2 {
        goto t3
        }
        block t3 user step 1 {
                      ^
    """,
    "a task without an end": """
        log.smir:10:7: warning IR104: the task 'f2' is entered and never left
        enter f1
        leave f1
        enter f2
              ^
    """,
}

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


def codes(text: str) -> list[str]:
    return [problem.code for problem in check_text(text)]


def check(expected: list[str], text: str) -> None:
    assert expected == codes(text)


@pytest.mark.parametrize("expected", STATEMENTS.values(), ids=STATEMENTS)
def test_a_finding_is_shown_with_its_place(expected: str) -> None:
    """The problem as it is read, with all lines of the block up to the one that is wrong."""
    first, *shown = dedent(expected).strip().split("\n")
    caret = next(number for number, line in enumerate(shown) if line.strip() == "^")
    problem = "\n".join([first, *shown[caret - 1 :]])
    assert [problem] == [str(one) for one in check_text(in_block(*shown[:caret]), "log.smir")]


def test_a_good_program_has_no_findings() -> None:
    check([], GOOD)


def test_every_code_is_shown_here() -> None:
    shown = set(re.findall("IR[0-9]+", "".join(STATEMENTS.values())))
    assert set(CODES) == {*shown, "IR011"}


def test_scopes_that_contain_each_other() -> None:
    text = 'program "x"\nscope a:1/ in b:2/\nscope b:2/ in a:1/\nscope c:3/ in a:1/\ntask main in c:3/ {\n}'
    check(["IR011", "IR011"], text)


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
    program = build().block("user").goto(Goto("t9")).program
    [problem] = verify(program, file="log.jsonl")
    assert (problem.code, problem.location) == ("IR001", Location(file="log.jsonl"))


@settings(deadline=None)
@given(programs())
def test_any_program_can_be_verified(program: Program) -> None:
    found = verify(program)
    assert sorted(problem.code for problem in found) == sorted(codes(dumps(program)))
    assert all(problem.code in CODES for problem in found)


def test_the_scope_of_a_task_sees_what_encloses_it() -> None:
    entered = ("enter f1", "goto t2", "}", "block t2 user in f1 {", "session:1/x = set 1", "org:1/x = set 1")
    check(["IR005"], in_block(*entered, "session:2/x = set 2", "leave f1"))
