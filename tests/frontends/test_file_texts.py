"""Files as cells: which texts of which files are in force after reads, edits, writes and commands."""

import pytest

from statemem import lower
from statemem.ir import Cell, Scope
from statemem.ir.cells import key, name
from statemem.ir.frontends.linking.files import shell
from statemem.ir.frontends.linking.files.operations import Read
from statemem.ir.frontends.linking.files.views import FileViews
from statemem.ir.frontends.opaque import shortened

from .coding import (
    HOTTER,
    HOTTEST,
    PATH,
    TEA,
    UPDATED,
    WHOLE,
    bash,
    edit,
    held,
    messages,
    numbered,
    read,
    read_lines,
)


def test_the_whole_of_a_file_is_its_text_without_numbers():
    assert {WHOLE: TEA} == held(read())


def test_an_edit_makes_the_new_text_of_the_same_cell_from_the_old_one():
    assert {WHOLE: TEA.replace("80", "90")} == held(read(), HOTTER)


def test_an_edit_that_failed_changes_nothing():
    assert {WHOLE: TEA} == held(read(), HOTTEST)


def test_an_edit_without_an_answer_changes_nothing():
    assert {WHOLE: TEA} == held(read(), edit("cup = take('blue')", "cup = 1", None))


def test_an_edit_whose_answer_says_nothing_leaves_both_texts():
    program = lower(messages(read(), edit("cup = take('blue')", "cup = 1", "Hm.")))
    assert [False, True] == [
        one.maybe for one in program.instructions if str(getattr(one, "target", "")).startswith("user")
    ]


def test_every_place_is_replaced_where_the_call_says_so():
    assert {WHOLE: TEA.replace("return", "yield")} == held(read(), edit("return", "yield", replace_all=True))


def test_several_edits_of_one_call_are_made_in_order():
    edits = [{"old_string": "80", "new_string": "81"}, {"old_string": "81", "new_string": "82"}]
    assert {WHOLE: TEA.replace("80", "82")} == held(read(), ("MultiEdit", {"file_path": PATH, "edits": edits}, UPDATED))


def test_a_write_is_the_whole_file_and_takes_all_views_with_it():
    write = ("Write", {"file_path": PATH, "content": "x = 1\n"}, f"File created successfully at: {PATH}")
    assert {WHOLE: "x = 1\n"} == held(read_lines(1, 3), read_lines(6, 7), write)


def test_a_range_is_a_view_of_its_own():
    found = held(read_lines(1, 3), read_lines(6, 7))
    assert ['file["/shop/tea.py"].lines["1-3"]', 'file["/shop/tea.py"].lines["6-7"]'] == list(found)


def test_a_later_range_takes_away_what_it_covers_and_what_it_contradicts():
    changed = TEA.replace("80", "90")
    assert ['file["/shop/tea.py"].lines["1-4"]'] == list(held(read_lines(1, 3), read_lines(1, 4)))
    assert ['file["/shop/tea.py"].lines["3-6"]'] == list(held(read_lines(1, 3), read_lines(3, 6, changed)))
    assert 2 == len(held(read_lines(1, 3), read_lines(3, 6)))


def test_a_range_that_contradicts_the_whole_takes_it_away():
    assert ['file["/shop/tea.py"].lines["3-4"]'] == list(held(read(), read_lines(3, 4, TEA.replace("80", "90"))))
    assert WHOLE in held(read(), read_lines(3, 4))


def test_after_lines_were_added_numbers_are_not_compared():
    longer = edit("cup = take('blue')", "cup = take('blue')\n    warm(cup)")
    moved = TEA.replace("take('blue')", "take('blue')\n    warm(cup)")
    assert 3 == len(held(read_lines(6, 7), read_lines(1, 3), longer, read_lines(5, 6, moved)))


def test_an_edit_of_what_no_view_shows_tells_its_new_text():
    assert {'file["/shop/tea.py"].edit["c1"]': "return pour(cup, 90)"} == held(HOTTER)


def test_a_file_that_is_deleted_is_gone_and_one_that_is_renamed_is_found_by_its_new_name():
    deleted = ("memory", {"command": "delete", "path": PATH}, f"Successfully deleted {PATH}")
    renamed = ("memory", {"command": "rename", "old_path": PATH, "new_path": "/b.py"}, "Successfully renamed")
    assert {} == held(read(), deleted)
    assert {'file["/b.py"].text': TEA} == held(read(), renamed)


def test_an_edit_that_is_undone_leaves_the_text_as_it_was():
    def editor(command, result="The file has been edited successfully.", **more):
        return ("str_replace_editor", {"command": command, "path": PATH, **more}, result)

    view = editor("view", f"Here's the result of running `cat -n` on {PATH}:\n{numbered(TEA, mark=chr(9))}")
    change = editor("str_replace", old_str="brew(3)", new_str="brew(4)")
    undo = editor("undo_edit", f"Last edit to {PATH} undone successfully.")
    assert {WHOLE: TEA.replace("brew(3)", "brew(4)")} == held(view, change)
    assert {WHOLE: TEA} == held(view, change, undo)


