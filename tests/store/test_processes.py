"""Several threads and processes at one store, and processes that die."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from statemem.ir import Program, build
from statemem.store import Store

COMMON = """
import os, signal, sys
from statemem.ir import build
from statemem.store import Store

def log(name, turns, user="7"):
    builder = build(f"session:{name}/", name=name)
    for number in range(1, turns + 1):
        builder.block("user").set("topic", number).append(f"user:{user}/said", f"{name} {number}")
    return builder.program
"""
GROW = """
path, name, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Store.open(path, create=True) as store:
    for number in range(1, turns + 1):
        store.apply(log(name, number), now=number)
"""
MANY = """
with Store.open(sys.argv[1], create=True) as store:
    print("begun", file=sys.stderr, flush=True)
    for number in range(200):
        name = f"{sys.argv[2]}-{number}"
        store.apply(log(name, 20, name), now=1)
"""
DIE = """
import importlib
module, _, dotted = sys.argv[2].partition(":")
*way, name = dotted.split(".")
place = importlib.import_module(module)
for step in way:
    place = getattr(place, step)
before, left = getattr(place, name), int(sys.argv[3])

def dying(*args, **kwargs):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return before(*args, **kwargs)

setattr(place, name, dying)
with Store.open(sys.argv[1], create=True) as store:
    store.apply(log("b", 100), now=1)
"""


def log(name: str, turns: int, user: str = "7") -> Program:
    builder = build(f"session:{name}/", name=name)
    for number in range(1, turns + 1):
        builder.block("user").set("topic", number).append(f"user:{user}/said", f"{name} {number}")
    return builder.program


def start(script: str, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", COMMON + script, *map(str, arguments)], stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[bytes]) -> int:
    _, errors = process.communicate(timeout=120)
    assert errors == b""
    return process.returncode


def test_processes_that_write_at_once_do_not_lose_or_mix_anything(tmp_path: Path) -> None:
    """They make the store together, too; two of them write the same conversation."""
    path = tmp_path / "s.db"
    processes = [start(GROW, path, name, 12) for name in ("a", "b", "c", "c")]
    assert [finish(process) for process in processes] == [0, 0, 0, 0]
    with Store.open(path) as store:
        store.verify()
        assert sorted(store.conversations()) == ["a", "b", "c"]
        for name in ("a", "b", "c"):
            assert store.program(name).same_as(log(name, 12))
        said = next(fact.value for fact in store.state(scope="user:7"))
        assert sorted(said) == sorted(f"{name} {n}" for name in "abc" for n in range(1, 13))


def test_threads_share_a_store(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db", create=True) as store, ThreadPoolExecutor(4) as pool:
        grown = [pool.submit(grow, store, name) for name in "abcd"]
        assert [future.result() for future in grown] == [6, 6, 6, 6]
        assert store.verify().events == len(store.events())


def grow(store: Store, name: str) -> int:
    return sum(store.apply(log(name, turns), now=1).operations // 2 for turns in range(1, 7))


@pytest.mark.parametrize(
    ("function", "count"),
    [
        ("statemem.store.log:extend", 1),
        ("statemem.store.log:chained", 100),
        ("statemem.store.store:tables.refresh", 1),
        ("statemem.store.tables:_insert", 1),
        ("statemem.store.tables:_insert", 3),
    ],
)
def test_a_process_killed_in_the_middle_leaves_the_store_as_it_was(tmp_path: Path, function: str, count: int) -> None:
    path = tmp_path / "s.db"
    with Store.open(path, create=True) as store:
        store.apply(log("a", 3), now=1)
        before = list(store.dump())
    assert finish(start(DIE, path, function, count)) == -signal.SIGKILL
    with Store.open(path) as store:
        assert list(store.dump()) == before
        store.verify()
        assert store.apply(log("b", 100), now=1).operations == 200
        store.verify()


@pytest.mark.parametrize("function", ["statemem.store.schema:metadata.create_all", "statemem.store.database:insert"])
def test_a_process_killed_while_it_makes_a_store_leaves_none(tmp_path: Path, function: str) -> None:
    path = tmp_path / "s.db"
    assert finish(start(DIE, path, function, 1)) == -signal.SIGKILL
    with Store.open(path, create=True) as store:
        assert store.events() == []
        store.apply(log("b", 3), now=1)
        store.verify()


def test_a_process_killed_at_any_time_leaves_whole_conversations(tmp_path: Path) -> None:
    """Killed between and within applies; what was committed is whole, what was not is absent."""
    path = tmp_path / "s.db"
    chance = random.Random(7)
    for run in range(4):
        process = start(MANY, path, run)
        assert process.stderr is not None
        assert process.stderr.readline() == b"begun\n"
        time.sleep(0.05 + chance.random() / 3)
        process.kill()
        process.communicate()
        with Store.open(path) as store:
            store.verify()
            for name in store.conversations():
                assert store.program(name).same_as(log(name, 20, name))
