"""Passes carried on over growing logs: a sample of the real ones, and that a difference would be told."""

import os
import random
from pathlib import Path

import pytest

from benchmarks.prefixes import Prefixes, compare, main
from statemem import lower_all
from statemem.ir import build
from statemem.passes import Reaching
from statemem.passes.framework import passes
from statemem.passes.framework.general import General

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


def test_a_solution_that_is_not_carried_on_is_told(monkeypatch):
    program = build().block().set("x", 1).block().use("x").block().set("x", 2).open()
    monkeypatch.setattr(General, "grow", lambda self, first: True)
    found = Prefixes()
    compare(program, [Reaching()], found)
    assert found.differences


def test_the_command_says_what_was_compared(tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text('{"turn": 1, "scope": "session:1/", "ops": [{"op": "set", "name": "x", "value": 1}]}\n', "utf-8")
    assert 0 == main([str(log), "--passes", "liveness"])
    assert "1 conversations, 1 prefixes, 1 results" in capsys.readouterr().out
