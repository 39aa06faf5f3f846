import pytest
from hypothesis import given
from hypothesis import strategies as st

from statemem.ir import Use
from statemem.ir.frontends import choose
from statemem.ir.frontends.reader import read
from statemem.ir.instructions import EXPOSURE

from .written import actors, branches, lowered, used


def line(uuid, before, role, content, **more):
    message = {"role": role, "content": content, **more.pop("message", {})}
    return {"type": role, "uuid": uuid, "parentUuid": before, "sessionId": "s1", "message": message, **more}


def asks(call, tool="Bash", **arguments):
    return [{"type": "tool_use", "id": call, "name": tool, "input": arguments}]


def answers(call, text):
    return [{"type": "tool_result", "tool_use_id": call, "content": text}]


def aside(uuid, before):
    return {
        "type": "progress",
        "uuid": uuid,
        "parentUuid": before,
        "sessionId": "s1",
        "data": {"type": "hook_progress"},
    }


BEGIN = line("u1", None, "user", "Run the tests")


def test_lines_of_a_session_are_recognised_by_their_places():
    assert "coding_session" == choose(read([{"type": "summary", "summary": "x", "leafUuid": "u"}, BEGIN], [])).name


def test_a_message_that_is_spread_over_lines_is_one_block():
    (program,), _ = lowered(
        [
            BEGIN,
            line("a1", "u1", "assistant", [{"type": "text", "text": "I run them."}], message={"id": "msg1"}),
            line("a2", "a1", "assistant", asks("t1", command="pytest"), message={"id": "msg1"}),
            line("u2", "a2", "user", answers("t1", "3 passed")),
        ]
    )
    assert (["user", "assistant", "tool:Bash"], []) == (actors(program), branches(program))


def test_calls_in_parallel_whose_answers_each_follow_their_own_line_are_no_branches():
    (program,), _ = lowered(
        [
            BEGIN,
            line("a1", "u1", "assistant", asks("t1", command="pytest"), message={"id": "msg1"}),
            line("a2", "a1", "assistant", asks("t2", command="ruff check"), message={"id": "msg1"}),
            line("u2", "a1", "user", answers("t1", "3 passed")),
            line("u3", "a2", "user", answers("t2", "clean")),
            line("a3", "u3", "assistant", "Both are fine.", message={"id": "msg2"}),
        ]
    )
    assert (["user", "assistant", "tool:Bash", "tool:Bash", "assistant"], []) == (actors(program), branches(program))


def test_lines_of_progress_are_no_branches():
    (program,), codes = lowered(
        [BEGIN, aside("p1", "u1"), aside("p2", "p1"), line("a1", "u1", "assistant", "Done."), aside("p3", "p2"),
         line("u2", "p3", "user", "Good."), line("a2", "a1", "assistant", "Bye.")]
    )  # fmt: skip
    assert ([2], []) == (branches(program), codes)  # the person's line hangs on the first message by way of progress


def test_a_message_that_was_edited_is_a_branch():
    (program,), _ = lowered(
        [
            BEGIN,
            line("a1", "u1", "assistant", "Which ones?", message={"id": "msg1"}),
            line("u2", "a1", "user", "The slow ones"),
            line("u3", "a1", "user", "All of them"),
        ]
    )
    assert [2] == branches(program)


def test_a_session_taken_back_to_its_beginning_has_two_beginnings_that_know_nothing_of_each_other():
    (program,), codes = lowered(
        [
            line("u1", None, "user", "Fix W15-77"),
            line("a1", "u1", "assistant", "Yes.", message={"id": "msg1"}),
            line("u2", None, "user", "Fix W15-78"),
            line("a2", "u2", "assistant", "W15-77 or W15-78?", message={"id": "msg2"}),
        ]
    )
    assert (["system", "user", "assistant", "user", "assistant"], [2], []) == (
        actors(program),
        branches(program),
        codes,
    )
    assert ['session:s1/id["W15-78"]'] == used(program)["reply"]


def test_lines_none_of_which_names_another_are_a_list():
    lines = [BEGIN, line("a1", None, "assistant", "Done."), line("u2", None, "user", "Good.")]
    for form in (lines, [{key: value for key, value in one.items() if key != "parentUuid"} for one in lines]):
        (program,), codes = lowered(form)
        assert (["user", "assistant", "user"], [], []) == (actors(program), branches(program), codes)


