"""The peers' environment: made by this benchmark in a folder of its own, each peer installed once."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.solver.measured import Found

#: Peers that need no more than what the product itself does.
OWN = ("sets", "networkx", "networkx_ordered")
#: The package of each other peer.
PACKAGES = {"numba": "numba", "python_graphs": "python-graphs", "xdsl": "xdsl", "duckdb": "duckdb"}
BRIL = "bril"
#: Peers that have no reaching definitions, nor a solver to write them in.
LIVENESS_ONLY = ("numba", "python_graphs")
ROOT = Path(__file__).parents[2]
#: Seconds after which a peer is given up.
LONGEST = 900


def cache() -> Path:
    """Where this benchmark keeps what it made."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "statemem-benchmarks"


class Peers:
    """Runs peers, each in its environment; what fails says so in what was found."""

    def __init__(self, folder: Path, *, bril: Path | None = None, installs: bool = True) -> None:
        self._folder = folder
        self._bril = bril
        self._installs = installs
        self._refused: dict[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The peers there are."""
        return (*OWN, *PACKAGES, BRIL) if self._installs else OWN

    def run(self, peer: str, analysis: str, graph: Path, runs: int, budget: float) -> Found:
        """Seconds of each run of a peer, and its answer."""
        reason = self._missing(peer)
        if reason:
            return Found(reason=reason)
        command = [str(self._python(peer)), "-m", "benchmarks.solver.peers.run", peer, analysis, str(graph)]
        command += ["--runs", str(runs), "--budget", str(budget)]
        if peer == BRIL:
            command += ["--bril", str(self._bril)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            return Found(reason=f"not done after {LONGEST} seconds")
        return _read(done.stdout) if done.returncode == 0 else Found(reason=f"failed: {_last(done.stderr)}")

    def _missing(self, peer: str) -> str:
        """Why a peer cannot be run; it is installed first where it has a package."""
        if peer == BRIL:
            return "" if self._bril else "no checkout given: --bril PATH"
        if peer in PACKAGES and peer not in self._refused:
            self._refused[peer] = self._install(PACKAGES[peer])
        return self._refused.get(peer, "")

    def _install(self, package: str) -> str:
        """Install a package; why it could not be, else nothing."""
        if not self._environment.exists():
            made = _done([sys.executable, "-m", "venv", str(self._folder)])
            if made:
                return f"no environment: {made}"
        installed = _done([str(self._environment), "-m", "pip", "show", "--quiet", package])
        if not installed:
            return ""
        refused = _done([str(self._environment), "-m", "pip", "install", "--quiet", package])
        return f"not installed: {refused}" if refused else ""

    def _python(self, peer: str) -> Path:
        return self._environment if peer in PACKAGES else Path(sys.executable)

    @property
    def _environment(self) -> Path:
        return self._folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def _read(text: str) -> Found:
    found = json.loads(text)
    prints: Iterable[tuple[int, tuple[int, int]]] = found["prints"]
    return Found(found["seconds"], found["answer"], {block: (one[0], one[1]) for block, one in prints})


def _done(command: list[str]) -> str:
    """Nothing where a command succeeded, else the last line of what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else _last(done.stderr) or f"ended with {done.returncode}"


def _last(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""
