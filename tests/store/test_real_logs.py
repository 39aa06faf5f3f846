"""Logs of real agents, where they are at hand."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest

from statemem.ir import run
from statemem.ir.frontends import lower
from statemem.passes import Manager
from statemem.passes.framework.points import BlockEnd
from statemem.planning import plan
from statemem.policy import Policy
from statemem.store import Store

DATA = Path(os.environ.get("STATEMEM_DATA") or Path(__file__).parents[3] / "shared" / "data") / "tau"


@pytest.mark.skipif(not DATA.is_dir(), reason="the logs are not here; STATEMEM_DATA names the folder that holds tau/")
def test_conversations_of_a_shop_agent_are_kept_and_come_back(tmp_path: Path) -> None:
    for source in sorted(DATA.glob("*.json.gz"))[:3]:
        with Store.open(tmp_path / f"{source.stem}.db", create=True) as store:
            for program in islice(lower(source, []), 4):
                now = len(program.blocks)
                actions = plan(Manager(program), BlockEnd(now - 1), now, Policy())
                assert store.apply(program, actions, now=now).operations == len(program.instructions)
                assert not store.apply(program, actions, now=now).changed
                kept, applied = run(store.program(program.name)), run(program)
                assert [kept.value(cell) for cell in kept.cells()] == [applied.value(cell) for cell in applied.cells()]
            store.verify()