def test_lines_of_a_stream_that_name_no_parent_go_on_from_the_one_before():
    tree = [BEGIN, line("a1", "u1", "assistant", "Done."), line("u2", "u1", "user", "Well?")]
    stream = {"type": "user", "session_id": "s1", "message": {"role": "user", "content": "Good."}}
    (program,), codes = lowered([*tree, stream])
    assert ([2], 4, []) == (branches(program), len(program.blocks), codes)


def test_a_line_after_one_that_is_not_in_the_log_is_told_and_goes_on_from_the_one_before():
    (program,), codes = lowered([BEGIN, line("a1", "u1", "assistant", "Done."), line("u2", "gone", "user", "Good.")])
    assert ([], 3, ["FE046"]) == (branches(program), len(program.blocks), codes)


def test_after_a_compaction_whose_history_is_not_in_the_log_it_goes_on_without_a_word():
    boundary = {"type": "system", "uuid": "b1", "parentUuid": None, "logicalParentUuid": "gone", "sessionId": "s1"}
    log = [BEGIN, line("a1", "u1", "assistant", "Done."), boundary, line("u2", "b1", "user", "Good.")]
    (program,), codes = lowered(log)
    assert ([], 4, []) == (branches(program), len(program.blocks), codes)


@pytest.mark.parametrize(
    "text",
    [
        "<local-command-stdout>order W15-77</local-command-stdout>",
        "<command-message>look at W15-77</command-message>\n<command-name>/look</command-name>",
        "<system-reminder>W15-77",
        "Caveat: The messages below were generated by the user while running local commands. W15-77",
    ],
)
def test_what_the_program_puts_in_no_person_said(text):
    (program,), _ = lowered([BEGIN, line("u2", "u1", "user", text)])
    assert (["user", "system"], []) == (actors(program), program.entries)


def test_a_persons_words_beside_what_was_put_in_are_theirs():
    words = (
        "<command-name>/fix</command-name><command-args>W15-77</command-args><system-reminder>W15-78</system-reminder>"
    )
    (program,), _ = lowered([line("u1", None, "user", words)])
    assert (["user"], ["W15-77"]) == (actors(program), [entry.value for entry in program.entries])


def test_what_an_agent_is_told_in_a_side_session_is_no_persons_word():
    (_, side), _ = lowered([BEGIN, line("x1", None, "user", "Find W15-77", isSidechain=True)])
    assert (["system"], []) == (actors(side), side.entries)


def test_a_call_that_is_answered_once_more_is_a_branch_and_other_answers_are_none():
    asked = line("a1", "u1", "assistant", [*asks("t1", command="pytest"), *asks("t2", command="ruff")])
    (program,), _ = lowered(
        [
            BEGIN,
            asked,
            line("r1", "a1", "user", answers("t1", "3 passed")),
            line("r2", "a1", "user", answers("t2", "clean")),
            line("a2", "r2", "assistant", "Fine."),
            line("r3", "a1", "user", answers("t1", "1 failed")),
            line("r4", "r3", "user", answers("t2", "clean")),
            line("a3", "r4", "assistant", "Oh."),
        ]
    )
    tools = ["tool:Bash", "tool:Bash"]
    assert (["user", "assistant", *tools, "assistant", *tools, "assistant"], [2]) == (
        actors(program),
        branches(program),
    )


def test_each_part_of_a_message_stands_in_its_own_line():
    (program,), _ = lowered(
        [
            BEGIN,
            line("a1", "u1", "assistant", asks("t1", command="pytest"), message={"id": "msg1"}),
            line("a2", "a1", "assistant", asks("t2", command="ruff"), message={"id": "msg1"}),
            line("u2", "a1", "user", answers("t1", "3 passed")),
            line("u3", "a2", "user", answers("t2", "clean")),
        ]
    )
    assert [2, 3, 4, 5] == [item.origin.record for item in program.instructions]
    assert [1, 2, 4, 5] == [block.origin.record for block in program.blocks]


def test_side_sessions_are_programs_of_their_own():
    programs, _ = lowered(
        [
            BEGIN,
            line("a1", "u1", "assistant", asks("t1", "Task", prompt="look"), message={"id": "msg1"}),
            line("x1", None, "user", "look", isSidechain=True, agentId="b7"),
            line("x2", "x1", "assistant", "Seen.", isSidechain=True, agentId="b7", message={"id": "msg9"}),
            line("u2", "a1", "user", answers("t1", "Seen.")),
        ]
    )
    assert [("s1", ["user", "assistant", "tool:Task"]), ("s1-b7", ["system", "assistant"])] == [
        (program.name, actors(program)) for program in programs
    ]
    assert {"s1"} == {scope.key for program in programs for scope in program.scopes if scope.kind == "user"}


