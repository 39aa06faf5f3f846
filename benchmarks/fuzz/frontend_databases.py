"""SQLite databases of the kinds that agents keep their logs in, filled with damaged records, as bytes."""

import json
import random
import sqlite3
from collections.abc import Callable
from typing import Any

import msgspec

from benchmarks.fuzz.frontend_damage import damaged

_AWKWARD: tuple[Any, ...] = (
    None,
    0,
    -1,
    10**15,
    1.5,
    "",
    "x",
    "\x00",
    "{",
    "[]",
    "null",
    b"",
    b"\xff\xfe",
    b"{}",
    b"\x81",
)
#: The tables with their columns, and how a row is made of a record and its number.
_Row = Callable[[Any, int], tuple[Any, ...]]


def database(log: list[Any], draw: random.Random) -> bytes:
    """The bytes of a database with some of the tables, seldom damaged themselves."""
    connection = sqlite3.connect(":memory:")
    for table in draw.sample(list(_TABLES), draw.randint(1, len(_TABLES))):
        columns, row = _TABLES[table]
        connection.execute(f"CREATE TABLE {table}({columns})")
        marks = ", ".join("?" * (columns.count(",") + 1))
        for number, record in enumerate(damaged(log, draw)[:20]):
            cells = [_cell(value, draw) for value in row(record, number)]
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", cells)
    content = bytearray(connection.serialize())
    connection.close()
    for _ in range(draw.choice((0, 0, 0, 1, 3, 30))):
        content[draw.randrange(16, len(content))] = draw.randrange(256)
    return bytes(content)


def _cell(value: Any, draw: random.Random) -> Any:
    return draw.choice(_AWKWARD) if draw.random() < 0.03 else value


def _message(record: Any, number: int) -> tuple[Any, ...]:
    return number, f"s{number % 2}", json.dumps(record), "2025-06-01 10:00:00"


def _structure(_: Any, number: int) -> tuple[Any, ...]:
    return number, f"s{number % 2}", number, "main" if number < 4 else "side", "user", number, number, number, None


def _event(record: Any, number: int) -> tuple[Any, ...]:
    kind = record.get("event") if isinstance(record, dict) else None
    return number, "ann", kind if isinstance(kind, str) else "slot", float(number), None, None, json.dumps(record)


def _checkpoint(record: Any, number: int) -> tuple[Any, ...]:
    values = {"messages": [record], "topic": number, "__start__": 1}
    state = {
        "v": 4,
        "id": f"c{number}",
        "ts": "2025-06-01T10:00:00",
        "channel_values": values,
        "versions_seen": {"a": {}},
    }
    parent = f"c{number - 1 - number // 5}" if number else None
    metadata = json.dumps({"source": "loop", "step": number})
    return "t1", "", f"c{number}", parent, *_packed(state), metadata


def _write(record: Any, number: int) -> tuple[Any, ...]:
    return "t1", "", f"c{number}", "task", number, "topic", *_packed(record)


def _packed(value: Any) -> tuple[str, bytes]:
    try:
        return "msgpack", msgspec.msgpack.encode(value)
    except (ValueError, OverflowError, msgspec.MsgspecError):
        return "json", json.dumps(value).encode()


_TABLES: dict[str, tuple[str, _Row]] = {
    "agent_messages": ("id, session_id, message_data, created_at", _message),
    "message_structure": (
        "id, session_id, message_id, branch_id, message_type, sequence_number, turn, branch_turn, tool",
        _structure,
    ),
    "events": ("id, sender_id, type_name, timestamp, intent_name, action_name, data", _event),
    "checkpoints": (
        "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata",
        _checkpoint,
    ),
    "writes": ("thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value", _write),
}
