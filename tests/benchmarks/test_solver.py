"""The benchmark of the solver: its graphs, and that all who solve them say the same."""

import json
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.solver import compiled, generic, product
from benchmarks.solver.__main__ import main
from benchmarks.solver.adversaries import ADVERSARIES, adversary
from benchmarks.solver.appends import Growing, appended, grown, value
from benchmarks.solver.environment import OWN, Peers
from benchmarks.solver.expected import Expected, expected, live_ends, reaching_ends
from benchmarks.solver.graphs import Graph, load, save
from benchmarks.solver.measured import Found
from benchmarks.solver.measuring import Measuring
from benchmarks.solver.plan import Workload
from benchmarks.solver.prints import Printer, compared, differing, mixed
from benchmarks.solver.programs import cells_of, program_of
from benchmarks.solver.rows import PRODUCT, Key, Row, Rows
from benchmarks.solver.targets import Aim, aims
from benchmarks.solver.workloads import Kind, log
from statemem.ir.verifier import verify
from statemem.passes import Liveness, Manager, Reaching

SMALL = {
    "log": Kind(60, 25),
    "leak": Kind(60, 25, leaks=True),
    "shared": Kind(60, 25, shares=True),
    "tiny": Kind(8, 4, leaks=True, shares=True),
}
SIZES = {"nested": (100, 12)}
SEEDS = st.integers(0, 10_000)


def graph_of(name: str, seed: int) -> Graph:
    return log(name, SMALL[name], seed) if name in SMALL else adversary(name, seed, *SIZES.get(name, (40, 12)))


every_graph = pytest.mark.parametrize("name", [*SMALL, *ADVERSARIES])
few = settings(max_examples=4)


@cache
def reference() -> Path:
    try:
        return compiled.built(Path(mkdtemp()))
    except compiled.NoCompiler as reason:
        pytest.skip(str(reason))


@every_graph
@few
@given(seed=SEEDS)
def test_a_seed_gives_one_graph_whose_blocks_can_all_be_reached(name: str, seed: int):
    graph = graph_of(name, seed)

    assert graph == graph_of(name, seed)
    assert reached(graph) == set(range(len(graph.blocks)))
    assert not [one for one in verify(program_of(graph)) if one.severity == "error"]


def test_other_seeds_give_other_graphs():
    assert log("log", SMALL["log"], 1) != log("log", SMALL["log"], 2)


@every_graph
@few
@given(seed=SEEDS)
def test_the_product_gives_the_expected_answers(name: str, seed: int, tmp_path_factory: pytest.TempPathFactory):
    path, right = saved(graph_of(name, seed), tmp_path_factory)

    for measure in (product.liveness, product.reaching, generic.flat):
        for what, _, found in measure(path, 1, 1.0):
            assert found.differing(right) in ([], None), what
            assert found.seconds or found.reason


@every_graph
@few
@given(seed=SEEDS)
def test_peers_written_here_give_the_expected_answers(name: str, seed: int):
    graph = graph_of(name, seed)
    right = expected(graph)

    for peer in map(import_module, (f"benchmarks.solver.peers.{peer}" for peer in OWN)):
        given_ = peer.prepared(graph) if hasattr(peer, "prepared") else graph
        assert right.live == Printer(graph.cells).all(peer.live(given_))
        assert right.reaching == Printer(graph.first[-1]).all(peer.reaching(given_))


@every_graph
@few
@given(seed=SEEDS)
def test_the_compiled_reference_gives_the_expected_answers(name: str, seed: int):
    graph = graph_of(name, seed)
    right = expected(graph)

    for what in ("live", "slots", "reaching"):
        found = compiled.run(reference(), what, graph, 2)
        assert found.differing(right) == []
        assert len(found.seconds) == 2


@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=4)
@given(seed=SEEDS, start=st.integers(1, 30))
def test_a_program_grown_by_turns_is_the_program_at_once(name: str, seed: int, start: int):
    graph = graph_of(name, seed)
    growing = Growing(graph, min(start, graph.turns[-1]))
    manager = Manager(growing.program)
    manager.solve(Liveness)

    for turn, blocks in enumerate(growing.turns()):
        growing.append(blocks)
        grown(manager)
        if turn % 4:
            continue
        at_once = Manager(program_of(graph.until(len(growing.program.blocks))))
        assert at_once.program.said() == growing.program.said()
        assert at_once.solve(Liveness).block_ends() == manager.solve(Liveness).block_ends()
        assert all(
            value(at_once.solve(Reaching), cell, growing.end) == value(manager.solve(Reaching), cell, growing.end)
            for cell in cells_of(graph)
        )


@pytest.mark.parametrize("name", SMALL)
def test_appended_turns_are_measured_and_compared(name: str, tmp_path_factory: pytest.TempPathFactory):
    path, _ = saved(graph_of(name, 3), tmp_path_factory)

    found = appended(path, 5, 3, 10.0)

    assert found.same
    assert found.ask_whole
    assert len(found.turns) + len(found.frozen) == len(found.grow) > 0
    assert found.scratch


def test_a_log_that_leaks_reads_what_one_arm_alone_has_set():
    entered = {leaks: live_before_all(replace(SMALL["log"], blocks=300, leaks=leaks)) for leaks in (False, True)}

    assert not entered[False]
    assert entered[True]


