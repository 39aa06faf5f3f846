"""Small programs written by hand, with the facts that a reader can check by eye."""

from pathlib import Path

import pytest

from statemem.ir.text.parser import read
from statemem.ir.verifier import check_text
from statemem.passes.framework.expectations import unmet

FILES = sorted((Path(__file__).parent / "golden").glob("*.smir"))
NAMES = {
    "aliases",
    "assigned",
    "conflicts",
    "consistency",
    "effects",
    "flows",
    "freshness",
    "last_use",
    "liveness",
    "lookalikes",
    "missing",
    "needed",
    "next_use",
    "reachability",
    "reaching",
    "repeats",
    "stale_use",
    "switches",
    "taint",
    "tasks",
    "survival",
    "values",
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_expected_fact_is_met(file):
    document = read(file.read_text(encoding="utf-8"), file=file.name)
    facts = [[fact for fact in document.facts if fact.program == n] for n in range(len(document.programs))]
    assert all(facts), "every program says what is expected of it"
    assert [] == [text for program, own in zip(document.programs, facts, strict=True) for text in unmet(program, own)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_programs_are_valid(file):
    found = check_text(file.read_text(encoding="utf-8"), file=file.name)
    assert [] == [str(one) for one in found if one.severity == "error"]


def test_every_core_pass_has_its_file():
    assert NAMES == {file.stem for file in FILES}


PROGRAM = """program "p"
task main in session:1/ {
  block t1 user {     %s
    x = set 1         %s
    use x
    open              %s
  }
}
"""


def wrong(start="", after="", end=""):
    document = read(PROGRAM % (start, after, end))
    return unmet(document.programs[0], document.facts)


def test_a_fact_that_is_met_says_nothing():
    assert [] == wrong(
        ";; after liveness =", ";; after liveness = session:1/x ;; after liveness += x", ";; after liveness -= x"
    )


def test_a_missing_and_an_unexpected_fact_are_both_told():
    assert [
        'program "p", block t1, after statement 1: liveness lacks y',
        'program "p", block t1, after statement 1: liveness has session:1/x, which is not expected',
    ] == wrong(after=";; after liveness = y")
    assert ['program "p", block t1, at its end: liveness lacks x'] == wrong(end=";; after liveness += x")
    assert ['program "p", block t1, at its end: reaching has session:1/x <- 0, which is not expected'] == wrong(
        end=";; after reaching -= x <- 0"
    )


def test_some_facts_may_be_left_out_of_a_change():
    assert [] == wrong(after=";; after reaching += x <- 0")


def test_a_derivation_is_compared_as_a_whole():
    assert ['program "p", block t1, at its end: conflicts lacks e1 against e2'] == wrong(
        end=";; after conflicts = e1 against e2"
    )


def test_a_point_that_nothing_reaches_has_no_fact():
    lost = PROGRAM.replace("open", "end").replace("  }\n}", "  }\n  block t2 user {\n    use x %s\n    end\n  }\n}")
    document = read(lost % ("", "", "", ";; after liveness = x"))
    (told,) = unmet(document.programs[0], document.facts)
    assert told.startswith("program \"p\", block t2, after statement 1: block 't2' cannot be reached")
