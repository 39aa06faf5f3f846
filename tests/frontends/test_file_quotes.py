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


def test_it_is_one_before_the_answer_is_known():
    assert 1 == len(stale(read(), HOTTER, (*HOTTEST[:2], None)))


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
    "a checkout in between": (read(), HOTTER, bash("git checkout -- tea.py"), HOTTER),
    "another agent in between": (read(), HOTTER, ("Task", {"prompt": "Mend the tests"}, "Done."), HOTTER),
    "a text of lines that were seen to change, of which it was none": (
        read_lines(1, 7), HOTTER, read_lines(1, 2, TEA.replace("blue", "red")), edit("    return brew(3)", "    return 1"),
    ),
    "a text that was put back before its view was lost": (
        read_lines(1, 7), HOTTER, edit("return pour(cup, 90)", "return pour(cup, 80)"), read_lines(1, 2, TEA.replace("blue", "red")), HOTTER,
    ),
    "one of two places, nobody knows which": (read("value = 1 + long_name\n" * 2), edit("value = 1 + long_name", "value = 2"), edit("value = 1 + long_name", "value = 3")),
    "a script in between": (read(), HOTTER, bash("python - <<'E'\nopen('tea.py','w').write(old)\nE"), HOTTER),
    "a word that somebody else changed the file": (read(), HOTTER, bash("ls", f"Note: {PATH} was modified, either by the user or by a linter."), HOTTER),
    "a text that moved out of the range": (read_lines(6, 7), read_lines(6, 7, "\n" * 9 + TEA), edit("    return brew(3)", "    return 1")),
    "a text of the same file under a new name": (read(), HOTTER, read(path="/old/tea.py"), ("Edit", {"file_path": "/old/tea.py", "old_string": "return pour(cup, 80)", "new_string": "x"}, UPDATED)),
    "a file that was written anew with the same text": (read(), HOTTER, ("Write", {"file_path": PATH, "content": TEA}, "File written"), HOTTER),
    "a long file of which only the first lines are shown": (read_lines(1, 3), ("Read", {"file_path": PATH}, numbered("\n".join(map(str, range(2000))))), edit("return pour(cup, 80)", "x")),
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
    answers = [{"role": "tool", "tool_call_id": f"d{n}", "content": UPDATED} for n in (1, 2)]
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
    assert expected == sorted(set(found), key=lambda event: int(event[1:]))
    assert text in held(*turns).values()