def test_lines_are_inserted_behind_the_one_that_is_named():
    insert = (
        "str_replace_editor",
        {"command": "insert", "path": PATH, "insert_line": 1, "new_str": "    pot()"},
        UPDATED,
    )
    assert {WHOLE: TEA.replace("tea():", "tea():\n    pot()")} == held(read(), insert)


def test_an_editor_with_an_open_file_is_followed():
    def window(text, total):
        return f"[File: {PATH} ({total} lines total)]\n" + "\n".join(
            f"{n}:{line}" for n, line in enumerate(text.split("\n"), 1)
        )

    opened = ("open", {"path": PATH}, window(TEA, 7))
    search = (
        "edit",
        {"search": "brew(3)", "replace": "brew(5)"},
        "Text replaced. " + window(TEA.replace("(3)", "(5)"), 7),
    )
    lines = ("edit", {"replacement_text": "    return 0", "start_line": 7, "end_line": 7}, "File updated.")
    assert {WHOLE: TEA.replace("brew(3)", "brew(5)")} == held(opened, search)
    assert {WHOLE: TEA.replace("brew(3)", "0").replace("return 0", "return 0")} == held(opened, lines)


def test_a_patch_edits_adds_and_deletes():
    patch = f"*** Begin Patch\n*** Update File: {PATH}\n@@ def tea():\n     cup = take('blue')\n-    return pour(cup, 80)\n+    return 1\n*** Add File: b.py\n+x = 1\n*** End Patch"
    assert {WHOLE: TEA.replace("pour(cup, 80)", "1"), 'file["b.py"].text': "x = 1\n"} == held(
        read(), ("apply_patch", {"input": patch}, "Success. Updated the following files:\nM tea.py")
    )


def test_a_simple_command_that_shows_a_file_is_a_read():
    assert {WHOLE: TEA} == held(bash(f"cat {PATH}", TEA))
    assert ['file["/shop/tea.py"].lines["2-3"]'] == list(
        held(bash(f"sed -n '2,3p' {PATH}", "\n".join(TEA.split("\n")[1:3])))
    )


@pytest.mark.parametrize("command", ["cat a.py | head", "cat a.py b.py", "cat *.py", "cat a.py > b.py", "sed -i s/a/b/ a.py", "cat $X", "tail -f a.py"])  # fmt: skip
def test_any_other_command_shows_no_file(command):
    assert not any(isinstance(one, Read) for one in shell.operations(command))


NO_FILE = {
    "a directory": ("str_replace_editor", {"command": "view", "path": "/shop"}, "Here's the files and directories up to 2 levels deep in /shop:\n/shop/tea.py"),
    "no such file": bash("cat nothing.py", "cat: nothing.py: No such file or directory"),
    "an error": ("Read", {"file_path": PATH}, "<tool_use_error>File does not exist.</tool_use_error>"),
    "another tool": ("open", {"path": PATH}, "opened"),
    "a path that is none": ("Read", {"file_path": {"a": 1}}, "x"),
    "edits that are none": ("MultiEdit", {"file_path": PATH, "edits": "x"}, UPDATED),
    "an edit of no open file": ("edit", {"search": "a", "replace": "b"}, "done"),
    "a command that is none": ("Bash", {"command": ["cat", 5]}, "x"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_FILE)
def test_it_shows_no_file_and_its_result_is_kept_like_any_other(name):
    program = lower(messages(NO_FILE[name]))
    assert {} == held(NO_FILE[name])
    assert [NO_FILE[name][2]] == [entry.value for entry in program.entries][-1:]


def test_a_view_that_was_clipped_is_not_the_whole_file():
    clipped = (
        "str_replace_editor",
        {"command": "view", "path": PATH},
        f"{numbered(TEA, mark=chr(9))}<response clipped><NOTE>…</NOTE>",
    )
    assert {'file["/shop/tea.py"].lines["1-7"]': TEA} == held(clipped)


def test_a_prompt_behind_an_output_is_no_line_of_the_file():
    prompt = "(Open file: n/a)\n(Current directory: /shop)\nbash-$"
    assert {WHOLE: TEA} == held(bash(f"cat {PATH}", f"{TEA}\n{prompt}"))
    assert {WHOLE: TEA} == held(bash(f"cat {PATH}", f"{TEA}\n[The command completed with exit code 0.]"))


def test_a_long_file_is_digested_in_its_cell_and_edited_in_full():
    long = TEA + "\n" + "\n".join(f"def f{n}():\n    return {n}" for n in range(900))
    shell_read, change = bash(f"cat {PATH}", long), edit("    return 899", "    return -1")
    assert {WHOLE: shortened(long.replace("return 899", "return -1"))} == held(shell_read, change)


def test_views_of_a_copy_are_its_own():
    views = FileViews(Cell(Scope("user", "u"), (name("file"), key("a.py"))))
    views.write("x = 1")
    other = views.copy()
    other.replace("1", "2", everywhere=False, is_sure=True)
    views.delete()
    assert (None, other.whole) == (views.holding("x ="), other.holding("x = 2"))
