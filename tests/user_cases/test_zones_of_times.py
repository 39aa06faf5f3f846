"""Times with a zone, without one, and that never were on any clock: compared as instants, whatever machine reads them."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from statemem import analyze, lower
from statemem.cli import main
from statemem.ir.diagnostics import UsageError

ZONES = ["UTC", "Europe/Paris", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "Australia/Lord_Howe"]


def log(*times):
    return [
        {"turn": n, "time": time, "scope": "user:7", "ops": [{"op": "set", "name": "city", "value": n, "id": f"e{n}"}]}
        for n, time in enumerate(times, 1)
    ]


def observed(*times, zone=None):
    return [one.origin.observed for one in lower(log(*times), zone=zone).instructions]


def holds(*times, zone=None):
    return [one.entry.value for one in analyze(log(*times), zone=zone).entries if one.in_force]


def utc(*fields):
    return datetime(*fields).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "zone", "instant"),
    [
        ("2026-03-29T23:30:00", None, utc(2026, 3, 29, 23, 30)),
        ("2026-03-29T23:30:00", "Europe/Paris", utc(2026, 3, 29, 21, 30)),
        ("2026-03-29T23:30:00+09:00", None, utc(2026, 3, 29, 14, 30)),
        ("2026-03-29T23:30:00+09:00", "Europe/Paris", utc(2026, 3, 29, 14, 30)),
        ("2026-03-29T23:30:00Z", "Europe/Paris", utc(2026, 3, 29, 23, 30)),
        ("2026-03-29T23:30:00", "-03:30", utc(2026, 3, 30, 3)),
        ("2026-03-29T02:30:00", "Europe/Paris", utc(2026, 3, 29, 1, 30)),
        ("2026-10-25T02:30:00", "Europe/Paris", utc(2026, 10, 25, 0, 30)),
        ("2026-03-29", "Europe/Paris", utc(2026, 3, 28, 23)),
        (0, "Europe/Paris", utc(1970, 1, 1)),
    ],
)
def test_a_time_is_the_instant_that_it_says(text, zone, instant):
    assert [instant] == observed(text, zone=zone)


def test_the_offset_that_was_given_is_kept():
    given_ = ["2026-03-29T23:30:00+09:00", "2026-03-29T23:30:00Z", "2026-07-01T12:00:00"]
    offsets = [str(one.utcoffset()) for one in observed(*given_, zone="Europe/Paris") if one is not None]
    assert ["9:00:00", "0:00:00", "2:00:00"] == offsets


MOMENTS = st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2035, 1, 1)).map(
    lambda m: m.replace(microsecond=0)
)


@given(MOMENTS, st.sampled_from(ZONES))
def test_one_without_a_zone_is_of_the_zone_that_is_declared(moment, zone):
    (found,) = observed(moment.isoformat(), zone=zone)
    assert found is not None
    assert moment.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC) == found.astimezone(UTC)


@given(st.lists(st.tuples(MOMENTS, st.sampled_from([None, *ZONES])), min_size=1, max_size=6), st.sampled_from(ZONES))
def test_of_any_mixture_the_latest_instant_holds_and_nothing_breaks(moments, zone):
    given_ = [moment if own is None else moment.replace(tzinfo=ZoneInfo(own)) for moment, own in moments]
    instants = [(one if one.tzinfo else one.replace(tzinfo=ZoneInfo(zone))).astimezone(UTC) for one in given_]
    last = max(range(len(given_)), key=lambda number: (instants[number], number))
    assert [last + 1] == holds(*(one.isoformat() for one in given_), zone=zone)


def test_a_time_with_and_one_without_a_zone_meet():
    assert [1] == holds("2026-03-29T23:30:00", "2026-03-30T07:00:00+09:00")
    assert [2] == holds("2026-03-29T23:30:00", "2026-03-30T07:00:00+09:00", zone="Pacific/Kiritimati")


def test_the_same_instant_in_two_zones_is_one_moment_and_the_later_record_holds():
    assert [2] == holds("2026-03-29T14:30:00Z", "2026-03-29T23:30:00+09:00")


@pytest.mark.parametrize(
    "time", ["yesterday", "2026-02-30T00:00:00", "2026-03-29T25:00:00", "9999-12-31T23:59:00-14:00", {}]
)
def test_what_is_no_time_is_a_warning_and_leaves_the_turn_undated(time):
    report = analyze(log(time))
    assert (["FE034"], [1]) == ([one.code for one in report.problems], [one.entry.value for one in report.entries])
    assert [None] == observed(time)


def test_an_unknown_zone_is_refused():
    with pytest.raises(UsageError, match="unknown time zone 'Europe/Pari'"):
        analyze(log("2026-03-29T23:30:00"), zone="Europe/Pari")


LINE = (
    '{"turn": 1, "time": "2026-03-29T23:30:00", "scope": "user:7", "ops": [{"op": "set", "name": "a", "value": 1}]}\n'
)


def test_the_command_line_takes_the_zone(tmp_path):
    file = tmp_path / "log.jsonl"
    file.write_text(LINE, encoding="utf-8")
    assert (
        "2026-03-29T23:30:00+02:00" in CliRunner().invoke(main, ["lower", str(file), "--zone", "Europe/Paris"]).stdout
    )
    assert "2026-03-29T23:30:00Z" in CliRunner().invoke(main, ["lower", str(file)]).stdout


@pytest.mark.parametrize("host", ["Asia/Tokyo", "America/New_York"])
def test_the_zone_of_the_machine_plays_no_part(tmp_path, host):
    file = tmp_path / "log.jsonl"
    file.write_text(LINE, encoding="utf-8")
    code = "import sys; from statemem.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "lower", str(file)],
        capture_output=True, text=True, encoding="utf-8", check=True, timeout=120, env={**os.environ, "TZ": host},
    )  # fmt: skip
    assert "2026-03-29T23:30:00Z" in done.stdout
