"""The inputs of a seed, by number: each depends on nothing but the two."""

import random

from benchmarks.fuzz.corpus import CHARACTERS, CROWD, WRITTEN, drawn, words
from benchmarks.fuzz.mutations import LONGEST, awkward, crowded, mutated

#: So many inputs are made from the same drawn programs.
_TOGETHER = 5_000
#: How many of them are crowds, each of which takes as long as some hundred others.
_CROWDED = 0.003


def text(seed: int, number: int) -> str:
    """The input of that number: mostly a text that reads with a little damage, seldom a very long or a random one."""
    draw = random.Random(f"{seed}:{number}")
    pool = drawn(seed + (number // _TOGETHER << 32))
    if draw.random() < _CROWDED:
        return crowded(CROWD, draw)
    source = draw.choices((_whole, _characters, _sentences), (18, 1, 1))[0]
    return mutated(source(pool, draw), _whole(pool, draw), draw)


def _whole(pool: tuple[str, ...], draw: random.Random) -> str:
    return draw.choice(draw.choice((WRITTEN, pool)))


def _characters(_: tuple[str, ...], draw: random.Random) -> str:
    """Characters of the language, and any others."""
    known = "".join((*CHARACTERS, *words()))
    return "".join(_character(known, draw) for _ in range(draw.randint(0, 200)))


def _character(known: str, draw: random.Random) -> str:
    return draw.choice(known) if draw.random() < 0.9 else chr(draw.randrange(0x110000))


def _sentences(_: tuple[str, ...], draw: random.Random) -> str:
    """Words of the language in any order, behind the head of a block so that some of them are read."""
    parts = [awkward(draw) if draw.random() < 0.2 else draw.choice(words()) for _ in range(draw.randint(0, 100))]
    body = "".join(part + draw.choice(("", " ", " ", " ", "\n")) for part in parts)
    return draw.choice(("", "program x\n", _HEAD))[:LONGEST] + body


_HEAD = 'program "x"\ntask main in session:1/ {\nblock t1 user {\n'
