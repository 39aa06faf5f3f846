"""The command line as people meet it: in a process of its own."""

import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from statemem.report.record import json_schema

EXAMPLES = resources.files("statemem").joinpath("examples")
LAMP, JAVA, PHONE = (
    str(EXAMPLES.joinpath(name)) for name in ("garden-lamp.json", "java.json", "phone-and-broadband.jsonl")
)


def statemem(*arguments, stdin=None, **environment):
    code = "import sys; from statemem.cli import main; sys.argv[0] = 'statemem'; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        input=stdin, capture_output=True, text=True, encoding="utf-8", check=False, timeout=120,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "error", **environment},
    )  # fmt: skip


def lines(text):
    return text.rstrip("\n").split("\n")


def test_the_demo_shows_the_stale_use_and_why():
    done = statemem("demo")
    assert 0 == done.returncode
    assert 'refund(payment_id="card_12") used e3/payment_method, replaced at step 10 by e6' in done.stdout
    assert "Why is that a stale use?" in done.stdout


def test_a_report_on_one_conversation():
    expected = """\
garden-lamp · 19 messages · 6 tool results · 67 entries, 304 tokens · end of log: open

stale use       1                step 17  refund(payment_id="card_12") used e3/payment_method, replaced at step 10 by e6
conflict        0
superseded      3    14 tokens   customer/cu_4410/payment_method    card_12 → card_77           step 10, update_customer
                                 order/LMP-2207/status              delivered → exchange requ…  step 12, exchange_item
                                 order/LMP-2207/items/it-301/color  black → white               step 12, exchange_item
live            0                expected by the horizon: pinned cells only
unknown        64   290 tokens   not spoken of by the horizon; 40 never used, oldest since step 2

plan: flag stale use 1, supersede 3, merge 32, keep 19, demote 13, archive 5
carried 2 575 token-steps, 514 of them before a last use (20 %)
"""
    assert expected == statemem("analyze", LAMP).stdout


def test_a_closed_horizon_calls_the_dead_dead():
    done = statemem("analyze", LAMP, "--horizon", "closed")
    assert "end of log: closed" in done.stdout
    assert "unread" in done.stdout


def test_many_conversations_are_a_line_each_worst_first_with_totals():
    done = statemem("analyze", JAVA, LAMP, PHONE)
    rows = lines(done.stdout)
    assert ["garden-lamp", "java", "phone-and-broadband"] == [row.split()[0] for row in rows[1:4]]
    assert rows[5].startswith("all 3 conversations")


def test_only_picks_one_and_a_near_miss_is_told():
    assert statemem("analyze", JAVA, LAMP, "--only", "java").stdout.startswith("java · 5 steps")
    done = statemem("analyze", JAVA, LAMP, "--only", "jva")
    assert (2, True) == (done.returncode, "did you mean 'java'?" in done.stderr)


def test_json_follows_its_schema_a_line_a_conversation():
    done = statemem("analyze", "--json", JAVA, LAMP)
    records = [json.loads(line) for line in lines(done.stdout)]
    assert ["java", "garden-lamp"] == [record["conversation"] for record in records]
    for record in records:
        assert "statemem.report/1" == record["schema"]
        jsonschema.validate(record, json_schema())


def test_values_are_masked_unless_asked_for():
    masked, shown = (statemem("analyze", "--json", LAMP, *more).stdout for more in ((), ("--show-values",)))
    assert ("+49******1987" in masked, "5550" in masked, "i***@mail.example" in masked) == (True, False, True)
    assert "+49 30 5550 1987" in shown


def test_check_exits_with_1_and_the_lines_that_caused_it():
    done = statemem("analyze", LAMP, "--check", "stale_use,SM201")
    assert 1 == done.returncode
    assert "garden-lamp: SM101 FlagStaleUse customer/cu_4410/payment_method" in done.stderr
    assert 0 == statemem("analyze", JAVA, "--check", "stale_use").returncode
    unknown = statemem("analyze", JAVA, "--check", "stale")
    assert (2, True) == (unknown.returncode, "unknown code 'stale'" in unknown.stderr)
    empty = statemem("analyze", JAVA, "--check", "")
    assert (2, True) == (empty.returncode, "--check names no code" in empty.stderr)


def test_a_report_as_of_a_step_says_so_and_counts_no_further():
    whole, early, late = (statemem("analyze", LAMP, *more).stdout for more in ((), ("--at", "9"), ("--at", "99")))
    assert ("as of" in whole, "· 19 messages ·" in whole) == (False, True)
    assert ("· as of step 9 ·" in early, "· 9 messages ·" in early) == (True, True)
    assert "· as of step 99, log ends at 19 ·" in late
    record = json.loads(statemem("analyze", LAMP, "--at", "9", "--json").stdout)
    assert (9, 9, 2) == (record["now"], record["blocks"], record["tool_results"])


