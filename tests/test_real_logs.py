"""Every real log there is, through the whole of it. The logs stay outside the repository."""

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from statemem import analyze_all, lower_all
from statemem.ir import How
from statemem.ir.text import dumps, parse
from statemem.passes import Manager, StaleUses, use_def_chains
from statemem.passes.future.ahead import horizon_of

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


AIRLINE = sorted((DATA / "tau").glob("*airline.dev*.json.gz"))


@pytest.mark.skipif(not AIRLINE, reason=f"no logs of the airline domain in {DATA}")
def test_no_cell_that_the_airline_workflow_calls_dead_is_used_later():
    """At every message; the log stands where the tool that answered last does, at first where the user asks."""
    workflow = Workflow()
    looked_at = 0
    for program in lower_all(AIRLINE[0]):
        positions = workflow.positions(program)
        for chain in use_def_chains(Manager(program)):
            read = program.instructions[chain.instruction].reads()[chain.read]
            used = program.block_of(chain.instruction)
            for one in chain.definitions if read.how is How.USED else ():
                if not one.is_tombstone:
                    for block in range(program.block_of(one.instruction), used):
                        looked_at += 1
                        assert workflow.future(positions[block]).reader_of(one.cell, program), (block, used, one.cell)
    assert looked_at > 50_000


class Workflow:
    """The workflow of the airline domain, with its futures by position."""

    def __init__(self):
        text = resources.files("statemem").joinpath("examples", "airline.smir").read_text(encoding="utf-8")
        (self.program,) = parse(text)
        self._futures = {}

    def future(self, positions):
        if positions not in self._futures:
            self._futures[positions] = horizon_of(self.program, positions).future
        return self._futures[positions]

    def positions(self, log):
        now: tuple[str, ...] = ("ask",)
        found = []
        for block in log.blocks:
            if block.actor.is_tool:
                now = tuple(one.name for one in self.program.blocks if one.actor == block.actor) or now
            found.append(now)
        return found
