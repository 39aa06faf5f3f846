"""The command from end to end: running suites, explaining a question, writing a dialogue."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from benchmarks.synthetic import argued, suites
from benchmarks.synthetic.__main__ import main
from benchmarks.synthetic.dialogue import FORMS
from benchmarks.synthetic.record import record
from benchmarks.synthetic.running import run
from benchmarks.synthetic.suites import QUICK, Size
from benchmarks.synthetic.writing import json_text
from benchmarks.synthetic.wrongs import COMMAND
from statemem import analyze
from statemem.ir.diagnostics import UsageError

TINY = Size((("easy", "support", "en"), ("easy", "travel", "zh")), turns=200)
FAST = ("window", "overwrite", "top-k")
NAME = "cascade-easy-support-en-0"


def called(*arguments: object, code: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(main, list(map(str, arguments)), prog_name=COMMAND)
    assert code == result.exit_code, result.output
    return result.stdout, result.stderr


def tiny(monkeypatch) -> None:
    monkeypatch.setattr("benchmarks.synthetic.__main__.QUICK", TINY)


# running


def test_the_same_seed_gives_the_same_record_whatever_the_number_of_processes():
    one, two = (run(("basic", "long"), FAST, TINY, seed=5, jobs=jobs) for jobs in (1, 2))
    assert json_text(record(one, seed=5, size=TINY)) == json_text(record(two, seed=5, size=TINY))


def test_another_seed_gives_other_dialogues():
    one, two = (run(("basic",), FAST, TINY, seed=seed, jobs=1) for seed in (0, 1))
    assert one.readings != two.readings


def test_the_tables_say_what_the_record_says(tmp_path, monkeypatch):
    tiny(monkeypatch)
    file = tmp_path / "all.json"
    out, _ = called(
        "basic", "--quick", "--jobs", 1, "--system", "overwrite", "--system", "statemem/ops", "--json", file
    )
    found = json.loads(file.read_text(encoding="utf-8"))
    assert "statemem.synthetic/1" == found["schema"]
    assert ["overwrite", "statemem/ops"] == found["systems"]
    tally = next(one for one in found["tables"] if one["by"] == "suite")["rows"]["overwrite"]["basic"]
    (row,) = (
        line.split()
        for line in out.splitlines()
        if line.startswith("overwrite") and len(line.split()) == 3 and "—" not in line
    )
    assert [f"{int(tally['recall'] * 100)}/{int(tally['precision'] * 100)}", f"!{tally['wrong']}"] == row[1:]
    assert {"basic"} == {one["suite"] for one in found["dialogues"]}
    assert all(one["command"].startswith(f"{COMMAND} explain {one['dialogue']} ") for one in found["wrongs"])


def test_a_quick_run_fits_two_screens(monkeypatch):
    monkeypatch.setattr("benchmarks.synthetic.__main__.QUICK", Size((("easy", "support", "en"),), turns=50))
    out, _ = called("--quick", "--jobs", 1)
    assert out.count("\n") <= 100
    assert all(name in out for name in suites.NAMES)


def test_a_full_table_tells_suite_by_suite(monkeypatch):
    monkeypatch.setattr("benchmarks.synthetic.__main__.FULL", TINY)
    out, _ = called("basic", "alias", "--system", "overwrite", "--system", "statemem/steps", "--jobs", 1)
    assert all(
        f"\n{title}" in out for title in ("basic: questions", "alias: findings", "by level", "by depth", "by story")
    )


def test_a_check_passes_where_all_that_is_missed_is_argued_and_fails_where_it_is_not(monkeypatch):
    tiny(monkeypatch)
    call = ("run", "basic", "--quick", "--check", "--system", "statemem/steps", "--jobs", 1)
    out, _ = called(*call)
    assert "argued, counted above: reworded: only one who reads" in out
    monkeypatch.setattr(argued, "ARGUED", {})
    _, said = called(*call, code=1)
    assert re.search(r"statemem/steps: reworded, Merge: \d+ missed, 0 wrong", said)


def test_an_absent_package_is_a_line_of_the_table(monkeypatch):
    tiny(monkeypatch)
    monkeypatch.setattr("benchmarks.synthetic.systems.registry.find_spec", lambda _: None)
    out, _ = called("basic", "--quick", "--system", "window", "--system", "langgraph", "--jobs", 1)
    assert "langgraph  not installed: pip install 'statemem[interop]'" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("basik",), "no suite is called 'basik', did you mean 'basic'?"),
        (("--system", "nobody"), "no system is called 'nobody'; known are statemem/smir"),
        (("--system", "nowhere.py:Mine"), "nowhere.py: there is no such file"),
        (("--jobs", "0"), "0 is not in the range x>=1"),
        (("explain", NAME, "overwrite", "999"), f"{NAME} has no question 999; it asks 1 to "),
        (("explain", "basic", "overwrite", "1"), "no dialogue is called 'basic': a name is such as"),
        (("explain", NAME, "overwrit", "1"), "did you mean 'overwrite'?"),
        (("write", "basic-easy-suport-en-0"), "no domain is called 'suport', did you mean 'support'?"),
        (("write", NAME, "--form", "prose"), "'prose' is not one of"),
    ],
)
def test_a_call_that_cannot_be_carried_out_says_why(arguments, said):
    out, told = called(*arguments, code=2)
    assert said in told
    assert "" == out
    assert "Traceback" not in told


def test_the_module_is_a_command(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mute:\n    def __init__(self, _): pass\n    def read(self, seen): pass\n    def answer(self, one): return None\n"
    )
    command = [
        sys.executable,
        "-m",
        "benchmarks.synthetic",
        "stale",
        "--quick",
        "--jobs",
        "2",
        "--system",
        f"{file}:Mute",
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=None, cwd=Path(__file__).parents[2]
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert "Mute" in done.stdout


# a newcomer that fails


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "        return 1 / 0",
            "mine.py:7: Mine failed on basic-easy-support-en-0: ZeroDivisionError: division by zero",
        ),
        ("        return 'yes'", "answer() has to give several texts, or None; it gave the one text 'yes'"),
        ("        return 7", "TypeError: 'int' object is not iterable"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_system_that_fails_is_told_where(tmp_path, monkeypatch, body, said, jobs):
    file = tmp_path / "mine.py"
    head = "class Mine:\n    def __init__(self, _):\n        pass\n    def read(self, seen):\n        pass\n    def answer(self, question):\n"
    file.write_text(head + body, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        run(("basic",), (f"{file}:Mine",), Size((("easy", "support", "en"),)), seed=0, jobs=jobs)
    assert said in str(error.value)


def test_two_systems_of_one_name_are_refused(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n    name = 'window'\n    def read(self, seen): pass\n    def answer(self, one): pass\n"
    )
    with pytest.raises(UsageError, match="another system is called 'window' too"):
        run(("basic",), ("window", f"{file}:Mine"), TINY, seed=0, jobs=1)


# explaining


def test_an_explanation_shows_the_answer_the_turns_and_what_statemem_has():
    asked = list(enumerate(suites.dialogue(NAME).questions, 1))
    number = next(n for n, one in asked if one.answer == {"no"} and one.plant and one.plant.kind == "cascade")
    out, _ = called("explain", NAME, "statemem/ops", number)
    assert "trusted: Can one still rely on " in out
    assert "  right   no" in out
    assert "A root changes, and with it all that was concluded from it" in out
    assert " = derive " in out
    assert "what statemem has of user:u1/estimate" in out


@pytest.mark.parametrize("system", ["overwrite", "top-k", "statemem/smir", "statemem/steps", "statemem/chat"])
def test_every_question_of_a_dialogue_can_be_explained_or_is_said_not_to_be_asked(system):
    for number in range(1, len(suites.dialogue("alias-easy-travel-zh-0").questions) + 1):
        result = CliRunner().invoke(main, ["explain", "alias-easy-travel-zh-0", system, str(number)])
        assert result.exit_code in (0, 2), result.output
        assert result.exit_code == 0 or "is not asked of" in result.stderr


def test_what_a_system_cannot_answer_is_said():
    out, _ = called("explain", NAME, "window", len(suites.dialogue(NAME).questions))
    assert "the system cannot answer such questions" in out


# writing


def test_a_dialogue_is_written_in_its_forms_with_its_answers(tmp_path):
    out, _ = called("write", NAME, "--to", tmp_path / "new")
    files = [Path(line) for line in out.splitlines()]
    assert [
        f"{NAME}.smir",
        f"{NAME}.ops.jsonl",
        f"{NAME}.steps.jsonl",
        f"{NAME}.chat.json",
        f"{NAME}.answers.json",
    ] == [one.name for one in files]
    found = json.loads(files[-1].read_text(encoding="utf-8"))
    told = suites.dialogue(NAME)
    assert ("statemem.synthetic.answers/1", NAME) == (found["schema"], found["name"])
    assert [sorted(one.answer) for one in told.questions] == [one["answer"] for one in found["questions"]]
    assert all(analyze(one).entries for one in files[: len(FORMS)])


def test_only_the_forms_that_are_asked_for_are_written(tmp_path):
    called("write", NAME, "--form", "ops", "--to", tmp_path)
    assert {f"{NAME}.ops.jsonl", f"{NAME}.answers.json"} == {one.name for one in tmp_path.iterdir()}


def test_what_is_written_is_the_same_again(tmp_path):
    for folder in ("one", "two"):
        called("write", NAME, "--to", tmp_path / folder)
    assert [one.read_bytes() for one in sorted((tmp_path / "one").iterdir())] == [
        one.read_bytes() for one in sorted((tmp_path / "two").iterdir())
    ]


@pytest.mark.parametrize(
    "arguments", [("write", NAME, "--to"), ("basic", "--quick", "--system", "window", "--jobs", "1", "--plots")]
)
def test_a_folder_that_is_a_file_is_refused(tmp_path, monkeypatch, arguments):
    tiny(monkeypatch)
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    _, said = called(*arguments, file, code=2)
    assert "file is a file; name a folder" in said
    assert "mine" == file.read_text(encoding="utf-8")


# plots


def test_plots_have_a_line_a_system(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'statemem[bench]'")
    tiny(monkeypatch)
    call = ("cascade", "--quick", "--system", "window", "--system", "overwrite", "--jobs", 1, "--plots")
    for folder in ("one", "two"):
        called(*call, tmp_path / folder)
    files = sorted((tmp_path / "one").iterdir())
    assert ["by_depth.svg", "by_distance.svg", "by_turns.svg"] == [one.name for one in files]
    assert all(ElementTree.parse(one).getroot().tag.endswith("svg") for one in files)
    assert all(one.read_bytes() == (tmp_path / "two" / one.name).read_bytes() for one in files)


def test_without_matplotlib_the_extra_is_named_before_anything_is_run(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    _, said = called("basic", "--plots", tmp_path, code=2)
    assert "plots need matplotlib: pip install 'statemem[bench]'" in said


@pytest.mark.parametrize("end", ["import os\n        os._exit(3)", "raise SystemExit(0)"])
def test_a_system_that_ends_its_process_is_told_of(tmp_path, end):
    path = tmp_path / "mine.py"
    path.write_text(
        "class Mine:\n    def __init__(self, setting): pass\n"
        f"    def read(self, seen):\n        {end}\n    def answer(self, question): return []\n",
        encoding="utf-8",
    )
    with pytest.raises(UsageError):
        run(["basic"], [f"{path}:Mine"], QUICK, seed=0, jobs=2)
