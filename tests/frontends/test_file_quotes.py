"""Edits quote what a view of the file holds: which view that is, and when it holds the text no longer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.ir import Use
from statemem.passes import Word

from .coding import (
    HOTTER,
    HOTTEST,
    NOT_FOUND,
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
    told,
)


def test_an_edit_uses_the_view_that_it_quotes():
    (use,) = (
        one
        for one in lower(messages(read(), HOTTER)).instructions
        if isinstance(one, Use) and "old_string" in (one.purpose or "")
    )
    assert ("Edit(old_string)", "10 quoted", "/2/tool_calls/0/function/arguments#/old_string") == (
        use.purpose, use.origin.rule, use.origin.pointer,
    )  # fmt: skip


def test_the_path_is_linked_like_any_argument():
    purposes = [one.purpose for one in lower(messages(read(), HOTTER)).instructions if isinstance(one, Use)]
    assert "Edit(file_path)" in purposes


def stale(*turns):
    return [(use.entry.id, str(use.cell)) for use in told(*turns).stale_uses]


def test_an_edit_that_quotes_what_an_earlier_edit_replaced_is_a_stale_use():
    report = told(read(), HOTTER, HOTTEST)
    assert [("e2/text", f"user:log/{WHOLE}")] == [(use.entry.id, str(use.cell)) for use in report.stale_uses]
    assert "Edit(old_string=" in str(report)
    assert "used e2/text, replaced at" in str(report)
    assert [TEA] == [one.entry.value for one in report.of(Word.SUPERSEDED)]


def test_it_is_told_where_the_answer_comes_that_proves_it():
    program = lower(messages(read(), HOTTER, HOTTEST))
    (block,) = (
        block
        for block in program.blocks
        for one in block.instructions
        if isinstance(one, Use) and one.origin.rule == "10 replaced"
    )
    assert "tool:Edit" == str(block.actor)


def hottest(answer):
    """An edit that quotes what `HOTTER` replaced, and what came of it."""
    return edit("return pour(cup, 80)", "return pour(cup, 95)", answer)


NO_PROOF = {
    "it succeeded: the text stood where nobody looked": UPDATED,
    "no answer": None,
    "an answer that says nothing": "Hm.",
    "a failure of another kind": "Error: permission denied",
    "a text that is there twice": "<tool_use_error>Found 2 matches of the string to replace, but replace_all is false.</tool_use_error>",
    "a text that is there twice, in other words": "No replacement was performed. Multiple occurrences of old_str `return pour(cup, 80)` in lines [3, 9]. Please ensure it is unique",
    "a file that is not there": "File not found: /shop/tea.py",
    "a file that was changed": "File has been modified since read, either by the user or by a linter. Read it again.",
}  # fmt: skip


@pytest.mark.parametrize("name", NO_PROOF)
def test_an_answer_that_does_not_say_that_the_text_is_missing_proves_no_slip(name):
    assert [] == stale(read(), HOTTER, hottest(NO_PROOF[name]))


MISSING = [
    NOT_FOUND,
    "No replacement was performed, old_str `return pour(cup, 80)` did not appear verbatim in /shop/tea.py.",
    "Failed to edit, could not find the string to replace.",
    "Failed to edit, 0 occurrences found for old_string in /shop/tea.py.",
    "Text not found: return pour(cup, 80)",
    '{"output": "Could not find exact match for edit", "metadata": {"exit_code": 1}}',
]


@pytest.mark.parametrize("answer", MISSING)
def test_editors_say_in_many_words_that_a_text_is_missing(answer):
    assert 1 == len(stale(read(), HOTTER, hottest(answer)))


def test_a_quote_of_two_lines_does_not_stand_for_one_of_them_in_lines_nobody_saw():
    both = edit("    cup = take('blue')\n    return pour(cup, 80)", "    return pour(take('blue'), 80)")
    assert [] == stale(read_lines(1, 3), both, edit("return pour(cup, 80)", "return 1"))


def test_of_several_quotes_that_no_view_holds_nobody_knows_which_one_failed():
    both = [{"old_string": old, "new_string": "x"} for old in ("return pour(cup, 80)", "nobody_saw_this(1)")]
    one = [both[0], {"old_string": "    return brew(3)", "new_string": "    return brew(4)"}]
    several = [("MultiEdit", {"file_path": PATH, "edits": edits}, NOT_FOUND) for edits in (both, one)]
    assert [0, 1] == [len(stale(read(), HOTTER, call)) for call in several]


def said(text):
    """A log in which a person speaks between an edit and a quote of what it replaced."""
    turns = messages(read(), HOTTER, HOTTEST)
    turns.insert(4, {"role": "user", "content": text})
    return [str(use.cell) for use in analyze(turns).stale_uses]


@pytest.mark.parametrize("command", ["cd /shop && pytest -q", "python -m pytest", "git commit -m x", "mypy . | tail"])
def test_what_only_looks_at_files_brings_nothing_back(command):
    assert 1 == len(stale(read(), HOTTER, bash(command), HOTTEST))


def test_a_person_who_speaks_in_between_may_have_put_the_text_back():
    assert [] == said("I reverted your change.")
    assert 1 == len(said("<system-reminder>The list of todos is empty.</system-reminder>"))


def relative(tool, path="tea.py", answer=UPDATED, **more):
    return (tool, {"file_path": path, **more}, answer)


def test_a_relative_path_may_mean_another_file_in_another_folder():
    shown, quote = relative("Read", answer=numbered(TEA)), {"old_string": "return pour(cup, 80)", "new_string": "x"}
    written, again = relative("Write", content="nothing = 1"), relative("Edit", answer=NOT_FOUND, **quote)
    assert 1 == len(stale(shown, written, again))
    assert [] == stale(shown, bash("cd other"), written, again)
    assert 1 == len(stale(read(), bash("cd other"), HOTTER, HOTTEST))


def test_a_call_that_may_change_files_does_so_at_its_end_too():
    turns = messages(read(), HOTTER, bash("python gen.py"), HOTTEST)
    turns[3], turns[4] = turns[4], turns[3]
    assert [] == analyze(turns).stale_uses


def test_so_is_one_that_quotes_what_a_later_read_shows_no_more():
    assert 1 == len(stale(read(), read(TEA.replace("80", "90")), HOTTEST))


NOT_STALE = {
    "a quote after reading again": (read(), HOTTER, read(TEA.replace("80", "90")), edit("return pour(cup, 90)", "return 1")),
    "a quote of the new text": (read(), HOTTER, edit("return pour(cup, 90)", "return 1")),
    "an edit of another region": (read(), HOTTER, edit("    return brew(3)", "    return brew(4)")),
    "a quote of what is still there": (read(), HOTTER, edit("cup = take('blue')", "cup = take('red')")),
    "a quote of a text nobody showed": (read(), HOTTER, edit("def milk():\n    pass", "")),
    "a text too short to tell": (read(), edit("80", "90"), edit("80", "95", NOT_FOUND)),
    "an edit that is tried again after it failed": (read(), HOTTEST, HOTTEST),
    "an edit that is tried again after an answer that says nothing": (read(), (*HOTTER[:2], "Hm."), HOTTEST),
    "an edit whose answer never came": (read(), (*HOTTER[:2], None), HOTTEST),
    "a checkout in between": (read(), HOTTER, bash("git checkout -- tea.py"), HOTTEST),
    "another agent in between": (read(), HOTTER, ("Task", {"prompt": "Mend the tests"}, "Done."), HOTTEST),
    "a text of lines that were seen to change, of which it was none": (
        read_lines(1, 7), HOTTER, read_lines(1, 2, TEA.replace("blue", "red")), edit("    return brew(3)", "    return 1", NOT_FOUND),
    ),
    "a text that was put back before its view was lost": (
        read_lines(1, 7), HOTTER, edit("return pour(cup, 90)", "return pour(cup, 80)"), read_lines(1, 2, TEA.replace("blue", "red")), HOTTEST,
    ),
    "one of two places, nobody knows which": (read("value = 1 + long_name\n" * 2), edit("value = 1 + long_name", "value = 2"), edit("value = 1 + long_name", "value = 3", NOT_FOUND)),
    "a script that is run": (read(), HOTTER, bash("python gen.py"), HOTTEST),
    "another tool that shows the text again": (read(), HOTTER, ("Grep", {"pattern": "pour"}, "tea.py:9:    return pour(cup, 80)"), HOTTEST),
    "a command that shows the text again": (read(), HOTTER, bash("git diff", '{"output": "-    return pour(cup, 80)"}'), HOTTEST),
    "a script in between": (read(), HOTTER, bash("python - <<'E'\nopen('tea.py','w').write(old)\nE"), HOTTEST),
    "a word that somebody else changed the file": (read(), HOTTER, bash("ls", f"Note: {PATH} was modified, either by the user or by a linter."), HOTTEST),
    "a text that moved out of the range": (read_lines(6, 7), read_lines(6, 7, "\n" * 9 + TEA), edit("    return brew(3)", "    return 1", NOT_FOUND)),
    "a text of the same file under a new name": (read(), HOTTER, read(path="/old/tea.py"), ("Edit", {"file_path": "/old/tea.py", "old_string": "return pour(cup, 80)", "new_string": "x"}, NOT_FOUND)),
    "a file that was written anew with the same text": (read(), HOTTER, ("Write", {"file_path": PATH, "content": TEA}, "File written"), HOTTEST),
    "a long file of which only the first lines are shown": (read_lines(1, 3), ("Read", {"file_path": PATH}, numbered("\n".join(map(str, range(2000))))), edit("return pour(cup, 80)", "x", NOT_FOUND)),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_STALE)
def test_it_is_no_stale_use(name):
    assert [] == stale(*NOT_STALE[name])


def test_edits_of_one_message_that_undo_each_other_are_no_stale_uses():
    def call(number, old, new):
        arguments = json.dumps({"file_path": PATH, "old_string": old, "new_string": new})
        return {"id": f"d{number}", "function": {"name": "Edit", "arguments": arguments}}

    before, after = "return pour(cup, 80)", "return pour(cup, 90)"
    both = {"role": "assistant", "tool_calls": [call(1, after, before), call(2, before, "return 1")]}
    answers = [{"role": "tool", "tool_call_id": f"d{n}", "content": told} for n, told in ((1, UPDATED), (2, NOT_FOUND))]
    assert [] == analyze([*messages(read(), HOTTER), both, *answers]).stale_uses


def test_texts_of_files_are_no_values_that_other_calls_and_replies_could_quote():
    program = lower([*messages(read()), {"role": "assistant", "content": TEA}])
    assert not any(isinstance(one, Use) and one.purpose == "reply" for one in program.instructions)


WORDS = ["alpha_variable = first(1)", "beta_variable = second(2)", "gamma_variable = third(3)", "delta_variable = 4(4)"]


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS), st.sampled_from(["edit", "read", "lines"])), max_size=9))  # fmt: skip
def test_what_is_held_is_the_file_and_only_failing_quotes_are_stale(steps):
    """A file of which an agent sees all, edited by quotes that fail where the file does not hold them."""
    text, turns, expected = "\n".join(WORDS[:3]), [read("\n".join(WORDS[:3]))], []
    seen = {text}
    for old, new, kind in steps:
        if kind == "read":
            turns.append(read(text))
        elif kind == "lines":
            turns.append(read_lines(1, 2, text))
        else:
            is_there = old in text
            if not is_there and any(old in one for one in seen):
                expected.append(f"c{len(turns) + 1}")
            text = text.replace(old, new, 1) if is_there else text
            turns.append(edit(old, new, UPDATED if is_there else NOT_FOUND))
        seen.add(text)
    report = told(*turns)
    found = [report.program.instructions[use.instruction].origin.event for use in report.stale_uses]
    assert expected == sorted({event for event in found if event}, key=lambda event: int(event[1:]))
    assert text in held(*turns).values()


def test_what_stood_only_between_two_edits_of_one_call_is_no_entry_that_anybody_saw():
    edits = [{"old_string": "return pour(cup, 80)", "new_string": "return pour(cup, 90)"}, {"old_string": "return pour(cup, 90)", "new_string": "return pour(cup, 95)"}]  # fmt: skip
    both = ("MultiEdit", {"file_path": PATH, "edits": edits}, "Applied 2 edits")
    assert [] == stale(read(), both, edit("return pour(cup, 90)", "return pour(cup, 70)", NOT_FOUND))
    assert [("e2/text", f"user:log/{WHOLE}")] == stale(
        read(), both, edit("return pour(cup, 80)", "return pour(cup, 70)", NOT_FOUND)
    )
