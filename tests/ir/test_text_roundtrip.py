"""Printing then parsing gives an equal program; parsing then printing gives the canonical text."""

import re
from importlib import resources

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lark import Lark

from statemem.ir import (
    Actor,
    Arm,
    Bind,
    Block,
    Branch,
    Cell,
    Derive,
    Effect,
    Enter,
    Fork,
    Leave,
    Open,
    Operand,
    Origin,
    PathError,
    Program,
    Reference,
    Scope,
    Set,
    Task,
    Use,
    build,
    key,
    name,
    parse_place,
    workflow,
)
from statemem.ir.cells import STATEMENT_WORDS, path_text
from statemem.ir.diagnostics import InputError, Problem
from statemem.ir.testing import AWKWARD, cells, programs, texts
from statemem.ir.text import Fact, dumps, parse, read

EXAMPLE = """\
program "support-42"

scope user:7/
scope session:42/ in user:7/
cell user:7/phone sensitive

task main in session:42/ {
  block t1 user step 1 {
    topic = set "mobile plan" as m1 from "evt_1"
    user:7/phone = set "+33 6 00 00 00 00" as m2 from "evt_1"
    goto t2
  }
  block t2 user step 2 {
    enter f1 is broadband
    goto t3
  }
  block t3 tool:diagnose step 3 in f1 {
    line.status = derive "down" from user:7/phone as m3 from "evt_2"
    leave f1
    goto t4
  }
  block t4 assistant step 4 {
    use topic, user:7/phone for reply from "evt_4"  ;; after liveness = user:7/phone
    open expect user:7/phone
  }
}
"""

ALL_FORMS = """\
program "all forms" workflow

scope user:7/
entry e1 with {"keywords": ["tea", ?]}

task main is order (size, "book day") in user:7/ {
  block t1 "the user":"Ann B." step -1 from "evt" with {"file": "a.jsonl", "line": 3} {  ;; after live =
    maybe order["W15"].color = set {"a": [1, -2.5, ?, null, true]} as e1
    * = derive "x" from () as e2 from "other" with {"file": null}
    list = append [] as e3 with {"event": null}
    "use".x[*]."book day" = add 2 as "e/4"
    maybe @it = default "email" as e5
    delete @it["W15"].use as e6
    maybe @"no name" -> session:"1/2"/order
    same order["W15"], order["A-15"]
    effect "re fund"(order[*].id was e1, @it) key {"r": 15}
    effect nothing()
    use () for "to be sure"
    leave f1 ended  ;; after live += a, b["x, y"]  ;; after live -= c
    branch t1 on ok weight 7, t2 weight 0.5, "t 3"
  }
  block t2 user in f2 {
    "task" = set 1 as e7
    fork t1, t2 join t1
  }
}
"""


def test_the_example_of_the_design_is_canonical() -> None:
    document = read(EXAMPLE)
    assert dumps(document.programs, document.facts) == EXAMPLE


def test_every_form_is_canonical() -> None:
    document = read(ALL_FORMS)
    assert dumps(document.programs, document.facts) == ALL_FORMS


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(programs(), max_size=2))
def test_printing_then_parsing_gives_equal_programs(written: list[Program]) -> None:
    text = dumps(written)
    found = parse(text)
    assert len(found) == len(written)
    assert all(one.same_as(other) for one, other in zip(found, written, strict=True))
    assert dumps(found) == dumps(parse(dumps(found)))


def _grammar() -> str:
    return resources.files("statemem.ir.text").joinpath("grammar.lark").read_text(encoding="utf-8")


WORDS = sorted({*AWKWARD, *re.findall('"([a-z]+)"', _grammar())})


@pytest.mark.parametrize("word", WORDS)
def test_a_name_is_kept_wherever_it_stands(word: str) -> None:
    scope = Scope("user", word)
    cell = Cell(scope, ()).child(word).at(word).child(word)
    operand = Operand(cell, word)
    instructions = (
        Set(target=Cell(scope, (name(word),)), value={word: word}, id=word, origin=Origin(event=word, file=word)),
        Derive(target=Reference(word, cell.path), value=word, premises=(operand, operand), id=f"{word}2"),
        Use(operands=(operand, Operand(Reference(word, (key(word),)))), purpose=word),
        Bind(reference=word, target=cell, id=word),
        Effect(action=word, arguments=(operand, operand), key=word),
        Enter(task=word, kind=word),
        Leave(task=word, id=word),
    )
    program = Program(word, scope, task=word)
    program.add_task(Task(word, scope, word, (word, word)))
    program.metadata[word] = {word: word}
    arms = Branch((Arm(word, word, 1), Arm(word, word), Arm(word)))
    program.append(Block(word, Actor(word), None, word, instructions, arms))
    program.append(Block(word, Actor(word, word), 1, None, (), Fork((word, word), word)))
    [found] = parse(dumps(program))
    assert found.same_as(program)