def test_a_side_session_without_a_name_is_told_by_its_first_line():
    programs, _ = lowered(
        [
            BEGIN,
            line("x1", None, "user", "look", isSidechain=True),
            line("x2", "x1", "assistant", "Seen.", isSidechain=True),
        ]
    )
    assert ["s1", "s1-side-x1"] == [program.name for program in programs]


def test_a_session_taken_up_again_repeats_its_lines_without_a_word():
    again = [BEGIN, line("a1", "u1", "assistant", "Done.")]
    (program,), codes = lowered([*again, *again, line("u2", "a1", "user", "Good.")])
    assert (["user", "assistant", "user"], []) == (actors(program), codes)


def test_another_line_of_the_same_name_is_told():
    _, codes = lowered([BEGIN, line("u1", None, "user", "Something else")])
    assert ["FE052"] == codes


def test_after_a_compaction_the_session_goes_on_from_a_summary_that_no_person_said():
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": None, "logicalParentUuid": "a1", "sessionId": "s1", "content": "Conversation compacted"}  # fmt: skip
    (program,), codes = lowered(
        [
            BEGIN,
            line("a1", "u1", "assistant", "Done.", message={"id": "msg1"}),
            boundary,
            line("u2", "b1", "user", "The tests were run.", isCompactSummary=True),
            line("a2", "u2", "assistant", "What next?", message={"id": "msg2"}),
        ]
    )
    assert (["user", "assistant", "system", "system", "assistant"], [], []) == (
        actors(program),
        branches(program),
        codes,
    )
    assert [EXPOSURE] == [item.purpose for item in program.instructions if isinstance(item, Use)]


def test_types_that_are_not_known_are_counted_and_passed_over():
    strange = [{"type": "mood", "uuid": f"m{n}", "parentUuid": "u1", "sessionId": "s1"} for n in range(3)]
    problems = []
    from statemem.ir.frontends import lower

    (program,) = lower([BEGIN, *strange, line("u2", "m2", "user", "Well?")], problems)
    assert ["3 lines of type 'mood', which is not known; passed over"] == [one.message for one in problems]
    assert (["user", "user"], []) == (actors(program), branches(program))


def test_lines_in_a_list_of_one_object_are_read_too():
    (program,), _ = lowered([{"loglines": [{"type": "user", "message": {"role": "user", "content": "Hi"}}, {"type": "assistant", "message": {"role": "assistant", "content": "Hello"}}]}])  # fmt: skip
    assert ["user", "assistant"] == actors(program)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_any_tree_in_any_order_has_the_branches_that_its_parents_say(parents, random):
    lines = [line("u0", None, "user", "begin")]
    for number, parent in enumerate(parents, 1):
        lines.append(line(f"u{number}", f"u{parent % number}", "user", f"say {number}"))
    expected = sorted(n for n in ([one["parentUuid"] for one in lines].count(one["uuid"]) for one in lines) if n > 1)
    first, *rest = lines
    random.shuffle(rest)
    (program,), codes = lowered([first, *rest])
    assert (expected, len(lines), []) == (sorted(branches(program)), len(program.blocks), codes)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(-1, 8)), min_size=1, max_size=10))
def test_lines_that_follow_one_another_in_circles_or_nothing_at_all_still_end(links):
    lines = [line(f"u{own}", None if before < 0 else f"u{before}", "user", f"say {own}") for own, before in links]
    programs, _ = lowered(lines)
    blocks = [block for program in programs for block in program.blocks if block.name != "start"]
    assert len({own for own, _ in links}) == len(blocks)


def test_an_answer_beside_which_something_else_stands_is_no_branch():
    image = [{"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo"}}]
    (program,), _ = lowered(
        [
            BEGIN,
            line("a1", "u1", "assistant", asks("t1", "Read", file_path="a.png"), message={"id": "msg1"}),
            line("a2", "a1", "assistant", asks("t2", "Read", file_path="b.py"), message={"id": "msg1"}),
            line("u2", "a1", "user", answers("t1", image)),
            line(
                "u3", "a2", "user", [*answers("t2", "x = 1"), {"type": "text", "text": "[Request interrupted by user]"}]
            ),
        ]
    )
    assert [] == branches(program)
