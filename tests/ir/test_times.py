"""Times: instants that keep the offset in which they were given; a naive one is read in a declared zone."""

import os
import subprocess
import sys

import pytest

from statemem import lower
from statemem.ir import Origin, build, run
from statemem.ir.diagnostics import UsageError
from statemem.ir.origin_fields import from_fields, to_fields
from statemem.ir.text import dumps, parse
from statemem.ir.times import read_time, zone_named

TURN = {"turn": 1, "scope": "session:1", "ops": [{"op": "set", "name": "x", "value": 1}]}


@pytest.mark.parametrize("text", ["2026-03-29T23:30:00+09:00", "2026-03-29T14:30:00Z", "2026-03-29T09:00:00.5-05:30"])
def test_the_offset_is_kept(text):
    assert {"observed": text if "." not in text else "2026-03-29T09:00:00.500000-05:30"} == to_fields(
        from_fields({"observed": text})
    )


def test_the_offset_survives_the_text_form_and_what_a_block_states():
    utc, tokyo = read_time("2026-03-29T14:30:00Z"), read_time("2026-03-29T23:30:00+09:00")
    assert utc == tokyo
    program = build().at(observed=utc, recorded=tokyo).set("x", 1).at(observed=tokyo).set("x", 2).program
    text = dumps(program)
    assert '"observed": "2026-03-29T14:30:00Z", "recorded": "2026-03-29T23:30:00+09:00"' in text
    assert dumps(parse(text)[0]) == text
    assert {"observed": "2026-03-29T23:30:00+09:00"} == to_fields(Origin(observed=tokyo), Origin(observed=utc))


def test_times_are_compared_as_instants():
    later, earlier = read_time("2026-03-29T20:00:00-05:00"), read_time("2026-03-29T23:30:00+09:00")
    program = build().at(observed=later).set("x", "later").at(observed=earlier).set("x", "earlier").program
    assert "later" == run(program).value(program.entries[0].cell)


def test_a_time_without_a_zone_is_utc_unless_one_is_declared():
    def observed(**options):
        origin = lower([{**TURN, "time": "2026-07-01T12:00:00"}], **options).instructions[0].origin
        return to_fields(origin)["observed"]

    assert "2026-07-01T12:00:00Z" == observed()
    assert "2026-07-01T12:00:00+02:00" == observed(zone="Europe/Paris")
    assert "2026-07-01T12:00:00-03:30" == observed(zone="-03:30")


def test_the_zone_of_the_machine_is_never_asked():
    code = (
        "from statemem.ir.times import read_time, zone_named; print(read_time('2026-07-01T12:00', zone_named('UTC')))"
    )
    environment = {**os.environ, "TZ": "Asia/Tokyo"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "2026-07-01 12:00:00+00:00" == done.stdout.strip()


@pytest.mark.parametrize("name", ["Europa/Paris", "", "../etc/passwd", "+99:00", "\x00", "2"])
def test_an_unknown_zone_is_refused(name):
    with pytest.raises(UsageError, match="unknown time zone"):
        zone_named(name)


@pytest.mark.parametrize(
    "text", ["soon", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"]
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises((ValueError, OverflowError)):
        read_time(text)
