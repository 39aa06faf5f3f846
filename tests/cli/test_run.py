"""`run` and `passes` end to end: the three forms, hooks, options, and what is said of passes that fail."""

import json
from importlib import resources

import jsonschema
import pytest
from click.testing import CliRunner

from statemem.cli import main
from statemem.ir.text import parse, read
from statemem.passes.framework.expectations import unmet
from statemem.passes.rendering import json_schema

PHONE = str(resources.files("statemem").joinpath("examples", "phone-and-broadband.jsonl"))
LAMP = str(resources.files("statemem").joinpath("examples", "garden-lamp.json"))

SECRET = """program "m"
cell user:7/contact sensitive
task main in user:7/ {
  block a "ann@shop.example" {
    contact = set "HIDDEN-1" as e1
    mails["ann@shop.example"].seen = set true
    goto b
  }
  block b user {
    contact = set "HIDDEN-2" as e2
    goto c
  }
  block c assistant {
    use contact was e1, mails["ann@shop.example"].seen for call
    open
  }
}
"""
FLOW = """program "flow" workflow
task main in user:7/ {
  block a user {
    x = set 1
    goto b
  }
  block b user {
    y = set 1
    branch b, c
  }
  block c user {
    use x
    end
  }
}
"""
MINE = '''"""Passes of somebody's own."""

from statemem.passes import Analysis, Derivation, Direction, register
from statemem.passes.framework import Boxed, MapOf, Maximum


class Tuned(Analysis):
    """Cells written, up to some."""

    most: int = 3

    def on_write(self, cell, mode, state, at):
        if len(cell.path[-1].text) <= self.most:
            state.gen(cell)


class Raises(Analysis):
    """Raises at a phone."""

    def on_write(self, cell, mode, state, at):
        if cell.path[-1].text == "phone":
            raise ZeroDivisionError("call +33 6 55 50 19 87")


class Tells(Analysis):
    """Raises, and tells a value."""

    def on_write(self, cell, mode, state, at):
        raise LookupError(at.entry.value)


class Minds(Analysis):
    """Raises at one value."""

    def on_write(self, cell, mode, state, at):
        if at.entry.value == "HIDDEN-2":
            raise LookupError


class Counts(Analysis):
    """Counts for ever."""

    facts = MapOf(Maximum(0), lambda cell: 0)

    def on_write(self, cell, mode, state, at):
        state[cell] += 1


class CannotShow(Derivation):
    """Fails when it is to be shown."""

    def derive(self, program, manager):
        return [one for one in program.instructions if one.reads()]

    def show(self, found, program):
        return [text for one in found for text in one.missing]


class Toggles(Analysis):
    """More in, fewer out."""

    def on_read(self, cell, how, state, at):
        state.kill(cell) if cell in state else state.gen(cell)


class Last:
    bottom = 0

    def join(self, left, right):
        return right

    def leq(self, left, right):
        return left <= right

    def open(self, fact):
        return Boxed(fact, self.join)


class Latest(Analysis):
    """The last step, by a lattice that is none."""

    facts = Last()

    def on_write(self, cell, mode, state, at):
        state.value = at.step

    def show(self, fact):
        return [str(fact)]


class Changes(Derivation):
    """Changes the program."""

    def derive(self, program, manager):
        program.metadata["e1"] = {"a": 1}
        return []
'''


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("m.smir", SECRET), ("flow.smir", FLOW), ("mine.py", MINE)):
        (tmp_path / name).write_text(text, encoding="utf-8")

    def call(*arguments, code=0, command="run"):
        result = CliRunner().invoke(main, [command, *arguments])
        assert code == result.exit_code, result.output
        return result

    return call


