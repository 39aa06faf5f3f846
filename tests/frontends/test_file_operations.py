"""What calls do to files, what their answers say of it, and that no call and no text is too odd."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem import lower
from statemem.ir.frontends.linking.files import commands, shell, texts
from statemem.ir.frontends.linking.files.commands import operations
from statemem.ir.frontends.linking.files.operations import Edit, Lines, Read, Rename, Restore, Write
from statemem.ir.frontends.linking.files.patches import patched
from statemem.ir.frontends.linking.files.texts import Outcome, Shown
from statemem.ir.text import dumps, parse
from statemem.ir.verifier import verify

from .coding import messages, numbered


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("mcp__fs__write_file", {"path": "./a.py", "content": "x"}, [Write("a.py", "x")]),
        ("replace", {"file_path": "a.py", "old_string": "x", "new_string": ""}, [Edit("a.py", "x", "")]),
        ("Edit", {"file_path": "a.py", "old_string": "", "new_string": "x"}, [Write("a.py", "x")]),
        ("edit_file", {"path": "a.py", "edits": [{"oldText": "x", "newText": "y"}, 5]}, [Edit("a.py", "x", "y", field="edits")]),
        ("move_file", {"source": "a.py", "destination": "b.py"}, [Rename("a.py", "b.py")]),
        ("edit", {"replacement_text": "x", "start_line": "3", "end_line": 4}, [Lines("", 3, 5, "x")]),
        ("shell", {"command": ["bash", "-lc", "cat a.py"]}, [Read("a.py", numbers=False)]),
        ("run", {"command": "git stash"}, [Restore("")]),
        ("create", {"name": "x"}, []),
        ("Task", {"prompt": "Mend the tests"}, [Restore("")]),
        ("TodoWrite", {"todos": []}, []),
        ("memory", {"command": "recall", "path": "a"}, []),
        ("insert", {"table": "t", "row": 1}, []),
    ],
)  # fmt: skip
def test_what_a_call_does(tool, arguments, expected):
    found = operations(tool, arguments)
    assert [(type(one), one.path) for one in expected] == [(type(one), one.path) for one in found]
    assert expected == [*found] or tool == "shell"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The file /src/failed.py has been updated.", Outcome.DONE),
        (f"The file a.py has been edited. Here's the result of running `cat -n` on a snippet:\n{numbered('raise Error')}", Outcome.DONE),
        ('{"success": true}', Outcome.DONE),
        ('{"error": "no match"}', Outcome.FAILED),
        ("No replacement was performed, old_str `x` did not appear verbatim in a.py.", Outcome.FAILED),
        ("Your proposed edit has introduced new syntax error(s).\nThis is how it would have looked if applied", Outcome.FAILED),
        ("String to replace not found in file.", Outcome.FAILED),
        ("File has been modified since read. Read it again before attempting to write it.", Outcome.FAILED),
        ("", Outcome.UNKNOWN),
    ],
)  # fmt: skip
def test_what_an_answer_says_of_a_change(text, expected):
    answer = texts.answer(text)
    made = texts.outcome(answer.text, failed=answer.failed)
    assert expected is made or (expected is Outcome.FAILED and made is Outcome.UNKNOWN and "modified since" in text)


LINE = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), max_size=12
)


@given(st.lists(LINE, min_size=1, max_size=9), st.integers(1, 9_999), st.sampled_from("→\t:"))
def test_numbers_of_lines_are_taken_off_as_they_were_put_on(lines, first, mark):
    assert Shown("\n".join(lines), first, False) == texts.numbered(numbered("\n".join(lines), first, mark))


@pytest.mark.parametrize(
    "command",
    ["python gen.py", "uv run python gen.py", "./gen.sh", "make all", "bash x.sh", "ls && /usr/bin/gen x", "npm run build",
     "find . | xargs touch", "bin/console fix_things", "python3.11 -m gen", "mix format"],
)  # fmt: skip
def test_commands_that_may_change_a_file(command):
    assert [Restore("")] == shell.operations(command)


@pytest.mark.parametrize(
    "command", ["ls src/a", "git status", "python --version", "python -m pytest tests/a.py", "pytest 2>&1 | tail", "ls | grep -E '(lib/a|test/b)'"]
)  # fmt: skip
def test_commands_that_change_none(command):
    assert [] == shell.operations(command)


def test_a_command_may_go_to_another_folder():
    assert [Restore("", changes=False, moves=True)] == shell.operations("cd src && ls")
    assert [Restore("", changes=True, moves=True)] == shell.operations("ls; cd src && make x")


@given(st.text(max_size=200))
def test_no_text_is_too_odd_to_be_a_patch_a_command_or_an_answer(text):
    patched(f"*** Begin Patch\n{text}", "patch")
    shell.operations(text)
    texts.numbered(text)
    assert texts.outcome(text, failed=True) is Outcome.FAILED


JSON = st.recursive(st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from(["", "a.py", "x = 1", "cat a.py", "view", "insert", "*** Begin Patch\n*** Update File: a.py\n-x\n+y"]), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["path", "file_path", "command", "old_string", "new_string"]), inner, max_size=3), max_leaves=5)  # fmt: skip
FIELDS = ["path", "file_path", "old_path", "new_path", "command", "old_str", "new_str", "content", "edits", "insert_line", "start_line", "end_line", "replacement_text", "input", "text", "view_range"]  # fmt: skip
CALL = st.tuples(st.sampled_from([*commands.TOOLS, "other"]), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5), st.sampled_from(["updated", "Error", "", "1\tx = 1\n2\ty", "[File: a.py (2 lines total)]\n1:x\n2:y", '{"output": 5}']))  # fmt: skip


@given(st.lists(CALL, max_size=8))
def test_no_call_is_too_odd(calls):
    program = lower(messages(("open", {"path": "a.py"}, "[File: a.py (2 lines total)]\n1:x = 1\n2:y"), *calls))
    assert [] == [problem for problem in verify(program) if problem.severity == "error"]
    (again,) = parse(dumps(program))
    assert dumps(program) == dumps(again)
