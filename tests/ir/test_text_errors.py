"""What people read when a text is wrong: code, place, caret, what was expected, a hint."""

import re
from textwrap import dedent

import pytest

from statemem.ir.diagnostics import InputError
from statemem.ir.text import parse
from statemem.ir.text.errors import CODES

STATEMENTS = {
    "a wrong operator": """
        log.smir:5:9: error TX002: 'sett' does not belong here
        topic = sett 1
                ^
          hint: did you mean 'set'?
    """,
    "an operator that is none": """
        log.smir:5:9: error TX002: 'assign' does not belong here: expected add, append, default, derive or set
        topic = assign 1
                ^
    """,
    "a wrong statement": """
        log.smir:5:6: error TX002: 'topic' does not belong here: expected '='
        usee topic
             ^
          hint: did you mean 'use'?
    """,
    "a wrong clause": """
        log.smir:5:21: error TX002: 'frm' does not belong here: expected from, the end of the line or with
        topic = set 1 as m1 frm "e"
                            ^
          hint: did you mean 'from'?
    """,
    "a statement without its equals sign": """
        log.smir:5:7: error TX002: 'set' does not belong here: expected '='
        topic set 1
              ^
    """,
    "a sign that begins no statement": """
        log.smir:5:1: error TX001: '%' does not belong here: expected a statement such as `topic = set "plan"`, \
`use topic` or `goto t2`
        % foo
        ^
    """,
    "a missing value": """
        log.smir:5:12: error TX002: the line ends too early: expected a JSON value
        topic = set
                   ^
    """,
    "a missing name": """
        log.smir:5:14: error TX002: the line ends too early: expected a name
        use topic for
                     ^
    """,
    "a missing premise": """
        log.smir:5:17: error TX002: the line ends too early: expected from
        topic = derive 1
                        ^
    """,
    "a missing comma": """
        log.smir:5:12: error TX002: 'b' does not belong here: expected ')', ',' or was
        effect f(a b)
                   ^
    """,
    "a cell called like a statement": """
        log.smir:5:5: error TX002: '=' does not belong here: expected the end of the line
        end = set 1
            ^
          hint: a cell that is called like a statement is written in double quotes: "end"
    """,
    "an open string": """
        log.smir:5:13: error TX004: a string is not closed on its line
        topic = set "abc
                    ^
    """,
    "a backslash that escapes nothing": r"""
        log.smir:5:13: error TX004: "a\qb" is not a JSON string
        topic = set "a\qb"
                    ^
          hint: write \\ for a backslash and \" for a quotation mark
    """,
    "half a surrogate pair": r"""
        log.smir:5:13: error TX004: "\ud800" is not a JSON string
        topic = set "\ud800"
                    ^
          hint: write \\ for a backslash and \" for a quotation mark
    """,
    "single quotes": """
        log.smir:5:13: error TX001: "'" does not belong here: expected a JSON value
        topic = set 'x'
                    ^
          hint: strings are written in double quotes
    """,
    "a value of another language": """
        log.smir:5:13: error TX002: 'True' does not belong here: expected a JSON value
        topic = set True
                    ^
          hint: did you mean 'true'?
    """,
    "an open object": """
        log.smir:5:20: error TX002: the line ends too early: expected ',' or '}'
        topic = set {"a": 1
                           ^
    """,
    "a field twice": """
        log.smir:5:14: error TX011: the field 'a' is written twice
        topic = set {"a": 1, "a": 2}
                     ^
    """,
    "an infinite number": """
        log.smir:5:13: error TX005: 1e999 is too large a number
        topic = set 1e999
                    ^
    """,
    "a sum of words": """
        log.smir:5:13: error TX002: '"x"' does not belong here: expected '?' or a number
        topic = add "x"
                    ^
    """,
    "an open key": """
        log.smir:5:6: error TX010: a key in brackets is a plain name, a string in double quotes, or *
        order[ = set 1
             ^
    """,
    "a dangling dot": """
        log.smir:5:6: error TX010: after a dot a cell goes on with a name, or with a string in double quotes
        order.= set 1
             ^
    """,
    "a scope without a key": """
        log.smir:5:5: error TX010: a scope is a kind, a colon, a key and a slash, such as the user:7/ of user:7/phone
        user:/phone = set 1
            ^
    """,
    "a bound path": """
        log.smir:5:7: error TX010: only a reference itself can be bound, not @it.x
        @it.x -> b
              ^
    """,
    "an origin field that does not exist": """
        log.smir:5:21: error TX006: an origin has no field 'lin'
        topic = set 1 with {"lin": 3}
                            ^
          hint: did you mean 'line'?
    """,
    "an origin field of the wrong kind": """
        log.smir:5:34: error TX006: the origin field 'line' must be a whole number
        topic = set 1 with {"file": "a", "line": "3"}
                                         ^
    """,
    "a time without a zone": """
        log.smir:5:21: error TX006: the origin field 'observed' must be a time with its zone, \
such as "2025-01-31T09:30:00Z"
        topic = set 1 with {"observed": "2025-01-31T09:30:00"}
                            ^
    """,
    "a fact without its point": """
        log.smir:5:15: error TX008: 'liveness = a' is not an expected fact
        topic = set 1 ;; liveness = a
                      ^
          hint: write it as ;; after liveness = a, b
    """,
}