def test_a_shared_task_is_entered_from_several_places():
    graph = log("shared", Kind(400, 50, shares=True), 1)

    assert max(map(len, graph.predecessors)) > 2
    assert max(map(len, graph.successors)) > 2


def test_a_graph_is_read_as_it_was_written(tmp_path: Path):
    graph = graph_of("log", 1)
    save(graph, tmp_path / "graph")

    assert load(tmp_path / "graph") == graph


def test_fingerprints_tell_sets_apart_and_orders_do_not():
    printer = Printer(100)

    assert printer.of([3, 1, 2]) == printer.of([1, 2, 3])
    assert printer.of([1, 2]) != printer.of([1, 3])
    assert mixed(0) == 16294208416658607535, "the first number that splitmix64 gives from 0"
    assert differing({0: (1, 1), 1: (1, 2)}, {0: (1, 1), 1: (1, 3), 2: (0, 0)}) == [1]


def test_of_large_graphs_some_blocks_all_over_are_compared():
    assert list(compared(5)) == [0, 1, 2, 3, 4]
    assert 400 < len(compared(100_000)) <= 500
    assert compared(100_000)[-1] > 99_000


def test_an_answer_that_differs_is_told():
    graph = graph_of("log", 1)
    right = expected(graph)
    wrong = Found([1.0], "live", {**right.live, 7: (1, 1)})

    assert wrong.differing(right) == [7]
    assert Found(reason="not there").differing(right) is None


def test_what_cannot_be_run_is_a_row_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("benchmarks.solver.environment._done", lambda command: f"no {command[-1]}")
    peers = Peers(tmp_path / "peers")
    measuring = Measuring(1, 1.0, 1, tmp_path, compiled.NoCompiler("no compiler"), peers)
    monkeypatch.setattr(Workload, "graph", lambda self, seed: graph_of("tiny", seed))

    reasons = {
        row.key.who: row.note
        for row in measuring.workload(Workload("log100", peers=True))
        if row.unit and not row.values
    }

    assert PRODUCT not in reasons
    assert reasons["C++"] == "no compiler"
    assert reasons["bril"] == "no checkout given: --bril PATH"
    assert reasons["numba"].startswith("no environment: no ")
    assert {"xdsl", "duckdb", "python_graphs"} < set(reasons)


def test_an_aim_is_met_by_the_least_of_the_others():
    rows, ours = Rows(), Key("log10k", "liveness", PRODUCT, "solve")
    others = tuple(ours._replace(who=who) for who in ("slow", "slower", "missing"))
    list(rows.add([Row(ours, values=[1.0]), Row(others[0], values=[8.0, 9.0, 30.0]), Row(others[1], values=[99.0])]))

    assert Aim("at least", ours, others, least=9).met(rows)
    assert not Aim("at least", ours, others, least=10).met(rows)
    assert Aim("at most", others[0], (ours,), most=9).found(rows) == 9
    assert Aim("nobody", ours, others[2:], least=1).met(rows) is None
    assert "missing" in Aim("nobody", ours, others[2:], least=1).reason(rows)


def test_every_aim_speaks_of_what_is_measured():
    assert len({aim.text for aim in aims()}) == len(aims()) > 30


def test_the_quick_form_prints_rows_and_aims(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "rows.json"

    code = main(["--quick", "--only", "log100", "--runs", "1", "--json", str(file)])

    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert code == 0
    assert {"lazy", "eager"} <= {row["asked"] for row in found["rows"]}
    assert {row["same"] for row in found["rows"] if row["values"] and row["analysis"] != "memory"} <= {True, None}
    assert "networkx_ordered" in capsys.readouterr().out


def test_a_differing_answer_alone_makes_the_exit_code_one(monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setattr(
        "benchmarks.solver.__main__._measured",
        lambda *_: [Row(Key("log100", "liveness", "sets", "solve"), values=[9e9], same=False, note="block 7")],
    )

    assert main(["--quick"]) == 1
    assert "answers differ: log100 liveness sets solve: block 7" in capsys.readouterr().err


def reached(graph: Graph) -> set[int]:
    seen, work = {0}, [0]
    while work:
        for target in graph.successors[work.pop()]:
            if target not in seen:
                seen.add(target)
                work.append(target)
    return seen


def live_before_all(kind: Kind) -> int:
    """The cells that may be read before they are assigned."""
    graph = log("log", kind, 1)
    return live_ends(Graph("entered", graph.cells, [(), *graph.blocks], [[1], *moved(graph.successors)]))[0]


def moved(successors: list[list[int]]) -> list[list[int]]:
    return [[target + 1 for target in following] for following in successors]


def saved(graph: Graph, factory: pytest.TempPathFactory) -> tuple[Path, Expected]:
    path = factory.mktemp("graphs") / "graph"
    save(graph, path)
    return path, expected(graph)


def test_expected_answers_of_a_graph_by_hand():
    graph = Graph("loop", 2, [(((), 0),), (((0,), 1),), (((1,), None),)], [[1], [1, 2], []])

    assert live_ends(graph) == [0b01, 0b11, 0]
    assert reaching_ends(graph) == [0b01, 0b11, 0b11]
