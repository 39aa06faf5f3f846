"""Any bytes end in sound programs or located problems, whatever the format: a quick run, and that it finds what it must.

`python -m benchmarks.fuzz frontends` is the long run.
"""

import json
from typing import Any

import pytest

from benchmarks.fuzz import __main__ as command
from benchmarks.fuzz import frontend_samples, frontends
from benchmarks.fuzz.findings import Outcome
from benchmarks.fuzz.frontend_inputs import log
from benchmarks.fuzz.frontends import outcome
from benchmarks.fuzz.shrinking_logs import shrunk_log
from statemem.ir.diagnostics import InputError, Location, Problem

SOUND = b'{"messages": [{"role": "user", "content": "Where is order W15-77?"}]}'


@pytest.fixture(autouse=True)
def _no_real_logs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The same inputs wherever the tests run."""
    monkeypatch.delenv("STATEMEM_DATA", raising=False)
    frontend_samples.samples.cache_clear()
    yield
    frontend_samples.samples.cache_clear()


def test_a_quick_run_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == command.main(["frontends", "--seed", "7", "--count", "60"]), capsys.readouterr().out


def test_the_same_seed_gives_the_same_inputs() -> None:
    expected = [log(3, number) for number in range(40)]
    assert expected == [log(3, number) for number in range(40)]
    assert expected != [log(4, number) for number in range(40)]


def test_a_sound_log_is_read() -> None:
    assert Outcome() == outcome(SOUND)


# faults are planted in what lowers, and the fuzz must find them


def _raise(*_: Any, **__: Any) -> Any:
    raise KeyError("planted")


def _refuse(code: str, file: str | None) -> Any:
    def refuse(source: str, *_: Any, **__: Any) -> Any:
        raise InputError(Problem(code=code, message="planted", location=Location(file=file or source)))

    return refuse


def _go_on(*_: Any, **__: Any) -> Any:
    while True:
        pass


FAULTS = {
    "another exception": (_raise, "raises nothing but InputError"),
    "a problem of another file": (_refuse("FE001", "other"), "has its problems in its file"),
    "a code of nobody": (_refuse("XX001", None), "has its problems by codes of frontends"),
    "no program and no word": (lambda *_, **__: iter(()), "is refused where nothing of it can be read"),
    "no end": (_go_on, "ends within 0.1 s"),
}


@pytest.mark.parametrize(("planted", "demand"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(planted: Any, demand: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statemem.ir.frontends.lower", planted)
    monkeypatch.setattr(frontends, "SECONDS", 0.1)
    found = outcome(SOUND).finding
    assert found is not None
    assert demand == found.demand


def test_a_log_is_shrunk_to_what_it_needs() -> None:
    content = b'{"a": [1, 2, {"b": "needle", "c": 3}], "d": {"e": 4}}\n{"f": 5}\n'
    assert b"needle" == shrunk_log(content, lambda part: b"needle" in part, 300)
    assert b'[{"a":[{"b":"needle"}]}]' == shrunk_log(content, lambda part: _value_at_b(part) == "needle", 300)


def _value_at_b(content: bytes) -> Any:
    """The value of `b` in the innermost last object of JSON."""
    try:
        value = json.loads(content)
        while "b" not in value:
            value = value[0] if isinstance(value, list) else value["a"][-1]
        return value["b"]
    except (ValueError, LookupError, TypeError):
        return None
