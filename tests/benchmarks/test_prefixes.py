"""Passes carried on over growing logs: a sample of the real ones, and that a difference would be told."""

import os
import random
from itertools import count
from pathlib import Path

import pytest

from benchmarks.prefixes import Prefixes, compare, main
from statemem import lower_all
from statemem.ir import build
from statemem.passes import Analysis
from statemem.passes.framework import Powerset, passes

DATA = Path(os.environ.get("STATEMEM_DATA", Path(__file__).parents[3] / "shared" / "data"))
LOGS = sorted((DATA / "tau").glob("*.json.gz"))
SAMPLED = 2


@pytest.mark.skipif(not LOGS, reason=f"no real logs in {DATA}; set STATEMEM_DATA to their folder")
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.split(".")[0])
def test_after_every_prefix_of_sampled_logs_all_passes_are_as_from_scratch(log):
    programs = list(lower_all(log))
    found = Prefixes()
    for program in random.Random(7).sample(programs, min(SAMPLED, len(programs))):
        compare(program, [one() for one in passes().values()], found)
    assert ([], 0) == (found.differences, found.resolved)
    assert found.carried["reaching"] == found.carried["liveness"] == found.prefixes > 0


class Restless(Analysis):
    """A pass that finds something else each time it is solved."""

    facts = Powerset()
    seen = count()

    def on_write(self, cell, mode, state, at):
        state.gen(next(self.seen))


def test_results_that_differ_are_told():
    found = Prefixes()
    compare(build(name="log").block().set("x", 1).open(), [Restless()], found)
    assert ["log, 1 blocks: restless"] == found.differences


def test_the_command_says_what_was_compared(tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text('{"turn": 1, "scope": "session:1/", "ops": [{"op": "set", "name": "x", "value": 1}]}\n', "utf-8")
    assert 0 == main([str(log), "--passes", "liveness"])
    assert "1 conversations, 1 prefixes, 1 results" in capsys.readouterr().out
