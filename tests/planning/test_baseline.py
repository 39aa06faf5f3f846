"""Baselines: findings that are known are not told again, new ones are."""

import json
import subprocess
import sys

import pytest

from statemem import analyze
from statemem.actions import FINDINGS, Kind
from statemem.ir import build
from statemem.ir.diagnostics import InputError
from statemem.ir.text import dumps
from statemem.policy import Baseline, encoded_baseline
from statemem.policy.baseline import Known


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


DEEP = f'{{"schema": "statemem.baseline/1", "x": {"[" * 9_999}{"]" * 9_999}}}'


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema": "statemem.baseline/2", "findings": []}', "\x00", DEEP])
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


def test_a_baseline_that_is_written_anew_keeps_what_it_knew(tmp_path):
    log, known = tmp_path / "shop.smir", tmp_path / "known.json"
    log.write_text(dumps(shop()))
    run("analyze", str(log), "--write-baseline", str(known))
    log.write_text(dumps(shop(twice=True)))
    assert 0 == run("analyze", str(log), "--baseline", str(known), "--write-baseline", str(known)).returncode
    assert 0 == run("analyze", str(log), "--check", "stale-use", "--baseline", str(known)).returncode


def test_a_baseline_does_not_replace_what_it_is_made_from(tmp_path):
    log = tmp_path / "shop.smir"
    log.write_text(dumps(shop()))
    done = run("analyze", str(log), "--write-baseline", str(log))
    assert (2, dumps(shop())) == (done.returncode, log.read_text())
    assert "would replace" in done.stderr


def paid(times):
    builder = build(name="pay").set("card", "c1", id="e1").block().set("card", "c2", id="e2")
    for number in range(times):
        builder = builder.block("assistant").use(("card", "e1"), purpose=f"pay {number}").effect("pay", "card", key="k")
    return builder.open()


def test_what_goes_wrong_once_more_is_new_though_it_is_told_alike():
    findings = [one for one in analyze(paid(2)).actions if one.kind in FINDINGS]
    known = Baseline(Known.of(one, "pay") for one in findings)
    assert [] == [one.code for one in analyze(paid(2), baseline=known).actions if one.kind in FINDINGS]
    new = [(one.code, one.step) for one in analyze(paid(3), baseline=known).actions if one.kind in FINDINGS]
    assert [("SM101", 5), ("SM151", 5)] == new
