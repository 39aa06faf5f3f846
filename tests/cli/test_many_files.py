"""Commands over many files: patterns, what cannot be read among what can, and the bar for long ones."""

import io
import json
import sys
import weakref

import pytest
from click.testing import CliRunner

from statemem.cli import main
from statemem.cli import progress as bars
from statemem.cli.progress import ReadingBar
from statemem.cli.sources import Sources, expanded
from statemem.ir import Program, Scope


def conversation(name, text="hi"):
    return {"id": name, "messages": [{"role": "user", "content": text}]}


@pytest.fixture(name="folder")
def _folder(tmp_path):
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    for path in ("b.jsonl", "a.jsonl", "deep/deeper/c.jsonl", "other.txt"):
        (tmp_path / path).write_text(json.dumps(conversation(path.split("/")[-1])) + "\n")
    return tmp_path


def run(*arguments):
    done = CliRunner().invoke(main, [str(one) for one in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def conversations(done):
    return [json.loads(line)["conversation"] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.jsonl", ["a.jsonl", "b.jsonl"]),
        ("**/*.jsonl", ["a.jsonl", "b.jsonl", "c.jsonl"]),
        ("[b-z].jsonl", ["b.jsonl"]),
    ],
)
def test_a_pattern_stands_for_its_files_in_order(folder, pattern, names):
    assert names == conversations(run("analyze", "--json", folder / pattern))


def test_a_pattern_without_a_file_is_told_and_the_others_are_read(folder):
    done = run("analyze", "--json", folder / "*.csv", folder / "b.jsonl")
    assert (2, ["b.jsonl"]) == (done.exit_code, conversations(done))
    assert f"{folder / '*.csv'}: error FE001: no file matches this pattern" in done.stderr


def test_a_file_with_signs_of_a_pattern_in_its_name_is_that_file(folder):
    (folder / "a[1].jsonl").write_text(json.dumps(conversation("odd")))
    assert [str(folder / "a[1].jsonl")] == list(expanded([str(folder / "a[1].jsonl")]))
    assert ["odd"] == conversations(run("analyze", "--json", folder / "a[1].jsonl"))


def test_a_folder_is_an_error_that_says_how_to_give_its_files(folder):
    done = run("analyze", folder / "deep")
    assert 2 == done.exit_code
    assert "FE002" in done.stderr
    assert str(folder / "deep" / "*.jsonl") in done.stderr


def test_conversations_before_an_error_are_reported_and_the_exit_code_tells(folder):
    path = folder / "long.json"
    path.write_text(json.dumps([conversation(f"c{n}") for n in range(20)])[:-1] + ", {]")
    done = run("analyze", "--json", path, folder / "a.jsonl")
    assert (2, [f"c{n}" for n in range(20)] + ["a.jsonl"]) == (done.exit_code, conversations(done))
    assert "error FE007: the file is not JSON" in done.stderr


def test_no_conversation_is_held_once_the_next_is_asked_for():
    held = []

    def read(log):
        for name in "abc":
            program = Program(name, Scope("session", name))
            held.append(weakref.ref(program))
            yield program
            del program
            assert held[-1]() is None

    conversations = iter(Sources(("log",), read))
    assert ["a", "b", "c"] == [next(conversations).name for _ in range(3)]
    assert next(conversations, None) is None


# the bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown_by(bar):
    with bar:
        for count in range(0, 100, 10):
            bar("log.jsonl", count * 1_000_000, 100_000_000)


def test_long_logs_show_a_bar_on_a_terminal_only(monkeypatch):
    monkeypatch.setattr(bars, "_PATIENCE", 0.0)
    monkeypatch.setattr(bars, "_AGAIN", 0.0)
    for error, expected in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", error)
        shown_by(ReadingBar())
        assert expected == ("log.jsonl" in error.getvalue())


def test_what_is_written_meanwhile_is_not_lost(monkeypatch):
    monkeypatch.setattr(bars, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", error := Terminal())
    for output in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stdout", output)
        with ReadingBar() as bar:
            bar("log.jsonl", 10, 100)
            print("a report")
        assert "a report" in (error if output.isatty() else output).getvalue()
        assert sys.stdout is output


def test_short_logs_show_none(monkeypatch):
    monkeypatch.setattr(sys, "stderr", error := Terminal())
    shown_by(ReadingBar())
    assert "" == error.getvalue()