class TestForms:
    def test_facts_at_every_instruction_hold_when_they_are_read_back(self, run):
        document = read(run("-p", "liveness", "--every", PHONE).stdout)
        assert [] == unmet(document.programs[0], document.facts)
        assert {-1, 0, 1, 2} <= {fact.after for fact in document.facts}

    def test_json_is_a_line_a_program_and_follows_its_schema(self, run):
        done = run("-p", "liveness,stale_use,./mine.py:Tuned{most=5}", "--as", "json", PHONE, LAMP)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        assert ["phone-and-broadband", "garden-lamp"] == [record["program"] for record in records]
        for record in records:
            jsonschema.validate(record, json_schema())
            assert [("liveness", {}), ("stale_use", {}), ("tuned", {"most": 5})] == [
                (one["name"], one["options"]) for one in record["passes"]
            ]

    def test_a_picture_is_for_graphviz(self, run):
        done = run("-p", "liveness", "--as", "dot", "--horizon", "closed", PHONE)
        assert done.stdout.startswith('digraph "phone-and-broadband" {')
        assert "liveness: backward, closed horizon" in done.stdout

    @pytest.mark.parametrize("form", ["text", "json", "dot"])
    @pytest.mark.parametrize("passes", ["liveness,reaching", "stale_use,endings", "./mine.py:Tuned{most=9}"])
    def test_what_is_sensitive_is_masked_in_every_form_unless_asked_for(self, run, form, passes):
        masked = run("-p", passes, "--as", form, "--every", "--print-after", "m.smir").output
        assert (False, False) == ("HIDDEN" in masked, "ann@" in masked)
        assert "a***@shop.example" in masked or form == "json" or "stale" in passes
        if form != "json" and "stale" not in passes:
            assert "HIDDEN-1" in run("-p", passes, "--as", form, "--show-values", "m.smir").stdout

    def test_values_in_findings_are_masked_by_their_cells(self, run):
        masked, shown = (
            run("-p", "stale_use", "--as", "json", *more, "m.smir").stdout for more in ((), ("--show-values",))
        )
        assert (False, True) == ("HIDDEN" in masked, '"value":"***"' in masked)
        assert '"value":"HIDDEN-2"' in shown

    def test_an_unknown_form_is_refused(self, run):
        assert "'xml' is not one of" in run("-p", "liveness", "--as", "xml", PHONE, code=2).stderr


class TestPipelines:
    def test_options_are_set(self, run):
        few, more = (run("-p", f"./mine.py:Tuned{{most={most}}}", PHONE).stdout for most in (5, 6))
        assert (False, True) == ("= task:line/status" in few, "= task:line/status, task:line/topic" in more)

    def test_a_mistake_is_told_with_a_caret(self, run):
        expected = (
            "column 17: pass 'tuned' has no option 'mots', did you mean 'most'?; its options are most: int = 3\n"
            "  ./mine.py:Tuned{mots=4}\n"
            "                  ^\n"
        )
        assert expected == run("-p", "./mine.py:Tuned{mots=4}", PHONE, code=2).stderr

    def test_an_empty_pipeline_is_refused(self, run):
        assert "-p names no pass" in run("-p", " ", PHONE, code=2).stderr

    def test_a_pass_named_twice_is_run_once(self, run):
        assert run("-p", "liveness", PHONE).stdout == run("-p", "liveness,liveness", PHONE).stdout


class TestHooks:
    def test_times_are_told_on_standard_error_over_all_programs(self, run):
        done = run("-p", "last_use", "--time", "--as", "json", PHONE, LAMP)
        rows = [line.split() for line in done.stderr.splitlines()]
        assert [["own", "s", "whole", "s", "pass"], ["reaching"], ["last_use"]] == [rows[0], rows[1][2:], rows[2][2:]]
        assert 2 == len(done.stdout.splitlines())

    def test_each_pass_is_printed_after_it_was_made(self, run):
        done = run("-p", "stale_use", "--print-after", PHONE)
        heads = [line for line in done.stderr.splitlines() if line.startswith("# after")]
        assert ["# after reaching", "# after endings", "# after stale_use"] == heads
        assert "# phone-and-broadband, stale_use: 0 found\n" == done.stdout

    def test_a_pass_that_changes_the_program_is_refused(self, run):
        run("-p", "stale_use", "--verify", PHONE)
        done = run("-p", "./mine.py:Changes", "--verify", PHONE, code=2)
        assert "pass 'changes' changed the program, which it may only read: it says something else" in done.stderr
        assert "" == done.stdout


