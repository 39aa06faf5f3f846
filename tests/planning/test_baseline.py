"""Baselines: findings that are known are not told again, new ones are."""

import json
import subprocess
import sys

import pytest

from statemem import analyze
from statemem.actions import Kind
from statemem.ir import build
from statemem.ir.diagnostics import InputError
from statemem.ir.text import dumps
from statemem.policy import Baseline, encoded_baseline


def shop(*, twice=False):
    begun = build(name="shop").set("card", "c1", id="e1").block().set("card", "c2", id="e2")
    begun = begun.block("assistant").use(("card", "e1"), purpose="pay")
    if twice:
        begun = begun.block().set("card", "c3").block("assistant").use(("card", "e2"), purpose="pay")
    return begun.open()


@pytest.fixture(name="file")
def _file(tmp_path):
    path = tmp_path / "known.json"
    path.write_bytes(encoded_baseline(("shop", action) for action in analyze(shop()).actions))
    return path


def flags(report):
    return [one.entry for one in report.actions if one.kind is Kind.FLAG_STALE_USE]


def test_what_is_known_is_not_told_and_what_is_new_is(file):
    known = Baseline.load(file)
    assert ([], 1) == (flags(analyze(shop(), baseline=known)), analyze(shop(), baseline=known).hidden)
    assert ["e2"] == flags(analyze(shop(twice=True), baseline=known))


def test_a_finding_of_another_conversation_is_not_known(file):
    program = shop()
    program.name = "another"
    assert ["e1"] == flags(analyze(program, baseline=Baseline.load(file)))


def test_only_findings_are_written(file):
    assert [["shop", "SM101", "session:1/card", "e1", "e2"]] == json.loads(file.read_text())["findings"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema": "statemem.baseline/2", "findings": []}', "\x00"])
def test_what_is_no_baseline_is_refused(tmp_path, text):
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(InputError, match="this is no baseline"):
        Baseline.load(tmp_path / "b.json")


def test_one_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Baseline.load(tmp_path / "none.json")


def run(*arguments):
    code = "from statemem.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


def test_an_old_project_starts_green_on_the_command_line(tmp_path):
    log, known = tmp_path / "shop.smir", tmp_path / "known.json"
    log.write_text(dumps(shop()))
    assert 1 == run("analyze", str(log), "--check", "stale-use").returncode
    assert 0 == run("analyze", str(log), "--write-baseline", str(known)).returncode
    assert 0 == run("analyze", str(log), "--check", "stale-use", "--baseline", str(known)).returncode
    log.write_text(dumps(shop(twice=True)))
    done = run("analyze", str(log), "--check", "stale-use", "--baseline", str(known))
    assert (1, 1) == (done.returncode, done.stderr.count("SM101"))
