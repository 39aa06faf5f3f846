"""Gold for edits and forks, read from raw JSON: on logs written by hand, and the command that measures all."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.lowering import branches
from benchmarks.lowering.__main__ import main, sets
from benchmarks.lowering.edits import product_of
from benchmarks.lowering.edits_held import Quote, Replay
from benchmarks.lowering.edits_log import shown, steps
from benchmarks.lowering.edits_planted import planted
from benchmarks.lowering.slots_log import data_directory
from benchmarks.lowering.tallies import Tally
from statemem import lower_all

Record = dict[str, Any]

TEA = "cup = take(blue)\npour(cup, degrees=80)\n"
HOTTER = "pour(cup, degrees=80)", "pour(cup, degrees=90)"


def numbered(text: str) -> str:
    return "\n".join(f"{n:>6}→{line}" for n, line in enumerate(text.split("\n"), 1))


def session(*turns: tuple[str, Record, str, Any]) -> list[Record]:
    """Lines of calls `(tool, arguments, answer, what the log states beside it)`."""
    found: list[Record] = []
    for number, (tool, arguments, answer, stated) in enumerate(turns, 1):
        before = f"u{number - 1}" if number > 1 else None
        use = {"type": "tool_use", "id": f"c{number}", "name": tool, "input": {"file_path": "/tea.py", **arguments}}
        told = {"type": "tool_result", "tool_use_id": f"c{number}", "content": answer}
        shared = {"sessionId": "s1", "isSidechain": False}
        asked = {"id": f"msg{number}", "role": "assistant", "content": [use]}
        said = {"role": "user", "content": [told]}
        found.append({"type": "assistant", "uuid": f"a{number}", "parentUuid": before, **shared, "message": asked})
        found.append({"type": "user", "uuid": f"u{number}", "parentUuid": f"a{number}", **shared, "message": said})
        found[-1]["toolUseResult"] = stated
    return found


READ = ("Read", {}, numbered(TEA), None)
MISSING = "<tool_use_error>String to replace not found in file.</tool_use_error>"


def edit(old: str, new: str, answer: str = "The file /tea.py has been updated.", stated: Any = None) -> Any:
    return "Edit", {"old_string": old, "new_string": new}, answer, stated


def quotes(lines: list[Record]) -> list[Quote]:
    return list(Replay().quotes(steps(lines)))


def test_the_replay_tells_which_views_hold_what_an_edit_quotes():
    first, again, other = quotes(session(READ, edit(*HOTTER), edit(*HOTTER, MISSING), edit("milk()", "", MISSING)))
    assert (("line 2",),) == first.holders
    assert ((), True, False) == (again.holders, again.was_held, again.step.done)
    assert ((), False) == (other.holders, other.was_held)


def test_the_text_afterwards_is_what_the_log_states_before_it_goes_on():
    stated = {"originalFile": f"# formatted\n{TEA}"}
    (first,) = quotes(session(READ, edit(*HOTTER, stated=stated)))
    assert f"# formatted\n{TEA.replace('80', '90')}" == first.after
    assert (TEA.replace("80", "90"),) == first.results


def test_an_edit_that_failed_changes_nothing():
    (failed,) = quotes(session(READ, edit("pour(", "sip(", MISSING)))
    assert (TEA, False) == (failed.after, failed.step.done)


def test_runs_with_an_editor_and_an_open_file_are_read():
    history = [
        {"role": "assistant", "action": "open tea.py"},
        {"role": "user", "content": "[File: /tea.py (2 lines total)]\n1:cup()\n2:pour()"},
        {"role": "assistant", "action": "edit 2:2\nsip()\nend_of_edit"},
        {"role": "user", "content": "[File: /tea.py (2 lines total)]\n1:cup()\n2:sip()\nFile updated."},
    ]
    read, lines = steps({"history": history})
    assert ("read", "tea.py", "cup()\npour()") == (read.kind, read.path, read.shown and read.shown.text)
    assert ("lines", "tea.py", 2, 3, "sip()", True) == (
        lines.kind, lines.path, lines.first, lines.end, lines.new, lines.done,
    )  # fmt: skip
    (quote,) = Replay().quotes([read, lines])
    assert (("/history/1",),) == quote.holders
    assert ("cup()\nsip()",) == quote.results


def test_runs_of_actions_and_observations_are_read():
    arguments = {"path": "/tea.py", "command": "str_replace", "old_str": "pour()", "new_str": "sip()"}
    history = [
        {"id": 0, "action": "edit", "args": arguments},
        {"id": 1, "observation": "edit", "cause": 0, "content": "ERROR:\nNo replacement was performed"},
    ]
    (step,) = steps({"history": history})
    assert ("edit", "/tea.py", "pour()", False) == (step.kind, step.path, step.old, step.done)


@given(st.lists(st.text("ab:→ ", max_size=5), min_size=1, max_size=6), st.integers(1, 500))
def test_numbers_before_lines_are_taken_off(lines: list[str], first: int):
    text = "\n".join(f"{n:>6}→{line}" for n, line in enumerate(lines, first))
    found = shown(f"Here it is:\n{text}\n\n<note>")
    assert found is not None
    assert ("\n".join(lines), first) == (found.text, found.first)


@pytest.mark.parametrize("later", [0, 10, None])
def test_planted_quotes_are_of_what_was_replaced_and_controls_of_what_is_there(later: int | None):
    log = session(READ, edit(*HOTTER), ("Read", {}, numbered(TEA.replace("80", "90")), None))
    copied, plants = planted(log, later)
    assert [(HOTTER[0], False), (HOTTER[1], True)] == [(one.quote, one.is_control) for one in plants]
    assert len(log) + 4 == len(copied)
    assert [] == [line["uuid"] for line in copied[1:] if line["parentUuid"] not in [one["uuid"] for one in copied]]
    uses = product_of(lower_all(copied)).uses
    assert [[True], [False]] == [[use.is_stale for use in uses[plant.id]] for plant in plants]


def test_what_is_put_back_is_not_planted():
    _, plants = planted(session(READ, edit(*HOTTER), edit(*reversed(HOTTER))), None)
    assert [HOTTER[1]] == [one.quote for one in plants if not one.is_control]


def line(uuid: str, before: str | None, kind: str = "user", said: str | None = None) -> Record:
    message = {"role": kind, "content": uuid} | ({"id": said} if said else {})
    return {"type": kind, "uuid": uuid, "parentUuid": before, "sessionId": "s1", "message": message}


def test_lines_of_one_message_and_lines_of_progress_are_no_forks():
    lines = [
        line("u1", None),
        line("a1", "u1", "assistant", "m"),
        {"type": "progress", "uuid": "p1", "parentUuid": "a1"},
        line("a2", "a1", "assistant", "m"),
        line("u2", "p1"),
    ]
    assert {} == branches._session(lines)
    assert {"2": 2} == branches._session([*lines, line("u3", "a2")])


def test_forks_are_compared_by_place_and_number_of_ways():
    tally = Tally("forks")
    tree = [line("u1", None), line("a1", "u1", "assistant"), line("u2", "a1"), line("u3", "a1"), line("u4", "a1")]
    branches._compare(tally, {"2": 3}, tree, branches._record_of)
    branches._compare(tally, {"2": 2, "4": 2}, tree, branches._record_of)
    assert (3, 2, 1) == (tally.gold, tally.found, tally.right)
    assert {"another number of ways": 1, "no branch there": 1} == tally.missed


def test_rates_of_nothing_are_none_and_things_found_twice_are_recalled_once():
    assert (None, None) == (Tally("x").precision, Tally("x").recall)
    assert (0.5, 0.75) == (
        Tally("x", gold=4, found=2, right=1, recalled=3).precision,
        Tally("x", gold=4, recalled=3).recall,
    )


def test_missing_data_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("STATEMEM_DATA", str(tmp_path))
    assert 2 == main(["star"])
    assert "set STATEMEM_DATA" in capsys.readouterr().err


def test_a_name_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="2"):
        main(["tao"])
    assert "unknown set 'tao'; known are sgd, multiwoz" in capsys.readouterr().err


#: What must hold on the real logs: precision of what would be a verdict, and that every miss has a cause.
PRECISE = ("stale", "forks", "views", "values that left", "changed constraints", "parser test")


@pytest.mark.parametrize("name", list(sets(Path())))
def test_every_miss_of_the_real_logs_has_a_cause(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    absent = [one for one in sets(Path())[name][0] if not (data_directory() / one).exists()]
    if absent:
        pytest.skip(f"no {absent[0]} in {data_directory()}")
    assert 0 == main([name, "--json", str(tmp_path / "figures.json")])
    (tallies,) = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8")).values()
    printed = capsys.readouterr().out
    for one in tallies:
        assert one["what"] in printed
        met = one["right"] if one["recalled"] is None else one["recalled"]
        assert one["gold"] - met == sum(one["missed"].values())
        assert one["found"] - one["right"] == sum(one["surplus"].values())
        if one["what"].startswith(PRECISE) and one["found"]:
            assert one["precision"] == 1.0
