"""The facts of a tau conversation: which field of which object held which value, and until when.

A result is about the object whose id it names itself, else about the one its call's arguments name, else
about the call. A fact is (entity, dotted path). Dictionary keys are part of the path, so are the ids of
list elements, never a position. An order line is keyed by its product: exchanging a variant then replaces
fields of the line. Elements that no id tells apart (passengers, payments) share their paths, which hold
several values.

A result replaces its object as a whole. A field is *overwritten* if a value it held is gone and another
result left something else there: a list that only grew is not. A value is *replaced* where a field held it
and no longer does, be the field overwritten or gone with its list element.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchmarks.lowering.tau_log import Call, Conversation, Message, Record, canonical, leaves

ENTITY_IDS = ("order_id", "reservation_id", "user_id", "product_id", "item_id", "flight_number")
ELEMENT_IDS = ("id", "product_id", "item_id", "flight_number")

Fields = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Entity:
    """What a result is about: an order, a reservation, a flight on a day, or the call itself."""

    kind: str
    id: str


@dataclass(frozen=True)
class Fact:
    """A field of an entity."""

    entity: Entity
    path: str


@dataclass(frozen=True)
class Object:
    """One object of a result, its fields by dotted path; `named` if it carries its own id."""

    entity: Entity
    named: bool
    fields: Fields


@dataclass(frozen=True)
class Overwrite:
    """A field that lost a value to another, at the tool message `message`."""

    conversation: str
    file: str
    position: int
    message: int
    tool: str
    fact: Fact
    old: str
    new: str


@dataclass(frozen=True)
class ReplacedArgument:
    """An argument equal to a value that `held_by` held and hold no more; `in_force` if another field does."""

    conversation: str
    file: str
    position: int
    message: int
    tool: str
    parameter: str
    value: str
    held_by: tuple[Fact, ...]
    in_force: bool


@dataclass
class State:
    """The objects as last seen, and every field that ever held a value."""

    objects: dict[Entity, Fields] = field(default_factory=dict)
    holders: dict[str, set[Fact]] = field(default_factory=lambda: defaultdict(set))

    def put(self, found: Object) -> Fields:
        """Replace an object as a whole; returns the fields it had."""
        before = self.objects.get(found.entity, {})
        self.objects[found.entity] = found.fields
        for path, values in found.fields.items():
            for value in values:
                self.holders[value].add(Fact(found.entity, path))
        return before

    def former(self, value: str) -> list[Fact]:
        """The fields that held the value and no longer do."""
        facts = self.holders.get(value, set())
        return sorted((fact for fact in facts if not self._holds(fact, value)), key=str)

    def in_force(self, value: str) -> bool:
        """Whether some field holds the value now."""
        return any(self._holds(fact, value) for fact in self.holders.get(value, set()))

    def _holds(self, fact: Fact, value: str) -> bool:
        return value in self.objects[fact.entity].get(fact.path, ())


def overwritten(conversation: Conversation) -> list[Overwrite]:
    """Every field a later result replaced by another value."""
    place = (conversation.id, conversation.file, conversation.position)
    return [
        Overwrite(*place, message.index, call.tool, Fact(found.entity, path), *_exchange(before[path], now))
        for message, call, found, before in replay(conversation)
        for path, now in found.fields.items()
        if path in before and not restates(before[path], now)
    ]


def replaced_arguments(conversation: Conversation) -> list[ReplacedArgument]:
    """Every call argument that equals a replaced value at the time of the call."""
    state = State()
    found: list[ReplacedArgument] = []
    for message in conversation.messages:
        found += _replaced(conversation, message, state)
        for part in objects(message):
            state.put(part)
    return found


def replay(conversation: Conversation) -> Iterator[tuple[Message, Call, Object, Fields]]:
    """Every object a result brings, with the call that asked for it and the fields the object had before."""
    state = State()
    for message in conversation.messages:
        if message.answers is None:
            continue
        for part in objects(message):
            yield message, message.answers, part, state.put(part)


def restates(before: Iterable[str], now: Iterable[str]) -> bool:
    """Whether every value a field held is still there."""
    return Counter(before) <= Counter(now)


def objects(message: Message) -> list[Object]:
    """The objects a tool message brings, one per entity; none for another message or an empty result."""
    if message.answers is None or not message.text.strip():
        return []
    parts = _parts(_content(message.text))
    return list({part.entity: part for part in (_object(value, message.answers) for value in parts)}.values())


def _replaced(conversation: Conversation, message: Message, state: State) -> list[ReplacedArgument]:
    place = (conversation.id, conversation.file, conversation.position, message.index)
    return [
        ReplacedArgument(*place, call.tool, ".".join(path), value, tuple(former), state.in_force(value))
        for call in message.calls
        for path, value in leaves(call.arguments)
        if value and (former := state.former(value))
    ]


def _exchange(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, str]:
    """The values that left a field and those that came in their place."""
    gone, come = Counter(before) - Counter(now), Counter(now) - Counter(before)
    return ", ".join(gone.elements()), ", ".join(come.elements())


def _content(text: str) -> object:
    """A result as JSON, or the text itself where a tool answers in words."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _parts(content: object) -> Iterator[object]:
    """The objects of a result; flight searches list flights, or pairs of them."""
    if not isinstance(content, list):
        yield content
        return
    for part in content:
        yield from _parts(part)


def _object(value: object, call: Call) -> Object:
    if not isinstance(value, dict):
        return Object(_of_call(call), False, _fields(value))
    own = _named(value, call.arguments.get("date"))
    entity = own or _named(call.arguments, None) or _of_call(call)
    return Object(entity, own is not None, _fields(_keyed(value)))


def _fields(value: object) -> Fields:
    gathered: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for path, leaf in leaves(value):
        gathered[".".join(path)] += (leaf,)
    return dict(gathered)


def _named(record: Record, date: object) -> Entity | None:
    """The entity whose id the record holds; a flight is one per searched day: its own date can err."""
    name = next((name for name in ENTITY_IDS if isinstance(record.get(name), str | int)), None)
    if name is None:
        return None
    day = (date or record.get("date")) if name == "flight_number" else None
    return Entity(name.removesuffix("_id").removesuffix("_number"), _dated(record[name], day))


def _of_call(call: Call) -> Entity:
    return Entity(call.tool, json.dumps(call.arguments, sort_keys=True, ensure_ascii=False))


def _dated(value: object, day: object) -> str:
    return f"{canonical(value)}@{day}" if day else canonical(value)


def _keyed(value: object) -> object:
    """The value with every list whose elements an id tells apart as a dictionary by that id."""
    if isinstance(value, dict):
        return {name: _keyed(part) for name, part in value.items()}
    if not isinstance(value, list):
        return value
    parts = [_keyed(part) for part in value]
    keyings = (_keys(value, name) for name in ELEMENT_IDS)
    keys = next((keys for keys in keyings if len(set(keys)) == len(value)), None)
    return dict(zip(keys, parts, strict=True)) if keys else parts


def _keys(elements: list[object], name: str) -> list[str]:
    """The elements' keys by one kind of id; those that lack it have none."""
    named = [element for element in elements if isinstance(element, dict) and name in element]
    return [_element_key(element, name) for element in named]


def _element_key(element: Record, name: str) -> str:
    return _dated(element[name], element.get("date") if name == "flight_number" else None)
