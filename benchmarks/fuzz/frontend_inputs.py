"""The logs of a seed, by number: bytes that depend on nothing but the two and the real logs at hand."""

import gzip
import json
import random
from typing import Any

from benchmarks.fuzz.frontend_damage import AWKWARD, damaged
from benchmarks.fuzz.frontend_databases import database
from benchmarks.fuzz.frontend_samples import samples

_CHARACTERS = '[]{}:,"\\ \n\r\t0123456789.eE+-truefalsn\x00\ufeff\u2028é'
_NAMES = ("role", "content", "id", "messages", "events", "type", "ops", "entries", "steps", "turns", "mapping")
_ODD = (b"", b"\n", b"\xff", b"\xc3", b"\x00", b"\xef\xbb\xbf", b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\")
_STARTS = (b"", b"", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"SQLite format 3\0", b"\xef\xbb\xbf", b"\xff\xfe")


def log(seed: int, number: int) -> bytes:
    """The input of that number: mostly a sound log with a little damage, seldom random."""
    draw = random.Random(f"frontends:{seed}:{number}")
    source = draw.choices((_records, _values, _characters, _bytes, _database), (80, 6, 3, 3, 8))[0]
    return source(draw)


def _records(draw: random.Random) -> bytes:
    records = draw.choice(samples())
    if draw.random() < 0.2:
        records = [*records, *draw.choice(samples())]
    written = _laid_out(damaged(records, draw), draw)
    return _broken(written, draw) if draw.random() < 0.15 else written


def _values(draw: random.Random) -> bytes:
    return _laid_out([_value(draw, 4) for _ in range(draw.randint(0, 6))], draw)


def _value(draw: random.Random, depth: int) -> Any:
    if depth == 0 or draw.random() < 0.3:
        return draw.choice(AWKWARD)
    if draw.random() < 0.4:
        return [_value(draw, depth - 1) for _ in range(draw.randint(0, 4))]
    return {draw.choice(_NAMES): _value(draw, depth - 1) for _ in range(draw.randint(0, 5))}


def _laid_out(records: list[Any], draw: random.Random) -> bytes:
    """Records as an array, a record a line, or the first one alone."""
    layout = draw.random()
    if layout < 0.5:
        text = json.dumps(records, indent=draw.choice((None, None, 1)))
    elif layout < 0.85 or not records:
        text = draw.choice(("\n", "\n", "\r\n", "\n \n")).join(map(json.dumps, records))
    else:
        text = json.dumps(records[0])
    return text.encode()


def _broken(content: bytes, draw: random.Random) -> bytes:
    """With a few bytes lost or put in, cut short, or packed and then so."""
    if draw.random() < 0.2:
        content = gzip.compress(content, mtime=0)
    for _ in range(draw.randint(1, 3)):
        at = draw.randint(0, len(content))
        put = draw.choice(_ODD)
        content = content[:at] + put + content[at + draw.choice((0, 0, 1, 5, 10**9)) :]
    return content


def _characters(draw: random.Random) -> bytes:
    return "".join(draw.choice(_CHARACTERS) for _ in range(draw.randint(0, 120))).encode()


def _bytes(draw: random.Random) -> bytes:
    return draw.choice(_STARTS) + draw.randbytes(draw.randint(0, 200))


def _database(draw: random.Random) -> bytes:
    return database(draw.choice(samples()), draw)
