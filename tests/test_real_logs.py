"""Every real log there is, through the whole of it. The logs stay outside the repository."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from statemem import analyze_all, lower_all
from statemem.ir.text import dumps, parse
from statemem.passes import StaleUses

DATA = Path(os.environ.get("STATEMEM_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))
LOGS = sorted((DATA / "tau").glob("*.json.gz"))
pytestmark = pytest.mark.skipif(not LOGS, reason=f"no real logs in {DATA}; set STATEMEM_DATA to their folder")


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.split(".")[0])
def test_every_conversation_is_reported_and_nothing_is_dropped_without_a_word(log):
    reports = list(analyze_all(log))
    assert reports
    assert all(len(report.entries) == len(report.program.entries) for report in reports)
    assert [] == [problem for report in reports for problem in report.problems]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.split(".")[0])
def test_no_argument_of_these_logs_was_stale(log):
    """Each value that some field no longer holds is still held by another one, as counted by hand."""
    assert [] == [use for report in analyze_all(log) for use in report.manager.result(StaleUses)]


def test_lowered_programs_read_back_from_their_text():
    for program in list(lower_all(LOGS[0]))[:10]:
        (again,) = parse(dumps(program))
        assert dumps(program) == dumps(again)


def test_a_longer_log_extends_what_a_shorter_one_lowered_to():
    messages = _messages(LOGS[0])
    (whole,) = lower_all(messages)
    for length in range(2, len(messages), 7):
        (shorter,) = lower_all(messages[:length])
        assert whole.instructions[: len(shorter.instructions)] == shorter.instructions


def _messages(log):
    import gzip
    import json

    with gzip.open(log, "rt", encoding="utf-8") as file:
        return json.load(file)[0]["traj"]


def test_the_same_bytes_for_two_hash_seeds():
    code = "import sys; from statemem.cli import main; main()"
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code, "analyze", "--json", *map(str, LOGS)],
            capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 1_000_000
