"""Any text ends in a program or a located error: what the fuzz found, a quick run of it, and that it finds what it must.

`python -m benchmarks.fuzz text` is the long run. Its limit of two seconds is no measure of speed: what takes so long
for less than 100,000 characters takes minutes for a little more.
"""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.fuzz import __main__ as command
from benchmarks.fuzz import corpus
from benchmarks.fuzz import text as demands
from benchmarks.fuzz.findings import Outcome
from benchmarks.fuzz.inputs import text as text_input
from benchmarks.fuzz.shrinking import shrunk
from benchmarks.fuzz.text import outcome
from statemem.ir.diagnostics import InputError, Location, Problem
from statemem.ir.text import read

HEAD = 'program "x"\nscope user:7/\nscope session:1/ in user:7/\ntask main in session:1/ {\nblock t1 user {\n'


def block(*statements: str) -> str:
    return "\n".join([HEAD, *statements, "open", "}", "}", ""])


def workflow(*blocks: str) -> str:
    return "\n".join(['program "x" workflow', "task main {", *blocks, "}", ""])


def block_of(name: str, statements: str) -> str:
    return f"block {name} user {{\n{statements}\n}}"


#: Each was once too slow for a text of less than 100,000 characters or ended in an exception, or is near one that did.
FOUND = {
    "a cell of very many names": block(f"a{'.b' * 20_000} = set 1", "use a"),
    "a cell of very many keys": block(f"a{'[b]' * 15_000} = set 1", "use a[*]"),
    "very many leaves": block("a = set {" + ", ".join(f'"x{n}": {n}' for n in range(4_000)) + "}"),
    "very many facts": block("use a " + ";; after live = b " * 5_000),
    "very many references": block(*(f"@r{n} -> b{n}" for n in range(4_000))),
    "very many programs": 'program "x"\ntask a {\n}\n' * 2_000,
    "very many empty lines": "\n \t" * 30_000,
    "very many brackets, not closed": block("a = set " + "[" * 90_000),
    "a very long word before a wrong one": block("use " + "x" * 90_000 + " foo"),
    "very many families": block(*(f"a{n}[*].x = set 1" for n in range(1_000)), *(f"use c{n}" for n in range(1_000))),
    "very many unions of parts": block(*(f"same a{n}, b{n}.x" for n in range(1_000))),
    "a call in a log": block("call p() then t2", "}", "block t2 user {"),
    "a string without an end in a fact": block("use a ;; after b = " + '"' + '\\"' * 40_000),
    "brackets behind a string without an end": block('a = set "' + '\\"' * 40_000 + "[" * 101),
    "very many findings in a line": block("use " + ", ".join(f"a{n}" for n in range(10_000))),
    "very many lost jumps": workflow(*(block_of(f"a{n}x", f"goto b{n}") for n in range(2_500))),
    "lost jumps to very long names": workflow(
        *(block_of(f"{'ab' * 75}{n}", f"goto {'ba' * 75}{n}") for n in range(250))
    ),
    "very many tasks in loops": workflow(
        *(block_of(f"t{n}", f"enter f{n}\nbranch t{n + 1}, t{max(0, n - 1)}") for n in range(1_200)),
        block_of("t1200", "leave f1\nend"),
    ),
    "very many calls and returns": workflow(
        *(block_of(f"t{n}", f"call s() then t{n + 1}") for n in range(900)),
        "}\ntask s {",
        *(block_of(f"r{n}", "return") for n in range(1_400)),
    ),
    "very many scopes in each other": 'program "x"\n'
    + "".join(f"scope a:{n}/ in a:{n + 1}/\n" for n in range(4_000))
    + "task main in a:0/ {\n}\n",
    "very many cells that depend": 'program "x"\n'
    + "".join(f"cell a:1/b{n} depends on a:1/b{n + 1}\n" for n in range(2_300))
    + "task main {\n}\n",
    "very many names of one cell": block(*(f"same a{n}, a{n + 1}" for n in range(3_000)), "use a1"),
    "very many names and uses": block(
        *(f"same a{n}, b{n}" for n in range(1_500)), *(f"use a{n}" for n in range(1_500))
    ),
    "very many parts of parts": block(*(f"same a{n}, a{n + 1}.x" for n in range(2_000))),
    "very many targets of a reference": block(
        *(f"maybe @r -> b{n}" for n in range(2_000)), *("use @r.x" for _ in range(2_000))
    ),
    "very many parameters": f'program "x"\ntask a ({", ".join(f"p{n}" for n in range(12_000))}) {{\n}}\n',
    "ids in a list of a very long name": block(
        'a = set {"' + "aB " * 10_000 + '": [{' + ", ".join(f'"x{n}_id": {n}' for n in range(3_000)) + "}]}"
    ),
    "a string without an end": block('a = set "' + '\\"' * 40_000),
}