class TestFailures:
    def test_a_pass_that_raises_is_told_by_name_with_the_smallest_program(self, run):
        done = run("-p", "./mine.py:Raises", PHONE, code=2)
        first, told, *text = done.stderr.splitlines()
        assert first.startswith("pass 'raises' raised ZeroDivisionError: call +33******1987 (")
        assert (True, True) == ("mine.py, line 22, in on_write)" in first, "smallest program that shows it:" == told)
        [program] = parse("\n".join(text))
        assert (["user:7/phone"], 1) == ([str(entry.cell) for entry in program.entries], len(program.blocks))
        assert ("", False, True) == (done.stdout, "55 50" in done.stderr, '"+33******1987"' in done.stderr)

    def test_its_values_are_shown_when_asked_for(self, run):
        assert 'set "+33 6 55 50 19 87"' in run("-p", "./mine.py:Raises", "--show-values", PHONE, code=2).stderr

    def test_a_value_of_a_sensitive_cell_in_what_it_says_is_masked(self, run):
        masked, shown = (
            run("-p", "./mine.py:Tells", *more, "m.smir", code=2).stderr for more in ((), ("--show-values",))
        )
        assert (False, True, True) == ("HIDDEN" in masked, "LookupError: ***" in masked, "HIDDEN-1" in shown)

    def test_a_program_that_fails_only_with_what_is_masked_is_shown_without_values(self, run):
        masked, shown = (
            run("-p", "./mine.py:Minds", *more, "m.smir", code=2).stderr for more in ((), ("--show-values",))
        )
        assert (False, True) == ("HIDDEN" in masked, "contact = set ? as e2" in masked)
        assert 'contact = set "HIDDEN-2" as e2' in shown

    def test_a_pass_that_does_not_settle_is_told_with_a_loop(self, run):
        done = run("-p", "./mine.py:Counts", "flow.smir", code=2)
        assert "pass 'counts' does not settle at block 'b': its facts keep changing\nsmallest program" in done.stderr
        [program] = parse(done.stderr.partition("shows it:\n")[2])
        assert (["b"], 1) == ([block.name for block in program.blocks], len(program.instructions))

    @pytest.mark.parametrize("form", ["text", "json", "dot"])
    def test_a_pass_that_cannot_show_what_it_found_is_told_likewise(self, run, form):
        done = run("-p", "liveness,./mine.py:CannotShow", "--as", form, PHONE, code=2)
        assert "pass 'cannot_show' raised AttributeError: 'Use' object has no attribute 'missing'" in done.stderr
        [program] = parse(done.stderr.partition("shows it:\n")[2])
        assert ("", 1, 1) == (done.stdout, len(program.blocks), len(program.instructions))

    def test_no_message_is_a_traceback(self, run):
        for name in ("Raises", "CannotShow", "Changes", "Toggles", "Latest"):
            assert (
                "Traceback"
                not in CliRunner().invoke(main, ["run", "-p", f"./mine.py:{name}", "--verify", PHONE]).output
            )


class TestLaws:
    def test_a_transfer_that_is_not_monotone_is_a_warning_with_the_smallest_program(self, run):
        done = run("-p", "./mine.py:Toggles", PHONE, code=1)
        assert done.stdout.startswith('program "phone-and-broadband"')
        told, _, *text = done.stderr.splitlines()
        said = "warning: pass 'toggles' breaks a law, so what it finds cannot be relied on; monotone: {} lies below {"
        assert told.startswith(said)
        [program] = parse("\n".join(text))
        assert (1, 1) == (len(program.blocks), len(program.instructions))

    def test_a_lattice_that_is_none_is_told_by_the_law_and_the_facts(self, run):
        done = run("-p", "./mine.py:Latest", PHONE, code=1)
        assert "; commutative: joining {0} and {2} gives {2}, the other way round {0}\nsmallest" in done.stderr

    def test_a_sound_pass_and_those_of_the_package_are_not_warned_of(self, run):
        assert "" == run("-p", "./mine.py:Tuned,liveness", PHONE).stderr

    def test_a_log_that_cannot_be_read_weighs_more(self, run):
        run("-p", "./mine.py:Toggles", PHONE, "none.json", code=2)


class TestPasses:
    def test_kinds_directions_and_options_are_listed(self, run):
        rows = {row["name"]: row for row in json.loads(run("--json", command="passes").stdout)}
        row = rows["liveness"]
        assert ("analysis", "backward", []) == tuple(row[name] for name in ("kind", "direction", "options"))
        assert "Cells that some path uses before it replaces them." == row["title"]
        assert ("derivation", None) == (rows["stale_use"]["kind"], rows["stale_use"]["direction"])

    def test_options_are_listed_below_their_pass(self, run, monkeypatch):
        from statemem.passes import Analysis
        from statemem.passes.framework import registry

        class Known(Analysis):
            """Known here."""

            least: int
            most: int | None = 3

        monkeypatch.setitem(registry._registered, "known", Known)
        lines = run(command="passes").stdout.splitlines()
        at = next(number for number, line in enumerate(lines) if line.startswith("known "))
        assert ["Known here.", "least: int, required", "most: int|none, by default 3"] == [
            line[44:].strip() for line in lines[at : at + 3]
        ]
        [row] = [row for row in json.loads(run("--json", command="passes").stdout) if row["name"] == "known"]
        assert [
            {"name": "least", "type": "int", "default": None}, {"name": "most", "type": "int|none", "default": "3"}
        ] == row["options"]  # fmt: skip
