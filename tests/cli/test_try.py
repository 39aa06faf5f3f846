"""`try`: passes through the kit from the command line."""

from click.testing import CliRunner

from statemem.cli import main

PASSES = '''
from statemem.passes import Analysis


class Written(Analysis):
    """Cells that were written."""

    def on_write(self, cell, mode, state, at):
        state.gen(cell)


class Toggles(Analysis):
    """A write puts a cell in, the next takes it out."""

    def on_write(self, cell, mode, state, at):
        state.kill(cell) if cell in state else state.gen(cell)


class Raises(Analysis):
    """A pass that raises."""

    def on_read(self, cell, how, state, at):
        raise ValueError("no")
'''


def tried(tmp_path, *arguments):
    file = tmp_path / "own.py"
    file.write_text(PASSES, encoding="utf-8")
    return CliRunner().invoke(main, ["try", *(one.replace("own.py", str(file)) for one in arguments)])


def test_a_pass_that_holds_is_said_to(tmp_path):
    done = tried(tmp_path, "own.py:Written,liveness", "--examples", "10")
    assert 0 == done.exit_code
    assert [
        "written: all checks hold on 10 generated programs",
        "liveness: all checks hold on 10 generated programs",
    ] == [line.rpartition("/")[2] for line in done.stdout.splitlines()]


def test_a_pass_that_breaks_a_law_is_shown_with_a_program_that_checks(tmp_path):
    done = tried(tmp_path, "own.py:Toggles")
    assert 1 == done.exit_code
    told, _, program = done.stderr.partition("the program that shows it:")
    assert "pass 'toggles': is not monotone" in told
    assert 1 == program.count(" = ")


def test_a_pass_that_raises_is_shown_too(tmp_path):
    done = tried(tmp_path, "own.py:Raises")
    assert 1 == done.exit_code
    assert "pass 'raises': raised ValueError: no" in done.stderr
    assert "the program that shows it:" in done.stderr


def test_a_pass_that_is_not_there_is_bad_usage(tmp_path):
    done = tried(tmp_path, "livness")
    assert 2 == done.exit_code
    assert "did you mean 'liveness'" in done.stderr


def test_no_examples_are_bad_usage(tmp_path):
    assert 2 == tried(tmp_path, "liveness", "--examples", "0").exit_code
