"""Whatever a log says, a plan can be made, read, explained and kept."""

import jsonschema
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.actions import CODES, FINDINGS, Kind
from statemem.ir.testing import traces
from statemem.ir.values import encoded
from statemem.passes import Manager
from statemem.passes.testing import chains, forked
from statemem.policy import Baseline, CellPattern, Guard, Policy, encoded_baseline
from statemem.report import Report
from statemem.report.record import json_schema

GUARDING = Policy(guards=(Guard(cells=CellPattern.parse("*")),))
SCHEMA = json_schema()
#: Kinds of which one entry has one at the most.
PLACES = {Kind.KEEP, Kind.SUSPEND, Kind.RESUME, Kind.QUARANTINE, Kind.MERGE, Kind.SUPERSEDE, Kind.RELEASE}


@given(st.one_of(traces(), chains(), forked()), st.integers(0, 8), st.booleans())
@settings(max_examples=100)
def test_a_plan_can_be_made_at_any_step_and_says_what_it_rests_on(program, at, guarded):
    report = Report(Manager(program), at=at, policy=GUARDING if guarded else None)
    entries = {one.entry.id for one in report.entries}
    for action in report.actions:
        assert action.code in CODES
        assert action.reason
        assert action.unless
        assert action.step <= max(at, action.step if action.kind is Kind.KEEP else at)
        assert action.entry is None or action.entry in entries
    jsonschema.validate(msgspec.json.decode(msgspec.json.encode(report.to_dict(), enc_hook=encoded)), SCHEMA)


@given(st.one_of(traces(), chains(), forked()))
@settings(max_examples=80)
def test_every_entry_has_a_place_and_one_alone(program):
    report = Report(Manager(program))
    places: dict[str, list[Kind]] = {}
    for action in report.actions:
        if action.kind in PLACES and action.entry is not None:
            places.setdefault(action.entry, []).append(action.kind)
    for kinds in places.values():
        assert len(set(kinds)) == 1, kinds
    moved = {one.entry for one in report.actions}
    assert {one.entry.id for one in report.entries} <= moved | {
        side for one in report.actions if one.kind is Kind.FLAG_CONFLICT for side in (one.entry, one.other)
    }


@given(st.one_of(traces(), chains(), forked()))
@settings(max_examples=60)
def test_every_cell_can_be_explained(program):
    report = Report(Manager(program), policy=GUARDING)
    for cell in report.manager.accesses.places:
        assert report.explain(cell)
    assert str(report)


@given(st.one_of(traces(), chains(), forked()))
@settings(max_examples=60)
def test_with_a_baseline_of_all_its_findings_nothing_is_left_to_tell(program):
    report = Report(Manager(program), policy=GUARDING)
    text = encoded_baseline((program.name, action) for action in report.actions)
    known = Baseline(map(tuple, msgspec.json.decode(text)["findings"]))  # type: ignore[arg-type]
    again = Report(Manager(program), policy=GUARDING, baseline=known)
    assert [] == [one for one in again.actions if one.kind in FINDINGS]
    assert again.hidden == sum(one.kind in FINDINGS for one in report.actions)


@given(traces())
@settings(max_examples=40)
def test_the_same_log_gives_the_same_plan(program):
    assert Report(Manager(program)).actions == Report(Manager(program)).actions
