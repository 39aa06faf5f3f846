"""The smallest log that still does what a larger one does: without the values it can spare, then without the bytes."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.fuzz.shrinking import shrunk


def shrunk_log(content: bytes, still: Callable[[bytes], bool], trials: int) -> bytes:
    """A log that is `still` what this one is: without values it can spare, if it is JSON, then without bytes."""
    log = _read(content)
    budget = trials // 2
    if log is not None and still(_written(log)):
        budget = _without_values([log], still, budget)
        content = _written(log)
    text = shrunk(content.decode("latin-1"), lambda part: still(part.encode("latin-1")), budget + trials // 2)
    return text.encode("latin-1")


def _without_values(whole: list[Any], still: Callable[[bytes], bool], trials: int) -> int:
    """Take values out as long as there are any to spare; gives how many trials are left."""
    before = None
    while before != (before := _written(whole[0])) and trials:
        for holder, at in list(_places(whole[0])):
            if trials and at in (holder if isinstance(holder, dict) else range(len(holder))):
                trials -= 1
                _take_out(holder, at, lambda: still(_written(whole[0])))
    return trials


def _take_out(holder: Any, at: Any, still: Callable[[], bool]) -> None:
    kept = dict(holder) if isinstance(holder, dict) else list(holder)
    del holder[at]
    if not still():
        holder.clear()
        holder.update(kept) if isinstance(holder, dict) else holder.extend(kept)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list or object with each index, the last first, or name; outer ones before inner ones."""
    level = [value] if isinstance(value, (dict, list)) else []
    while level:
        for holder in level:
            yield from ((holder, at) for at in (list(holder) if isinstance(holder, dict) else range(len(holder))[::-1]))
        level = [item for holder in level for item in _items(holder) if isinstance(item, (dict, list))]


def _items(holder: Any) -> list[Any]:
    return list(holder.values()) if isinstance(holder, dict) else list(holder)


def _read(content: bytes) -> Any:
    """The log as JSON, or as a list of its lines; None if it is neither."""
    try:
        text = content.decode()
        return _value(text) or [json.loads(line) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _written(log: Any) -> bytes:
    return json.dumps(log).encode()
