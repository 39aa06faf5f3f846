"""What is to be reached, aim by aim, and whether the rows do."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from benchmarks.solver.adversaries import ADVERSARIES
from benchmarks.solver.environment import BRIL, OWN, PACKAGES
from benchmarks.solver.rows import PRODUCT, Key, Row, Rows, quotient, shown

DENSE, SLOTS = "C++", "C++ slots"
SOLVE, BUILDING, FULL, CHAINS, PEAK = "solve", "with building", "full sets", "use-def chains", "peak"
SUMMARY, EVERY = "with summary", "every block"
TURN, FROZEN, SCRATCH = "turn", "turn, collector frozen", "from scratch"
#: The appended log is measured where it has so many blocks.
SIZES = ("1k", "10k", "99k")
PEERS = (*OWN, *PACKAGES, BRIL)
#: Where others stand that this benchmark does not run.
NOT_RUN = {"WALA": "a framework in Java, which this benchmark does not run"}
Value = Callable[[Row], float | None]


@dataclass(frozen=True)
class Aim:
    """One row over another, or alone, at least or at most so much; of several `over` the least counts."""

    text: str
    row: Key
    over: tuple[Key, ...] = ()
    least: float | None = None
    most: float | None = None
    unit: str = ""
    by_mean: bool = False

    def found(self, rows: Rows) -> float | None:
        """The quotient, or the value."""
        top = self._value(rows.get(self.row))
        if not self.over:
            return top
        values = [value for key in self.over if (value := self._value(rows.get(key))) is not None]
        return quotient(min(values), top) if self.is_of_others and values else quotient(top, min(values, default=None))

    @property
    def is_of_others(self) -> bool:
        """Whether it says how many times as long others take; else how many times as long the row does."""
        return self.least is not None

    def met(self, rows: Rows) -> bool | None:
        """Whether it is reached; None where it was not measured."""
        found = self.found(rows)
        if found is None:
            return None
        return found >= self.least if self.least is not None else found <= (self.most or 0)

    def reason(self, rows: Rows) -> str:
        """What was set against what, or why there is nothing."""
        measured = [key for key in self.over if self._value(rows.get(key)) is not None]
        least = sorted(measured, key=lambda key: self._value(rows.get(key)) or 0)[:1] or self.over
        return "; ".join(self._said(key, rows.get(key)) for key in (self.row, *least))

    def _value(self, row: Row | None) -> float | None:
        return None if row is None else row.mean if self.by_mean else row.median

    def _said(self, key: Key, row: Row | None) -> str:
        name = f"{key.who} {key.what}"
        if row is None:
            return f"{name}: {NOT_RUN.get(key.who, f'not measured on {key.workload}')}"
        value = self._value(row)
        return f"{name} {shown(value, row.unit)}" if value is not None else f"{name}: {row.note}"


def aims() -> list[Aim]:
    """All aims, in the order of the table."""
    return [*_peers(), *_compiled(), *_reaching(), *_appends(), *_adversaries(), *_memory(), *_growth()]


HEADER = f"{'aim':<54}{'wanted':>10}{'found':>12}    {'':<13}reason"


def line(aim: Aim, rows: Rows) -> str:
    """One aim as a line."""
    found, met = aim.found(rows), {True: "met", False: "NOT MET", None: "not measured"}[aim.met(rows)]
    wanted = f">= {aim.least:,g}" if aim.least is not None else f"<= {(aim.most or 0) / _scale(aim):,g}"
    value = "" if found is None else f"{found / _scale(aim):,.2f}"
    return f"{aim.text:<54}{wanted:>10}{value:>12} {aim.unit:<3}{met:<13}{aim.reason(rows)}"


def _scale(aim: Aim) -> float:
    return 1e6 if aim.unit == "MB" else 1.0


def _own(workload: str, what: str = SOLVE, analysis: str = "liveness") -> Key:
    return Key(workload, analysis, PRODUCT, what)


def _other(workload: str, who: str, analysis: str = "liveness") -> Key:
    return Key(workload, analysis, who, SOLVE)


def _peers() -> Iterator[Aim]:
    ours = _own("log10k")
    python = tuple(_other("log10k", who) for who in PEERS if who != "duckdb")
    yield Aim("must: every Python peer on log10k", ours, python, least=10)
    yield Aim("the same, with the summary of words counted", _own("log10k", SUMMARY), python, least=10)
    yield Aim("the same, every block asked", _own("log10k", EVERY), python, least=10)
    named = {"bril": 500, "xdsl": 300, "networkx": 300, "numba": 60, "python_graphs": 45, "duckdb": 30, "WALA": 12}
    for who, times in named.items():
        yield Aim(f"liveness, log10k: {who}", ours, (_other("log10k", who),), least=times)
    yield Aim("building counted, log10k: bril", _own("log10k", BUILDING), (_other("log10k", "bril"),), least=200)


def _compiled() -> Iterator[Aim]:
    for workload, most in {"log1k": 10.0, "log10k": 1.2, "log10k_v20k": 0.35, "log100k": 0.15}.items():
        yield Aim(f"against dense C++, {workload}", _own(workload), (_other(workload, DENSE),), most=most)
    for workload, most in {"log10k": 6.0, "log100k": 2.2}.items():
        yield Aim(f"against C++ on recycled slots, {workload}", _own(workload), (_other(workload, SLOTS),), most=most)


def _reaching() -> Iterator[Aim]:
    compiled = (_other("log10k", DENSE, "reaching"),)
    full, chains = (_own("log10k", what, "reaching") for what in (FULL, CHAINS))
    yield Aim("reaching, full sets, log10k, against C++", full, compiled, most=1.0)
    yield Aim("use-def chains, log10k, against C++ full sets", chains, compiled, most=0.6)
    longer = _own("log100k", CHAINS, "reaching")
    yield Aim("use-def chains, log100k against log10k", longer, (chains,), most=12.0)
    peak = Key("log100k", "memory", PRODUCT, CHAINS)
    yield Aim("use-def chains, log100k, memory", peak, most=300e6, unit="MB")


def _appends() -> Iterator[Aim]:
    turns = {size: Key(f"append {size}", "append", PRODUCT, TURN) for size in SIZES}
    for by_mean in (False, True):
        text = f"appended turn, {'mean' if by_mean else 'median'}, 99k against 1k"
        yield Aim(text, turns["99k"], (turns["1k"],), most=1.4, by_mean=by_mean)
        frozen = {size: Key(f"append {size}", "append", PRODUCT, FROZEN) for size in ("1k", "99k")}
        yield Aim(f"{text}, collector frozen", frozen["99k"], (frozen["1k"],), most=1.4, by_mean=by_mean)
    for size, times in zip(SIZES, (200, 2_500, 50_000), strict=True):
        again = turns[size]._replace(what=SCRATCH)
        yield Aim(f"appended turn against solving again, {size}", turns[size], (again,), least=times)


def _adversaries() -> Iterator[Aim]:
    for name in ADVERSARIES:
        ours = _own(name)
        yield Aim(f"{name}: networkx sets", ours, (_other(name, "networkx"),), least=1)
        fastest = tuple(_other(name, who) for who in PEERS)
        yield Aim(f"{name}: the fastest peer", ours, fastest, least=5)
        yield Aim(f"{name}: against C++", ours, (_other(name, DENSE),), most=15.0)


def _memory() -> Iterator[Aim]:
    for workload, most in {"log10k": 6e6, "log100k": 40e6}.items():
        yield Aim(f"memory, {workload}", Key(workload, "memory", PRODUCT, SOLVE), most=most, unit="MB")


def _growth() -> Iterator[Aim]:
    yield Aim("growth: log100k against log10k", _own("log100k"), (_own("log10k"),), most=12.0)
    flat = Key("log10k", "generic", PRODUCT, "flat values")
    yield Aim("generic path, log10k, against the packed one", flat, (_own("log10k"),), most=30.0)


def lines(rows: Rows, *, workloads: Iterable[str]) -> Iterator[str]:
    """The aims that speak of workloads that were measured."""
    known = set(workloads)
    return (line(aim, rows) for aim in aims() if aim.row.workload in known)
