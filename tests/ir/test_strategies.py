"""The public strategies: what they call valid is, and what they break is found where it was broken."""

from hypothesis import given

from statemem.ir import run
from statemem.ir.testing import Broken, broken, traces, workflows
from statemem.ir.text import dumps, read
from statemem.ir.text.parser import parse
from statemem.ir.verifier import check_text, findings


def errors(program):
    return [(found.code, found.spot) for found in findings(program) if found.severity == "error"]


@given(traces())
def test_a_valid_log_has_no_errors_and_can_be_executed(program):
    assert [] == errors(program)
    assert [] == run(program).open_tasks


@given(workflows())
def test_a_valid_workflow_has_no_errors(program):
    assert [] == errors(program)


@given(traces() | workflows())
def test_valid_programs_survive_their_text(program):
    [back] = parse(dumps(program))
    assert program.same_as(back)
    assert dumps(program) == dumps(back)


@given(broken())
def test_a_broken_program_is_refused_with_the_right_code_and_place(one: Broken):
    found = errors(one.program)
    assert (one.code, one.spot) in found, f"{one.code} {one.spot} not in {found}\n{dumps(one.program)}"


@given(broken())
def test_and_its_text_is_refused_at_the_right_line(one: Broken):
    text = dumps(one.program)
    document = read(text)
    line = document.lines[0].of(one.spot, document.programs[0])
    assert (one.code, line) in [(found.code, found.location.line) for found in check_text(text)]
