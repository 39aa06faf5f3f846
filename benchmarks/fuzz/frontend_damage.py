"""Damage to the records of a log: values of other types, fields lost, doubled, renamed, nested, ids that repeat.

Every mutation changes one place of a copy of the log, which may be the log itself.
"""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

#: A list or object of a log, and the index or name of one value in it.
Place = tuple[Any, Any]
Mutation = Callable[[list[Place], Place, random.Random], None]

AWKWARD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 10**30, 10**400, -(2**63), 1e308, -1e308, 0.1, float("nan"), float("inf")),
    *("", " ", "x", "\ud800", "\udc00x", "\x00", "a\nb", "\u2028", "x" * 20_000, "A" * 600, "NaN", "-", "#"),
    *("user", "2024-02-30", "9999-12-31T23:59:59Z", "{}", "[]", '{"a": [', "@it", 'order["W15"]', "1e999"),
    *([], {}, [[]], [{}], [None], {"": ""}, {"a": 1}, {"id": None}, ["x", 1, None], {"a/b~c": {"\ud800": 1}}),
)
_DEEP = 80


def damaged(log: list[Any], draw: random.Random) -> list[Any]:
    """A copy of a log after a few mutations."""
    whole: list[Any] = [copy.deepcopy(log)]
    for _ in range(int(1.5 * 6 ** draw.random())):
        if places := list(_places(whole)):
            draw.choice(MUTATIONS)(places, draw.choice(places), draw)
    return whole[0] if whole and isinstance(whole[0], list) else whole


def _places(whole: list[Any]) -> Iterator[Place]:
    """All places of a value, shallow ones first; no more than can be looked through quickly."""
    level: list[Any] = [whole]
    count = 0
    while level and count < 5_000:
        found = [(holder, at) for holder in level for at in _keys(holder)]
        yield from found
        count += len(found)
        level = [holder[at] for holder, at in found if isinstance(holder[at], (dict, list))]


def _keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))


def retype(_: list[Place], place: Place, draw: random.Random) -> None:
    """Another value, of any type."""
    holder, at = place
    holder[at] = copy.deepcopy(draw.choice(AWKWARD))


def lose(_: list[Place], place: Place, draw: random.Random) -> None:
    """Without the value."""
    holder, at = place
    if len(holder) > 1 or draw.random() < 0.2:
        del holder[at]


def double(_: list[Place], place: Place, draw: random.Random) -> None:
    """The value once more: beside itself in a list, under another name in an object."""
    holder, at = place
    value = copy.deepcopy(holder[at])
    if isinstance(holder, list):
        holder.insert(draw.randint(0, len(holder)), value)
    else:
        holder[f"{at}_"] = value


def multiply(_: list[Place], place: Place, draw: random.Random) -> None:
    """The value many times over in its list."""
    holder, at = place
    if isinstance(holder, list):
        size = len(str(holder[at])) + 1
        holder.extend(copy.deepcopy(holder[at]) for _ in range(min(2_000, 30_000 // size)))


def repeat(places: list[Place], place: Place, draw: random.Random) -> None:
    """The value of another place, mostly one of the same name: ids that repeat, parents in a circle."""
    holder, at = place
    named = [other for other in places if other[1] == at and isinstance(other[0], dict)]
    other, there = draw.choice(named if named and draw.random() < 0.7 else places)
    holder[at] = copy.deepcopy(other[there])


def exchange(places: list[Place], place: Place, draw: random.Random) -> None:
    """A text of the log for another, wherever it stands."""
    texts = [(holder, at) for holder, at in places if isinstance(holder[at], str)]
    if texts:
        (holder, at), (source, there) = draw.choice(texts), draw.choice(texts)
        holder[at] = source[there]


def nest(_: list[Place], place: Place, draw: random.Random) -> None:
    """The value within lists or objects, seldom many."""
    holder, at = place
    depth = _DEEP if draw.random() < 0.05 else draw.randint(1, 2)
    for _level in range(depth):
        holder[at] = [holder[at]] if draw.random() < 0.5 else {draw.choice(("a", "content", "id")): holder[at]}


def unwrap(_: list[Place], place: Place, draw: random.Random) -> None:
    """One value of a list or object in place of it."""
    holder, at = place
    value = holder[at]
    if isinstance(value, (dict, list)) and value:
        holder[at] = value[draw.choice(_keys(value))]


def rename(places: list[Place], place: Place, draw: random.Random) -> None:
    """A value under the name of another."""
    holder, at = place
    if isinstance(holder, dict):
        names = sorted({str(name) for other, name in places if isinstance(other, dict)})
        holder[draw.choice(names)] = holder.pop(at)


def shuffle(_: list[Place], place: Place, draw: random.Random) -> None:
    """A list in another order."""
    holder, _at = place
    if isinstance(holder, list):
        draw.shuffle(holder)


MUTATIONS: tuple[Mutation, ...] = (
    *(retype, retype, retype, lose, lose, double, multiply, repeat, repeat, exchange),
    *(nest, unwrap, rename, shuffle),
)