def test_standard_input_and_pipes():
    with open(LAMP, encoding="utf-8") as file:
        done = statemem("analyze", "-", stdin=file.read())
    assert (0, True) == (done.returncode, done.stdout.startswith("garden-lamp ·"))
    piped = subprocess.run(
        f"{sys.executable} -c 'from statemem.cli import main; main()' lower {LAMP} | head -1",
        shell=True, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ('program "garden-lamp"\n', "") == (piped.stdout, piped.stderr)


def test_plain_ascii_where_the_encoding_asks_for_it():
    done = statemem("analyze", LAMP, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (0, True) == (done.returncode, done.stdout.isascii())


def test_explain_takes_a_suffix_a_full_name_or_an_entry():
    for cell in (
        "payment_method",
        "customer/cu_4410/payment_method",
        'user:cu_4410/customer["cu_4410"].payment_method',
        "e6/payment_method",
    ):
        assert 'now, step 19: "card_77"' in statemem("explain", LAMP, cell).stdout


def test_explain_at_a_step():
    assert 'now, step 5: "card_12"' in statemem("explain", LAMP, "payment_method", "--at", "5").stdout


@pytest.mark.parametrize(
    ("cell", "told"), [("stats", "did you mean"), ("color", "may mean"), ("zzz", "no cell is called")]
)
def test_explain_tells_what_a_name_may_mean(cell, told):
    done = statemem("explain", LAMP if cell != "color" else str(EXAMPLES.joinpath("headphones.jsonl")), cell)
    assert (2, True, False) == (done.returncode, told in done.stderr, "Traceback" in done.stderr)


def test_lower_prints_a_program_that_reads_back(tmp_path):
    target = tmp_path / "lamp.smir"
    assert 0 == statemem("lower", LAMP, "--show-values", "-o", str(target)).returncode
    assert statemem("analyze", LAMP).stdout == statemem("analyze", str(target)).stdout
    assert (0, f"{target}: no errors\n") == ((done := statemem("check", str(target))).returncode, done.stdout)


def test_lower_masks_by_default():
    shown = statemem("lower", LAMP).stdout
    assert (False, True) == ("ilke.brandt" in shown, "i***@mail.example" in shown)


def test_lower_explains_its_links():
    assert any(
        "5 replaced" in line and "refund(payment_id)" in line
        for line in lines(statemem("lower", "--explain", LAMP).stdout)
    )


def test_run_prints_facts_that_belong_to_the_text_form(tmp_path):
    done = statemem("run", "-p", "liveness,stale_use", PHONE)
    assert ";; after liveness = task:plan/choice, task:plan/topic, user:7/phone" in done.stdout
    assert "# phone-and-broadband, stale_use: 0 found" in done.stdout
    target = tmp_path / "phone.smir"
    target.write_text(done.stdout, encoding="utf-8")
    assert 0 == statemem("check", str(target)).returncode


def test_run_takes_a_pass_from_a_file(tmp_path):
    path = tmp_path / "my_pass.py"
    path.write_text(
        "from statemem.passes import Analysis, Cells\n"
        "class Unconfirmed(Analysis):\n"
        "    '''Cells a tool wrote that no user has confirmed since.'''\n"
        "    facts = Cells\n"
        "    def on_write(self, cell, mode, state, at):\n"
        "        state.gen(cell) if at.actor.is_tool else state.kill(cell)\n"
        "    def on_delete(self, cell, state, at):\n"
        "        state.kill(cell)\n"
        "    def on_read(self, cell, how, state, at):\n"
        "        if at.actor.is_user:\n"
        "            state.kill(cell)\n",
        encoding="utf-8",
    )
    assert ";; after unconfirmed = task:line/status" in statemem("run", "-p", f"{path}:Unconfirmed", PHONE).stdout


@pytest.mark.parametrize(
    "body",
    [
        "def on_write(self, cell, mode, state, at): raise ZeroDivisionError('x')",
        "def show(self, fact): raise ZeroDivisionError('x')",
        "def show(self, fact): return 7",
        "raise SystemExit(3)",
    ],
)
def test_a_pass_that_raises_is_one_message(body, tmp_path):
    path = tmp_path / "bad_pass.py"
    path.write_text(
        f"from statemem.passes import Analysis\nclass Bad(Analysis):\n    'Bad.'\n    {body}\n", encoding="utf-8"
    )
    done = statemem("run", "-p", f"{path}:Bad", PHONE)
    assert (2, "", False) == (done.returncode, done.stdout, "Traceback" in done.stderr)


def test_passes_and_formats_list_what_there_is():
    assert {"liveness", "reaching", "last_use", "stale_use", "conflicts", "aliases"} <= {
        row["name"] for row in json.loads(statemem("passes", "--json").stdout)
    }
    assert {"steps", "ops", "openai"} <= {row["name"] for row in json.loads(statemem("formats", "--json").stdout)}


BAD_INPUT = {
    "missing": ("analyze", "none.json"),
    "a directory": ("analyze", "."),
    "unknown format": ("analyze", JAVA, "--from", "stepz"),
    "unknown horizon": ("analyze", JAVA, "--horizon", "ajar"),
    "unknown pass": ("run", "-p", "livenes", JAVA),
    "a pass file without its class": ("run", "-p", "./mine.py", JAVA),
    "a pass file that is not there": ("run", "-p", "none.py:X", JAVA),
    "no policy": ("analyze", JAVA, "--policy", "none.toml"),
    "a place that cannot be written": ("lower", JAVA, "-o", "/none/at/all.smir"),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_one_message_and_exit_code_2(name):
    done = statemem(*BAD_INPUT[name])
    assert (2, "", False) == (done.returncode, done.stdout, "Traceback" in done.stderr)
    assert 1 <= len(lines(done.stderr)) <= 3


@pytest.mark.parametrize(
    "content", ["", "{", '{"a": ', "\x00\x01", "[" * 50_000, "prose\nand more", "[1, 2]", '{"a": 1}']
)
def test_bad_content_is_one_message_and_exit_code_2(content, tmp_path):
    path = tmp_path / "log.json"
    path.write_text(content, encoding="utf-8")
    done = statemem("analyze", str(path))
    assert (2, "", False) == (done.returncode, done.stdout, "Traceback" in done.stderr)
    assert str(path) in done.stderr


def test_a_syntax_error_in_the_text_form_is_shown_with_its_place(tmp_path):
    path = tmp_path / "bad.smir"
    path.write_text(
        'program "x"\n\nscope session:1/\n\ntask main in session:1/ {\n  block a user {\n    x = sett 1\n    end\n  }\n}\n'
    )
    for command in (("check",), ("analyze",), ("run", "-p", "liveness")):
        done = statemem(*command, str(path))
        assert 2 == done.returncode
        assert (True, False) == (f"{path}:7:" in done.stderr, "Traceback" in done.stderr)


def test_a_text_without_a_program_and_one_that_cannot_be_meant_are_refused(tmp_path):
    empty, lost = tmp_path / "empty.smir", tmp_path / "lost.smir"
    empty.write_text("# nothing yet\n", encoding="utf-8")
    lost.write_text(
        'program "x"\n\nscope session:1/\n\ntask main in session:1/ {\n  block a user {\n    goto b\n  }\n}\n'
    )
    for path, code in ((empty, "TX012"), (lost, "IR001")):
        done = statemem("analyze", str(path))
        assert (2, "", True) == (done.returncode, done.stdout, code in done.stderr)


def test_an_output_that_is_no_regular_file_stays_what_it_is(tmp_path):
    link, target = tmp_path / "link.smir", tmp_path / "target.smir"
    link.symlink_to(target)
    assert 0 == statemem("lower", JAVA, "-o", str(link)).returncode
    assert (True, True) == (link.is_symlink(), target.read_text(encoding="utf-8").startswith('program "java"'))
    assert 2 == statemem("lower", JAVA, "-o", "").returncode


def test_good_logs_are_reported_beside_bad_ones(tmp_path):
    done = statemem("analyze", JAVA, str(tmp_path / "none.json"))
    assert (2, True) == (done.returncode, done.stdout.startswith("java · 5 steps"))


def test_a_policy_is_read_and_its_mistakes_are_located(tmp_path):
    path = tmp_path / "statemem.toml"
    path.write_text("[generations.session]\ncold_after = 3\n")
    assert "demote 2, archive 2" in statemem("analyze", JAVA, "--at", "10", "--policy", str(path)).stdout
    path.write_text("[generations.session]\ncold_aftr = 3\n")
    done = statemem("analyze", JAVA, "--policy", str(path))
    assert (2, True) == (
        done.returncode,
        f"{path}:2: error PO001: unknown key 'cold_aftr', did you mean 'cold_after'?" in done.stderr,
    )
    path.write_text("[generations.session\n")
    assert 2 == statemem("analyze", JAVA, "--policy", str(path)).returncode


class TestStore:
    @pytest.fixture(name="store")
    def _store(self, tmp_path):
        path = str(tmp_path / "memory.db")
        done = statemem("store", "apply", LAMP, PHONE, "--store", path, "--yes")
        assert (0, "") == (done.returncode, done.stderr)
        return path

    def test_applying_again_adds_nothing(self, store):
        done = statemem("store", "apply", LAMP, PHONE, "--store", store, "--yes")
        told = "nothing new for the store"
        assert [f"garden-lamp: {told}", f"phone-and-broadband: {told}"] == lines(done.stdout)

    def test_a_longer_log_adds_what_is_new(self, tmp_path):
        path, log = str(tmp_path / "memory.db"), tmp_path / "phone-and-broadband.jsonl"
        turns = Path(PHONE).read_text(encoding="utf-8").splitlines(keepends=True)
        log.write_text("".join(turns[:5]), encoding="utf-8")
        assert "5 blocks" in statemem("store", "apply", str(log), "--store", path, "--yes").stdout
        log.write_text("".join(turns), encoding="utf-8")
        assert "5 blocks" in statemem("store", "apply", str(log), "--store", path, "--yes").stdout

    def test_a_different_log_is_refused_at_the_first_difference(self, store, tmp_path):
        log = tmp_path / "phone-and-broadband.jsonl"
        log.write_text(Path(PHONE).read_text(encoding="utf-8").replace("20 GB", "90 GB"), encoding="utf-8")
        before = Path(store).read_bytes()
        done = statemem("store", "apply", str(log), "--store", store, "--yes")
        assert (2, True) == (done.returncode, "differs from the store at step 2, task:plan/wish" in done.stderr)
        assert before == Path(store).read_bytes()

    def test_state_and_history_are_read_back_masked(self, store):
        state = statemem("store", "state", "--store", store).stdout
        assert (True, False) == ("+33******1987" in state, "55 50" in state)
        history = statemem("store", "history", "payment_method", "--store", store).stdout
        assert ['"card_12"', '"card_77"'] == [line.rsplit(" ", 1)[1] for line in lines(history)[1:]]

    def test_state_as_of_a_step(self, store):
        done = statemem("store", "state", "--store", store, "--at", "5", "--scope", "task:line", "--json")
        assert {"task:line/account": "BB-7731", "task:line/topic": "broadband fault"} == {
            row["cell"]: row["value"] for row in map(json.loads, lines(done.stdout))
        }
        assert "nothing is in force\n" == statemem("store", "state", "--store", store, "--scope", "task:line").stdout

    def test_without_a_terminal_nothing_is_written_unasked(self, tmp_path):
        done = statemem("store", "apply", JAVA, "--store", str(tmp_path / "m.db"))
        assert (2, True, []) == (done.returncode, "--yes" in done.stderr, list(tmp_path.iterdir()))

    def test_good_logs_are_applied_beside_bad_ones_and_no_store_is_made_for_bad_ones_alone(self, tmp_path):
        path, missing = str(tmp_path / "m.db"), str(tmp_path / "none.json")
        assert 2 == statemem("store", "apply", missing, "--store", path, "--yes").returncode
        assert [] == list(tmp_path.iterdir())
        done = statemem("store", "apply", missing, JAVA, "--store", path, "--yes")
        assert (2, True) == (done.returncode, "java: written" in done.stdout)

    @pytest.mark.parametrize(
        "content", [None, b"", b"not a database at all, only a text", b"SQLite format 3\x00 damaged"]
    )
    def test_what_is_no_store_is_one_message(self, content, tmp_path):
        path = tmp_path / "memory.db"
        if content is not None:
            path.write_bytes(content)
        done = statemem("store", "state", "--store", str(path))
        assert (2, "", False) == (done.returncode, done.stdout, "Traceback" in done.stderr)


def test_a_store_says_what_speaks_against_a_value(tmp_path):
    log, store = tmp_path / "mail.jsonl", str(tmp_path / "mail.db")
    log.write_text(
        '{"turn": 1, "actor": "tool:web", "scope": "session:9", "ops": [{"op": "set", "name": "s", "value": "ok"}]}\n'
        '{"turn": 2, "scope": "session:9", "ops": [{"op": "effect", "name": "send", "args": ["s"]}]}\n'
    )
    assert 0 == statemem("store", "apply", str(log), "--store", store, "--yes").returncode
    assert "version 1, quarantined" in statemem("store", "state", "--store", store).stdout
    (line,) = lines(statemem("store", "state", "--store", store, "--json").stdout)
    assert ["quarantined"] == json.loads(line)["marks"]
