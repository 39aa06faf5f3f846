"""What is measured over which graph."""

from dataclasses import dataclass

from benchmarks.solver.adversaries import ADVERSARIES, adversary
from benchmarks.solver.graphs import Graph
from benchmarks.solver.workloads import KINDS, log


@dataclass(frozen=True)
class Workload:
    """One graph and what is measured over it besides liveness by the product and by the reference."""

    name: str
    peers: bool = False
    reaching: bool = True
    generic: bool = False
    memory: bool = False

    def graph(self, seed: int) -> Graph:
        """The graph; the same for the same seed."""
        return log(self.name, KINDS[self.name], seed) if self.name in KINDS else adversary(self.name, seed)


@dataclass(frozen=True)
class Growth:
    """A log that grows: its graph, and the sizes from which on, each with its name."""

    workload: str
    sizes: dict[str, int]
    turns: int


QUICK = (Workload("log100", peers=True, generic=True), Workload("log1k", peers=True, generic=True, memory=True))
FULL = (
    Workload("log100", peers=True),
    Workload("log1k", peers=True, generic=True),
    Workload("log10k", peers=True, generic=True, memory=True),
    Workload("log10k_v20k", reaching=False),
    Workload("log10k_leak"),
    Workload("log1k_shared", peers=True),
    *(Workload(name, peers=True, reaching=False) for name in ADVERSARIES),
    Workload("log100k", memory=True),
)
QUICK_GROWTH = Growth("log1k", {"500": 500}, 50)
FULL_GROWTH = Growth("log100k", {"1k": 1_000, "10k": 10_000, "99k": 99_000}, 500)