TEXTS = {
    "no program": """
        log.smir:1:1: error TX002: 'prog' does not belong here: expected program
        prog "x"
        ^
          hint: did you mean 'program'?
    """,
    "another language": """
        log.smir:1:1: error TX002: '{' does not belong here: expected program
        {"role": "user"}
        ^
    """,
    "an end in the middle": """
        log.smir:3:15: error TX003: the text ends in the middle of a program: expected cell, entry, scope or task
        program "x"

        # nothing more
                      ^
    """,
    "an unknown shape": """
        log.smir:1:13: error TX002: 'flow' does not belong here: expected the end of the line or workflow
        program "x" flow
                    ^
    """,
    "a scope without a slash": """
        log.smir:2:7: error TX002: 'user' does not belong here: expected a scope such as user:7/
        program "x"
        scope user:7
              ^
    """,
    "a scope twice": """
        log.smir:3:7: error TX009: the scope user:7/ has been declared before
        program "x"
        scope user:7/
        scope user:7/ in org:1/
              ^
    """,
    "an entry twice": """
        log.smir:3:7: error TX009: the entry 'm1' has been described before
        program "x"
        entry m1 with {}
        entry m1 with {"a": 1}
              ^
    """,
    "a declared cell without a scope": """
        log.smir:2:6: error TX010: outside of tasks a cell needs its scope
        program "x"
        cell phone sensitive
             ^
          hint: write the scope before it, such as user:7/phone
    """,
    "a task that changes": """
        log.smir:4:6: error TX009: the task 'm' has been described differently
        program "x"
        task m in a:1/ {
        }
        task m in a:2/ {
             ^
          hint: to go on with it write only its name: task m {
    """,
    "a wrong word in a task": """
        log.smir:3:1: error TX002: 'blok' does not belong here: expected '}' or block
        program "x"
        task m {
        blok t1 user {
        ^
          hint: did you mean 'block'?
    """,
    "a block that does not say where control goes": """
        log.smir:4:1: error TX002: '}' does not belong here: expected a statement such as `topic = set "plan"`, \
`use topic` or `goto t2`
        program "x"
        task m {
        block t1 user {
        }
        ^
          hint: a block ends by saying where control goes: goto, branch, fork, end or open
    """,
}

#: What follows the lines shown, where the error is met only once the next line begins.
BEHIND = {"a scope twice": "task m {\n}", "an entry twice": "task m {\n}", "a task that changes": "}"}


def message(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse(text, file="log.smir")
    return str(caught.value)


@pytest.mark.parametrize("expected", STATEMENTS.values(), ids=STATEMENTS)
def test_a_wrong_statement_is_shown_with_its_place(expected: str) -> None:
    expected = dedent(expected).strip()
    statement = expected.split("\n")[1]
    assert expected == message(
        f'program "x"\nscope user:7/\ntask main {{\nblock t1 user {{\n{statement}\nopen\n}}\n}}\n'
    )


@pytest.mark.parametrize(("case", "expected"), TEXTS.items(), ids=TEXTS)
def test_a_wrong_text_is_shown_with_its_place(case: str, expected: str) -> None:
    """The problem as it is read, with all lines of the text up to the one that is wrong."""
    first, *shown = dedent(expected).strip().split("\n")
    caret = next(number for number, line in enumerate(shown) if line.strip() == "^")
    problem = "\n".join([first, *shown[caret - 1 :]])
    assert problem == message("\n".join([*shown[:caret], *BEHIND.get(case, "").split("\n")]))


def test_every_code_is_shown_here() -> None:
    shown = set(re.findall("TX[0-9]+", "".join([*STATEMENTS.values(), *TEXTS.values()])))
    assert {*shown, "TX007", "TX012"} == set(CODES), "a text without a program is shown with the command line"


@pytest.mark.parametrize("brackets", ["[" * 100_000, '{"a":' * 100_000, "[" * 101 + "]" * 101], ids=len)
def test_nesting_is_bounded(brackets: str) -> None:
    shown = message(f'program "x"\ntask main {{\nblock t1 user {{\ntopic = set {brackets}\nopen\n}}\n}}\n')
    assert shown.startswith("log.smir:4:")
    assert "error TX007: brackets are nested more than 100 deep" in shown
    assert len(shown) < 2000


def test_brackets_in_strings_and_comments_are_not_nested() -> None:
    text = f'program "x"\ntask main {{\nblock t1 user {{\ntopic = set "{"[" * 200}" # {"[" * 200}\nopen\n}}\n}}\n'
    expected = "[" * 200
    assert expected == parse(text)[0].entries[0].value


def test_half_a_character_is_an_error() -> None:
    assert message('program "x\ud800"').startswith("log.smir:1:11: error TX001: half a character stands here")


def test_a_whole_number_of_any_length_is_kept_or_refused() -> None:
    text = 'program "x"\ntask main {{\nblock t1 user {{\ntopic = set {}\nopen\n}}\n}}\n'
    expected = 10**999
    assert expected == parse(text.format(expected))[0].entries[0].value
    assert "error TX005: a whole number has too many digits" in message(text.format("1" * 5000))


def test_an_open_string_in_a_fact_is_an_error() -> None:
    text = 'program "x"\ntask main {\nblock t1 user {\nopen ;; after live = a, "b\n}\n}\n'
    assert message(text).startswith("log.smir:4:6: error TX008: 'after live = a, \"b' is not an expected fact")


def test_a_long_word_is_shortened() -> None:
    assert f"'{'x' * 40}…' does not belong here" in message("x" * 100_000)
