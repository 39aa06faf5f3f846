"""What the verifier finds in workflows, and what it lets pass: calls, forks, recursion, the ends of logs."""

import re
from textwrap import dedent

import pytest

from statemem.ir.verifier import check_text

#: Workflows as `written` reads them, in which nothing is wrong.
WORKFLOWS = {
    "calls before and after the text of their task": """
        main
          t1 sort = set "Assam"; cup = call brew(sort) then t2
          t2 use cup; end
        brew (leaf)
          t3 tea = derive "hot" from leaf; return tea
        serve
          t4 sort = set "Ceylon"; cup = call brew(sort) then t5
          t5 use cup; end
    """,
    "a task called from two others": """
        main
          t1 call brew() then t2
          t2 call warm() then t3
          t3 end
        brew
          t4 call fill() then t5
          t5 return
        warm
          t6 call fill() then t7
          t7 return
        fill
          t8 return
    """,
    "a call in a loop that waits": """
        main
          t1 call brew() then t2
          t2 branch t1 on thirsty, t3
          t3 suspend then t1
        brew
          t4 return
    """,
    "a call of a task without blocks": """
        main
          t1 call brew() then t2
          t2 end
        brew
    """,
    "a result that one way back brings": """
        main
          t1 cup = call brew() then t2
          t2 use cup; end
        brew
          t3 branch t4 on hot, t5
          t4 tea = set "hot"; return tea
          t5 return
    """,
    "a result that nobody takes": """
        main
          t1 call brew() then t2
          t2 end
        brew
          t3 tea = set "hot"; return tea
    """,
    "entries of a call": """
        main
          t1 sort = set "Assam" as m1; cup = call brew(sort was m1) then t2 as m2
          t2 use cup was m2; call brew(sort was m1) then t3 as m3
          t3 end
        brew (leaf)
          t4 use leaf was "m2/leaf"; return leaf was "m3/leaf" as m4
    """,
    "cells of a turn and of references in a call": """
        main
          t1 turn:t1/note = set "green"; @it -> tea["W15"]; @it.cup = call brew(turn:t1/note) then t2
          t2 use @it.cup; end
        brew (leaf)
          t3 turn:t3/wet = derive "wet" from leaf; return turn:t3/wet
    """,
    "a task that a called one puts aside": """
        main
          t1 enter f1; call brew() then t2
          t2 enter f1; leave f1 ended; end
        brew
          t3 leave f1; return
    """,
    "a task gone on with behind another": """
        main
          t1 goto t3
        brew
          t2 return
        main
          t3 call brew() then t4
          t4 end
    """,
    "a way on from a task that never returns, taken by another": """
        main
          t1 branch t2 on thirsty, t3
          t2 call brew() then t3
          t3 end
        brew
          t4 end
    """,
    "a fork in an arm": """
        main
          t1 fork t2, t6 join t7
          t2 fork t3, t4 join t5
          t3 goto t5
          t4 goto t5
          t5 goto t7
          t6 goto t7
          t7 end
    """,
    "branches and a loop in arms": """
        main
          t1 fork t2, t5 join t6
          t2 branch t3 on cold, t4
          t3 goto t2
          t4 goto t6
          t5 branch t6 on warm, t7
          t6 end
          t7 end
    """,
    "an arm that is the join": """
        main
          t1 fork t2, t3 join t3
          t2 goto t3
          t3 end
    """,
    "a fork in a loop, with an arm that waits": """
        main
          t1 fork t2, t3 join t4
          t2 goto t4
          t3 suspend then t4
          t4 branch t1 on more, t5
          t5 end
    """,
    "arms that call": """
        main
          t1 fork t2, t3 join t4
          t2 call brew() then t4
          t3 call warm() then t4
          t4 end
        brew
          t5 return
        warm
          t6 return
    """,
    "arms that call one task, which was called before": """
        main
          t1 call brew() then t2
          t2 fork t3, t4 join t5
          t3 call brew() then t5
          t4 call brew() then t5
          t5 end
        brew
          t6 return
    """,
}


def written(tasks: str, head: str = 'program "x" workflow') -> str:
    """A text from its tasks and, below each, its blocks: the name of one, then its statements between semicolons."""
    lines = [head]
    for task in re.split(r"\n(?=\S)", dedent(tasks).strip()):
        name, *blocks = task.split("\n")
        lines.append(f"task {name} {{")
        for block, _, statements in (line.strip().partition(" ") for line in blocks):
            lines += [f"block {block} user {{", *statements.split("; "), "}"]
        lines.append("}")
    return "\n".join(lines)


def codes(text: str) -> list[str]:
    return [problem.code for problem in check_text(text)]


@pytest.mark.parametrize("tasks", WORKFLOWS.values(), ids=WORKFLOWS)
def test_a_good_workflow_has_no_findings(tasks: str) -> None:
    assert [] == [str(problem) for problem in check_text(written(tasks))]


def test_a_log_may_stop_in_an_arm() -> None:
    fork = "t1 fork t2, t3 join t4; t2 goto t4; t3 {}; t4 open".replace("; ", "\n  ")
    assert [] == codes(written(f"main\n  {fork.format('open')}", 'program "x"'))
    assert ["IR016"] == codes(written(f"main\n  {fork.format('goto t3')}", 'program "x"'))


def test_a_log_may_stand_at_any_of_its_ends() -> None:
    for end in ("t2", "t3"):
        assert [] == codes(written("main\n  t1 branch t2, t3\n  t2 end\n  t3 open", f'program "x" at {end}'))


def test_the_steps_of_a_log_that_calls_are_compared_all_the_same() -> None:
    blocks = "main\n  t1 call brew() then t2\n  t2 open\nbrew\n  t3 return"
    text = written(blocks, 'program "x"').replace("t2 user", "t2 user step 1").replace("t1 user", "t1 user step 2")
    assert ["IR012", "IR103", "IR012"] == codes(text)


@pytest.mark.parametrize(
    ("code", "column", "statement"),
    [
        ("IR101", 21, "tea = derive 1 from tea"),
        ("IR101", 12, "effect tea(tea)"),
        ("IR101", 17, "use user:7/tea, tea"),
        ("IR006", 13, "tea = set 1; use tea was tea"),
    ],
)
def test_a_finding_points_at_what_it_speaks_of(code: str, column: int, statement: str) -> None:
    found = check_text(written(f"main\n  t1 {statement}; open", 'program "x"\nscope user:7/'))
    assert (code, column) in [(problem.code, problem.location.column) for problem in found]


def test_only_tasks_that_call_themselves_are_recursive() -> None:
    text = written("""
        main
          t1 call brew() then t2
          t2 end
        brew
          t3 branch t4, t5
          t4 call warm() then t5
          t5 return
        warm
          t6 call brew() then t7
          t7 return
    """)
    found = check_text(text)
    assert ["IR107", "IR107"] == [problem.code for problem in found]
    assert ["'brew'", "'warm'"] == [problem.message.split()[0] for problem in found]


def test_a_way_on_that_no_task_comes_back_to_is_not_reached() -> None:
    [problem] = check_text(written("main\n  t1 call brew() then t2\n  t2 end\nbrew\n  t3 end"))
    assert ("IR105", "no control leads to block 't2'") == (problem.code, problem.message)
