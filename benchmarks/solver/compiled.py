"""The C++ reference: compiled where a compiler exists, run over a graph, its answers read."""

import hashlib
import shutil
import subprocess
from pathlib import Path

from benchmarks.solver.graphs import Graph
from benchmarks.solver.measured import Found

SOURCES = Path(__file__).parent / "reference"
COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-O2", "-std=c++17")
#: What a graph must be to have its definitions as bits of every block.
LARGEST_REACHING = 20_000


class NoCompiler(Exception):
    """Why there is no reference."""


def built(folder: Path) -> Path:
    """The reference as a program, compiled again where its sources have changed. Raises `NoCompiler`."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise NoCompiler(f"no compiler: none of {', '.join(COMPILERS)} is there")
    sources = sorted(SOURCES.iterdir())
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    program = folder / f"reference-{digest}"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [compiler, *FLAGS, str(SOURCES / "main.cpp"), "-o", str(program)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoCompiler(f"the compiler refuses the reference: {done.stderr.strip().splitlines()[0]}")
    return program


def run(program: Path, what: str, graph: Graph, runs: int) -> Found:
    """`live`, `slots` or `reaching`: seconds of each run, the answer by block, and how many bits a set has."""
    if what == "reaching" and len(graph.blocks) > LARGEST_REACHING:
        return Found(reason="full sets of so many definitions at so many blocks do not fit")
    done = subprocess.run(
        [str(program), what, str(runs)], input=_text(graph), capture_output=True, text=True, check=False
    )
    if done.returncode:
        return Found(reason=f"ended with {done.returncode}")
    times, bits, *lines = done.stdout.splitlines()
    prints = {block: (members, total) for block, members, total in (map(int, line.split()) for line in lines)}
    answer = "reaching" if what == "reaching" else "live"
    return Found(list(map(float, times.split())), answer, prints, f"{bits} bits a set")


def _text(graph: Graph) -> str:
    lines = [f"{graph.cells} {len(graph.blocks)}"]
    for ops, following in zip(graph.blocks, graph.successors, strict=True):
        lines.append(" ".join(map(str, [len(following), *following, len(ops)])))
        for reads, write in ops:
            lines.append(" ".join(map(str, [len(reads), *reads, -1 if write is None else write])))
    return "\n".join(lines) + "\n"
