"""What every field holds after each message of a tau conversation, read from raw JSON by the rules of value linking.

Nothing here imports the product, which is compared with this reading. A field is named by what it belongs to and the
steps that lead to it:

    entity    order   #W1000001         items 1000000001 price     a field of an entity
    result    search_direct_flight {…}  HAT001 status              a field of a result that names no entity
    argument  14      0                 cabin                      an argument: its message, its call there, its path
    said      id      #W1000001                                    a value a person wrote

The numbers of rules are those of `docs/lowering.md`. What these logs do not have is not read: results in an envelope,
objects that only report a failure, lists of entities, results that restate an entity of another kind, two names of
one entity, arguments that equal nothing but a replaced value. One of these would show as a difference.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.lowering.tau_log import Call, Message, Record, canonical

Field = tuple[str, ...]
Held = dict[Field, object]

ENTITY, RESULT, ARGUMENT, SAID = "entity", "result", "argument", "said"
NAMED_BY = 3  # an entity's name has so many parts: the word, its kind, its id
READING_VERBS = ("get", "find", "search", "list", "calculate", "think")

# what looks like an id and counts or measures something: 10th, 10am, 256GB, 28-inch, 19x10, 10-12
MEASURES = (
    re.compile(r"\d+(st|nd|rd|th|[ap]m|(hr|hour|min|sec|day|week|month|year|mile|star|person|lb|pc)s?|people)", re.I),
    re.compile(r"\d+([cmk]m|in|inch(es)?|ft|yd|mi|[mk]g|oz|[mc]l|[kmgt]b|[kmg]?hz|[km]?wh?|mah|px|[dp]pi|fps)", re.I),
    re.compile(r"\d+[mglhsxpk]|\d+(x\d+)+|\d{1,2}-\d{1,2}"),
    re.compile(r"\d{1,4}(st|nd|rd|th)?(-[A-Za-z][a-z]+)+"),
)

# rule 6, in order: what one of these took is no match of a later one
PATTERNS = {
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "date": re.compile(r"\b\d{4}-\d{2}-\d{2}\b"),
    "phone": re.compile(r"\b\d{3}-\d{3}-\d{4}\b"),
    "amount": re.compile(r"[$€£]\d+(?:,\d{3})*(?:\.\d+)?"),
    "id": re.compile(r"#?(?<![\w-])(?=[\w-]*\d)[\w-]{4,}"),
    "name": re.compile(r'["“]([^"”\n]{2,60})["”]'),
}


class Statement(NamedTuple):
    """A field that states a value, and the name nearest to it; within a list that is not the field's own."""

    field: Field
    label: str


@dataclass
class Reading:
    """The JSON in force under each name, after the messages taken in so far."""

    values: Held = field(default_factory=dict)
    told: Held = field(default_factory=dict)

    def take(self, message: Message) -> None:
        """Take in the next message."""
        if message.role == "user":
            self.values |= said(message.text)
        self.values |= dict(self._new_arguments(message))
        if message.answers is not None and message.text.strip():
            self._answer(message.answers, _content(message.text))

    def held(self) -> Held:
        """The value in force of every field."""
        return {(*name, *path): leaf for name, value in self.values.items() for path, leaf in leaves(value)}

    def _new_arguments(self, message: Message) -> Iterator[tuple[Field, object]]:
        """Rule 5: the arguments that equal nothing in force before the message."""
        known = self._known() if message.calls else {}
        for number, call in enumerate(message.calls):
            for path, value in _scalars(call.arguments):
                if not _is_known(call, path, value, known.get(canonical(value), [])):
                    yield (ARGUMENT, str(message.index), str(number), *path), value

    def _known(self) -> dict[str, list[Statement]]:
        """What is stated now, by the canonical form of the value; a list states each of its scalars."""
        found: dict[str, list[Statement]] = {}
        for name, leaf in self.held().items():
            for path, scalar in _scalars(leaf):
                found.setdefault(canonical(scalar), []).append(Statement(name, _label((*name, *path))))
        return found

    def _answer(self, call: Call, value: object) -> None:
        """Rule 3: a result replaces what was known under its name, or tells a part of it.

        What the same question was answered with before and is not now is gone; what others told of it stays.
        """
        name = entity(call, value) or result_of(call)
        question = (*name, *_question(call))
        before, told = self.values.get(name), self.told.get(question, {})
        again = _is_again(before, told, value)
        kept = _without(before, told, value) if again else before
        whole = name[0] == RESULT or _states_all(before, value)
        self.values[name] = value if whole else _with_part(kept, value)
        self.told[question] = value if again else _with_part(told, value)


def said(text: str) -> Held:
    """Rule 6: what a person's text states."""
    found: Held = {}
    for kind, pattern in PATTERNS.items():
        matches = [match for match in pattern.finditer(text) if kind != "id" or not _is_measure(match[0])]
        for match in reversed(matches):
            value = match[match.lastindex or 0].rstrip(".,;:!?")
            found[SAID, kind, value] = value
            text = f"{text[: match.start()]}\n{text[match.end() :]}"
    return found


def _is_measure(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in MEASURES)