def test_names_that_differ_by_a_separator_stay_apart() -> None:
    program = build().block().set("jo_li", 1).set("jo-li", 2).set('"jo%li"', 3).program
    [found] = parse(dumps(program))
    assert 3 == len({entry.cell for entry in found.entries})


@pytest.mark.parametrize("word", sorted(STATEMENT_WORDS))
def test_a_cell_that_leads_a_statement_is_quoted(word: str) -> None:
    assert f'    "{word}" = set 1 as e1\n' in dumps(build().block().set(word, 1).program)


@given(cells())
def test_the_reader_of_single_cells_and_the_grammar_agree(cell: Cell) -> None:
    _agree(str(cell))
    _agree(path_text(cell.path))


@given(st.text(st.sampled_from('ab1_-."[]*\\ @:/订'), max_size=12) | texts())
def test_both_readers_accept_the_same_texts(text: str) -> None:
    _agree(text)


def _agree(text: str) -> None:
    """The grammar reads more than the reader: what begins with a key, and blanks around a cell."""
    scope = Scope("session", "1")
    try:
        expected = parse_place(text, scope)
    except (PathError, ValueError):
        return
    if isinstance(expected, Reference):
        return
    head = 'program "x"\ntask main in session:1/ {\n  block t1 user {\n    open expect '
    [program] = parse(f"{head}{text}\n  }}\n}}\n")
    assert program.blocks[0].terminator == Open((expected,))


def test_ids_are_given_only_where_no_line_claims_them() -> None:
    [program] = parse(
        'program "x"\ntask main in session:1/ {\nblock t1 user {\na = set 1\nb = set 2 as e1\ngoto t2\n}\n'
        "block t2 user {\nc = set 3\nd = set 4 as e2\nend\n}\n}"
    )
    assert ["e3", "e1", "e4", "e2"] == [entry.id for entry in program.entries]


def test_blocks_of_several_tasks_keep_the_order_they_were_made_in() -> None:
    [program] = parse(
        'program "x"\ntask a {\nblock 订 user {\nopen\n}\n}\n'
        "task b {\nblock t2 user {\nx = set 1\nopen\n}\n}\ntask a {\nblock t3 user {\ny = set 1\nopen\n}\n}"
    )
    assert ["a", "b", "a"] == program.body
    assert ["task:b/x", "task:a/y"] == list(map(str, (entry.cell for entry in program.entries)))
    assert parse(dumps(program))[0].same_as(program)


def test_comments_and_line_ends_are_no_data() -> None:
    text = '\ufeff# first\r\nprogram "x" # the name\r\n\r\n\ttask main {\r\n# none\r\n}\r\n# last'
    assert ["x"] == [program.name for program in parse(text)]


def test_a_text_without_programs_has_none() -> None:
    assert [] == parse("# nothing\n\n")


def test_facts_say_where_they_hold() -> None:
    document = read(ALL_FORMS)
    assert [
        Fact(0, 0, -1, "live", "="),
        Fact(0, 0, 11, "live", "+=", ("a", 'b["x, y"]')),
        Fact(0, 0, 11, "live", "-=", ("c",)),
    ] == document.facts


def test_the_grammar_is_accepted_in_strict_mode() -> None:
    assert Lark(_grammar(), parser="lalr", strict=True)


def _problems(text: str) -> list[Problem]:
    try:
        parse(text)
    except InputError as error:
        return list(error.problems)
    return []


@given(st.text(max_size=60) | st.lists(st.sampled_from(ALL_FORMS.split(" ")), max_size=40).map(" ".join))
def test_any_text_ends_in_programs_or_a_located_error(text: str) -> None:
    assert all(problem.location.line and problem.location.column for problem in _problems(text))


@given(st.data())
def test_a_damaged_text_ends_in_programs_or_a_located_error(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(ALL_FORMS)))
    length = data.draw(st.integers(0, 8))
    inserted = data.draw(st.text(max_size=3) | st.sampled_from(list('{}[]()"#;=,.:*@\n')))
    problems = _problems(ALL_FORMS[:start] + inserted + ALL_FORMS[start + length :])
    assert all(problem.code.startswith("TX") and problem.location.column for problem in problems)


@pytest.mark.parametrize("word", ["as", "from", "with", "then", "return", "call"])
def test_what_is_returned_may_be_called_like_a_word_that_may_follow(word: str) -> None:
    program = workflow("user:7/").block().set(f'"{word}"', 1).returns(f'"{word}"', "x").program
    assert program.same_as(parse(dumps(program))[0])
