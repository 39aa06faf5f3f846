"""Chats of any number of conversations, or of messages in one, for the benchmark of reading and lowering."""

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from benchmarks.growth_logs import chat_log

#: So many messages has each of many conversations.
MESSAGES = 40


def write(path: Path, conversations: int, messages: int, seed: int) -> None:
    """Write conversations of so many messages each: a `.json` is an array, else a line is one; a `.gz` is packed."""
    with gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz" else path.open("w", encoding="utf-8") as file:
        if path.suffix == ".json":
            _write_array(file, _conversations(conversations, messages, seed))
        else:
            file.writelines(json.dumps(one) + "\n" for one in _conversations(conversations, messages, seed))


def _write_array(file: TextIO, records: Iterator[dict[str, Any]]) -> None:
    file.writelines(f"{',' if number else '['}{json.dumps(one)}" for number, one in enumerate(records))
    file.write("]")


def _conversations(count: int, messages: int, seed: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield {"id": f"chat-{number}", "messages": list(islice(chat_log(messages, seed + number), messages))}
