"""Logs of any length for the growth benchmark: invented content, the same for the same seed.

They are made and written record by record, so that the process that does it stays small.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

Record = dict[str, Any]

COLOURS = ("amber", "black", "cobalt", "green", "ivory", "maroon", "silver", "white")
CITIES = ("Arden", "Brookfield", "Calder", "Dunmore", "Elmswood", "Farley")
STATUSES = ("pending", "packed", "shipped", "delivered")
SUBJECTS = ("budget", "deadline", "owner", "venue", "region", "supplier", "contact", "format")
LONG_LIVED = 20
STEPS_A_FACT, MESSAGES_AN_ORDER = 25, 40


def write(path: Path, records: Iterator[Record]) -> None:
    """Write records as JSON Lines."""
    with path.open("w", encoding="utf-8") as log:
        log.writelines(json.dumps(record) + "\n" for record in records)


def steps_log(size: int, seed: int) -> Iterator[Record]:
    """A `steps` log: an entry a step, half of them facts that get updated, accesses to recent and lasting entries."""
    draw = random.Random(seed)
    facts = max(1, size // STEPS_A_FACT)
    for step in range(1, size + 1):
        yield _entry(step, facts, draw)
        yield {"step_id": step, "accessed_memory_ids": _accessed(step, draw)}


def restated_log(size: int, seed: int) -> Iterator[Record]:
    """A `steps` log of one fact that every step states anew, always the same, as an agent does that polls."""
    return _one_fact(size, lambda step: {"content": STATUSES[seed % len(STATUSES)]})


def versioned_log(size: int, seed: int) -> Iterator[Record]:
    """A `steps` log of one fact that gets another value and version at every step."""
    return _one_fact(size, lambda step: {"content": f"{seed}-{step}", "version": step})


def chat_log(size: int, seed: int) -> Iterator[Record]:
    """An `openai` chat of one conversation: a person asks about orders, which are read and changed by tools."""
    draw = random.Random(seed)
    orders = [_order(number, draw) for number in range(max(1, size // MESSAGES_AN_ORDER))]
    rounds = (_round(number, draw.choice(orders), draw) for number in range(size // 4 + 1))
    return islice((message for one in rounds for message in one), size)


def common_log(size: int, seed: int) -> Iterator[Record]:
    """An `openai` chat that searches for a status, which every order it finds has."""
    draw = random.Random(seed)
    rounds = (_search(number, _order(number, draw)) for number in range(size // 4 + 1))
    return islice((message for one in rounds for message in one), size)


LOGS: dict[str, Callable[[int, int], Iterator[Record]]] = {
    "steps": steps_log,
    "openai": chat_log,
    "restated": restated_log,
    "versioned": versioned_log,
    "common": common_log,
}


def _entry(step: int, facts: int, draw: random.Random) -> Record:
    entry: Record = {"entry_id": f"m{step}", "content": _sentence(draw), "created_step": step}
    if step % 10 == 0:
        return entry | {"semantic_fact": "status", "content": draw.choice(STATUSES)}
    if step % 2 == 0:
        return entry | {"semantic_fact": f"{draw.choice(SUBJECTS)} {draw.randrange(facts)}"}
    return entry


def _accessed(step: int, draw: random.Random) -> list[str]:
    """Some of the last ten entries, and now and then one of the first twenty."""
    recent = {f"m{draw.randint(max(1, step - 10), step)}" for _ in range(draw.randint(0, 3))}
    lasting = {f"m{draw.randint(1, min(step, LONG_LIVED))}"} if draw.random() < 0.2 else set()
    return sorted(recent | lasting)


def _sentence(draw: random.Random) -> str:
    return (
        f"The {draw.choice(SUBJECTS)} is {draw.choice(COLOURS)} in {draw.choice(CITIES)}, {draw.randint(1, 999)} in all"
    )


def _order(number: int, draw: random.Random) -> Record:
    return {
        "order_id": f"#W{1_000_000 + number}",
        "status": STATUSES[0],
        "address": {"street": f"{draw.randint(1, 999)} Mill Lane", "city": draw.choice(CITIES)},
        "items": [_item(draw) for _ in range(draw.randint(1, 4))],
    }


def _item(draw: random.Random) -> Record:
    price = draw.randint(500, 99_999) / 100
    return {"item_id": str(draw.randrange(10**9, 10**10)), "colour": draw.choice(COLOURS), "price": price}


def _one_fact(size: int, state: Callable[[int], Record]) -> Iterator[Record]:
    """An entry of one fact at every step, which accesses the one before."""
    for step in range(1, size + 1):
        yield {"entry_id": f"m{step}", "created_step": step, "semantic_fact": "status", **state(step)}
        yield {"step_id": step, "accessed_memory_ids": [f"m{step - 1}"] if step > 1 else []}


def _round(number: int, order: Record, draw: random.Random) -> Iterator[Record]:
    """A question, a call, its result, a reply that quotes it; now and then the call changes the order."""
    tool, arguments = "get_order_details", {"order_id": order["order_id"]}
    if draw.random() < 0.3:
        order["status"] = draw.choice(STATUSES)
        tool, arguments = "update_order_status", arguments | {"status": order["status"]}
    item = draw.choice(order["items"])
    yield {"role": "user", "content": f"What about order {order['order_id']}?"}
    yield from _call(number, tool, arguments, order)
    yield {"role": "assistant", "content": f"Item {item['item_id']} costs {item['price']}; it is {order['status']}."}


def _search(number: int, order: Record) -> Iterator[Record]:
    yield {"role": "user", "content": "The next one, please."}
    yield from _call(number, "find_order", {"filter": order["status"], "page": number}, order)
    yield {"role": "assistant", "content": f"That is {order['order_id']}."}


def _call(number: int, tool: str, arguments: Record, result: Record) -> Iterator[Record]:
    call = {"id": f"call_{number}", "function": {"name": tool, "arguments": json.dumps(arguments)}}
    yield {"role": "assistant", "content": None, "tool_calls": [call]}
    yield {"role": "tool", "tool_call_id": call["id"], "name": tool, "content": json.dumps(result)}