def entity(call: Call, value: object) -> Field | None:
    """Rule 2: the thing the tool is named after, if the result has its id, else if the call has."""
    if not isinstance(value, dict):
        return None
    kinds = [(record, kind) for record in (value, call.arguments) for kind in call.tool.split("_")]
    return next(((ENTITY, kind, str(record[f"{kind}_id"])) for record, kind in kinds if f"{kind}_id" in record), None)


def result_of(call: Call) -> Field:
    """The name of a result that names no entity: the tool with its arguments."""
    return RESULT, call.tool, as_text(call.arguments)


def leaves(value: object, label: str = "") -> Iterator[tuple[Field, object]]:
    """Rule 1: a field of an object is a field of its own, a list without ids is one as a whole."""
    parts = _parts(value, label)
    if not parts:
        yield (), value
    for step, part in parts:
        yield from (((step, *path), leaf) for path, leaf in leaves(part, step))


def _parts(value: object, label: str) -> list[tuple[str, object]]:
    """The parts of a value that are told apart by a name or by an id of their own."""
    if isinstance(value, dict):
        return list(value.items())
    if not isinstance(value, list) or not all(isinstance(element, dict) for element in value):
        return []
    keyings = ([str(element.get(name)) for element in value] for name in _own_ids(value, label))
    keys = next((keys for keys in keyings if len(set(keys)) == len(value)), [])
    return list(zip(keys, value, strict=False))


def _own_ids(elements: list[Record], label: str) -> list[str]:
    """The id fields that all elements of a list have: `id` or one named after it; any where the list has no name."""
    one = label.removesuffix("s")
    own = ("id", f"{one}_id", f"{one}_number")
    shared = [name for name in next(iter(elements), {}) if all(name in element for element in elements)]
    return [name for name in shared if name in own or (not label and name.endswith(("_id", "_number")))]


def _is_known(call: Call, path: Field, value: object, statements: list[Statement]) -> bool:
    """Whether a field that the call does not set states an argument; what tells little, under its own name alone."""
    if value == "":  # no text is no value that two fields could share
        return False
    name = _label(path)
    labels = [one.label for one in statements if not _is_set(call, name, one.field)]
    tells = not (value is None or isinstance(value, bool) or len(str(value)) == 1)
    return bool(labels) if tells else name in labels


def _is_set(call: Call, parameter: str, known: Field) -> bool:
    """Whether a call sets a field by this argument: one so named, of the entity that the tool's name speaks of."""
    verb, *kinds = call.tool.split("_")
    if verb in READING_VERBS or known[0] != ENTITY or known[1] not in kinds or parameter == f"{known[1]}_id":
        return False
    return call.arguments.get(f"{known[1]}_id") == known[2] and parameter in known[NAMED_BY:]


def _states_all(before: object, value: object) -> bool:
    """Rule 3: whether a result states all that is known."""
    return set(_field_names(before)) <= set(_field_names(value))


def _is_again(before: object, told: object, value: object) -> bool:
    """Whether a result states half of what is left of an answer before, and not ids alone."""
    if not isinstance(before, dict) or not isinstance(told, dict) or not isinstance(value, dict):
        return False
    known = before.keys() & told.keys()
    stated = known & value.keys()
    return 2 * len(stated) >= len(known) and not all(name.endswith("_id") for name in stated)


def _without(before: object, told: object, value: object) -> object:
    """What was known of an object without what was told before and is not now, in the objects in it too."""
    if not isinstance(before, dict) or not isinstance(told, dict):
        return before
    now = value if isinstance(value, dict) else {}
    kept = {name: _without(part, told.get(name), now.get(name, {})) for name, part in before.items()}
    return {
        name: part for name, part in kept.items() if name in now or name not in told or (part and part != told[name])
    }


def _with_part(before: object, part: object) -> object:
    """What was known of an object with a part told anew, which takes away nothing it does not speak of."""
    if not isinstance(before, dict) or not isinstance(part, dict):
        return part
    return before | {name: _with_part(before.get(name), value) for name, value in part.items()}


def _field_names(value: object, path: Field = ()) -> Iterator[Field]:
    """The fields of an object and of the objects in it; what lists hold is told anew with them."""
    for name, part in value.items() if isinstance(value, dict) else ():
        yield (*path, name)
        yield from _field_names(part, (*path, name))


def _question(call: Call) -> Field:
    """What makes two calls one question about an entity: the tool and the arguments, ids apart."""
    return call.tool, as_text({name: value for name, value in call.arguments.items() if not name.endswith("_id")})


def _scalars(value: object, path: Field = ()) -> Iterator[tuple[Field, object]]:
    """Every scalar of a JSON value with the names and positions that lead to it."""
    if not isinstance(value, dict | list):
        yield path, value
        return
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for step, part in parts:
        yield from _scalars(part, (*path, str(step)))


def _label(path: Field) -> str:
    """The nearest field name of a path, positions in lists apart."""
    return next((step for step in reversed(path) if not step.isdecimal()), "")


def _content(text: str) -> object:
    """A result as JSON, or the text itself where a tool answers in words."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def as_text(value: object) -> str:
    """A JSON value as one text, whatever the order of its fields."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