@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_what_was_found_ends_in_a_program_or_a_located_error(text: str) -> None:
    assert outcome(text).finding is None


def test_a_quick_run_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == command.main(["text", "--seed", "7", "--count", "700"]), capsys.readouterr().out


def test_the_same_seed_gives_the_same_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "DRAWN_TOGETHER", 5)
    corpus.drawn.cache_clear()
    expected = [text_input(3, number) for number in range(50)]
    corpus.drawn.cache_clear()
    assert expected == [text_input(3, number) for number in range(50)]
    assert expected != [text_input(4, number) for number in range(50)]
    corpus.drawn.cache_clear()


@pytest.mark.parametrize("text", [*corpus.WRITTEN, corpus.CROWD])
def test_what_inputs_are_made_from_is_read(text: str) -> None:
    assert Outcome() == outcome(text)


def test_a_text_is_shrunk_to_what_it_needs() -> None:
    assert "w" == shrunk("one\ntwo\nthree", lambda text: "w" in text)
    assert "ace" == shrunk("abc\nde\n", lambda text: {"a", "c", "e"} <= set(text))


def test_shrinking_ends() -> None:
    assert 50 > len(shrunk("x" * 100, lambda text: len(text) > 10, trials=5))


# faults are planted in what reads, and the fuzz must find them


def _raise(_: str) -> Any:
    raise KeyError("planted")


def _refuse(line: int, column: int, code: str = "TX001") -> Callable[[str], Any]:
    def refuse(_: str) -> Any:
        raise InputError(Problem(code=code, message="planted", location=Location(line=line, column=column)))

    return refuse


def _forget(text: str) -> Any:
    """All but the first program of a text."""
    document = read(text)
    del document.programs[1:], document.facts[:]
    return document


def _forget_once() -> Callable[[str], Any]:
    """The whole text at first, and then no facts of it any more."""
    reads = iter([read])
    return lambda text: next(reads, _forget)(text)


def _go_on(_: str) -> Any:
    while True:
        pass


FAULTS = {
    "another exception": (_raise, "raises nothing but InputError"),
    "a line that is not there": (_refuse(2, 1), "has its problems within its lines"),
    "a column behind the next": (_refuse(1, 3), "has its problems within its lines"),
    "a column before the first": (_refuse(1, 0), "has its problems within its lines"),
    "a code of nobody": (_refuse(1, 1, "XX001"), "has its problems by codes that are listed"),
    "no end": (_go_on, "ends within 0.1 s"),
}


@pytest.mark.parametrize(("planted", "demand"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(planted: Callable[[str], Any], demand: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demands, "read", planted)
    monkeypatch.setattr(demands, "check_text", lambda _: [])
    monkeypatch.setattr(demands, "SECONDS", 0.1)
    found = outcome("x").finding
    assert found is not None
    assert demand == found.demand


def test_facts_that_are_lost_when_written_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demands, "read", _forget_once())
    found = outcome(block("use a ;; after live = b")).finding
    assert found is not None
    assert "has the same facts when written and read again" == found.demand


def test_a_finding_is_printed_with_what_repeats_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demands, "read", lambda text: _raise(text) if "set" in text else read(text))
    assert 1 == command.main(["text", "--seed", "1", "--count", "20"])
    printed = capsys.readouterr().out
    assert "demanded: raises nothing but InputError" in printed
    assert "python -m benchmarks.fuzz text --seed 1 --number " in printed
    assert "\n  'set'\n" in printed
