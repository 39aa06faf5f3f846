"""Reading a domain file: every key and value is checked, and every mistake shown with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from ..diagnostics import InputError, Location, Problem, suggestion
from .domain import EntityRule, Extent, ToolRule

_HINT = "the page on domain files in the docs shows every key"
_LINE = re.compile(r"line (\d+)")
_EXTENTS: tuple[Extent, ...] = get_args(Extent)


def read(path: str | Path) -> dict[str, Any]:
    """What the fields of a domain are by its file. Raises `InputError` for anything that is not as described."""
    name = str(path)
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:  # no such file, no UTF-8, no TOML, or nested too deeply
        raise _unreadable(name, error) from None
    return _domain(_Table(name, (), table))


def _unreadable(name: str, error: Exception) -> InputError:
    if isinstance(error, OSError):
        message, hint = f"the domain file cannot be read: {error.strerror}", "check the path"
    else:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        message, hint = f"the domain file is not TOML: {reason}", _HINT
    line = _LINE.search(str(error)) if isinstance(error, tomllib.TOMLDecodeError) else None
    return _refusal(message, Location(file=name, line=int(line[1]) if line else None), hint)


def _refusal(message: str, location: Location, hint: str = _HINT) -> InputError:
    return InputError(Problem(code="DO001", message=message, location=location, hint=hint))


class _Table:
    """A table of the file with the keys that lead to it."""

    def __init__(self, file: str, keys: tuple[str, ...], values: Mapping[str, Any]) -> None:
        self._file = file
        self._keys = keys
        self._values = values

    @property
    def name(self) -> str:
        """The last of the keys."""
        return self._keys[-1]

    def only(self, *known: str) -> None:
        """Refuse keys other than these."""
        for key in self._values:
            if key not in known:
                near = suggestion(key, known)
                raise self.wrong(key, f"unknown key {key!r}{near}; known are {', '.join(known)}")

    def table(self, key: str) -> _Table:
        """The table of a key; an empty one where it is not given."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"{key} is a table, not {value!r}")
        return _Table(self._file, (*self._keys, key), value)

    def tables(self) -> Iterator[_Table]:
        """The tables in this one."""
        return map(self.table, self._values)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one; none where the key is not given."""
        value = self._values.get(key, [])
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not all(isinstance(one, str) and one for one in found):
            raise self.wrong(key, f"{key} is a list of texts, not {value!r}")
        return tuple(found)

    def text(self, key: str) -> str | None:
        """A text, if the key is given."""
        value = self._values.get(key)
        if value is None or (isinstance(value, str) and value):
            return value
        raise self.wrong(key, f"{key} is a text, not {value!r}")

    def flag(self, key: str) -> bool | None:
        """True or false, if the key is given."""
        value = self._values.get(key)
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(key, f"{key} is true or false, not {value!r}")

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All keys with the texts they have."""
        return tuple((key, self.text(key) or "") for key in self._values)

    def is_true(self, key: str) -> bool:
        """Whether the key is given as `true`."""
        return self._values.get(key) is True

    def is_false(self, key: str) -> bool:
        """Whether the key is missing, or given as `false`."""
        return self._values.get(key, False) is False

    def wrong(self, key: str, message: str) -> InputError:
        """A mistake at a key."""
        pointer = "".join("/" + one.replace("~", "~0").replace("/", "~1") for one in (*self._keys, key))
        return _refusal(message, Location(file=self._file, pointer=pointer))


def _domain(table: _Table) -> dict[str, Any]:
    table.only("tools", "entities", "fields", "names", "said")
    fields = table.table("fields")
    fields.only("sensitive", "lasting")
    entities = tuple(map(_entity, table.table("entities").tables()))
    _refuse_shared(table.table("entities"), entities)
    return {
        "tools": tuple(map(_tool, table.table("tools").tables())),
        "entities": entities,
        "sensitive": fields.texts("sensitive"),
        "lasting": fields.texts("lasting"),
        "names": _names(table.table("names")),
        "said": tuple(_said(table.table("said"))),
    }


def _tool(table: _Table) -> ToolRule:
    table.only("entity", "id", "result", "writes", "effect", "effect_key", "ignore")
    extent = _extent(table)
    effect = _effect(table)
    if table.text("effect_key") and effect is None:
        raise table.wrong("effect_key", "effect_key is the key of an effect, and there is none; write effect = true")
    return ToolRule(
        name=table.name,
        entity=table.text("entity"),
        id=table.text("id"),
        result=extent,
        writes=table.flag("writes"),
        effect=effect,
        effect_key=table.text("effect_key"),
        ignore=bool(table.flag("ignore")),
    )


def _extent(table: _Table) -> Extent | None:
    text = table.text("result")
    found: Extent | None = next((one for one in _EXTENTS if one == text), None)
    if text is not None and found is None:
        near = suggestion(text, _EXTENTS)
        raise table.wrong("result", f"unknown result {text!r}{near}; known are {', '.join(_EXTENTS)}")
    return found


def _effect(table: _Table) -> str | None:
    """The name of an effect; an empty one stands for the tool's own."""
    if table.is_true("effect"):
        return ""
    return None if table.is_false("effect") else table.text("effect")


def _entity(table: _Table) -> EntityRule:
    table.only("ids", "sensitive", "lasting")
    return EntityRule(
        kind=table.name, ids=table.texts("ids"), sensitive=table.texts("sensitive"), lasting=table.texts("lasting")
    )


def _refuse_shared(table: _Table, entities: tuple[EntityRule, ...]) -> None:
    """Refuse a field that is to name entities of two kinds."""
    kinds: dict[str, str] = {}
    for entity in entities:
        for field in entity.ids:
            if kinds.setdefault(field, entity.kind) != entity.kind:
                raise table.table(entity.kind).wrong("ids", f"{field!r} is an id of {kinds[field]!r} already")


def _names(table: _Table) -> tuple[tuple[str, str], ...]:
    """Synonyms; what one leads to is no synonym itself, so that a name is looked up once."""
    pairs = table.pairs()
    for synonym, real in pairs:
        if real in dict(pairs):
            raise table.wrong(synonym, f"{real!r} is a synonym itself; name what it stands for")
    return pairs


def _said(table: _Table) -> Iterator[tuple[str, re.Pattern[str]]]:
    for kind, text in table.pairs():
        try:
            pattern = re.compile(text)
        except (re.error, RecursionError, OverflowError) as error:
            raise table.wrong(kind, f"this is no regular expression: {error}") from None
        if pattern.match(""):
            raise table.wrong(kind, "this expression finds the empty text")
        yield kind, pattern
